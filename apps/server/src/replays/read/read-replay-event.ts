import { isObject } from '@firsthand/protocol'
import type { NormalisedEvent } from '../../event/event.ts'
import { normaliseSurroundings, readJson, readSentTags, readTraceId } from '../../event/index.ts'
import type { DigestItem } from '../../ingest/index.ts'
import { LIMITS } from '../limits.ts'
import { cut } from './fields.ts'
import { segmentNumber } from './decode-segment.ts'

/** What an SDK says of a segment beside the recording. */
export interface ReplayEvent {
  readonly replayId: string
  readonly segmentId: number
  readonly type: 'session' | 'buffer'
  /** Milliseconds by the visitor's clock; null when it is not said. */
  readonly replayStart: number | null
  readonly end: number | null
  readonly urls: readonly string[]
  readonly errorIds: readonly string[]
  readonly traceIds: readonly string[]
  readonly surroundings: NormalisedEvent
  /** Those that were sent: of an event, others follow from its fields. */
  readonly tags: readonly (readonly [string, string])[]
}

type Raw = Readonly<Record<string, unknown>>

const FIRST_MILLISECONDS = 1e11

const millisecondsOf = (value: unknown): number | null => {
  if (typeof value === 'string') {
    const parsed = Date.parse(value)
    return Number.isNaN(parsed) ? null : parsed
  }
  if (typeof value !== 'number' || !(value > 0) || !Number.isFinite(value)) return null
  return Math.round(value < FIRST_MILLISECONDS ? value * 1000 : value)
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]).slice(0, LIMITS.REPLAY_IDS_PER_SEGMENT) : []

const idsOf = (value: unknown): readonly string[] => [
  ...new Set(listOf(value).flatMap((one) => readTraceId(one) ?? [])),
]

const urlsOf = (value: unknown): readonly string[] =>
  listOf(value).flatMap((url) => (typeof url === 'string' && url !== '' ? [cut(url, LIMITS.REPLAY_URL_CHARS)] : []))

/** Null when it does not say which segment of which replay it is about. */
export const readReplayEvent = (item: DigestItem): ReplayEvent | null => {
  const json = readJson(item.item.payload)
  if (!json.ok || !isObject(json.value.value)) return null
  const raw: Raw = json.value.value
  const replayId = readTraceId(raw['replay_id']) ?? readTraceId(item.header.eventId)
  const segmentId = segmentNumber(raw['segment_id'])
  if (replayId === null || segmentId === null) return null
  return {
    replayId,
    segmentId,
    type: raw['replay_type'] === 'buffer' ? 'buffer' : 'session',
    replayStart: millisecondsOf(raw['replay_start_timestamp']),
    end: millisecondsOf(raw['timestamp']),
    urls: urlsOf(raw['urls']),
    errorIds: idsOf(raw['error_ids']),
    traceIds: idsOf(raw['trace_ids']),
    surroundings: normaliseSurroundings(item, raw),
    tags: readSentTags(raw),
  }
}

/** What is known of a visitor whose recording came alone. */
export const surroundingsWithout = (item: DigestItem): NormalisedEvent =>
  normaliseSurroundings(item, { platform: 'javascript' })
