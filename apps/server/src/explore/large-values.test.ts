import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compileLogSearch } from '../logs/log-search.ts'
import { createLogView } from '../logs/logs.view.ts'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { spansDataset } from '../traces/telemetry/span-dataset.ts'
import { listAttributesOf } from './attributes.ts'
import { readQuestionScope } from './scope.ts'
import { createServices, FROM, HOUR, NOW, tableOf, type Ask } from './test/sample-spans.ts'

const LARGE_ROWS = 1008
const SMALL_ROWS = 200_000

/** As a stranger may send them, side by side in the order of the table, beside ordinary ones. */
const insertLarge = async ({ telemetry: { client } }: OpenedTelemetry): Promise<void> => {
  const tables = [
    ['spans', 'span_id, trace_id', "1 + number, toUUID('22222222-2222-2222-2222-222222222222')"],
    ['logs', 'id, body', "1 + number, 'line'"],
  ] as const
  for (const [table, columns, values] of tables) {
    const insert = (rows: string, at: string, strings: string) =>
      client.command({
        query: `INSERT INTO ${table} (organization_id, project_id, timestamp, received, strings, ${columns})
          SELECT 1, 1, fromUnixTimestamp64Milli(${at}), fromUnixTimestamp64Milli(${FROM}), ${strings}, ${values} FROM ${rows}`,
      })
    await insert(`numbers(${SMALL_ROWS})`, `${FROM} + 2000 + number`, "map('user.tier', 'gold')")
    const large =
      "map('a', repeat('x', 65000), 'b', repeat('x', 65000), 'c', repeat('x', 65000), 'user.tier', repeat('x', 65000))"
    for (let from = 0; from < LARGE_ROWS; from += 126) {
      await insert(`numbers(${SMALL_ROWS + from}, 126)`, `${FROM} + number % 1000`, large)
    }
    await client.command({ query: `OPTIMIZE TABLE ${table} FINAL` })
  }
}

describe.each(TELEMETRY_ENGINES)('attributes with large values on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let ask: Ask
  beforeAll(async () => {
    opened = await open()
    ask = tableOf(createServices(opened))
    await insertLarge(opened)
  }, 120_000)
  afterAll(() => opened.close())

  it('T19, T113 of some rows leave questions about attributes to all others', async () => {
    const counted = await ask({ field: ['tags[user.tier]', 'count()'], sort: ['-count()'] })
    expect(counted.rows.map((row) => row['count()'])).toEqual([SMALL_ROWS, LARGE_ROWS])
    const different = await ask({ field: ['count_unique(tags[user.tier])'] })
    expect(different.rows).toEqual([{ 'count_unique(tags[user.tier])': 2 }])
    const services = createServices(opened)
    const about = { organizationId: 1, dataset: spansDataset, name: 'spans', now: NOW }
    const scope = await readQuestionScope(services, about, { statsPeriod: '1h' })
    const found = await listAttributesOf(services.view, scope, { query: '', part: '', types: [] })
    expect(found.map(({ key }) => key)).toContain('user.tier')
  })

  it('T77, T113 of some lines leave facets to all others', async () => {
    const view = createLogView({ client: opened.telemetry.client })
    const filter = compileLogSearch('', [], FROM)
    if (!filter.ok) throw new Error(filter.error.message)
    const period = { from: FROM, to: FROM + HOUR }
    const scope = { organizationId: 1, projectIds: [1], environments: [], period, filter: filter.value }
    const values = await view.attributeValues(scope, 'user.tier')
    expect(values.map(({ count }) => count)).toEqual([SMALL_ROWS, LARGE_ROWS])
    expect((await view.attributes(scope)).map(({ name }) => name).toSorted()).toContain('user.tier')
  })
})
