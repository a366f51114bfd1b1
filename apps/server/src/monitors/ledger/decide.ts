import { sql } from 'kysely'
import { DAY_MS } from '../../lib/durations.ts'
import { turnOf } from '../../storage/ledger/in-turns.ts'
import type { Ledger, LedgerDialect, LedgerTransaction } from '../../storage/index.ts'
import { count, goneUntil, type Absence, type EnvironmentState } from '../environment-state.ts'
import { LIMITS } from '../limits.ts'
import { absencesSince } from './absences.ts'
import { endOverdue } from './apply-check-ins.ts'
import { idOfGone, incidentsAfter, saveEnvironment, toTell, type OpenEnvironment } from './environment-writes.ts'
import { stateOf, termsOf, type EnvironmentRow, type Terms } from './records.ts'

/** What was decided of one organisation. */
export interface Decided {
  readonly organizationIds: ReadonlySet<number>
  /** There is more to decide. */
  readonly isPart: boolean
}

/**
 * Decides what is over by an instant: runs that never came, and runs that did not end. One step takes a bounded number of
 * them, in one transaction; all of it is written by a few statements, however many they are.
 *
 * @param until everything that was received before is digested
 */
export const decideStep = async (ledger: Ledger, until: number): Promise<Decided> =>
  ledger.transaction(async (transaction) => {
    const organizationIds = new Set<number>()
    const overdue = await decideOverdue(transaction, until, organizationIds)
    const gone = await decideAllGone(transaction, ledger.dialect, until, organizationIds)
    return { organizationIds, isPart: overdue || gone }
  })

const MONITOR_COLUMNS = [
  'monitors.config',
  'monitors.is_muted as monitor_is_muted',
  'monitors.muted_until',
  'monitors.mute_windows',
] as const

type JoinedRow = EnvironmentRow & {
  readonly config: string
  readonly monitor_is_muted: 0 | 1
  readonly muted_until: number | null
  readonly mute_windows: string
}

/** Most monitors have terms like others: each is read once in a step. */
const createTerms = () => {
  const known = new Map<string, Terms>()
  return (row: JoinedRow): Terms => {
    const key = `${row.config} ${row.monitor_is_muted} ${row.muted_until} ${row.mute_windows}`
    const terms = known.get(key) ?? termsOf({ ...row, is_muted: row.monitor_is_muted })
    known.set(key, terms)
    return terms
  }
}

const openOf = (row: JoinedRow, terms: Terms): OpenEnvironment => ({
  id: row.id,
  projectId: row.project_id,
  terms,
  isMuted: row.is_muted === 1,
  state: stateOf(row),
  hasIssue: row.has_issue === 1,
  incidents: { day: row.incident_day, count: row.incident_count },
  lastRunAt: row.last_run_at,
  minute: row.minute,
  minuteCount: row.minute_count,
})

/** Runs that took longer than they may. @returns whether there are more */
const decideOverdue = async (
  transaction: LedgerTransaction,
  until: number,
  organizationIds: Set<number>,
): Promise<boolean> => {
  const due = await transaction
    .selectFrom(
      transaction
        .selectFrom('monitor_runs')
        .innerJoin('monitor_environments', 'monitor_environments.id', 'monitor_runs.environment_id')
        .select(['environment_id', turnOf('monitor_environments.organization_id', sql`min(monitor_runs.timeout_at)`)])
        .where('timeout_at', '<=', until)
        .groupBy(['environment_id', 'monitor_environments.organization_id'])
        .as('due'),
    )
    .select('environment_id')
    .orderBy('turn')
    .limit(OVERDUE_PER_STEP)
    .execute()
  if (due.length === 0) return false
  const rows = (await transaction
    .selectFrom('monitor_environments')
    .innerJoin('monitors', 'monitors.id', 'monitor_environments.monitor_id')
    .selectAll('monitor_environments')
    .select(MONITOR_COLUMNS)
    .where(
      'monitor_environments.id',
      'in',
      due.map(({ environment_id }) => environment_id),
    )
    .execute()) as JoinedRow[]
  const absences = await absencesSince(transaction, until - LIMITS.MONITOR_MINUTES * 60_000 * 2)
  const terms = createTerms()
  for (const row of rows) {
    const environment = openOf(row, terms(row))
    await endOverdue(transaction, environment, { until, decidedAt: until }, absences)
    await saveEnvironment(transaction, environment)
    organizationIds.add(row.organization_id)
  }
  return due.length === OVERDUE_PER_STEP
}

const OVERDUE_PER_STEP = 200

interface Writes {
  readonly runs: unknown[]
  readonly states: unknown[]
  readonly days: Map<string, number[]>
  readonly events: unknown[]
}

const decideAllGone = async (
  transaction: LedgerTransaction,
  dialect: LedgerDialect,
  until: number,
  organizationIds: Set<number>,
): Promise<boolean> => {
  const rows = (await transaction
    .selectFrom(
      transaction
        .selectFrom('monitor_environments')
        .select([
          'id as due_id',
          turnOf('monitor_environments.organization_id', 'monitor_environments.next_deadline_at'),
        ])
        .where('next_deadline_at', '<=', until)
        .orderBy('turn')
        .limit(LIMITS.MONITORS_PER_STEP)
        .as('due'),
    )
    .innerJoin('monitor_environments', 'monitor_environments.id', 'due.due_id')
    .innerJoin('monitors', 'monitors.id', 'monitor_environments.monitor_id')
    .selectAll('monitor_environments')
    .select(MONITOR_COLUMNS)
    .execute()) as JoinedRow[]
  if (rows.length === 0) return false
  const first = Math.min(...rows.map((row) => row.next_due_at ?? until))
  const absences = await absencesSince(transaction, first)
  const terms = createTerms()
  const writes: Writes = { runs: [], states: [], days: new Map(), events: [] }
  for (const row of rows) {
    decideOne(row, terms(row), { until, absences, writes })
    organizationIds.add(row.organization_id)
  }
  await write(transaction, dialect, writes, until)
  return rows.length === LIMITS.MONITORS_PER_STEP
}

const decideOne = (
  row: JoinedRow,
  terms: Terms,
  {
    absences,
    until,
    writes,
  }: { readonly until: number; readonly absences: readonly Absence[]; readonly writes: Writes },
): void => {
  const environment = openOf(row, terms)
  const { gone, state: after } = goneUntil(environment.state, until, { ...terms, absences })
  let state: EnvironmentState = after
  let { hasIssue, incidents } = environment
  for (const { dueAt, result } of gone) {
    const counted = count(state, result, dueAt, terms.config)
    state = counted.state
    const checkInId = idOfGone(row.id, dueAt)
    writes.runs.push([row.id, checkInId, result, dueAt])
    const key = `${row.id} ${Math.floor(dueAt / DAY_MS)}`
    const day = writes.days.get(key) ?? [row.id, Math.floor(dueAt / DAY_MS), 0, 0]
    day[result === 'missed' ? 2 : 3] = (day[result === 'missed' ? 2 : 3] ?? 0) + 1
    writes.days.set(key, day)
    const { change } = counted
    const kind = toTell({ ...environment, state, hasIssue, incidents }, { change, result, at: until })
    if (kind === null) continue
    writes.events.push([row.id, checkInId, kind])
    incidents = incidentsAfter({ hasIssue, incidents }, { kind, change, at: until })
    hasIssue ||= kind === 'failed'
  }
  writes.states.push([
    row.id,
    state.status,
    state.nextDueAt,
    state.nextDeadlineAt,
    state.missedDueAt,
    state.failuresInRow,
    state.oksInRow,
    state.silentPeriods,
    state.incidentSince,
    hasIssue ? 1 : 0,
    incidents.day,
    incidents.count,
  ])
}

/** Rows out of one parameter, an array of arrays: a statement with a parameter for each value takes far longer to read. */
const rowsOf = (dialect: LedgerDialect, rows: readonly unknown[]) => {
  const json = JSON.stringify(rows)
  return dialect === 'sqlite'
    ? sql`json_each(${json}) AS j`
    : sql`jsonb_array_elements(CAST(${json} AS jsonb)) AS j(value)`
}

const int = (index: number) => sql.raw(`CAST(j.value ->> ${index} AS bigint)`)
const text = (index: number) => sql.raw(`j.value ->> ${index}`)

const write = async (
  transaction: LedgerTransaction,
  dialect: LedgerDialect,
  { days, events, runs, states }: Writes,
  at: number,
): Promise<void> => {
  await sql`INSERT INTO monitor_runs (environment_id, check_in_id, status, started_at, ended_at, due_at, is_late, release)
    SELECT ${int(0)}, ${text(1)}, ${text(2)}, ${int(3)}, ${int(3)}, ${int(3)}, 0, '' FROM ${rowsOf(dialect, runs)}
    WHERE true
    ON CONFLICT (environment_id, check_in_id) DO NOTHING`.execute(transaction)
  await sql`INSERT INTO monitor_results (environment_id, status, decided_at, is_late, release)
    SELECT ${int(0)}, ${text(2)}, ${at}, 0, '' FROM ${rowsOf(dialect, runs)} WHERE true`.execute(transaction)
  await sql`UPDATE monitor_environments SET status = changed.status, next_due_at = changed.next_due_at,
      next_deadline_at = changed.next_deadline_at, missed_due_at = changed.missed_due_at,
      failures_in_row = changed.failures_in_row, oks_in_row = changed.oks_in_row,
      silent_periods = changed.silent_periods, incident_since = changed.incident_since, has_issue = changed.has_issue,
      incident_day = changed.incident_day, incident_count = changed.incident_count
    FROM (SELECT ${int(0)} AS id, ${text(1)} AS status, ${int(2)} AS next_due_at, ${int(3)} AS next_deadline_at,
        ${int(4)} AS missed_due_at, ${int(5)} AS failures_in_row, ${int(6)} AS oks_in_row,
        ${int(7)} AS silent_periods, ${int(8)} AS incident_since, ${int(9)} AS has_issue,
        ${int(10)} AS incident_day, ${int(11)} AS incident_count
      FROM ${rowsOf(dialect, states)}) AS changed
    WHERE monitor_environments.id = changed.id`.execute(transaction)
  await sql`INSERT INTO monitor_days (environment_id, day, ok, failed, missed, timed_out, unknown)
    SELECT ${int(0)}, ${int(1)}, 0, 0, ${int(2)}, 0, ${int(3)} FROM ${rowsOf(dialect, [...days.values()])} WHERE true
    ON CONFLICT (environment_id, day) DO UPDATE SET
      missed = monitor_days.missed + excluded.missed, unknown = monitor_days.unknown + excluded.unknown`.execute(
    transaction,
  )
  await sql`INSERT INTO monitor_events (environment_id, kind, run_id, at)
    SELECT ${int(0)}, ${text(2)}, monitor_runs.id, ${at} FROM ${rowsOf(dialect, events)}
    JOIN monitor_runs ON monitor_runs.environment_id = ${int(0)} AND monitor_runs.check_in_id = ${text(1)}`.execute(
    transaction,
  )
}
