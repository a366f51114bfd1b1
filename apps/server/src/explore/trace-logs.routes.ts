import { listTraceLogs } from '@firsthand/contract'
import { badRequest, bind, type Route } from '../http/index.ts'
import { parseSearch } from '../search/index.ts'
import { LIMITS } from './limits.ts'
import type { ExploreServices } from './scope.ts'
import { metaJson, readTable } from './table.ts'

/** As Sentry's view of a trace asks for them. */
const COLUMNS = [
  'sentry.item_id',
  'project.id',
  'trace',
  'severity_number',
  'severity',
  'timestamp',
  'tags[sentry.timestamp_precise,number]',
  'message',
]

const DATASET = 'ourlogs'

const TRACE = /^[0-9a-f]{32}$/

export const createTraceLogsRoute = (services: ExploreServices): Route =>
  bind(listTraceLogs, async ({ query, request }) => {
    const traces = query.traceId.map((sent) => {
      const trace = sent.replaceAll('-', '').toLowerCase()
      if (!TRACE.test(trace)) throw badRequest(`"${sent}" is no id of a trace: it has 32 hexadecimal digits.`)
      return trace
    })
    const asked = query.query?.trim() ?? ''
    // Read alone first, so that a bracket in it cannot end the one that is put around it.
    const alone = parseSearch(asked)
    if (!alone.ok) throw badRequest(`The search cannot be read: ${alone.error.message}`)
    const narrower = asked === '' ? '' : ` AND (${asked})`
    const table = await readTable(services, request.organization.id, {
      ...query,
      dataset: DATASET,
      field: COLUMNS,
      // All parts of a trace, whichever projects they are of.
      project: [],
      query: `trace:[${traces.join(',')}]${narrower}`,
      sort: query.orderby,
      limit: Math.min(query.per_page ?? 100, LIMITS.EXPLORE_ROWS),
    })
    const meta = metaJson(table, DATASET)
    // The `sentry` program knows a line by `id`, and takes a unit for words.
    const units = Object.fromEntries(Object.entries(meta.units).filter(([, unit]) => unit !== null))
    const data = table.rows.map((row) => ({ ...row, id: row['sentry.item_id'] ?? null }))
    return {
      body: { data, meta: { ...meta, units }, confidence: meta.accuracy.confidence },
      page: { next: table.next, previous: null },
    }
  })
