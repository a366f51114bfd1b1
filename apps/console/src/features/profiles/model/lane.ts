import type { TraceProfileLanes } from '@firsthand/contract'

/** What a profiler saw of one thread while a trace ran, step by step. */
export type ProfileLane = TraceProfileLanes['lanes'][number]

/** Place of all functions that are not told one by one. */
export const OTHERS = -1

/** A piece of a stretch that is drawn as one bar. Microseconds after the start of the lane. */
export interface LaneCell {
  readonly from: number
  readonly to: number
  /** Of it, how much something ran: 0 to 1. */
  readonly busy: number
}

/** A time in which one function ran longest. */
export interface LaneStretch {
  readonly from: number
  readonly to: number
  /** Index in the functions; `OTHERS` when none of them stands out. */
  readonly function: number
  /** Microseconds that it ran itself, and that anything ran. */
  readonly self: number
  readonly ran: number
  readonly cells: readonly LaneCell[]
}

interface Growing {
  readonly function: number
  readonly from: number
  to: number
  self: number
  ran: number
  readonly cells: LaneCell[]
}

/**
 * The lane as it is drawn: so many steps are looked at together, and neighbours in which the same function ran longest are
 * one stretch. Where nothing ran there is none.
 */
export function stretchesOf(
  { end, start, step: length, steps }: ProfileLane,
  together: number,
): readonly LaneStretch[] {
  const stretches: Growing[] = []
  for (let index = 0; index < steps.step.length;) {
    const place = Math.floor((steps.step[index] as number) / together)
    const ran = new Map<number, number>()
    while (index < steps.step.length && Math.floor((steps.step[index] as number) / together) === place) {
      const one = steps.function[index] as number
      ran.set(one, (ran.get(one) ?? 0) + (steps.self[index] as number))
      index += 1
    }
    const [from, to] = [place * together * length, Math.min(end - start, (place + 1) * together * length)]
    const all = [...ran.values()].reduce((sum, self) => sum + self, 0)
    const [hottest = OTHERS, self = 0] = [...ran]
      .filter(([one]) => one !== OTHERS || ran.size === 1)
      .reduce<readonly [number?, number?]>((most, one) => (one[1] > (most[1] ?? 0) ? one : most), [])
    const cell = { from, to, busy: Math.min(1, all / Math.max(1, to - from)) }
    const last = stretches.at(-1)
    if (last !== undefined && last.to === from && last.function === hottest) {
      last.to = to
      last.self += self
      last.ran += all
      last.cells.push(cell)
    } else stretches.push({ function: hottest, from, to, self, ran: all, cells: [cell] })
  }
  return stretches
}

/** Narrower bars cannot be told apart or met. */
const LEAST_PIXELS = 4

/** How many steps are drawn as one bar. @param perMicrosecond pixels */
export function stepsTogether({ step }: ProfileLane, perMicrosecond: number): number {
  return Math.max(1, Math.ceil(LEAST_PIXELS / Math.max(1e-12, step * perMicrosecond)))
}

/** The stretch at a moment, or the nearest to it; -1 when there is none. */
export function stretchAt(stretches: readonly LaneStretch[], at: number): number {
  let nearest = -1
  let least = Infinity
  for (const [index, { from, to }] of stretches.entries()) {
    const distance = at < from ? from - at : at > to ? at - to : 0
    if (distance >= least) continue
    least = distance
    nearest = index
  }
  return nearest
}

/** The time around a moment in which nothing ran; null where something did. */
export function gapAt(
  { start, end }: Pick<ProfileLane, 'start' | 'end'>,
  stretches: readonly LaneStretch[],
  at: number,
): { readonly from: number; readonly to: number } | null {
  if (at < 0 || at > end - start) return null
  const next = stretches.findIndex(({ to }) => to > at)
  const after = stretches[next]
  if (after !== undefined && after.from <= at) return null
  const before = next === -1 ? stretches.at(-1) : stretches[next - 1]
  return { from: before?.to ?? 0, to: after?.from ?? end - start }
}

/** What a function is called, and where it stands. */
export function functionOf(
  { functions, words }: Pick<TraceProfileLanes, 'functions' | 'words'>,
  place: number,
): { readonly name: string; readonly file: string; readonly kind: number } {
  if (place === OTHERS) return { name: 'other functions', file: '', kind: 1 }
  const file = words[functions.file[place] ?? -1] ?? ''
  const line = functions.line[place] ?? 0
  return {
    name: words[functions.name[place] ?? -1] ?? '',
    file: file === '' || line === 0 ? file : `${file}:${line}`,
    kind: functions.kind[place] ?? 0,
  }
}
