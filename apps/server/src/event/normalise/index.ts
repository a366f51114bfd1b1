import { createHash } from 'node:crypto'
import { normaliseEventId, isObject } from '@firsthand/protocol'
import type { ProjectSettings } from '../../accounts/settings.ts'
import type { DigestItem, Drop } from '../../ingest/road.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { EVENT_LIMITS } from '../limits.ts'
import { readSentRemarks } from '../remarks.ts'
import type { EventType, NormalisedEvent } from '../event.ts'
import { withMinidump, type Minidump } from '../minidump/index.ts'
import { readAttributes, readEnvironment, readSdk } from './attributes.ts'
import { readBags } from './bag.ts'
import { readBreadcrumbs } from './breadcrumbs.ts'
import { linkReplay, readContexts } from './contexts.ts'
import { readErrorDetails } from './exception.ts'
import { readText } from './fields.ts'
import { readLevel } from './level.ts'
import { readLogentry } from './logentry.ts'
import { parseWithLongIntegers } from './read-json.ts'
import { type Raw, Reading } from './reading.ts'
import { placeReport, readReport, type Report } from './report.ts'
import { readRequest } from './request.ts'
import { readEventJson } from './frame-cache.ts'
import { deriveTags, readTags } from './tags.ts'
import { correctClock, readTimestamp } from './timestamps.ts'
import { addClientContexts, userAgentOf } from './user-agent.ts'
import { inferAddress, inferSettingOf, readUser, userKey } from './user.ts'

/**
 * Normalisation: from the bytes that some SDK sent to the one shape that the rest of Firsthand knows.
 *
 * Everything is read field by field and by the rules of protocol.md 3.1 and 4.5–4.7. A field that breaks its rule is
 * dropped and noted in `errors`; the event lives. Only a payload that is no JSON object, or a report of an unknown kind,
 * ends here. To read one more field: add it to `event.ts`, read it in the file of its part, and derive tags from
 * it in `tags.ts` if people will search for it.
 */
export const normalise = (
  { item, minidump }: { readonly item: DigestItem; readonly minidump?: Minidump | undefined },
  _settings: ProjectSettings,
): Result<NormalisedEvent, Drop> => {
  const json = readEventJson(item.item.payload)
  if (!json.ok) return json
  const { type } = item.item.header
  if (type === 'raw_security' || type === 'security' || type === 'nel') {
    const report = readReport(json.value.value)
    return report === undefined
      ? drop('unsupported_report', 'The payload is not a report of a kind that Firsthand knows.')
      : ok(normaliseReport(item, report))
  }
  const sent = json.value.value
  if (!isObject(sent)) return drop('invalid_event', 'The payload of an event must be a JSON object.')
  if (sent['type'] === 'transaction' || sent['type'] === 'feedback') {
    return drop('wrong_item_type', `A payload of type ${sent['type']} came as an item of type event.`)
  }
  const whole = (raw: Raw): Raw => (minidump === undefined ? raw : withMinidump(raw, minidump))
  const reading = new Reading()
  const event = normaliseEvent(item, whole(sent), reading)
  if (!reading.lostPrecision) return ok(event)
  const precise = parseWithLongIntegers(json.value.bytes)
  return ok(isObject(precise) ? normaliseEvent(item, whole(precise), new Reading()) : event)
}

/**
 * What a transaction says as an event does: who, where, in which version, with its tags and contexts.
 *
 * @param raw its payload, which was made safe to walk by `readJson`
 */
export const normaliseSurroundings = (item: DigestItem, raw: Raw): NormalisedEvent =>
  normaliseEvent(item, raw, new Reading())

const drop = (reason: string, detail: string): Result<never, Drop> =>
  err({ outcome: { kind: 'invalid', reason }, detail })

const normaliseEvent = (item: DigestItem, raw: Raw, reading: Reading): NormalisedEvent => {
  const received = item.receivedAt / 1000
  const event: NormalisedEvent = {
    event_id: item.eventId ?? normaliseEventId(raw['event_id']) ?? derivedId(item),
    type: 'error',
    timestamp: readTimestamp(reading, raw, 'timestamp', received) ?? received,
    received,
    platform: readText(reading, raw, 'platform', EVENT_LIMITS.WORD_CHARS) ?? 'other',
    level: readLevel(reading, raw, 'error'),
    logger: readText(reading, raw, 'logger', EVENT_LIMITS.WORD_CHARS) ?? '',
    contexts: readContexts(reading, raw),
    tags: [],
    errors: reading.errors,
  }
  readAttributes(reading, raw, event)
  readErrorDetails(reading, raw, event)
  const logentry = readLogentry(reading, raw)
  if (logentry !== undefined) event.logentry = logentry
  event.type = typeOf(event)
  const request = readRequest(reading, raw)
  if (request !== undefined) event.request = request
  const user = readUser(reading, raw)
  if (user !== undefined) event.user = user
  const breadcrumbs = readBreadcrumbs(reading, raw, received)
  if (breadcrumbs !== undefined) event.breadcrumbs = breadcrumbs
  const extra = readBags(
    reading,
    raw,
    'extra',
    EVENT_LIMITS.LARGER_BAG_DEPTH,
    EVENT_LIMITS.LARGER_BAG_CHARS,
    EVENT_LIMITS.MASSIVE_BAG_CHARS,
  )
  if (extra !== undefined) event.extra = extra
  const meta = readSentRemarks(raw)
  if (meta !== undefined) event._meta = meta
  const sdk = readSdk(reading, raw, item.header.sdk, item.sender.sdk)
  if (sdk !== undefined) event.sdk = sdk
  const tags = readTags(reading, raw)
  const environment = takeEnvironmentTag(reading, tags)
  if (event.environment === undefined && environment !== undefined) event.environment = environment
  correctClock(event, reading, item.header.sentAt)
  return complete(item, event, tags)
}

/** An event without exception is a message; so is SDK 11's message with a stack, an exception without type (protocol.md 3.1.1). */
const typeOf = (event: NormalisedEvent): EventType => {
  const exceptions = event.exception?.values
  if (exceptions === undefined) return event.logentry === undefined && event.threads !== undefined ? 'error' : 'default'
  const isMessage = event.logentry !== undefined && exceptions.every((exception) => exception.type === undefined)
  return isMessage ? 'default' : 'error'
}

const takeEnvironmentTag = (reading: Reading, tags: Map<string, string>): string | undefined => {
  const value = tags.get('environment')
  tags.delete('environment')
  return value === undefined ? undefined : readEnvironment(reading, { 'tags.environment': value }, 'tags.environment')
}

const normaliseReport = (item: DigestItem, report: Report): NormalisedEvent => {
  const reading = new Reading()
  const received = item.receivedAt / 1000
  const event: NormalisedEvent = {
    event_id: item.eventId ?? derivedId(item),
    type: report.type,
    timestamp: received - report.ageMs / 1000,
    received,
    platform: 'other',
    level: report.level,
    logger: report.type,
    logentry: { formatted: report.message },
    contexts: {},
    tags: [],
    errors: reading.errors,
  }
  placeReport(event, report)
  const { raw: header } = item.item.header
  readAttributes(reading, { release: header['sentry_release'], environment: header['sentry_environment'] }, event)
  const userAgent = report.userAgent ?? item.sender.userAgent
  const request = readRequest(reading, {
    request: { url: report.url, headers: userAgent === null ? [] : [['User-Agent', userAgent]] },
  })
  if (request !== undefined) event.request = request
  if (item.sender.clientAddress !== null) event.user = { ip_address: '{{auto}}' }
  correctClock(event, reading, item.header.sentAt)
  return complete(item, event, readTags(reading, { tags: report.tags.filter(([, value]) => value !== '') }))
}

/** Fills what follows from other fields. */
const complete = (item: DigestItem, event: NormalisedEvent, tags: Map<string, string>): NormalisedEvent => {
  inferAddress(event, inferSettingOf(event.sdk?.settings), item.sender.clientAddress)
  const key = userKey(event.user)
  if (event.user !== undefined && key !== undefined) event.user.sentry_user = key
  // The sender of a browser's event is the browser; that of a server's event is the server's HTTP client.
  const userAgent = userAgentOf(event) ?? (event.platform === 'javascript' ? item.sender.userAgent : null)
  if (userAgent !== null) addClientContexts(event, userAgent)
  event.tags = deriveTags(event, tags)
  linkReplay(event, item.header.trace)
  return event
}

/** Events have an id by now (protocol.md 1.4). Should one have none, the same bytes get the same, so that a repeat is one event. */
const derivedId = (item: DigestItem): string =>
  createHash('md5').update(`${item.sender.projectId}:${item.receivedAt}:`).update(item.item.payload).digest('hex')
