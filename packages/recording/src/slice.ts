import { keyFrameEnd } from './chunks.ts'
import { EventType, type RecordedEvent } from './events.ts'
import { isFields, type Fields } from './fields.ts'
import { PageState } from './page-state.ts'

/**
 * What a chunk shows between two moments, as a chunk: where it began before the first of them it begins with the page as
 * it stood then, and nothing is left of what led to it. Both moments are within.
 *
 * @param events of the chunk, by time
 */
export const sliceChunk = (
  events: readonly RecordedEvent[],
  { from, to }: { readonly from: number; readonly to: number },
): RecordedEvent[] => {
  const until = events.filter(({ timestamp }) => timestamp <= to)
  const begins = until.findIndex(({ timestamp }) => timestamp >= from)
  const before = begins === -1 ? until : until.slice(0, begins)
  if (before.length === 0) return until
  const page = new PageState()
  for (const event of before) page.apply(event)
  return [...page.keyFrame(from), keyFrameEnd(from), ...until.slice(before.length).map((event) => since(event, from))]
}

/** Movements of the pointer are noted late, with how long before each of them was. */
const since = (event: RecordedEvent, from: number): RecordedEvent => {
  const { data, timestamp, type } = event
  const positions = type === EventType.IncrementalSnapshot ? positionsOf(data) : null
  if (positions === null) return event
  const kept = positions.filter((position) => timestamp + offsetOf(position) >= from)
  return kept.length === positions.length ? event : { ...event, data: { ...(data as Fields), positions: kept } }
}

const positionsOf = (data: unknown): readonly unknown[] | null => {
  const positions = isFields(data) ? data['positions'] : null
  return Array.isArray(positions) ? positions : null
}

const offsetOf = (position: unknown): number => {
  const offset = isFields(position) ? position['timeOffset'] : null
  return typeof offset === 'number' ? offset : 0
}
