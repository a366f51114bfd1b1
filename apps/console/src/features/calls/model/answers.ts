import { isFailing } from '../../performance/model/index.ts'
import type { CallColumn, CallKind } from './kinds.ts'
import { comparedColumn, GROUP, MEDIAN, TEXT } from './questions.ts'

/** What the answers say, as the screens show it. */

export type Row = Readonly<Record<string, unknown>>

export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? `${value}` : ''
const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

export interface CallRow {
  readonly group: string
  readonly text: string
  readonly detail: string
  readonly project: string
  readonly projectId: string
  /** By field. */
  readonly values: Row
  /** Of the compared column in the time before; undefined when there was none. */
  readonly before: number | undefined
  /** From how many samples the compared column was made, now or before; the smaller number. */
  readonly counted: number
}

export const keyOf = (group: string, projectId: string): string => `${projectId} ${group}`

interface Before {
  readonly value: number
  readonly samples: number
}

/** Of each row of an answer: from how many samples it is, however many these stand for. */
export type Samples = readonly Readonly<Record<string, number>>[]

const samplesOf = (samples: Samples, place: number): number => samples[place]?.['count()'] ?? 0

export function readBefore(kind: CallKind, rows: readonly Row[], samples: Samples): ReadonlyMap<string, Before> {
  const field = comparedColumn(kind)?.field ?? ''
  return new Map(
    rows.flatMap((row, place): [string, Before][] => {
      const value = row[field]
      if (typeof value !== 'number') return []
      return [[keyOf(textOf(row[GROUP]), textOf(row['project.id'])), { value, samples: samplesOf(samples, place) }]]
    }),
  )
}

export function readCalls(
  kind: CallKind,
  rows: readonly Row[],
  samples: Samples,
  known: ReadonlyMap<string, Before>,
): readonly CallRow[] {
  return withSamples(rows, samples).map((row) => readCall(kind, row, known))
}

function readCall(kind: CallKind, row: Row, known: ReadonlyMap<string, Before>): CallRow {
  const [group, projectId] = [textOf(row[GROUP]), textOf(row['project.id'])]
  const before = known.get(keyOf(group, projectId))
  return {
    group,
    text: textOf(row[TEXT]),
    detail: kind.detail === undefined ? '' : textOf(row[kind.detail]),
    project: textOf(row['project']),
    projectId,
    values: row,
    before: before?.value,
    counted: Math.min(numberOf(row[SAMPLED]), before?.samples ?? 0),
  }
}

export interface Call {
  readonly text: string
  readonly detail: string
  readonly count: number
  /** Milliseconds. */
  readonly median: number
  readonly values: Row
}

/** Null when there was none. */
export function readOne(kind: CallKind, row: Row | undefined): Call | null {
  const count = numberOf(row?.['count()'])
  if (row === undefined || count === 0) return null
  return {
    text: textOf(row[`any(${TEXT})`]),
    detail: kind.detail === undefined ? '' : textOf(row[kind.detail]),
    count,
    median: numberOf(row[MEDIAN]),
    values: row,
  }
}

/** Of all rows' time; null when that is not known. */
export function shareOf(column: CallColumn, values: Row, all: Row | undefined): number | null {
  const whole = numberOf(all?.[column.field])
  return whole <= 0 ? null : numberOf(values[column.field]) / whole
}

/** Of how many samples a row is, however many these stand for: beside its columns, where the answer has it apart. */
const SAMPLED = 'sampled'

export const withSamples = (rows: readonly Row[], samples: Samples): readonly Row[] =>
  rows.map((row, place) => ({ ...row, [SAMPLED]: Math.max(0, ...Object.values(samples[place] ?? {})) }))

/** Whether so many of the samples failed that it is said in colour. */
export const isBad = ({ field, isFailure }: CallColumn, row: Row): boolean =>
  isFailure === true && isFailing(numberOf(row[field]), numberOf(row[SAMPLED]))
