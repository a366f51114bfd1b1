import { hash } from 'node:crypto'
import { isObject } from '@firsthand/protocol'
import type { JsonObject, NormalisedEvent } from '../event/event.ts'
import { LIMITS } from './limits.ts'
import { EVENT_LIMITS } from '../event/limits.ts'
import type { FeedbackDetails, FeedbackReport, FeedbackSource } from './feedback.ts'
import { cleanId, cleanLine, cleanText } from './text.ts'

/** What Unreal sends when nobody was there to write something (protocol.md 3.5). */
const UNATTENDED = 'Sent in the unattended mode'

const STARS = 5

const SOURCES: ReadonlySet<string> = new Set(['widget', 'api', 'user_feedback', 'error_page'])

const isSource = (text: string): text is FeedbackSource => SOURCES.has(text)

/**
 * A `feedback` item: an event whose `contexts.feedback` holds what was said (protocol.md 3.5).
 *
 * @param context `contexts.feedback` as sent
 * @param event the rest, normalised and scrubbed
 * @param about keys of the tags that were sent; the trace that the envelope names
 * @returns null when nothing was said
 */
export const readFeedback = (
  context: unknown,
  event: NormalisedEvent,
  { sentTags, traceId }: { readonly sentTags: ReadonlySet<string>; readonly traceId: string | null },
): FeedbackReport | null => {
  if (!isObject(context)) return null
  const message = cleanText(context['message'], LIMITS.FEEDBACK_MESSAGE_CHARS)
  if (message === '' || message === UNATTENDED) return null
  const source = cleanLine(context['source'], EVENT_LIMITS.WORD_CHARS)
  const trace = event.contexts['trace']
  const replay = event.contexts['replay']
  const signals = isObject(context['signals']) ? context['signals'] : context
  const fillMs = signals['fill_ms']
  const topics = readTopics(context)
  return {
    eventId: event.event_id,
    source: isSource(source) ? source : 'other',
    timestamp: Math.round(event.timestamp * 1000),
    message,
    name: cleanLine(context['name'], LIMITS.FEEDBACK_NAME_CHARS),
    email: cleanLine(context['contact_email'] ?? event.user?.email, LIMITS.FEEDBACK_EMAIL_CHARS),
    url: cleanLine(context['url'] ?? event.request?.url, EVENT_LIMITS.URL_CHARS),
    browser: nameOf(event.contexts['browser']),
    os: nameOf(event.contexts['os']),
    environment: event.environment ?? 'production',
    release: event.release ?? '',
    // Those that were set; what the digest derives of an event stands in fields of its own.
    tags: withTopics(
      event.tags.filter(([key]) => sentTags.has(key)),
      topics,
    ),
    traceId: cleanId(trace?.['trace_id']) ?? traceId,
    replayId: cleanId(context['replay_id']) ?? cleanId(replay?.['replay_id']),
    associatedEventId: cleanId(context['associated_event_id']),
    replaces: false,
    honeypot: cleanLine(signals['honeypot'], EVENT_LIMITS.WORD_CHARS) !== '',
    fillMs: typeof fillMs === 'number' && fillMs >= 0 ? fillMs : null,
    details: detailsOf(event, [...topics, ...readFields(context['fields'])].slice(0, LIMITS.FEEDBACK_FIELDS)),
  }
}

const nameOf = (context: JsonObject | undefined): string =>
  [context?.['name'], context?.['version']].filter((part) => typeof part === 'string').join(' ')

const detailsOf = (event: NormalisedEvent, fields: FeedbackDetails['fields']): FeedbackDetails => ({
  user: event.user === undefined ? null : (event.user as JsonObject),
  fields,
  breadcrumbs: (event.breadcrumbs?.values ?? []) as readonly unknown[] as readonly JsonObject[],
  sdk: event.sdk === undefined ? null : { name: event.sdk.name, version: event.sdk.version },
  userAgent: cleanLine(
    event.request?.headers?.find(([name]) => name.toLowerCase() === 'user-agent')?.[1],
    EVENT_LIMITS.USER_AGENT_CHARS,
  ),
  locale: cleanLine(event.contexts['culture']?.['locale'], EVENT_LIMITS.WORD_CHARS),
})

/** What kind of report its sender says that it is, and how many of five stars they give. */
const readTopics = ({ category, rating }: Readonly<Record<string, unknown>>): FeedbackDetails['fields'] => {
  const kind = cleanLine(category, EVENT_LIMITS.TAG_VALUE_CHARS)
  const isRating = typeof rating === 'number' && Number.isInteger(rating) && rating >= 1 && rating <= STARS
  return [
    ...(kind === '' ? [] : [{ key: 'category', label: 'Category', value: kind }]),
    ...(isRating ? [{ key: 'rating', label: `Rating, of ${STARS}`, value: String(rating) }] : []),
  ]
}

/** Tags are what reports are searched by and what a team may correct. One that the page set itself stays. */
const withTopics = (tags: FeedbackReport['tags'], topics: FeedbackDetails['fields']): FeedbackReport['tags'] => [
  ...tags,
  ...topics.filter(({ key }) => !tags.some(([other]) => other === key)).map(({ key, value }) => [key, value] as const),
]

/** `{key: value}`, or `[{key, label, value}]`. */
const readFields = (value: unknown): FeedbackDetails['fields'] => {
  const list: unknown[] = Array.isArray(value)
    ? value
    : isObject(value)
      ? Object.entries(value).map(([key, field]) => ({ key, label: key, value: field }))
      : []
  return list.slice(0, LIMITS.FEEDBACK_FIELDS).flatMap((field) => {
    if (!isObject(field)) return []
    const key = cleanLine(field['key'] ?? field['name'], EVENT_LIMITS.TAG_KEY_CHARS)
    if (key === '') return []
    const label = cleanLine(field['label'], EVENT_LIMITS.TAG_KEY_CHARS)
    return [{ key, label: label === '' ? key : label, value: cleanText(field['value'], LIMITS.FEEDBACK_FIELD_CHARS) }]
  })
}

/**
 * A `user_report` item, `{event_id, name?, email?, comments}` (protocol.md 3.5): a report about an event. One event has
 * one, so its id is made of the event's.
 */
export const readUserReport = (
  payload: unknown,
  about: { readonly eventId: string | null; readonly receivedAt: number; readonly userAgent: string | null },
): FeedbackReport | null => {
  if (!isObject(payload)) return null
  const eventId = cleanId(payload['event_id']) ?? about.eventId
  const message = cleanText(payload['comments'], LIMITS.FEEDBACK_MESSAGE_CHARS)
  if (eventId === null || message === '' || message === UNATTENDED) return null
  const source = cleanLine(payload['source'], EVENT_LIMITS.WORD_CHARS)
  return {
    eventId: hash('md5', `user_report:${eventId}`, 'hex'),
    source: isSource(source) ? source : 'user_report',
    timestamp: about.receivedAt,
    message,
    name: cleanLine(payload['name'], LIMITS.FEEDBACK_NAME_CHARS),
    email: cleanLine(payload['email'], LIMITS.FEEDBACK_EMAIL_CHARS),
    url: '',
    browser: '',
    os: '',
    environment: '',
    release: '',
    tags: [],
    traceId: null,
    replayId: null,
    associatedEventId: eventId,
    replaces: true,
    honeypot: false,
    fillMs: null,
    details: {
      user: null,
      fields: [],
      breadcrumbs: [],
      sdk: null,
      userAgent: cleanLine(about.userAgent, EVENT_LIMITS.USER_AGENT_CHARS),
      locale: '',
    },
  }
}
