import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMeasure } from '../../apps/server/src/alerts/measure/measure.ts'
import type { MeasuredRule } from '../../apps/server/src/alerts/measure/rule.ts'
import { errorsDataset } from '../../apps/server/src/issues/errors-dataset.ts'
import { createFindings } from '../../apps/server/src/lib/findings.ts'
import { createLogger } from '../../apps/server/src/lib/logger.ts'
import type { Ledger, Telemetry } from '../../apps/server/src/storage/index.ts'
import { openLedger, openTelemetry } from '../../apps/server/test/stores/open.ts'
import { number, table, writeSection } from '../lib/results.ts'
import { triggerOf, type Size } from './rules.ts'

const MINUTE_MS = 60_000
/** Minutes of errors before the first that is evaluated. */
const BEFORE = 30
const EVALUATED = 5
const BATCH = 50_000

const ruleOf = (index: number, projects: number): MeasuredRule => ({
  id: index + 1,
  version: 1,
  organizationId: 1,
  projectIds: [(index % projects) + 1],
  query: '',
  environments: index % 3 === 0 ? ['production'] : [],
  since: 0,
  trigger: triggerOf(Math.floor(index / projects)),
})

const fill = async (client: Telemetry['client'], { perSecond, projects }: Size, begin: number): Promise<void> => {
  const total = (BEFORE + EVALUATED) * 60 * perSecond
  for (let first = 0; first < total; first += BATCH) {
    const count = Math.min(BATCH, total - first)
    await client.command({
      query: `INSERT INTO events (organization_id, project_id, issue_id, event_id, timestamp, received, type, level, environment, release, user_key, user_id, title, search_text)
SELECT 1, 1 + cityHash64(number) % ${projects}, 1 + cityHash64(number, 1) % 5, generateUUIDv4(number),
  fromUnixTimestamp64Milli(toInt64(${begin * MINUTE_MS} + intDiv(number * 1000, ${perSecond}))),
  fromUnixTimestamp64Milli(toInt64(${begin * MINUTE_MS} + intDiv(number * 1000, ${perSecond}))),
  'error', 'error', if(number % 3 = 0, 'staging', 'production'), '1.0.0', toString(cityHash64(number) % 5000),
  toString(cityHash64(number) % 5000), 'Error: broken', 'error: broken'
FROM numbers(${first}, ${count})`,
    })
  }
}

const seed = async ({ db }: Ledger, { projects }: Size): Promise<void> => {
  await db
    .insertInto('organizations')
    .values({ slug: 'acme', name: 'Acme', retention_days: 90, settings: '{}', created_at: 0 })
    .execute()
  const rows = Array.from({ length: projects }, (_, index) => ({
    organization_id: 1,
    slug: `project-${index + 1}`,
    name: `Project ${index + 1}`,
    platform: 'javascript',
    settings: '{}',
    last_issue_number: 0,
    created_at: 0,
  }))
  for (let first = 0; first < rows.length; first += 100) {
    await db
      .insertInto('projects')
      .values(rows.slice(first, first + 100))
      .execute()
  }
}

/** Rules about how much by themselves, over rows that stand in the embedded engine, without a server. */
export const measureRules = async (size: Size): Promise<void> => {
  const { perSecond, projects, rules } = size
  const folder = mkdtempSync(join(tmpdir(), 'fh-bench-alerts-'))
  const clock = { now: () => Date.now() }
  const logger = createLogger('warn', (line) => process.stderr.write(line), clock.now)
  const ledger = await openLedger({ path: join(folder, 'ledger.sqlite') }, { logger, clock, inThreads: true })
  const telemetry = await openTelemetry({ dataDir: folder }, { logger, findings: createFindings({ now: clock.now }) })

  const begin = Math.floor(Date.now() / MINUTE_MS) - BEFORE - EVALUATED

  try {
    await seed(ledger, size)
    console.log(`${number((BEFORE + EVALUATED) * 60 * perSecond)} errors are written …`)
    await fill(telemetry.client, size, begin)
    const all = Array.from({ length: rules }, (_, index) => ruleOf(index, projects))
    let until = (begin + BEFORE) * MINUTE_MS + 1000
    let queries = 0
    const measure = createMeasure({
      client: {
        query: (request) => {
          queries += 1
          return telemetry.client.query(request)
        },
      },
      ledger,
      settled: { until: () => until, now: () => until, jump: () => null },
      datasets: [errorsDataset],
      ask: (question) => Promise.resolve(question.otherwise),
      rules: () => Promise.resolve(all),
      take: () => Promise.resolve(() => Promise.resolve()),
      due: () => Promise.resolve(new Set()),
      gone: () => Promise.resolve(),
      goneGroups: () => Promise.resolve(),
      incidentsOf: () => Promise.resolve(new Map()),
    })
    await measure.run()
    const rows: string[][] = []
    for (let minute = 1; minute <= EVALUATED; minute += 1) {
      until += MINUTE_MS
      queries = 0
      const [cpu, started] = [process.cpuUsage(), performance.now()]
      await measure.run()
      const { user, system } = process.cpuUsage(cpu)
      const costs = all.map(({ id }) => measure.costOf(id))
      const read = costs.reduce((sum, one) => sum + one.rows, 0)
      rows.push([
        String(minute),
        number(performance.now() - started),
        number((user + system) / 1000),
        number(queries),
        number(read),
        number(read / rules, 1),
        number((performance.now() - started) / rules, 3),
      ])
    }
    const body = table(
      ['minute', 'ms', 'ms of our processor time', 'statements', 'rows read', 'rows a rule', 'ms a rule'],
      rows,
    )
    console.log(
      `\n${number(rules)} rules, ${number(projects)} projects, ${number(perSecond)} errors a second\n\n${body}`,
    )
    writeSection(
      'Alerts',
      `${number(rules)} rules about how much over ${number(projects)} projects, at ${number(perSecond)} errors a second.\n\n${body}`,
    )
  } finally {
    await telemetry.close()
    await ledger.close()
    rmSync(folder, { recursive: true, force: true })
  }
}
