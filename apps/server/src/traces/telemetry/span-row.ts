import { mapsOf, takeText, userOf, type AttributeValue } from '../../event/index.ts'
import type { DigestItem } from '../../ingest/index.ts'
import { encodedTable, type EncodedRow } from '../../storage/telemetry/row-writer.ts'
import {
  flag,
  hexNumber,
  json,
  line,
  map,
  mapOf,
  milliseconds,
  strings,
  text,
  uuid,
  uuidOrNone,
} from '../../storage/telemetry/tab-separated.ts'
import { createDescriber, type SpanDescription } from '../describe/describe.ts'
import { LIMITS } from '../limits.ts'
import { operationOf, sentName, type SentName } from '../read/names.ts'
import type { ReadSpan } from '../span.ts'

const SPAN_COLUMNS = [
  'organization_id',
  'project_id',
  'trace_id',
  'span_id',
  'parent_span_id',
  'segment_id',
  'is_segment',
  'event_id',
  'timestamp',
  'start_micros',
  'duration',
  'name',
  'description',
  'op',
  'category',
  'domain',
  'group_text',
  'children_time',
  'status',
  'origin',
  'kind',
  'transaction',
  'environment',
  'release',
  'platform',
  'sdk_name',
  'sdk_version',
  'service',
  'user',
  'http_method',
  'http_status',
  'url',
  'browser',
  'os',
  'device',
  'country',
  'replay_id',
  'sample_rate',
  'strings',
  'numbers',
  'flags',
  'lists',
  'links',
  'notes',
  'received',
] as const

const SEGMENT_COLUMNS = [
  'organization_id',
  'project_id',
  'timestamp',
  'trace_id',
  'span_id',
  'transaction',
  'op',
  'status',
  'duration',
  'environment',
  'release',
  'user',
  'sample_rate',
  'http_status',
  'browser',
  'device',
  'country',
  'vitals',
] as const

const LOOKUP = { id: 'span_id', idType: 'UInt64', time: 'timestamp' } as const

export const SPANS = encodedTable({ ...LOOKUP, table: 'spans' }, SPAN_COLUMNS)
export const SEGMENTS = encodedTable({ ...LOOKUP, table: 'segments' }, SEGMENT_COLUMNS)

/** Attributes that have a column of their own: name of the attribute → column. */
export const COLUMN_OF: ReadonlyMap<string, string> = new Map([
  ['sentry.op', 'op'],
  ['sentry.origin', 'origin'],
  ['sentry.kind', 'kind'],
  ['sentry.environment', 'environment'],
  ['sentry.release', 'release'],
  ['sentry.platform', 'platform'],
  ['sentry.sdk.name', 'sdk_name'],
  ['sentry.sdk.version', 'sdk_version'],
  ['service.name', 'service'],
  ['http.request.method', 'http_method'],
  ['url.full', 'url'],
  ['browser.name', 'browser'],
  ['os.name', 'os'],
  ['device.family', 'device'],
  ['user.geo.country_code', 'country'],
  ['sentry.replay_id', 'replay_id'],
])

/** Kept as columns under another form, or of no use once read. */
const NOT_KEPT = new Set([
  'sentry.segment.id',
  'sentry.segment.name',
  'sentry.trace_lifecycle',
  'sentry.sdk.integrations',
  'sentry.sample_rate',
  'http.response.status_code',
])

/** What a span says of the name of its transaction is kept of the root alone. */
const NOT_KEPT_BELOW = new Set([...NOT_KEPT, 'sentry.segment.name.source'])

/** `"500"` and 500 are one status. */
const statusCodeOf = (value: AttributeValue | undefined): number => {
  const code = Number(value ?? 0)
  return Number.isInteger(code) && code > 0 && code < 1000 ? code : 0
}

const sampleRateOf = (value: AttributeValue | undefined): number => {
  const rate = Number(value ?? 1)
  return rate > 0 && rate <= 1 ? rate : 1
}

const VITALS = ['lcp', 'inp', 'cls', 'fcp', 'ttfb'] as const

const vitalsOf = (attributes: ReadSpan['attributes']): (readonly [string, number])[] =>
  VITALS.flatMap((vital) => {
    const value = attributes[`browser.web_vital.${vital}.value`]
    return typeof value === 'number' ? [[vital, value] as const] : []
  })

export interface EncodedSpan {
  readonly span: EncodedRow
  /** Of the roots of transactions. */
  readonly segment: EncodedRow | null
  readonly op: string
  readonly described: SpanDescription
}

/**
 * What an SDK calls the transaction of a span, by the span itself; null when it does not say. Only its root knows all of it:
 * its own route and path are the transaction's, those of the spans below it are not.
 */
export const sentTransaction = ({ attributes, isSegment, name }: ReadSpan): SentName | null => {
  const sent = attributes['sentry.segment.name']
  const own = isSegment && name !== '' ? name : typeof sent === 'string' ? sent : ''
  if (isSegment) return sentName(own, attributes)
  const source = attributes['sentry.segment.name.source']
  return own === '' ? null : sentName(own, source === undefined ? {} : { 'sentry.segment.name.source': source })
}

/** What it did, where that says more than its name: SDKs 11 and OpenTelemetry keep names short and put the rest into attributes. */
const descriptionOf = ({ name, attributes }: ReadSpan, op: string): string => {
  const { 'db.query.text': query, 'http.request.method': method, 'url.full': url } = attributes
  if (op.startsWith('db') && typeof query === 'string') return query === name ? '' : query
  if (op.startsWith('resource.') && typeof url === 'string') return url === name ? '' : url
  if (op !== 'http.client' || typeof method !== 'string' || typeof url !== 'string') return ''
  const request = `${method.toUpperCase()} ${url}`
  return request === name ? '' : request
}

/** Attributes that have a column of their own, out of the others. */
const takeColumns = (attributes: ReadSpan['attributes']) => {
  const word = (name: string, limit: number = LIMITS.SPAN_WORD_CHARS): string => takeText(attributes, name, limit)
  return {
    origin: word('sentry.origin'),
    kind: word('sentry.kind').toLowerCase(),
    environment: word('sentry.environment'),
    release: word('sentry.release', LIMITS.SPAN_TRANSACTION_CHARS),
    platform: word('sentry.platform'),
    sdkName: word('sentry.sdk.name'),
    sdkVersion: word('sentry.sdk.version'),
    service: word('service.name'),
    method: word('http.request.method'),
    url: word('url.full', LIMITS.SPAN_URL_CHARS),
    browser: word('browser.name'),
    os: word('os.name'),
    device: word('device.family'),
    country: word('user.geo.country_code'),
    replayId: word('sentry.replay_id'),
  }
}

/** Remembers texts, for the thread that encodes spans. */
const describe = createDescriber()

/** What is known of a span from those that came with it. */
export interface Surroundings {
  /** What its transaction is called. */
  readonly transaction: string
  /** Microseconds of it in which a child ran. */
  readonly childrenTime: number
}

/** All of a row but when it came, which is the last of its columns: the same when its sender repeats it. */
export const contentOf = ({ line: row }: EncodedRow): string => row.slice(0, row.lastIndexOf('\t'))

export const encodeSpan = (
  item: DigestItem,
  span: ReadSpan,
  { transaction, childrenTime }: Surroundings,
): EncodedSpan => {
  const { sender, receivedAt } = item
  const { attributes } = span
  const op = takeText(attributes, 'sentry.op', LIMITS.SPAN_WORD_CHARS) || operationOf(attributes)
  const described = describe(sender.projectId, { op, name: span.name, attributes })
  const description = descriptionOf(span, op)
  const sampleRate = sampleRateOf(attributes['sentry.sample_rate'] ?? item.header.trace?.['sample_rate'])
  const httpStatus = statusCodeOf(attributes['http.response.status_code'])
  const user = userOf(attributes)
  const vitals = span.isSegment ? vitalsOf(attributes) : []
  const columns = takeColumns(attributes)
  const timestamp = Math.floor(span.start / 1000)
  const spanId = hexNumber(span.spanId)
  const maps = mapsOf(attributes, span.isSegment ? NOT_KEPT : NOT_KEPT_BELOW)
  const place = { projectId: sender.projectId, id: spanId, at: timestamp }
  const row = line([
    sender.organizationId,
    sender.projectId,
    uuid(span.traceId),
    spanId,
    hexNumber(span.parentId),
    hexNumber(span.segmentId),
    flag(span.isSegment),
    uuidOrNone(span.eventId ?? ''),
    milliseconds(timestamp),
    span.start - timestamp * 1000,
    span.duration,
    text(cut(span.name === '' ? transaction : span.name, LIMITS.SPAN_NAME_CHARS)),
    text(cut(description, LIMITS.SPAN_NAME_CHARS)),
    text(op),
    text(described.category),
    text(described.domain),
    text(described.text),
    childrenTime,
    text(span.status),
    text(columns.origin),
    text(columns.kind),
    text(transaction),
    text(columns.environment),
    text(columns.release),
    text(columns.platform),
    text(columns.sdkName),
    text(columns.sdkVersion),
    text(columns.service),
    text(user),
    text(columns.method),
    httpStatus,
    text(columns.url),
    text(columns.browser),
    text(columns.os),
    text(columns.device),
    text(columns.country),
    text(columns.replayId),
    sampleRate,
    map(maps.strings),
    mapOf(maps.numbers),
    mapOf(maps.flags),
    map(maps.lists),
    span.links.length === 0 ? '' : json(JSON.stringify(span.links)),
    strings(span.notes.slice(0, LIMITS.SPAN_NOTES)),
    milliseconds(receivedAt),
  ])
  if (!span.isSegment) return { span: { place, line: row }, segment: null, op, described }
  const segment = line([
    sender.organizationId,
    sender.projectId,
    milliseconds(timestamp),
    uuid(span.traceId),
    spanId,
    text(transaction),
    text(op),
    text(span.status),
    span.duration,
    text(columns.environment),
    text(columns.release),
    text(user),
    sampleRate,
    httpStatus,
    text(columns.browser),
    text(columns.device),
    text(columns.country),
    mapOf(vitals),
  ])
  return { span: { place, line: row }, segment: { place, line: segment }, op, described }
}

const cut = (value: string, limit: number): string =>
  value.length <= limit ? value : value.slice(0, limit).toWellFormed()
