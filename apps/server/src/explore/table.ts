import { toDate } from '../lib/instant-text.ts'
import { orUnanswerable, Unanswerable } from '../lib/unanswerable.ts'
import { findSort, type Column } from './columns.ts'
import type { Row, Sample, TablePage } from './explore.view.ts'
import { keysOf, readKeysetCursor, writeKeysetCursor } from './keyset.ts'
import { LIMITS } from './limits.ts'
import { withNames } from './names.ts'
import { readQuestion, type Question } from './question.ts'
import { readQuestionScope, secondsOf, type ExploreServices, type QuestionQuery } from './scope.ts'
import { findDataset } from './datasets.ts'
import { overWholeDays } from './whole-days.ts'

/** A page of a table, as it is answered. */
export interface Table {
  readonly columns: readonly Column[]
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  /** What is named may stand apart from what it belongs to: see `Dataset`. */
  readonly isIncomplete: boolean
  /** Of groups, by row. */
  readonly samples: readonly Sample[]
  /** Cursor of the next page. */
  readonly next: string | null
  readonly question: Question
}

/** Why there is nothing in an answer: see `tips.ts`. */
export interface Tips {
  /** What of the search no row of the time fulfils. */
  readonly query: string | null
  /** Which columns are empty because of what they are computed from. */
  readonly columns: string | null
}

export const NO_TIPS: Tips = { query: null, columns: null }

export interface TableQuery extends QuestionQuery {
  readonly dataset: string
  readonly field: readonly string[]
  readonly query?: string | undefined
  readonly sort?: readonly string[] | undefined
  readonly cursor?: string | undefined
  readonly limit: number
}

const GROUP_CURSOR = /^(\d{1,16}):(\d{1,7}):[01]$/

const NOT_OURS = 'The cursor is not one that this list gave out. Start without it.'

interface Place {
  readonly now: number
  readonly offset: number
  readonly after: readonly (string | number | null)[] | null
}

/** Where a page begins. Which kind of cursor it is depends on the question, so a first look only reads when it was asked. */
const readPlace = (cursor: string, question: Question, sorts: Parameters<typeof keysOf>[2]): Place => {
  const { scope, columns, grouped } = question
  if (grouped) {
    const [, now, offset] = GROUP_CURSOR.exec(cursor) ?? []
    if (now === undefined || offset === undefined) throw new Unanswerable(NOT_OURS)
    return { now: Number(now), offset: Number(offset), after: null }
  }
  const read = readKeysetCursor(cursor, keysOf(scope.dataset, columns, sorts))
  if (read === null) throw new Unanswerable(NOT_OURS)
  return { now: read.now, offset: 0, after: read.after }
}

/** @throws Unanswerable */
export const readTable = async (
  services: ExploreServices,
  organizationId: number,
  query: TableQuery,
): Promise<Table> => {
  const dataset = orUnanswerable(findDataset(services.datasets, query.dataset))
  const ask = async (now: number) => {
    const scope = await readQuestionScope(services, { organizationId, dataset, name: query.dataset, now }, query)
    const asked = { fields: query.field, query: query.query ?? '', seconds: secondsOf(scope), identified: true }
    const ofRows = orUnanswerable(readQuestion(scope, asked))
    const question = orUnanswerable(await overWholeDays(services, ofRows, asked))
    const sort = (query.sort ?? []).map((text) => orUnanswerable(findSort(text, question.columns)))
    return { question, sort }
  }
  const now = services.clock.now()
  const first = await ask(now)
  const { cursor } = query
  const place = cursor === undefined ? { now, offset: 0, after: null } : readPlace(cursor, first.question, first.sort)
  if (place.offset > LIMITS.EXPLORE_OFFSET) {
    throw new Unanswerable(`Groups beyond the first ${LIMITS.EXPLORE_OFFSET} cannot be listed. Search for fewer.`)
  }
  const { question, sort } = place.now === now ? first : await ask(Math.min(now, place.now))
  const page = await services.view.table(question, {
    sort,
    limit: query.limit,
    offset: place.offset,
    after: place.after,
    until: Math.min(now, place.now),
  })
  const rows = await withNames(services, question.scope, question.columns, page.rows)
  const { isIncomplete = false } = question.scope.dataset
  return {
    columns: question.columns,
    rows: rows.map((row) => toJson(row, question)),
    isIncomplete: isIncomplete && question.columns.some(({ lookup }) => lookup === 'named'),
    samples: page.samples,
    next: nextOf(page, question, place, query.limit),
    question,
  }
}

const nextOf = (page: TablePage, { grouped }: Question, { now, offset }: Place, limit: number): string | null => {
  if (!page.more) return null
  return grouped ? `${now}:${offset + limit}:0` : writeKeysetCursor(now, page.last, limit)
}

const toJson = (row: Row, question: Question): Readonly<Record<string, unknown>> =>
  Object.fromEntries(question.columns.map((column, index) => [column.name, valueJson(row[index], column, question)]))

/** A slug in place of a project's number, a date in place of milliseconds. */
export const valueJson = (value: unknown, column: Column, { scope }: Pick<Question, 'scope'>): unknown => {
  if (value === null || value === undefined) return null
  if (column.lookup === 'project') return scope.projects.find(({ id }) => id === Number(value))?.slug ?? ''
  return column.type === 'date' ? toDate(Number(value)) : value
}

export const typeJson = ({ lookup, type }: Column): string => (lookup === undefined ? type : 'string')

const NORMAL = 1.96
/** Fewer rows say little about what is typical of them. */
const TELLING_ROWS = 50

/** How sure a value is, as Sentry says it; null for those that stand for nothing else. */
export const confidenceOf = ({ estimate }: Column, sample: Sample): 'high' | 'low' | null => {
  if (estimate === undefined) return null
  if (estimate === 'typical') return sample.rows > TELLING_ROWS || sample.weight === sample.rows ? 'high' : 'low'
  return NORMAL * Math.sqrt(Math.max(0, sample.variance)) <= sample.weight / 2 ? 'high' : 'low'
}

export const samplingRate = ({ rows, weight }: Sample): number | null => (weight === 0 ? null : rows / weight)

export const metaJson = ({ columns, isIncomplete, samples }: Table, dataset: string, tips: Tips = NO_TIPS) => {
  const ofEach = <Value>(valueOf: (column: Column, sample: Sample) => Value): Record<string, Value>[] =>
    samples.map((sample) =>
      Object.fromEntries(
        columns.filter(({ aggregate }) => aggregate).map((column) => [column.name, valueOf(column, sample)]),
      ),
    )
  return {
    fields: Object.fromEntries(columns.map((column) => [column.name, typeJson(column)])),
    units: Object.fromEntries(columns.map(({ name, unit }) => [name, unit])),
    ...(isIncomplete && { mergesTruncated: true }),
    dataset,
    isMetricsData: false,
    isMetricsExtractedData: false,
    tips,
    datasetReason: 'unchanged',
    dataScanned: 'full' as const,
    accuracy: {
      confidence: ofEach(confidenceOf),
      sampleCount: ofEach((_, { rows }) => rows),
      samplingRate: ofEach((_, sample) => samplingRate(sample)),
    },
  }
}
