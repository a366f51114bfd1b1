/**
 * How long the questions about sessions take: a million sessions of two weeks, each with two updates, of fifty releases of
 * one project, a quarter of them today. Asked of the engine as the server asks it.
 *
 * Processor time is the engine's own, so that a busy machine changes little about it.
 *
 *   node bench/sessions.ts [sessions] [--write]
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFindings } from '../apps/server/src/lib/findings.ts'
import { createLogger } from '../apps/server/src/lib/logger.ts'
import { createCourseCounter } from '../apps/server/src/sessions/health/count-course.ts'
import { createHealthCounter } from '../apps/server/src/sessions/health/count-health.ts'
import { createComparison } from '../apps/server/src/sessions/health/release-course.ts'
import { createSessionCounter } from '../apps/server/src/sessions/telemetry/count-sessions.ts'
import { openTelemetry } from '../apps/server/test/stores/open.ts'
import { cpuSeconds } from '../tools/harness/server.ts'
import { quantile } from './lib/http-load.ts'
import { timesOf } from './lib/many-things.ts'
import { number, table, writeSection } from './lib/results.ts'

const SESSIONS = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 1_000_000)
const RELEASES = 50
const DAY_MS = 86_400_000
const DAYS = 14
const ROUNDS = 3

const folder = mkdtempSync(join(tmpdir(), 'firsthand-sessions-'))
const telemetry = await openTelemetry(
  { dataDir: folder },
  {
    logger: createLogger('error', (line) => process.stderr.write(line), Date.now),
    findings: createFindings({ now: Date.now }),
  },
)
const { client } = telemetry
const now = Date.now()

/** So many in one statement, as they would not come at once either. */
const PORTION = 250_000
for (let from = 0; from < SESSIONS; from += PORTION) {
  for (const isEnd of [0, 1]) {
    await client.command({
      query: `INSERT INTO session_updates
        SELECT 1, 1, fromUnixTimestamp64Milli(began), reinterpretAsUUID(sipHash128(n)), sipHash64(n, ${isEnd}),
          fromUnixTimestamp64Milli(began + ${isEnd} * 60000), 0, ${isEnd} = 0,
          if(${isEnd} = 0, 0, multiIf(n % 200 = 0, 4, n % 300 = 0, 3, n % 100 = 0, 2, 1)), toUInt32(n % 20 = 0),
          if(${isEnd} = 0, -1., toFloat64(1000 + n % 300000)), 1 + sipHash64(n % 100000), concat('web@1.0.', toString(n % ${RELEASES})),
          if(n % 10 = 0, 'staging', 'production'), '', fromUnixTimestamp64Milli(began)
        FROM (SELECT number AS n, toInt64(${now} - if(n % 4 = 0, sipHash64(n, 7) % ${DAY_MS}, sipHash64(n, 7) % ${DAYS * DAY_MS})) AS began
          FROM numbers(${from}, ${Math.min(PORTION, SESSIONS - from)}))`,
    })
  }
}

const versions = Array.from({ length: RELEASES }, (_, place) => `web@1.0.${place}`)
const of = { organizationId: 1, projectIds: [1], environments: [] }
const period = { from: now - DAYS * DAY_MS, to: now }
const day = { from: now - DAY_MS, to: now }
const health = createHealthCounter(client)
const sessions = createSessionCounter(client)
const compare = createComparison({
  health,
  courses: createCourseCounter(client),
  neighbours: {
    neighbours: () =>
      Promise.resolve(versions.map((version, place) => ({ version, firstSeenAt: place, releasedAt: null }))),
  },
})
const asked = { ...of, period, filter: { sql: '1', params: {} }, groupBy: ['release'] as const, withDurations: false }
const steps = { start: Math.floor(period.from / 1000), interval: 86_400, count: DAYS }

const QUESTIONS: readonly (readonly [string, () => Promise<unknown>])[] = [
  ['health of 50 releases, 14 d', () => health.health({ ...of, versions, period, day })],
  ['health of 50 releases, 24 h', () => health.health({ ...of, versions, period: day, day })],
  [
    'page of one release, beside the one before',
    () =>
      compare(
        1,
        { id: 1, version: 'web@1.0.49', firstSeenAt: 49, releasedAt: null, projectIds: [1] },
        { environments: [], now },
      ),
  ],
  ['`/sessions/` by release, 14 d', () => sessions.groups(asked)],
  [
    '`/sessions/` by release and day, 14 d',
    async () => {
      const groups = await sessions.groups(asked)
      await sessions.steps(
        asked,
        steps,
        groups.map(({ id }) => id),
      )
    },
  ],
]

/** Processor time of the engine, which is a process below this one: that others are busy does not change it. */
const processorSeconds = (): number =>
  readFileSync(`/proc/${process.pid}/task/${process.pid}/children`, 'utf8')
    .split(' ')
    .filter((pid) => pid !== '')
    .reduce((sum, pid) => sum + cpuSeconds(Number(pid)), 0)

const rows: string[][] = []
for (const [what, work] of QUESTIONS) {
  const before = processorSeconds()
  const times = await timesOf(work, ROUNDS)
  const own = ((processorSeconds() - before) / ROUNDS) * 1000
  rows.push([what, number(own), number(quantile(times, 0.5)), number(times.at(-1) ?? 0)])
}
const results = table([`${number(SESSIONS)} sessions`, 'processor, ms', 'median, ms', 'longest, ms'], rows)
process.stdout.write(`${results}\n`)
if (process.argv.includes('--write')) {
  writeSection(
    'Sessions',
    `\`node bench/sessions.ts\`, ${ROUNDS} rounds each, of the engine as the server asks it.\n\n${results}`,
  )
}
await telemetry.close()
rmSync(folder, { recursive: true, force: true })
