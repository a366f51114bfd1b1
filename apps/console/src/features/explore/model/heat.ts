import type { Answer, getHeatMap } from '@firsthand/contract'
import { datasetOf } from './datasets.ts'
import type { ExploreSearch } from './explore-search.ts'
import { readFunction } from './functions.ts'

export type HeatMap = Answer<typeof getHeatMap>

/** Of what the heat map is: of what each row has, else of the first number that a function is about. Null for no map. */
export function mappedAttribute({ dataset, visualise }: Pick<ExploreSearch, 'dataset' | 'visualise'>): string | null {
  const asked = datasetOf(dataset)
  if (asked.measured !== null) return asked.measured
  const chosen = visualise.flatMap((text) => {
    const one = readFunction(asked, text)
    return one?.option.takes === 'number' && one.attribute !== null ? [one.attribute] : []
  })
  return chosen.find((attribute) => !TRUTH.test(attribute)) ?? null
}

/** What is true or false has an average and no map. */
const TRUTH = /^error\.(un)?handled$|, ?boolean\]$/

/** What of the map is drawn: levels from the lowest to the highest that occurs. */
export interface HeatGrid {
  readonly steps: number
  /** How many steps are as wide as the map: the last one may end only after it. */
  readonly across: number
  /** Where the map ends, milliseconds since the epoch. */
  readonly end: number
  readonly lowest: number
  readonly levels: number
  readonly most: number
  readonly total: number
}

/** Fewer levels would be bars without a shape. */
const LEAST_LEVELS = 8

export function gridOf({ cells, start, end, interval, steps }: HeatMap): HeatGrid {
  // What comes from clocks that are ahead is seen, too.
  const last = cells.reduce((most, [step]) => Math.max(most, step + 1), 1)
  const wide = Math.min(steps, (end - start) / interval)
  const across = last > Math.ceil(wide) ? last : wide
  const levels = cells.map(([, level]) => level)
  const counts = cells.map(([, , count]) => count)
  const lowest = levels.length === 0 ? 0 : levels.reduce((a, b) => Math.min(a, b))
  const highest = levels.length === 0 ? 0 : levels.reduce((a, b) => Math.max(a, b))
  return {
    steps: Math.ceil(across),
    across,
    end: start + across * interval,
    lowest,
    levels: Math.max(LEAST_LEVELS, highest - lowest + 1),
    most: counts.reduce((a, b) => Math.max(a, b), 0),
    total: counts.reduce((a, b) => a + b, 0),
  }
}

/** Least value of a level. */
export function valueAt({ levelsPerDoubling }: Pick<HeatMap, 'levelsPerDoubling'>, level: number): number {
  return 2 ** (level / levelsPerDoubling)
}

export interface HeatTick {
  readonly value: number
  /** How high it is, from 0 to 1. */
  readonly share: number
}

/** Fewer powers of ten are no scale; then those between them help. */
const LEAST_TICKS = 3
const MOST_TICKS = 6

/** Round values for the axis: powers of ten, 1, 2 and 5 of each where they are few, every second where they are many. */
export function decadesOf(map: Pick<HeatMap, 'levelsPerDoubling'>, { lowest, levels }: HeatGrid): readonly HeatTick[] {
  const shareOf = (value: number) => (Math.log2(value) * map.levelsPerDoubling - lowest) / levels
  const first = Math.floor(Math.log10(valueAt(map, lowest)))
  const last = Math.ceil(Math.log10(valueAt(map, lowest + levels)))
  const powers = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const ticksOf = (digits: readonly number[]) =>
    powers
      .flatMap((power) => digits.map((digit) => Number(`${digit}e${power}`)))
      .map((value) => ({ value, share: shareOf(value) }))
      .filter(({ share }) => share >= 0 && share <= 1)
  const decades = ticksOf([1])
  const ticks = decades.length < LEAST_TICKS ? ticksOf([1, 2, 5]) : decades
  const every = Math.ceil(ticks.length / MOST_TICKS)
  return ticks.filter((_, index) => index % every === 0)
}

/** From pale to full: few are still seen beside many. */
export function shadeOf(count: number, most: number): number {
  return most <= 1 ? 1 : 0.12 + (0.88 * Math.log(count)) / Math.log(most)
}

/** Cells that a box covers, whichever corner it was begun at. */
export interface Box {
  readonly fromStep: number
  readonly toStep: number
  readonly fromLevel: number
  readonly toLevel: number
}

export function boxOf(
  { across, lowest, levels, steps }: HeatGrid,
  a: { readonly x: number; readonly y: number },
  b: { readonly x: number; readonly y: number },
): Box {
  const step = (share: number) => Math.max(0, Math.min(steps - 1, Math.floor(share * across)))
  const level = (share: number) => lowest + Math.max(0, Math.min(levels - 1, Math.floor((1 - share) * levels)))
  return {
    fromStep: Math.min(step(a.x), step(b.x)),
    toStep: Math.max(step(a.x), step(b.x)),
    fromLevel: Math.min(level(a.y), level(b.y)),
    toLevel: Math.max(level(a.y), level(b.y)),
  }
}

export function countIn({ cells }: HeatMap, { fromStep, toStep, fromLevel, toLevel }: Box): number {
  return cells.reduce(
    (sum, [step, level, count]) =>
      step >= fromStep && step <= toStep && level >= fromLevel && level <= toLevel ? sum + count : sum,
    0,
  )
}

/** The box after an arrow key: moved, or with `grow` its upper right corner alone. The first is around the upper half. */
export function movedBox({ lowest, levels, steps }: HeatGrid, box: Box | null, key: string, grow: boolean): Box | null {
  const across = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
  const up = key === 'ArrowUp' ? 1 : key === 'ArrowDown' ? -1 : 0
  if (across === 0 && up === 0) return null
  const highest = lowest + levels - 1
  if (box === null)
    return { fromStep: 0, toStep: steps - 1, fromLevel: lowest + Math.floor(levels / 2), toLevel: highest }
  const { fromStep, toStep, fromLevel, toLevel } = box
  const within = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))
  if (grow) {
    return {
      ...box,
      toStep: within(toStep + across, fromStep, steps - 1),
      toLevel: within(toLevel + up, fromLevel, highest),
    }
  }
  const sideways = within(across, -fromStep, steps - 1 - toStep)
  const upwards = within(up, lowest - fromLevel, highest - toLevel)
  return {
    fromStep: fromStep + sideways,
    toStep: toStep + sideways,
    fromLevel: fromLevel + upwards,
    toLevel: toLevel + upwards,
  }
}

/** A box as values and times, in milliseconds. */
export interface BoxRange {
  readonly from: number
  readonly to: number
  readonly start: number
  readonly end: number
}

export function rangeOf(map: HeatMap, { fromStep, toStep, fromLevel, toLevel }: Box): BoxRange {
  return {
    from: valueAt(map, fromLevel),
    to: valueAt(map, toLevel + 1),
    start: map.start + fromStep * map.interval,
    end: map.start + (toStep + 1) * map.interval,
  }
}

const DIGITS = 6

/** A box as it stands in the address: by times and values, so that it stays in its place while the time goes on. */
export function boxText(map: HeatMap, box: Box): string {
  const { start, end, from, to } = rangeOf(map, box)
  return [start, end, Number(from.toPrecision(DIGITS)), Number(to.toPrecision(DIGITS))].join(',')
}

/** A question after a change: a box that was drawn over another time, or over other values, is none of it. */
export function changed(search: ExploreSearch, part: Partial<ExploreSearch>): ExploreSearch {
  const next = { ...search, ...part }
  const drawnOver = (one: ExploreSearch) =>
    JSON.stringify([one.dataset, mappedAttribute(one), one.statsPeriod, one.start ?? '', one.end ?? ''])
  return drawnOver(next) === drawnOver(search) ? next : { ...next, box: '' }
}

/** The cells that a box of the address covers; null for none of this map. */
export function boxFromText(map: HeatMap, { lowest, levels, steps }: HeatGrid, text: string): Box | null {
  const numbers = text.split(',').map(Number)
  const [start = 0, end = 0, from = 0, to = 0] = numbers
  if (numbers.length !== 4 || !numbers.every(Number.isFinite) || from <= 0 || to <= 0) return null
  const step = (time: number) => Math.round((time - map.start) / map.interval)
  const level = (value: number) => Math.round(Math.log2(value) * map.levelsPerDoubling)
  const box = {
    fromStep: Math.max(0, step(start)),
    toStep: Math.min(steps, step(end)) - 1,
    fromLevel: Math.max(lowest, level(from)),
    toLevel: Math.min(lowest + levels, level(to)) - 1,
  }
  return box.fromStep > box.toStep || box.fromLevel > box.toLevel ? null : box
}

/** Conditions that only values in the range fulfil, in place of those that the search has for the attribute. */
export function conditionsOf(attribute: string, type: string, from: number, to: number): readonly string[] {
  const unit = type === 'duration' ? 'ms' : type === 'size' ? 'b' : ''
  const text = (value: number) => `${Number(value.toPrecision(DIGITS))}${unit}`
  return [`${attribute}:>=${text(from)}`, `${attribute}:<${text(to)}`]
}
