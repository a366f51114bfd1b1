import type { Receipt } from '@firsthand/contract'
import type { Tone } from '../../../ui/index.ts'
import type { ReceiptsSearch } from './search.ts'

export type Outcome = Receipt['outcome']

/** Outcomes in the order of the chart, from the ground up. */
export const OUTCOME_ORDER: readonly Outcome[] = [
  'accepted',
  'duplicate',
  'filtered',
  'client_discard',
  'rate_limited',
  'invalid',
  'abuse',
]

export const OUTCOME_LABELS: Readonly<
  Record<Outcome, { readonly label: string; readonly tone: Tone; readonly means: string }>
> = {
  accepted: { label: 'Accepted', tone: 'neutral', means: 'stored and shown' },
  duplicate: { label: 'Duplicate', tone: 'ok', means: 'was already here; stored once' },
  filtered: { label: 'Filtered', tone: 'info', means: 'left out by a rule of the project' },
  client_discard: {
    label: 'Dropped by the SDK',
    tone: 'accent',
    means: 'never left the application; its SDK’s settings decide',
  },
  rate_limited: { label: 'Rate limited', tone: 'warning', means: 'more than a limit allows' },
  invalid: { label: 'Invalid', tone: 'error', means: 'unreadable, or too large' },
  abuse: { label: 'Abuse', tone: 'fatal', means: 'refused to protect the server' },
}

type Filterable = Pick<Receipt, 'outcome' | 'itemType' | 'sdk'>

/** Whether a row is among those asked for. */
export function matches(row: Filterable, search: ReceiptsSearch): boolean {
  return (
    (search.outcome === undefined || row.outcome === search.outcome) &&
    (search.itemType === undefined || row.itemType === search.itemType) &&
    (search.sdk === undefined || row.sdk === search.sdk)
  )
}

/** One total per outcome, of all that match the other filters. */
export function sumByOutcome(rows: readonly Pick<Receipt, 'outcome' | 'quantity'>[]): ReadonlyMap<Outcome, number> {
  const sums = new Map<Outcome, number>()
  for (const row of rows) sums.set(row.outcome, (sums.get(row.outcome) ?? 0) + row.quantity)
  return sums
}

/** Whether it reached this server; what an SDK only says that it dropped did not. */
export const isReceived = (outcome: Outcome): boolean => outcome !== 'client_discard'

/** The 100 % of which each outcome is a share. */
export function sumReceived(sums: ReadonlyMap<Outcome, number>): number {
  return [...sums].reduce((sum, [outcome, value]) => (isReceived(outcome) ? sum + value : sum), 0)
}

/** What the chart shows: what was received, which a flood of drops would flatten; drops when there is nothing else. */
export function drawnRows<Row extends Pick<Receipt, 'outcome'>>(rows: readonly Row[]): readonly Row[] {
  const received = rows.filter((row) => isReceived(row.outcome))
  return received.length === 0 ? rows : received
}

export interface Chart {
  /** Starts of the buckets, milliseconds. */
  readonly times: readonly number[]
  readonly series: readonly { readonly outcome: Outcome; readonly values: readonly number[] }[]
}

/** Buckets of a chart at most: a span of time that came in wrong must not freeze the page. */
const MAX_BUCKETS = 2000

/** Rows as stacked series over every bucket of the period, empty ones included; only outcomes that occur. */
export function chartOf(
  rows: readonly Pick<Receipt, 'timestamp' | 'outcome' | 'quantity'>[],
  startMs: number,
  endMs: number,
  intervalMs: number,
): Chart {
  if (!(intervalMs > 0) || !(endMs > startMs)) return { times: [], series: [] }
  const first = Math.floor(startMs / intervalMs) * intervalMs
  const length = Math.min(MAX_BUCKETS, Math.ceil((endMs - first) / intervalMs))
  const times = Array.from({ length }, (_, index) => first + index * intervalMs)
  const values = new Map<Outcome, number[]>()
  for (const row of rows) {
    const index = Math.floor((Date.parse(row.timestamp) - first) / intervalMs)
    if (!(index >= 0 && index < length)) continue
    let line = values.get(row.outcome)
    if (line === undefined) {
      line = Array.from({ length }, () => 0)
      values.set(row.outcome, line)
    }
    line[index] = (line[index] ?? 0) + row.quantity
  }
  return {
    times,
    series: OUTCOME_ORDER.flatMap((outcome) => {
      const line = values.get(outcome)
      return line === undefined ? [] : [{ outcome, values: line }]
    }),
  }
}

/** The different values of a column, by name, for a filter. */
export function valuesOf<Key extends 'itemType' | 'sdk'>(
  rows: readonly Pick<Receipt, Key>[],
  key: Key,
): readonly string[] {
  return [...new Set(rows.map((row) => row[key]))].sort((a, b) => a.localeCompare(b))
}
