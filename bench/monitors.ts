/**
 * Schedules of many monitors that are due in one minute, decided as the server does it (alerts.md, A78): all of them
 * missed, which is the most that there can be to write, and none of them, which is each other minute.
 *
 *   node bench/monitors.ts [monitors] [--write]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLedger } from '../apps/server/test/stores/open.ts'
import { decideStep } from '../apps/server/src/monitors/ledger/decide.ts'
import { createLogger } from '../apps/server/src/lib/logger.ts'
import { seedOrganization } from '../apps/server/src/storage/conformance/engines.ts'
import { table, writeSection } from './lib/results.ts'

const MONITORS = Number(process.argv.find((argument) => /^\d+$/.test(argument)) ?? 100_000)
const MINUTE = 60_000
const AT = Math.floor(Date.UTC(2026, 10, 27, 10) / MINUTE) * MINUTE
const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Sydney']

const folder = mkdtempSync(join(tmpdir(), 'firsthand-monitors-'))
const logger = createLogger('error', (line) => process.stderr.write(line), Date.now)
const ledger = await openLedger(
  { path: join(folder, 'ledger.sqlite') },
  { logger, clock: { now: Date.now }, inThreads: true },
)
await seedOrganization(ledger)

/** So many in one statement. */
const STEP = 400

for (let from = 0; from < MONITORS; from += STEP) {
  const own = Array.from({ length: Math.min(STEP, MONITORS - from) }, (_, index) => from + index)
  await ledger.transaction(async (transaction) => {
    await transaction
      .insertInto('monitors')
      .values(
        own.map((number) => ({
          id: number + 1,
          guid: `guid-${number}`,
          organization_id: 1,
          project_id: 1,
          slug: `job-${number}`,
          name: `job-${number}`,
          // Lines and zones of all sorts, that all name this minute.
          config: JSON.stringify({
            schedule_type: 'crontab',
            schedule: number % 3 === 0 ? '* * * * *' : `*/${1 + (number % 5)} * * * *`,
            timezone: ZONES[number % ZONES.length],
            checkin_margin: 1 + (number % 10),
            max_runtime: 30,
            failure_issue_threshold: 2 + (number % 3),
            recovery_threshold: 1,
          }),
          config_error: '',
          is_disabled: 0 as const,
          is_muted: 0 as const,
          muted_until: null,
          mute_windows: '[]',
          owner_user_id: null,
          owner_team_id: null,
          source: 'sdk',
          created_at: AT,
          deleted_at: null,
        })),
      )
      .execute()
    await transaction
      .insertInto('monitor_environments')
      .values(
        own.map((number) => ({
          monitor_id: number + 1,
          organization_id: 1,
          project_id: 1,
          name: 'production',
          status: 'ok',
          is_muted: 0 as const,
          next_due_at: AT - (1 + (number % 10)) * MINUTE,
          next_deadline_at: AT,
          missed_due_at: null,
          failures_in_row: 0,
          oks_in_row: 1,
          silent_periods: 0,
          incident_since: null,
          has_issue: 0 as const,
          last_run_at: AT - 11 * MINUTE,
          minute: 0,
          minute_count: 0,
          created_at: AT,
        })),
      )
      .execute()
  })
}

/** @returns milliseconds, those of the processor, and those of the longest step */
const decide = async (
  until: number,
): Promise<{ readonly ms: number; readonly cpu: number; readonly longest: number }> => {
  const begin = performance.now()
  const cpuBefore = process.cpuUsage()
  let longest = 0
  for (;;) {
    const step = performance.now()
    const { isPart } = await decideStep(ledger, until)
    longest = Math.max(longest, performance.now() - step)
    if (isPart) continue
    const { system, user } = process.cpuUsage(cpuBefore)
    return { ms: performance.now() - begin, cpu: (system + user) / 1000, longest }
  }
}

const countRuns = async (): Promise<number> => {
  const { runs } = await ledger.db
    .selectFrom('monitor_runs')
    .select((eb) => eb.fn.countAll<number>().as('runs'))
    .executeTakeFirstOrThrow()
  return runs
}

const before = await decide(AT - 1)
const all = await decide(AT)
const runs = await countRuns()
const after = await decide(AT)
await ledger.close()
rmSync(folder, { recursive: true })

const rows = [
  ['monitors', MONITORS.toLocaleString('en-US')],
  ['nothing is due, ms', before.ms.toFixed(1)],
  ['A78 all were missed in one minute, s', (all.ms / 1000).toFixed(2)],
  ['the same in processor time of all threads, s', (all.cpu / 1000).toFixed(2)],
  ['the longest transaction of these, ms', all.longest.toFixed(0)],
  ['runs written', runs.toLocaleString('en-US')],
  ['the same minute again, ms', after.ms.toFixed(1)],
]
process.stdout.write(`${table(['schedules', ''], rows)}\n`)
if (process.argv.includes('--write')) writeSection('Monitors', table(['schedules', ''], rows))
