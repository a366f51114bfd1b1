import { queryEvents, type QueryOutput } from '@firsthand/contract'
import { bindFor, saveTable, type Caller, type CallerOrganization, type Route, type TablePage } from '../http/index.ts'
import { readEventTable, type EventTableServices } from '../issues/index.ts'
import { isTableOfIssues } from './of-issues.ts'
import type { ExploreServices } from './scope.ts'
import { metaJson, readTable } from './table.ts'

interface Request {
  readonly caller: Caller
  readonly organization: CallerOrganization
}

type Query = QueryOutput<typeof queryEvents>
type ReadPage = (cursor: string | null, limit: number) => Promise<TablePage>

/** All pages of a table as a file, of any dataset. */
export const createExportRoute = (services: ExploreServices, events: EventTableServices): Route =>
  bindFor(
    queryEvents,
    ({ format }) => format !== undefined,
    async ({ query, request }) => {
      const { dataset: name, field: columns, format = 'csv' } = query
      const read = isTableOfIssues(query) ? eventPages(events, request, query) : pages(services, request, query)
      return saveTable({ name, format, columns, signal: request.signal }, read)
    },
  )

const pages =
  (services: ExploreServices, { organization }: Request, { cursor: _cursor, ...query }: Query): ReadPage =>
  async (cursor, limit) => {
    const table = await readTable(services, organization.id, { ...query, limit, ...(cursor !== null && { cursor }) })
    const { accuracy: _accuracy, ...meta } = metaJson(table, query.dataset)
    return { rows: table.rows, meta, next: table.next }
  }

/** Events are paged by how many came before. */
const eventPages =
  (services: EventTableServices, { caller, organization }: Request, query: Query): ReadPage =>
  async (cursor, limit) => {
    const offset = Number(cursor ?? 0)
    const asker = { organizationId: organization.id, userId: caller.user.id }
    const { data, meta, more } = await readEventTable(services, asker, query, { offset, limit })
    return { rows: data, meta, next: more ? String(offset + data.length) : null }
  }
