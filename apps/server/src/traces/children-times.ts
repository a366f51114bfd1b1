import type { ReadSpan } from './span.ts'

type TimedSpan = Pick<ReadSpan, 'spanId' | 'parentId' | 'start' | 'duration'>

/**
 * Of each span, how many microseconds some child of it ran: its own time is the rest of its duration. Children that run at
 * once count once, and only while their parent ran. Of spans that come in several envelopes only those of this one are known.
 */
export const childrenTimes = (spans: readonly TimedSpan[]): readonly number[] => {
  const places = new Map(spans.map(({ spanId }, place) => [spanId, place]))
  const children = new Map<number, TimedSpan[]>()
  for (const span of spans) {
    const parent = span.parentId === span.spanId ? undefined : places.get(span.parentId)
    if (parent === undefined) continue
    const siblings = children.get(parent)
    if (siblings === undefined) children.set(parent, [span])
    else siblings.push(span)
  }
  return spans.map((span, place) => {
    const own = children.get(place)
    return own === undefined ? 0 : unionWithin(span, own)
  })
}

const unionWithin = ({ start, duration }: TimedSpan, spans: TimedSpan[]): number => {
  const end = start + duration
  spans.sort((one, other) => one.start - other.start)
  let covered = 0
  let until = start
  for (const span of spans) {
    const from = Math.max(span.start, until)
    const to = Math.min(span.start + span.duration, end)
    if (to <= from) continue
    covered += to - from
    until = to
  }
  return covered
}
