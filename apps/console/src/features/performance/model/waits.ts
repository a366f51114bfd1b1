import { formatFilter } from '@firsthand/search-syntax'
import { foundCondition } from './found.ts'
import type { TransactionSearch } from './performance-search.ts'

/** Who waits longest for a transaction: p95 by release and by whom it was for. */

/** What it is told apart by, as spans name it and as people do. */
export const WAIT_DIMENSIONS = [
  ['release', 'release'],
  ['browser.name', 'browser'],
  ['user.geo.country_code', 'country'],
] as const

export const WAIT_P95 = 'p95(span.duration)'
export const WAIT_COUNT = 'count_sample(span.duration)'

/** The most frequent values are looked at; of those that are shown, each has samples enough for a percentile. */
export const WAIT_LOOKED = 12
const SHOWN = 4
const TELLING_SAMPLES = 5
/** From here on the slowest stands out. */
const TELLING_RATIO = 1.25

export interface Wait {
  readonly value: string
  /** The version of a release, without its package where that tells nothing. */
  readonly name: string
  /** Milliseconds. */
  readonly p95: number
  /** Of the slowest. */
  readonly share: number
  readonly isSlow: boolean
}

export const waitCondition = ({
  transaction,
  op,
  query,
}: Pick<TransactionSearch, 'transaction' | 'op' | 'query'>): string =>
  [
    'is_transaction:1',
    formatFilter('transaction', transaction),
    ...(op === undefined ? [] : [formatFilter('span.op', op)]),
    ...(query === undefined ? [] : [foundCondition(query)]),
  ].join(' ')

/** The slowest first; none when there are not two to compare. */
export function waitsOf(field: string, rows: readonly Readonly<Record<string, unknown>>[]): readonly Wait[] {
  const known = rows
    .flatMap((row) => {
      const [value, p95] = [row[field], row[WAIT_P95]]
      const isTelling = Number(row[WAIT_COUNT]) >= TELLING_SAMPLES
      return typeof value === 'string' && value !== '' && typeof p95 === 'number' && p95 > 0 && isTelling
        ? [{ value, p95 }]
        : []
    })
    .toSorted((one, other) => other.p95 - one.p95)
    .slice(0, SHOWN)
  const [slowest, second] = known
  if (slowest === undefined || second === undefined) return []
  const versions = known.map(({ value }) => value.slice(value.lastIndexOf('@') + 1))
  const areTelling = field === 'release' && new Set(versions).size === known.length && !versions.includes('')
  return known.map(({ value, p95 }, place) => ({
    value,
    name: (areTelling ? versions[place] : undefined) ?? value,
    p95,
    share: p95 / slowest.p95,
    isSlow: p95 === slowest.p95 && p95 >= second.p95 * TELLING_RATIO,
  }))
}
