import { columnsOf, mapsOf, userOf } from '../../event/index.ts'
import type { DigestItem } from '../../ingest/index.ts'
import { encodedTable, type EncodedRow } from '../../storage/telemetry/row-writer.ts'
import {
  hexNumber,
  line,
  map,
  mapOf,
  milliseconds,
  strings,
  text,
  uuidOrNone,
} from '../../storage/telemetry/tab-separated.ts'
import { LIMITS } from '../limits.ts'
import type { ReadLog } from '../log.ts'
import { patternOf } from '../read/pattern.ts'

export const LOGS = encodedTable({ table: 'logs', id: 'id', idType: 'UInt64', time: 'timestamp' }, [
  'organization_id',
  'project_id',
  'timestamp',
  'nanos',
  'sequence',
  'id',
  'level',
  'severity',
  'body',
  'body_rest',
  'pattern',
  'trace_id',
  'span_id',
  'environment',
  'release',
  'service',
  'logger',
  'server',
  'sdk_name',
  'sdk_version',
  'origin',
  'user',
  'payload_size',
  'strings',
  'numbers',
  'flags',
  'lists',
  'notes',
  'received',
])

/** Attributes that have a column of their own: name of the attribute → column. */
export const COLUMN_OF: ReadonlyMap<string, string> = new Map([
  ['sentry.environment', 'environment'],
  ['sentry.release', 'release'],
  ['service.name', 'service'],
  ['logger.name', 'logger'],
  ['server.address', 'server'],
  ['sentry.sdk.name', 'sdk_name'],
  ['sentry.sdk.version', 'sdk_version'],
  ['sentry.origin', 'origin'],
])

/** Of no use once read. */
const NOT_KEPT = new Set(['sentry.timestamp.sequence', 'sentry.trace.parent_span_id'])

/** The template of its body, of which SDKs send the parts. */
export const TEMPLATE = 'sentry.message.template'

/** @param id of the line, as decimal digits */
export const encodeLog = (item: DigestItem, log: ReadLog, id: string): EncodedRow => {
  const { sender, receivedAt } = item
  const { attributes, body } = log
  const template = attributes[TEMPLATE]
  const user = userOf(attributes)
  const columns = columnsOf(attributes, COLUMN_OF.keys(), LIMITS.LOG_WORD_CHARS).map(text)
  const maps = mapsOf(attributes, NOT_KEPT)
  const near = nearOf(body)
  const row = line([
    sender.organizationId,
    sender.projectId,
    milliseconds(log.at),
    log.nanos,
    log.sequence,
    id,
    log.level,
    log.severity,
    text(near),
    text(body.slice(near.length)),
    text(patternOf(typeof template === 'string' ? template : body)),
    uuidOrNone(log.traceId),
    hexNumber(log.spanId),
    ...columns,
    text(user),
    body.length + maps.characters,
    map(maps.strings),
    mapOf(maps.numbers),
    mapOf(maps.flags),
    map(maps.lists),
    strings(log.notes.slice(0, LIMITS.LOG_NOTES)),
    milliseconds(receivedAt),
  ])
  return { place: { projectId: sender.projectId, id, at: log.at }, line: row }
}

/** A pair of surrogates is not cut. */
const nearOf = (body: string): string => {
  if (body.length <= LIMITS.LOG_BODY_NEAR_CHARS) return body
  const last = body.charCodeAt(LIMITS.LOG_BODY_NEAR_CHARS - 1)
  return body.slice(0, LIMITS.LOG_BODY_NEAR_CHARS - (last >= 0xd800 && last < 0xdc00 ? 1 : 0))
}
