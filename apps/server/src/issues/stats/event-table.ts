import type { ProjectReference } from '../../accounts/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import type { OffsetPage } from '../../lib/offset-page.ts'
import { orUnanswerable, Unanswerable } from '../../lib/unanswerable.ts'
import { LIMITS } from '../limits.ts'
import { readEventScope, type ScopeRequest } from '../search-scope.ts'
import { followMerges, readEventColumn, type EventColumn } from '../search/index.ts'
import type { IssueServices } from '../services.ts'
import { rateOf } from './event-series.ts'
import { findSort } from './event-sort.ts'

/** Tables of events: single ones, or groups that are equal in some of their fields. */

export type EventTableServices = Pick<IssueServices, 'issues' | 'events' | 'clock'>

export type EventTableQuery = Omit<ScopeRequest, keyof Asker | 'now'> & {
  readonly field: readonly string[]
  readonly sort?: readonly string[] | undefined
}

/** Who asks, in which organisation. */
export type Asker = Pick<ScopeRequest, 'organizationId' | 'userId'>

export const scopeRequest = (
  { clock }: EventTableServices,
  asker: Asker,
  query: Omit<ScopeRequest, keyof Asker | 'now'>,
): ScopeRequest => ({ ...query, ...asker, now: clock.now() })

/** Columns as asked for. Events of merged issues are those of the issue that they were merged into. */
export const readColumns = async (
  { issues }: EventTableServices,
  organizationId: number,
  names: readonly string[],
  prefix: string,
) => {
  const columns = names.map((name, index) => orUnanswerable(readEventColumn(name, `${prefix}${index}`)))
  const { merges, truncated } = await issues.newestMerges(organizationId)
  const followed = columns.map((column) => followMerges(column, merges))
  return { columns: followed, mergesTruncated: truncated && followed.some((column, at) => column !== columns[at]) }
}

/** Puts short ids and slugs in place of numbers. */
export const nameIds = async (
  { issues }: EventTableServices,
  organizationId: number,
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly EventColumn[],
  slugs: ReadonlyMap<number, string>,
) => {
  const issueColumns = columns.filter((column) => column.lookup === 'issue')
  const ids = new Set(rows.flatMap((row) => issueColumns.map((column) => Number(row[column.name]))))
  const records = ids.size === 0 ? [] : await issues.records(organizationId, [...ids])
  const shortIds = new Map(records.map((record) => [record.id, record.shortId]))
  const valueOf = (column: EventColumn, value: unknown): unknown => {
    if (column.lookup === 'issue') return shortIds.get(Number(value)) ?? 'unknown'
    if (column.lookup === 'project') return slugs.get(Number(value)) ?? 'unknown'
    return column.type === 'date' ? toDate(Number(value)) : value
  }
  return rows.map((row) =>
    Object.fromEntries(columns.map((column) => [column.name, valueOf(column, row[column.name])])),
  )
}

export const slugsOf = (projects: readonly ProjectReference[]): ReadonlyMap<number, string> =>
  new Map(projects.map(({ id, slug }) => [id, slug]))

/** @throws Unanswerable */
export const readEventTable = async (
  services: EventTableServices,
  asker: Asker,
  query: EventTableQuery,
  page: OffsetPage,
) => {
  const { issues, events, clock } = services
  const found = orUnanswerable(await readEventScope(issues, scopeRequest(services, asker, query)))
  const { columns, mergesTruncated } = await readColumns(services, asker.organizationId, query.field, 'column')
  const { period } = found.scope
  const rate = columns.find((column) => column.perSeconds !== undefined)
  if (rate !== undefined && period === null) {
    throw new Unanswerable(`"${rate.name}" needs a time range. Add statsPeriod=24h, or start and end.`)
  }
  const sort = (query.sort ?? []).map((text) => orUnanswerable(findSort(text, columns)))
  const { rows, more } = await events.table(found.events, { columns, sort, ...page, bytes: LIMITS.EVENT_TABLE_BYTES })
  // A period that ends now goes a little beyond, for clocks that are ahead.
  const seconds = period === null ? 1 : (Math.min(period.to, clock.now()) - period.from) / 1000
  const rated = rows.map((row) =>
    Object.fromEntries(
      columns.map((column) => {
        const value = row[column.name]
        return [column.name, typeof value === 'number' ? rateOf(column, value, seconds) : value]
      }),
    ),
  )
  return {
    data: await nameIds(services, asker.organizationId, rated, columns, slugsOf(found.scope.projects)),
    meta: {
      fields: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
      units: Object.fromEntries(columns.map(({ name }) => [name, null])),
      ...(mergesTruncated && { mergesTruncated }),
    },
    more,
  }
}
