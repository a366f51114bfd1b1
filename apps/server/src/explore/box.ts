import { orUnanswerable } from '../lib/unanswerable.ts'
import { keyOfFound, type FoundKey } from './attributes.ts'
import type { Column } from './columns.ts'
import type { ExploreView } from './explore.view.ts'
import { mappedColumn, onMap } from './heat-map.ts'
import { LIMITS } from './limits.ts'
import { withNames } from './names.ts'
import { readQuestion, type Question, type Scope } from './question.ts'
import type { ExploreServices } from './scope.ts'
import { valueJson } from './table.ts'

/** What is different about the rows in a box that was drawn on a heat map: values that are more frequent in it than outside. */

export interface Box {
  /** Least value, and the first that is too large. */
  readonly from: number
  readonly to: number
  /** Milliseconds since the epoch. */
  readonly start: number
  readonly end: number
}

/** Of one side: how many rows and things there are, and how many of the rows were looked at. */
export interface Side {
  readonly rows: number
  readonly things: number
  readonly looked: number
}

export interface Difference {
  /** As it is searched for. */
  readonly key: string
  readonly name: string
  readonly value: string
  /** Shares of the things of each side that have this value. */
  readonly inside: number
  readonly outside: number
  /** Names of others that say the same. */
  readonly alike: string[]
}

export interface BoxComparison {
  readonly inside: Side
  readonly outside: Side
  /** How many attributes the rows have. */
  readonly attributes: number
  /** Most telling first. */
  readonly differences: readonly Difference[]
}

/** Differences that are smaller than this many standard errors are chance. */
const STANDARD_ERRORS = 3
/** Smaller ones tell nothing, however sure they are; and fewer rows say nothing of a value. */
const LEAST_DIFFERENCE = 0.05
const LEAST_ROWS = 3

/** @throws Unanswerable */
export const compareBoxOf = async (
  services: Pick<ExploreServices, 'ask' | 'view'>,
  scope: Scope,
  { attribute, query, box }: { readonly attribute: string; readonly query: string; readonly box: Box },
): Promise<BoxComparison> => {
  const { view } = services
  const columns = comparedColumns(scope, attribute)
  const fields = [attribute, ...columns.map(({ name }) => name)]
  const question = orUnanswerable(readQuestion(scope, { fields, query, seconds: 1 }))
  const measured = mappedColumn(question)
  const compared = question.columns.slice(1)
  const inside = insideOf(question, measured, box)
  const sizes = await sizesOf(view, question, measured, inside)
  if (sizes.inside.rows === 0 || sizes.outside.rows === 0) {
    return {
      inside: { ...sizes.inside, looked: 0 },
      outside: { ...sizes.outside, looked: 0 },
      attributes: 0,
      differences: [],
    }
  }
  const found = await mostFrequent(view, question, { measured, inside, compared, sizes })
  const looked = found.find(({ name }) => name === '')
  const all = { inside: looked?.inside ?? NONE, outside: looked?.outside ?? NONE }
  const others = found.filter(
    ({ name, type }) => name !== '' && (type === 'column' || !scope.dataset.attributes.has(name)),
  )
  return {
    inside: { ...sizes.inside, looked: all.inside.rows },
    outside: { ...sizes.outside, looked: all.outside.rows },
    attributes: others.length,
    differences: await named(
      services,
      question,
      alikeAsOne(others.filter((one) => one.name !== attribute && isTelling(one, all)))
        .map(([one, alike]) => differenceOf(one, alike, all))
        .toSorted((one, other) => other.inside - other.outside - (one.inside - one.outside))
        .slice(0, LIMITS.BOX_DIFFERENCES),
    ),
  }
}

/** What rows are told apart by: no moments, sizes and durations, of which nearly every row has its own. */
const comparedColumns = ({ dataset }: Scope, attribute: string): { readonly name: string }[] => {
  const seen = new Set<string>()
  return [...dataset.attributes].flatMap(([name, { hidden, type, sql }]) => {
    const isCompared = type === 'string' || type === 'boolean' || type === 'integer'
    if (hidden === true || !isCompared || name === attribute || seen.has(sql)) return []
    seen.add(sql)
    return [{ name }]
  })
}

const insideOf = ({ scope, parameters: { bind } }: Question, measured: Column, box: Box): string => {
  const time = (at: number): string => `fromUnixTimestamp64Milli(${bind(Math.floor(at), 'Int64')})`
  const value = `ifNull(toFloat64(${measured.sql}), 0)`
  return [
    `${value} >= ${bind(box.from, 'Float64')}`,
    `${value} < ${bind(box.to, 'Float64')}`,
    `${scope.dataset.time} >= ${time(box.start)}`,
    `${scope.dataset.time} < ${time(box.end)}`,
  ].join(' AND ')
}

type Size = Omit<Side, 'looked'>

const sizesOf = async (
  view: ExploreView,
  question: Question,
  measured: Column,
  inside: string,
): Promise<{ readonly inside: Size; readonly outside: Size }> => {
  const { scope, weight, parameters } = question
  const rows = await view.ask(
    scope,
    `SELECT (${inside}) AS inside, count() AS rows, round(sum(${weight})) AS things
FROM ${scope.dataset.from} WHERE ${onMap(question, measured)} GROUP BY inside`,
    parameters.values,
    { severalThreads: true },
  )
  const sizeOf = (wanted: boolean): Size => {
    const row = rows.find((one) => Boolean(one['inside']) === wanted)
    return { rows: Number(row?.['rows'] ?? 0), things: Number(row?.['things'] ?? 0) }
  }
  return { inside: sizeOf(true), outside: sizeOf(false) }
}

/** Of the rows that were looked at: how many, and what they weigh. */
interface Part {
  readonly rows: number
  readonly weight: number
}
const NONE: Part = { rows: 0, weight: 0 }

interface Found {
  readonly type: FoundKey['type'] | 'column'
  /** Empty for all rows. */
  readonly name: string
  readonly value: string
  readonly inside: Part
  readonly outside: Part
}

/** Every so many-th row of each side is looked at, chosen by a hash of its id. */
const everyOf = (rows: number): number => Math.max(1, Math.ceil(rows / LIMITS.BOX_ROWS))

/** Of each attribute the value that is more frequent in the box than outside by most. Of very many values, rare ones are left out. */
const mostFrequent = async (
  view: ExploreView,
  question: Question,
  {
    measured,
    inside,
    compared,
    sizes,
  }: {
    readonly measured: Column
    readonly inside: string
    readonly compared: readonly Column[]
    readonly sizes: { readonly inside: Size; readonly outside: Size }
  },
): Promise<Found[]> => {
  const { scope, weight, parameters } = question
  const { from, id, maps } = scope.dataset
  const { bind } = parameters
  const text = (sql: string): string => `substringUTF8(${sql}, 1, ${LIMITS.BOX_VALUE_CHARACTERS})`
  const ofColumn = ({ name, sql, type }: Column): string => {
    const shown = type === 'boolean' ? `if(${sql}, 'true', 'false')` : `toString(${sql})`
    return `('column', ${bind(name)}, ${text(`ifNull(${shown}, '')`)})`
  }
  const ofMap = (type: FoundKey['type'], map: string): string =>
    `arrayMap((k, v) -> ('${type}', toString(k), ${text('toString(v)')}), mapKeys(${map}), mapValues(${map}))`
  const pairs = `arrayConcat([('column', '', 'all'), ${compared.map(ofColumn).join(', ')}], ${[
    ofMap('string', maps.strings),
    ofMap('number', maps.numbers),
    ofMap('boolean', maps.flags),
  ].join(', ')})`
  const every = (rows: number): string => bind(everyOf(rows), 'UInt64')
  const rows = await view.ask(
    scope,
    `SELECT type, name, value, inside_rows, outside_rows, inside_weight, outside_weight FROM (
  SELECT *, max(inside_weight) OVER () AS all_inside, max(outside_weight) OVER () AS all_outside FROM (
    SELECT pair.1 AS type, pair.2 AS name, pair.3 AS value, countIf(is_inside) AS inside_rows, countIf(NOT is_inside) AS outside_rows,
      sumIf(weighs, is_inside) AS inside_weight, sumIf(weighs, NOT is_inside) AS outside_weight
    FROM (
      SELECT (${inside}) AS is_inside, toFloat64(${weight}) AS weighs, ${pairs} AS pairs
      FROM ${from} WHERE ${onMap(question, measured)}
        AND cityHash64(${id.sql}) % if(${inside}, ${every(sizes.inside.rows)}, ${every(sizes.outside.rows)}) = 0
    ) ARRAY JOIN pairs AS pair
    WHERE pair.3 != ''
    GROUP BY type, name, value
    SETTINGS group_by_overflow_mode = 'any'
  )
)
ORDER BY name = '' DESC, inside_weight / greatest(all_inside, 1) - outside_weight / greatest(all_outside, 1) DESC, name, type, value
LIMIT 1 BY type, name
LIMIT ${LIMITS.BOX_ATTRIBUTES}`,
    parameters.values,
  )
  return rows.map((row) => ({
    type: row['type'] as Found['type'],
    name: String(row['name']),
    value: String(row['value']),
    inside: { rows: Number(row['inside_rows']), weight: Number(row['inside_weight']) },
    outside: { rows: Number(row['outside_rows']), weight: Number(row['outside_weight']) },
  }))
}

const shareOf = (part: Part, all: Part): number => (all.weight === 0 ? 0 : part.weight / all.weight)

/** Whether it is more frequent inside by more than chance makes, as two shares of so many rows are compared. */
const isTelling = (one: Found, all: Pick<Found, 'inside' | 'outside'>): boolean => {
  if (all.inside.rows === 0 || all.outside.rows === 0 || one.inside.rows < LEAST_ROWS) return false
  const together = (one.inside.rows + one.outside.rows) / (all.inside.rows + all.outside.rows)
  const error = Math.sqrt(together * (1 - together) * (1 / all.inside.rows + 1 / all.outside.rows))
  const difference = shareOf(one.inside, all.inside) - shareOf(one.outside, all.outside)
  return difference >= LEAST_DIFFERENCE && difference > STANDARD_ERRORS * error
}

/** Attributes of the same value in as many rows of both sides, once: with the names of the others. */
const alikeAsOne = (found: readonly Found[]): [Found, string[]][] => {
  const byWhat = new Map<string, [Found, string[]]>()
  for (const one of found) {
    const { value, inside, outside } = one
    const what = JSON.stringify([value, inside.rows, inside.weight, outside.rows, outside.weight])
    const first = byWhat.get(what)
    if (first === undefined) byWhat.set(what, [one, []])
    else first[1].push(one.name)
  }
  return [...byWhat.values()]
}

const differenceOf = (one: Found, alike: string[], all: Pick<Found, 'inside' | 'outside'>): OfColumn => ({
  isColumn: one.type === 'column',
  key: one.type === 'column' ? one.name : keyOfFound({ type: one.type, name: one.name }),
  name: one.name,
  value: one.value,
  inside: shareOf(one.inside, all.inside),
  outside: shareOf(one.outside, all.outside),
  alike,
})

interface OfColumn extends Difference {
  readonly isColumn: boolean
}

/** Ids by their names. */
const named = async (
  services: Pick<ExploreServices, 'ask'>,
  question: Question,
  differences: readonly OfColumn[],
): Promise<Difference[]> =>
  Promise.all(
    differences.map(async ({ isColumn, ...difference }) => {
      const column = question.columns.find(({ name }) => isColumn && name === difference.name)
      if (column?.lookup === undefined) return difference
      const [row = []] = await withNames(services, question.scope, [column], [[difference.value]])
      return { ...difference, value: String(valueJson(row[0], column, question)) }
    }),
  )
