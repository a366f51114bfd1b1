import type { ProjectReference } from '../../accounts/index.ts'
import { badRequest, orBadRequest, type OffsetPage } from '../../http/index.ts'
import { toDate } from '../../lib/instant-text.ts'
import { LIMITS } from '../limits.ts'
import { userIdOf, type OrganizationRequest as Request } from '../organization-request.routes.ts'
import { readEventScope, type ScopeRequest } from '../search-scope.ts'
import { followMerges, readEventColumn, type EventColumn } from '../search/index.ts'
import type { IssueServices } from '../services.ts'
import { rateOf } from './event-series.ts'
import { findSort } from './event-sort.ts'

/** Tables of events: single ones, or groups that are equal in some of their fields. */

export type EventTableServices = Pick<IssueServices, 'issues' | 'events' | 'clock'>

export type EventTableQuery = Omit<ScopeRequest, 'organizationId' | 'userId' | 'now'> & {
  readonly field: readonly string[]
  readonly sort?: readonly string[] | undefined
}

export const scopeRequest = (
  { clock }: EventTableServices,
  request: Request,
  query: Omit<ScopeRequest, 'organizationId' | 'userId' | 'now'>,
): ScopeRequest => ({
  ...query,
  organizationId: request.organization.id,
  userId: userIdOf(request),
  now: clock.now(),
})

/** Columns as asked for. Events of merged issues are those of the issue that they were merged into. */
export const readColumns = async (
  { issues }: EventTableServices,
  request: Request,
  names: readonly string[],
  prefix: string,
) => {
  const columns = names.map((name, index) => orBadRequest(readEventColumn(name, `${prefix}${index}`)))
  const { merges, truncated } = await issues.newestMerges(request.organization.id)
  const followed = columns.map((column) => followMerges(column, merges))
  return { columns: followed, mergesTruncated: truncated && followed.some((column, at) => column !== columns[at]) }
}

/** Puts short ids and slugs in place of numbers. */
export const nameIds = async (
  { issues }: EventTableServices,
  request: Request,
  rows: readonly Readonly<Record<string, unknown>>[],
  columns: readonly EventColumn[],
  slugs: ReadonlyMap<number, string>,
) => {
  const issueColumns = columns.filter((column) => column.lookup === 'issue')
  const ids = new Set(rows.flatMap((row) => issueColumns.map((column) => Number(row[column.name]))))
  const records = ids.size === 0 ? [] : await issues.records(request.organization.id, [...ids])
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

/** @throws HttpError 400 */
export const readEventTable = async (
  services: EventTableServices,
  request: Request,
  query: EventTableQuery,
  page: OffsetPage,
) => {
  const { issues, events, clock } = services
  const found = orBadRequest(await readEventScope(issues, scopeRequest(services, request, query)))
  const { columns, mergesTruncated } = await readColumns(services, request, query.field, 'column')
  const { period } = found.scope
  const rate = columns.find((column) => column.perSeconds !== undefined)
  if (rate !== undefined && period === null) {
    throw badRequest(`"${rate.name}" needs a time range. Add statsPeriod=24h, or start and end.`)
  }
  const sort = (query.sort ?? []).map((text) => orBadRequest(findSort(text, columns)))
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
    data: await nameIds(services, request, rated, columns, slugsOf(found.scope.projects)),
    meta: {
      fields: Object.fromEntries(columns.map(({ name, type }) => [name, type])),
      units: Object.fromEntries(columns.map(({ name }) => [name, null])),
      ...(mergesTruncated && { mergesTruncated }),
    },
    more,
  }
}
