import { conditionOf } from '../../performance/frame/index.ts'
import type { CallSearch, CallsSearch } from './calls-url.ts'
import { type CallColumn, type CallKind, COMPARED } from './kinds.ts'
import { NAME } from './shown.ts'

/** What is asked of the spans of a kind. */

export const TEXT = 'sentry.normalized_description'
export const GROUP = 'span.group'
export const MEDIAN = 'p50(span.duration)'

const fieldsOf = ({ columns }: CallKind): readonly string[] => columns.map(({ field }) => field)

const detailOf = ({ detail }: CallKind): readonly string[] => (detail === undefined ? [] : [detail])

const foundBy = (kind: CallKind, query: string): string => `${kind.where} ${conditionOf(query, TEXT)}`.trim()

export const listQuestion = (kind: CallKind, { query, sort }: CallsSearch) => {
  const key = sort.replace(/^-/, '')
  const field = kind.columns.find((column) => column.key === key)?.field
  return {
    field: [GROUP, TEXT, 'project', 'project.id', 'count()', ...detailOf(kind), ...fieldsOf(kind)],
    query: foundBy(kind, query),
    sort: [`${sort.startsWith('-') ? '-' : ''}${key === NAME || field === undefined ? TEXT : field}`],
  }
}

export const comparedColumn = ({ columns }: CallKind): CallColumn | undefined =>
  columns.find(({ key }) => key === COMPARED)

/** The same groups in the time before. */
export const beforeQuestion = (kind: CallKind, groups: readonly string[]) => ({
  field: [...new Set([GROUP, 'project.id', 'count()', comparedColumn(kind)?.field ?? 'count()'])],
  query: `${kind.where} ${GROUP}:[${[...new Set(groups)].join(',')}]`,
})

/** All rows of a list together. */
export const allQuestion = (kind: CallKind, query: string) => ({
  field: ['count()', ...fieldsOf(kind)],
  query: foundBy(kind, query),
})

/** Without the other conditions of the kind: a group has spans of one kind. */
export const groupCondition = ({ group }: CallSearch): string => `${GROUP}:${group}`

export const callQuestion = (kind: CallKind, search: CallSearch) => ({
  // Most kinds have the median among their columns.
  field: [...new Set(['count()', `any(${TEXT})`, MEDIAN, ...detailOf(kind), ...fieldsOf(kind)])],
  query: groupCondition(search),
})

export const callersQuestion = (kind: CallKind, search: CallSearch) => ({
  field: ['transaction', 'project', 'project.id', 'count()', ...fieldsOf(kind).filter((field) => field !== 'epm()')],
  query: groupCondition(search),
  sort: ['-count()'],
})

export type SampleChoice = 'slowest' | 'typical'

/** The slowest, or those that took as long as half of all, and a little longer. */
export const samplesQuestion = (kind: CallKind, search: CallSearch, choice: SampleChoice, median: number) => ({
  field: [
    'id',
    'trace',
    'timestamp',
    'span.duration',
    'span.status',
    'span.description',
    'transaction',
    ...kind.sample.map(({ field }) => field),
  ],
  query:
    choice === 'slowest' ? groupCondition(search) : `${groupCondition(search)} span.duration:>=${median.toFixed(3)}ms`,
  sort: [choice === 'slowest' ? '-span.duration' : 'span.duration'],
})
