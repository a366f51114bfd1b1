import { EventType, isFields, Source, type RecordedEvent } from '@firsthand/recording'
import { LIMITS } from '../limits.ts'
import type { Mark } from '../mark.ts'
import { readMark, readPage } from './read-marks.ts'

/** What a segment says without its picture. All times are milliseconds by the visitor's clock. */
export interface SegmentIndex {
  readonly from: number
  readonly to: number
  readonly hasSnapshot: boolean
  readonly marks: readonly Mark[]
  readonly marksLeftOut: number
  /** Beginning and end of each stretch in which the visitor did something, one after the other. */
  readonly active: readonly number[]
  readonly canvasBytes: number
}

/** What a visitor does, not the page. */
const ACTIONS: ReadonlySet<unknown> = new Set([
  Source.MouseMove,
  Source.MouseInteraction,
  Source.Scroll,
  Source.Input,
  Source.TouchMove,
  Source.Drag,
])

/** Navigations that a breadcrumb and a span both tell of lie so near to each other. */
const SAME_NAVIGATION_MS = 1000
export const readIndex = (events: readonly RecordedEvent[]): SegmentIndex => {
  const { from, to } = spanOf(events)
  const marks: Mark[] = []
  const active: number[] = []
  let hasSnapshot = false
  let canvasBytes = 0
  let marksLeftOut = 0
  for (const event of events) {
    if (event.type === EventType.FullSnapshot) hasSnapshot = true
    else if (event.type === EventType.IncrementalSnapshot && isFields(event.data)) {
      const { source } = event.data
      if (source === Source.CanvasMutation) canvasBytes += textUnits(event.data)
      if (ACTIONS.has(source)) extend(active, event.timestamp)
    }
    const mark =
      event.type === EventType.Meta ? readPage(event) : event.type === EventType.Custom ? readMark(event) : null
    if (mark === null) continue
    if (marks.length === LIMITS.REPLAY_MARKS_PER_SEGMENT) marksLeftOut += 1
    else
      marks.push({
        ...mark,
        at: Math.min(Math.max(mark.at, from - LIMITS.REPLAY_MARK_OUTSIDE_MS), to + LIMITS.REPLAY_MARK_OUTSIDE_MS),
      })
  }
  return {
    from,
    to,
    hasSnapshot,
    marks: withoutEchoes(marks),
    marksLeftOut,
    active,
    canvasBytes,
  }
}

/** Of what was recorded; of its notes where there is nothing else: some tell of what was before. */
const spanOf = (events: readonly RecordedEvent[]): { readonly from: number; readonly to: number } => {
  const recorded = events.filter(({ type }) => type !== EventType.Custom)
  const all = recorded.length === 0 ? events : recorded
  return { from: all[0]?.timestamp ?? 0, to: all.at(-1)?.timestamp ?? 0 }
}

const extend = (active: number[], at: number): void => {
  const end = active.at(-1)
  const isNear = end !== undefined && at - end <= LIMITS.REPLAY_IDLE_MS
  if (isNear || active.length >= 2 * LIMITS.REPLAY_ACTIVE_STRETCHES) active[active.length - 1] = at
  else active.push(at, at)
}

/** `navigation.push` spans tell again what a breadcrumb told. */
const withoutEchoes = (marks: readonly Mark[]): readonly Mark[] => {
  const told = marks.filter(({ kind, detail }) => kind === 'navigation' && detail['category'] === undefined)
  if (told.length === 0) return marks
  return marks.filter(
    (mark) =>
      mark.kind !== 'navigation' ||
      mark.detail['category'] !== 'push' ||
      !told.some(({ at }) => Math.abs(at - mark.at) <= SAME_NAVIGATION_MS),
  )
}

/** Characters of all texts in a value, however deep: pictures are texts. */
const textUnits = (value: unknown): number => {
  let units = 0
  const waiting: unknown[] = [value]
  while (waiting.length > 0) {
    const one = waiting.pop()
    if (typeof one === 'string') units += one.length
    else if (Array.isArray(one)) for (const part of one as readonly unknown[]) waiting.push(part)
    else if (isFields(one)) for (const name in one) waiting.push(one[name])
  }
  return units
}
