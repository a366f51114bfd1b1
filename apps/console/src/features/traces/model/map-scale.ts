import type { Zoom } from './time-axis.ts'
import type { TraceModel } from './trace.ts'

/** Without spans and errors for so large a share of the trace, what did happen would be a thin line. */
const CUT_SHARE = 0.2
/** How finely it is looked for: far below a pixel of the map. */
const CELLS = 4096
/** So wide a stretch is drawn that was cut short: its length stands in it. */
const CUT_PIXELS = 52
/** Of the map, cuts take at most this share; else it is too narrow for them. */
const CUTS_SHARE = 0.5

/** Long stretches in which there is no span and no error, from one to the next or to the end. */
export function idleOf(model: TraceModel): readonly Zoom[] {
  const length = model.to - model.from
  const cell = length / CELLS
  const cellOf = (at: number): number => Math.min(CELLS - 1, Math.max(0, Math.floor((at - model.from) / cell)))
  // How many begin in a cell, less those that ended in the one before.
  const changes = new Int32Array(CELLS + 1)
  const add = (from: number, to: number): void => {
    const [first, after] = [cellOf(from), cellOf(to) + 1]
    changes[first] = (changes[first] as number) + 1
    changes[after] = (changes[after] as number) - 1
  }
  for (let span = 0; span < model.count; span += 1) add(model.start[span] as number, model.end[span] as number)
  for (const { at } of model.errors) if (at >= model.from) add(at, at)
  const idle: Zoom[] = []
  let running = 0
  let since = -1
  for (let place = 0; place <= CELLS; place += 1) {
    running += changes[place] as number
    if (place < CELLS && running === 0) {
      if (since === -1) since = place
      continue
    }
    if (since !== -1 && place - since >= CELLS * CUT_SHARE)
      idle.push({ from: model.from + since * cell, to: model.from + place * cell })
    since = -1
  }
  return idle
}

export interface Cut extends Zoom {
  /** Pixels. */
  readonly left: number
  readonly right: number
}

/** From moments of the trace to pixels of its map and back, with what is cut short. */
export interface MapScale {
  readonly place: (at: number) => number
  readonly moment: (place: number) => number
  readonly cuts: readonly Cut[]
}

/** The same scale everywhere but in what is idle: each of those is as wide as any other. */
export function mapScale(whole: Zoom, idle: readonly Zoom[], width: number): MapScale {
  const short = idle.length * CUT_PIXELS <= width * CUTS_SHARE ? idle : []
  const idleTime = short.reduce((sum, { from, to }) => sum + to - from, 0)
  const perMicrosecond = (width - short.length * CUT_PIXELS) / (whole.to - whole.from - idleTime)
  // Where the scale changes, in both measures, ascending.
  const moments = [whole.from]
  const places = [0]
  const cuts: Cut[] = []
  const reach = (at: number, place: number): void => {
    moments.push(at)
    places.push(place)
  }
  for (const { from, to } of short) {
    const left = (places.at(-1) ?? 0) + (from - (moments.at(-1) ?? whole.from)) * perMicrosecond
    reach(from, left)
    reach(to, left + CUT_PIXELS)
    cuts.push({ from, to, left, right: left + CUT_PIXELS })
  }
  reach(whole.to, width)
  return {
    place: (at) => between(moments, places, at),
    moment: (place) => between(places, moments, Math.min(width, Math.max(0, place))),
    cuts,
  }
}

/** Where a value stands among the others, once it is known where it stands among its own. */
function between(own: readonly number[], others: readonly number[], value: number): number {
  let index = 1
  while (index < own.length - 1 && value > (own[index] as number)) index += 1
  const [from, to] = [own[index - 1] as number, own[index] as number]
  const [low, high] = [others[index - 1] as number, others[index] as number]
  return to === from ? low : low + ((value - from) / (to - from)) * (high - low)
}
