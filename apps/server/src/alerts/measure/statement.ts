import { RowNumbers, type Dataset, type Period } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import { areDisjoint, around, isGrid, type Grid, type Windows } from './windows.ts'

/**
 * One statement that asks a dataset for numbers of several windows of received time: what all rules that share it need.
 * Nothing in it was written by a caller: that is bound.
 */
export interface Numbers {
  readonly dataset: Dataset
  /** Behind `FROM`. */
  readonly from: string
  /** Conditions of the rows besides their times. */
  readonly where: string
  /** Which of those that share it a row is for: a number. */
  readonly cell: string
  /** Columns that rows are grouped by, and aggregates over them. */
  readonly by: readonly string[]
  readonly aggregates: readonly string[]
  readonly windows: Windows
  /** Which groups are looked at first where there are many: by the first aggregate. */
  readonly first: 'highest' | 'lowest'
  /** Rows of the first window that came too late to count are counted by themselves, as those of slot 0. */
  readonly countsOld?: boolean
}

/** What came too late to count has no window; windows count from 1. */
export const OLD_SLOT = 0

const DAY_MS = 24 * 60 * 60_000

const moment = (at: number): string => `fromUnixTimestamp64Milli(toInt64(${Math.floor(at)}))`

const within = ({ dataset }: Numbers, { from, to }: Period): string =>
  `(${dataset.received} >= ${moment(from)} AND ${dataset.received} < ${moment(to)})`

const isOld = ({ dataset }: Numbers): string =>
  `${dataset.time} < ${dataset.received} - toIntervalMillisecond(${LIMITS.MEASURE_OLD_MS})`

/** How long before the end of a grid a row was received, in milliseconds. */
const before = ({ dataset }: Numbers, { end }: Grid): string =>
  `(${Math.floor(end) - 1} - toUnixTimestamp64Milli(${dataset.received}))`

/** Whether a row is in any of the windows. */
const isInside = (numbers: Numbers): string => {
  const { windows } = numbers
  if (isGrid(windows)) {
    return windows.lengthMs >= windows.stepMs
      ? '1'
      : `modulo(${before(numbers, windows)}, ${windows.stepMs}) < ${windows.lengthMs}`
  }
  return `(${windows.map((window) => within(numbers, window)).join(' OR ')})`
}

const slotOfAny = (numbers: Numbers, windows: readonly Period[]): string =>
  `multiIf(${windows.map((window, index) => `${within(numbers, window)}, ${index + 1}`).join(', ')}, -1)`

const slotOfGrid = (numbers: Numbers, grid: Grid): string => {
  const { count, lengthMs, stepMs } = grid
  const last = `intDiv(${before(numbers, grid)}, ${stepMs})`
  if (lengthMs <= stepMs) return `${last} + 1`
  // Windows are longer than their distance: each row is in several.
  const first = `toInt64(floor((${before(numbers, grid)} - ${lengthMs}) / ${stepMs})) + 1`
  return `arrayJoin(range(greatest(0, ${first}), least(${count}, ${last} + 1))) + 1`
}

/** Number of the window that a row is in; a row of several windows is there several times. */
const slotOf = (numbers: Numbers): string => {
  const { countsOld = false, windows } = numbers
  if (isGrid(windows)) return slotOfGrid(numbers, windows)
  const [current] = windows
  const old =
    countsOld && current !== undefined
      ? { is: isOld(numbers), slot: `if(${within(numbers, current)}, ${OLD_SLOT}, -1)` }
      : null
  if (areDisjoint(windows)) {
    const slot = slotOfAny(numbers, windows)
    return old === null ? slot : `if(${old.is}, ${old.slot}, ${slot})`
  }
  const found = windows.map((window, index) => `if(${within(numbers, window)}, ${index + 1}, -1)`)
  const slots = `arrayFilter(n -> n > 0, [${found.join(', ')}])`
  return `arrayJoin(${old === null ? slots : `if(${old.is}, [${old.slot}], ${slots})`})`
}

/** How many things numbers are computed from: rows, or what several rows tell of. */
const sampledSql = ({ runs }: Dataset): string =>
  runs === undefined ? 'count()' : new RowNumbers('1').runs(runs, 'all')

export const numbersSql = (numbers: Numbers): string => {
  const { aggregates, by, cell, countsOld = false, dataset, first, from, where, windows } = numbers
  const all = around(windows)
  // What is older by its own time does not count, so rows of earlier days need not be read; few that came late are.
  const earliest = all.from - (countsOld ? LIMITS.MEASURE_OLD_DAYS * DAY_MS : LIMITS.MEASURE_OLD_MS)
  const groups = by.map(
    (sql, index) => `substringUTF8(ifNull(toString(${sql}), ''), 1, ${LIMITS.MEASURE_GROUP_CHARACTERS}) AS v${index}`,
  )
  const names = by.map((_, index) => `v${index}`)
  const columns = [
    `toInt32(${slotOf(numbers)}) AS slot`,
    `toUInt32(${cell}) AS cell`,
    ...groups,
    ...aggregates.map((sql, index) => `toFloat64OrNull(toString(${sql})) AS a${index}`),
    `${sampledSql(dataset)} AS sampled`,
  ]
  const conditions = [
    where,
    `${dataset.time} >= ${moment(earliest)}`,
    within(numbers, all),
    isInside(numbers),
    ...(countsOld ? [] : [`NOT (${isOld(numbers)})`]),
  ]
  const order = first === 'highest' ? 'a0 DESC' : 'a0'
  return `SELECT ${columns.join(', ')}
FROM ${from}
WHERE ${conditions.join('\n  AND ')}
GROUP BY ${['slot', 'cell', ...names].join(', ')}
HAVING slot >= 0
${by.length === 0 ? '' : `ORDER BY slot, cell, ${order}, ${names.join(', ')} LIMIT ${LIMITS.MEASURE_GROUPS} BY slot, cell`}`
}
