import { queryEvents, type QueryOutput } from '@firsthand/contract'
import { badRequest, bindFor, type Caller, type CallerOrganization, type Route } from '../http/index.ts'
import { readEventTable, type EventTableServices } from '../issues/index.ts'
import { LIMITS } from './limits.ts'
import { isTableOfIssues } from './of-issues.ts'
import type { ExploreServices } from './scope.ts'
import { createCsvFile, createJsonFile } from './table-file.ts'
import { metaJson, readTable } from './table.ts'

interface Page {
  readonly rows: readonly Readonly<Record<string, unknown>>[]
  readonly columns: readonly string[]
  readonly meta: object
  /** Null after the last page. */
  readonly next: string | null
}

interface Request {
  readonly caller: Caller
  readonly organization: CallerOrganization
}

type Query = QueryOutput<typeof queryEvents>

/** All pages of a table as a file, of any dataset. */
export const createExportRoute = (services: ExploreServices, events: EventTableServices): Route =>
  bindFor(
    queryEvents,
    ({ format }) => format !== undefined,
    async ({ query, request }) => {
      const format = query.format ?? 'csv'
      const read = isTableOfIssues(query) ? eventPages(events, request, query) : pages(services, request, query)
      let page = await read(null)
      const file = format === 'csv' ? createCsvFile(page.columns) : createJsonFile()
      let rows = 0
      for (;;) {
        file.add(page.rows)
        rows += page.rows.length
        if (file.bytes > LIMITS.EXPORT_BYTES) {
          throw badRequest(
            `This file would have more than ${LIMITS.EXPORT_BYTES / 1024 / 1024} MiB. Ask for a shorter time or fewer columns.`,
          )
        }
        if (page.next === null || rows >= LIMITS.EXPORT_ROWS || request.signal.aborted) break
        page = await read(page.next)
      }
      const isTruncated = page.next !== null
      return {
        bytes: file.done({ ...page.meta, truncated: isTruncated }),
        headers: {
          'content-type': format === 'csv' ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
          'content-disposition': `attachment; filename="${query.dataset}.${format}"`,
          ...(isTruncated && { 'x-export-truncated': String(rows) }),
        },
      }
    },
  )

const pages =
  (services: ExploreServices, { organization }: Request, { cursor: _cursor, ...query }: Query) =>
  async (cursor: string | null): Promise<Page> => {
    const table = await readTable(services, organization.id, {
      ...query,
      limit: LIMITS.EXPORT_PAGE_ROWS,
      ...(cursor !== null && { cursor }),
    })
    const { accuracy: _accuracy, ...meta } = metaJson(table, query.dataset)
    return { rows: table.rows, columns: query.field, meta, next: table.next }
  }

/** Events are paged by how many came before. */
const eventPages =
  (services: EventTableServices, { caller, organization }: Request, query: Query) =>
  async (cursor: string | null): Promise<Page> => {
    const offset = Number(cursor ?? 0)
    const asker = { organizationId: organization.id, userId: caller.user.id }
    const { data, meta, more } = await readEventTable(services, asker, query, {
      offset,
      limit: LIMITS.EXPORT_PAGE_ROWS,
    })
    return { rows: data, columns: query.field, meta, next: more ? String(offset + data.length) : null }
  }
