import { queryEvents } from '@firsthand/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Route } from '../http/index.ts'
import type { EventTableServices } from '../issues/index.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { createTableRoutes } from './events.routes.ts'
import { createExportRoute } from './export.routes.ts'
import { createCsvFile } from '../http/table-file.ts'
import { callRoute } from './test/call.ts'
import { saveFile } from './test/save.ts'
import { createServices, FROM, insertSpans } from './test/sample-spans.ts'

/** A table of 2,500 events, of which each page has as many as it is asked for. */
const events = {
  issues: {
    projects: async () => [{ id: 1, slug: 'shop' }],
    newestMerges: async () => ({ merges: new Map(), truncated: false }),
    records: async () => [],
  },
  events: {
    table: async (_: object, { limit, offset }: { limit: number; offset: number }) => ({
      rows: Array.from({ length: Math.min(limit, 2500 - offset) }, (__, index) => ({
        title: `error ${offset + index}`,
      })),
      more: offset + limit < 2500,
    }),
  },
  clock: { now: () => FROM },
} as unknown as EventTableServices

describe.each(TELEMETRY_ENGINES)('tables as files, on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let routes: readonly Route[]
  beforeAll(async () => {
    opened = await open()
    const services = createServices(opened)
    routes = [createExportRoute(services, events), ...createTableRoutes(services)]
    await insertSpans(opened, [
      ...Array.from({ length: 2500 }, (_, index) => ({ transaction: 'saved', name: `row ${index}`, at: FROM + index })),
      { transaction: 'odd', name: '=HYPERLINK("http://evil.example")', op: '+1', duration: 0.5 },
      { transaction: 'odd', name: 'two\nlines, "quoted"', op: '@sum', duration: 1, at: FROM + 1 },
      { transaction: 'odd', name: '-5', op: '\tdb', numbers: { delta: -5 }, at: FROM + 2 },
    ])
  })
  afterAll(() => opened.close())

  const asked = (transaction: string) => ({
    dataset: 'spans',
    field: ['span.name', 'span.op', 'span.duration', 'tags[delta,number]'],
    query: `transaction:${transaction}`,
    sort: ['span.duration'],
    statsPeriod: '1h',
  })
  const save = (query: Readonly<Record<string, unknown>>) => saveFile(routes, queryEvents, query)

  it('T50 CSV and JSON have all pages of the table, as it is shown', async () => {
    const query = { ...asked('saved'), field: ['span.name', 'span.duration'], sort: ['-span.name'] }
    const shown: unknown[] = []
    let cursor: string | null = null
    do {
      const more: object = cursor === null ? {} : { cursor }
      const page = await callRoute(routes, queryEvents, { query: { ...query, ...more, per_page: '1000' } })
      shown.push(...page.body.data)
      cursor = page.next
    } while (cursor !== null)
    const json = await save({ ...query, format: 'json' })
    expect(json.headers['content-disposition']).toBe('attachment; filename="spans.json"')
    const saved = JSON.parse(json.text) as { data: unknown[]; meta: object }
    expect(saved.data).toEqual(shown)
    expect(saved.data).toHaveLength(2500)
    expect(saved.meta).toMatchObject({ truncated: false, units: { 'span.duration': 'millisecond' } })
    const csv = await save({ ...query, format: 'csv' })
    expect(csv.headers['content-type']).toContain('text/csv')
    const lines = csv.text.trimEnd().split('\r\n')
    expect(lines[0]).toBe('span.name,span.duration')
    expect(lines.slice(1)).toEqual(
      shown.map((row) =>
        Object.values(row as object)
          .slice(0, 2)
          .map(String)
          .join(','),
      ),
    )
  })

  it('T50 no cell is a formula, numbers stay numbers, and what has commas or lines is one cell', async () => {
    const { text } = await save({ ...asked('odd'), format: 'csv' })
    expect(text).toBe(
      [
        'span.name,span.op,span.duration,"tags[delta,number]"',
        `"'=HYPERLINK(""http://evil.example"")",'+1,0.5,`,
        `"two\nlines, ""quoted""",'@sum,1,`,
        `'-5,'\tdb,100,-5`,
        '',
      ].join('\r\n'),
    )
    const file = createCsvFile(['=1', 'list'])
    file.add([{ '=1': null, list: ['a', 'b'] }])
    expect(Buffer.from(file.done({})).toString()).toBe(`'=1,list\r\n,"[""a"",""b""]"\r\n`)
  })

  it('T50 errors are saved likewise, and groups', async () => {
    const { text } = await save({ dataset: 'errors', field: ['title'], format: 'csv' })
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(2501)
    expect([lines[1], lines.at(-1)]).toEqual(['error 0', 'error 2499'])
    const groups = await save({
      ...asked('saved'),
      field: ['span.name', 'count()'],
      sort: ['span.name'],
      format: 'csv',
    })
    expect(new Set(groups.text.trimEnd().split('\r\n')).size).toBe(2501)
  })
})
