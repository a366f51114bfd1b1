import type { Sending } from './kind.ts'

/** Issues and events as Sentry's webhooks have them: from what is stored, or from the summary where that is gone. */

type Json = Readonly<Record<string, unknown>>

const iso = (at: number): string => new Date(at).toISOString()

const apiOf = ({ publicUrl, organization }: Sending, path: string): string =>
  `${publicUrl}/api/0${path.replace('{org}', organization.slug)}`

/** Null for what is about no issue. */
export const issueOf = (sending: Sending): Json | null => {
  const { message, publicUrl, organization, stored } = sending
  const { issue, project } = message.about ?? {}
  if (issue === undefined) return null
  const page = `${publicUrl}/organizations/${organization.slug}/issues/${issue.id}/`
  const links = {
    url: apiOf(sending, `/organizations/{org}/issues/${issue.id}/`),
    web_url: page,
    project_url: project === undefined ? null : apiOf(sending, `/projects/{org}/${project.slug}/`),
  }
  if (stored?.issue) return { ...stored.issue, ...links }
  return {
    id: String(issue.id),
    shortId: issue.shortId,
    title: issue.title,
    culprit: issue.culprit ?? '',
    level: issue.level ?? message.level,
    status: issue.status ?? 'unresolved',
    substatus: null,
    statusDetails: {},
    assignedTo: null,
    platform: issue.platform ?? null,
    metadata: { title: issue.title },
    count: String(issue.count ?? 0),
    userCount: issue.userCount ?? 0,
    firstSeen: issue.firstSeen === undefined ? null : iso(issue.firstSeen),
    lastSeen: issue.lastSeen === undefined ? null : iso(issue.lastSeen),
    project:
      project === undefined ? null : { id: String(project.id), slug: project.slug, name: project.name, platform: null },
    permalink: page,
    ...links,
  }
}

const linksOf = (sending: Sending, eventId: string): Json => {
  const { publicUrl, organization, message } = sending
  const { issue, project } = message.about ?? {}
  return {
    url: apiOf(sending, `/projects/{org}/${project?.slug ?? '-'}/events/${eventId}/`),
    web_url: `${publicUrl}/organizations/${organization.slug}/issues/${issue?.id ?? 0}/events/${eventId}/`,
    issue_url: apiOf(sending, `/organizations/{org}/issues/${issue?.id ?? 0}/`),
    issue_id: String(issue?.id ?? 0),
    project: project?.id ?? null,
  }
}

/** What the summary in the message says of its event. */
const summaryOf = ({ message, createdAt }: Sending): Json => {
  const event = message.about?.event ?? {}
  const at = typeof event['at'] === 'number' ? event['at'] : createdAt
  const { errorType, errorValue, url, user } = event
  return {
    event_id: event['eventId'] ?? null,
    title: event['title'] ?? message.about?.issue?.title ?? message.headline,
    message: errorType === null || errorType === undefined ? (event['title'] ?? '') : '',
    culprit: event['culprit'] ?? '',
    level: event['level'] ?? message.level,
    type: event['type'] ?? 'default',
    platform: event['platform'] ?? null,
    logger: event['logger'] ?? '',
    environment: event['environment'] ?? null,
    release: event['release'] ?? null,
    transaction: event['transaction'] ?? null,
    datetime: iso(at),
    timestamp: at / 1000,
    received: at / 1000,
    version: '7',
    metadata: { type: errorType ?? null, value: errorValue ?? null },
    exception: typeof errorType === 'string' ? { values: [{ type: errorType, value: errorValue ?? '' }] } : null,
    request: typeof url === 'string' ? { url } : null,
    user: user ?? null,
    contexts: {},
    sdk: null,
    tags: event['tags'] ?? [],
  }
}

export const eventOf = (sending: Sending): Json => {
  const { stored, message } = sending
  if (!stored?.event) {
    const summary = summaryOf(sending)
    return { ...summary, ...linksOf(sending, String(summary['event_id'])) }
  }
  const { event, title } = stored.event
  return {
    exception: null,
    request: null,
    user: null,
    sdk: null,
    ...event,
    ...linksOf(sending, event.event_id),
    title: title.title,
    culprit: title.culprit,
    metadata: title.metadata,
    location: title.metadata['filename'] ?? null,
    message: event.logentry?.formatted ?? event.logentry?.message ?? '',
    datetime: iso(event.timestamp * 1000),
    version: '7',
    level: event.level ?? message.level,
  }
}

/** What somebody sees who tries whether hooks arrive: as whole as one of a real error. */
export const testEvent = (sending: Sending): Json => {
  const { message } = sending
  const event = {
    eventId: '0'.repeat(32),
    at: sending.createdAt,
    title: `Test: ${message.headline}`,
    culprit: 'firsthand.test',
    level: 'info',
    type: 'error',
    errorType: 'Test',
    errorValue: message.headline,
    platform: 'other',
    tags: [['level', 'info']],
  }
  return eventOf({ ...sending, message: { ...message, about: { event } }, stored: undefined })
}

/** Beginning with what fewest receivers read. */
const LEFT_OUT: readonly (readonly string[])[] = [
  ['breadcrumbs', 'debug_meta', 'modules', '_meta'],
  ['threads', 'extra'],
  ['contexts', 'request'],
]

/** The event whole, and then with less and less. */
export function* lighter(event: Json): Generator<Json> {
  let left = event
  yield left
  for (const names of LEFT_OUT) {
    left = Object.fromEntries(Object.entries(left).filter(([name]) => !names.includes(name)))
    yield left
  }
}
