import { randomUUID } from 'node:crypto'
import { MINUTE_MS } from '../../lib/durations.ts'
import type { LedgerWork, Outcome } from '../../ingest/index.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import type { CheckIn } from '../check-in.ts'
import { mergeConfig } from '../config.ts'
import { begin, wasAway, timesAfter, type Absence, type EnvironmentState } from '../environment-state.ts'
import { LIMITS } from '../limits.ts'
import { absencesSince } from './absences.ts'
import {
  addResult,
  beforeCheckIn,
  decideGone,
  saveEnvironment,
  type Deciding,
  type OpenEnvironment,
} from './environment-writes.ts'
import { keepPastConfig } from './past-configs.ts'
import { configOf, stateOf, termsOf, type Terms } from './records.ts'
import { insertRun, keepLog, type RunRow } from './runs.ts'

/** A check-in with where it came from. */
export interface ReceivedCheckIn extends CheckIn {
  /** Of the item, the same whenever its batch is repeated. */
  readonly id: string
  readonly organizationId: number
  readonly projectId: number
  readonly receivedAt: number
}

/** Null for one that was taken. */
export type CheckInVerdict = Outcome | null

/** What the check-ins of a batch change, in the order in which they came. */
export const applyCheckIns = async (
  { batch, isRepeated, transaction }: LedgerWork,
  checkIns: readonly ReceivedCheckIn[],
): Promise<readonly CheckInVerdict[]> => {
  if (checkIns.length === 0) return []
  if (isRepeated) return repeated(transaction, batch, checkIns)
  await transaction.deleteFrom('check_in_refusals').where('batch', '<>', batch).execute()
  const absences = await absencesSince(transaction, Math.min(...checkIns.map((one) => one.receivedAt)) - YEAR_MS)
  const desk = createDesk(transaction, absences)
  const verdicts: CheckInVerdict[] = []
  for (const checkIn of checkIns) {
    const verdict = await desk.take(checkIn)
    verdicts.push(verdict)
    if (verdict === null) continue
    await transaction
      .insertInto('check_in_refusals')
      .values({ batch, id: checkIn.id, reason: verdict.reason })
      .execute()
  }
  await desk.save()
  return verdicts
}

/** The longest time between two runs that is looked at for absences. */
const YEAR_MS = 366 * 86_400_000

/** Of a batch that was applied before: what it refused is noted, the rest was taken. */
const repeated = async (
  transaction: LedgerTransaction,
  batch: number,
  checkIns: readonly ReceivedCheckIn[],
): Promise<readonly CheckInVerdict[]> => {
  const rows = await transaction
    .selectFrom('check_in_refusals')
    .select(['id', 'reason'])
    .where('batch', '=', batch)
    .execute()
  const reasons = new Map(rows.map(({ id, reason }) => [id, reason]))
  return checkIns.map(({ id }) => {
    const reason = reasons.get(id)
    return reason === undefined ? null : refusalNoted(reason)
  })
}

const REFUSALS = {
  unknown_monitor: { kind: 'invalid', reason: 'unknown_monitor' },
  invalid_monitor_config: { kind: 'invalid', reason: 'invalid_monitor_config' },
  monitor_is_disabled: { kind: 'invalid', reason: 'monitor_is_disabled' },
  monitor_is_deleted: { kind: 'invalid', reason: 'monitor_is_deleted' },
  too_many_monitors: { kind: 'invalid', reason: 'too_many_monitors' },
  too_many_environments: { kind: 'invalid', reason: 'too_many_environments' },
  unknown_project: { kind: 'invalid', reason: 'unknown_project' },
  check_in_rate: { kind: 'rate_limited', reason: 'check_in_rate' },
} as const satisfies Readonly<Record<string, Outcome>>

/** Only what stands above is noted. */
const refusalNoted = (reason: string): Outcome => REFUSALS[reason as keyof typeof REFUSALS]

interface OpenMonitor {
  readonly id: number
  readonly isDisabled: boolean
  readonly terms: Terms
  /** Its configuration is another one since this check-in. */
  readonly isChanged: boolean
}

/** Monitors and environments that a batch has to do with, read once. */
const createDesk = (transaction: LedgerTransaction, absences: readonly Absence[]) => {
  const monitors = new Map<string, OpenMonitor | Outcome>()
  const environments = new Map<string, OpenEnvironment>()

  const monitorOf = async (checkIn: ReceivedCheckIn): Promise<OpenMonitor | Outcome> => {
    const key = `${checkIn.projectId} ${checkIn.slug}`
    const known = monitors.get(key)
    if (known !== undefined && !('kind' in known) && checkIn.config === null) return known
    const monitor = await openMonitor(transaction, checkIn)
    monitors.set(key, monitor)
    if ('kind' in monitor) return monitor
    // Its terms may be others by now.
    for (const [name, environment] of environments) {
      if (!name.startsWith(`${monitor.id} `)) continue
      const { config, schedule } = monitor.terms
      const isDueElse = monitor.isChanged && environment.lastRunAt !== null
      const times = isDueElse ? timesAfter(checkIn.receivedAt, schedule, config) : {}
      environments.set(name, { ...environment, terms: monitor.terms, state: { ...environment.state, ...times } })
    }
    return monitor
  }

  const environmentOf = async (monitor: OpenMonitor, checkIn: ReceivedCheckIn): Promise<OpenEnvironment | Outcome> => {
    const key = `${monitor.id} ${checkIn.environment}`
    const known = environments.get(key)
    if (known !== undefined) return known
    const opened = await openEnvironment(transaction, monitor, checkIn)
    if (!('kind' in opened)) environments.set(key, opened)
    return opened
  }

  return {
    take: async (checkIn: ReceivedCheckIn): Promise<CheckInVerdict> => {
      const monitor = await monitorOf(checkIn)
      if ('kind' in monitor) return monitor
      if (monitor.isDisabled) return REFUSALS.monitor_is_disabled
      const environment = await environmentOf(monitor, checkIn)
      if ('kind' in environment) return environment
      if (!hasRoom(environment, checkIn.receivedAt)) return REFUSALS.check_in_rate
      await decideGone(transaction, environment, beforeCheckIn(checkIn.receivedAt), absences)
      await takeOne(transaction, environment, checkIn, absences)
      return null
    },
    save: async (): Promise<void> => {
      for (const environment of environments.values()) await saveEnvironment(transaction, environment)
    },
  }
}

/** Whoever sends check-ins without end takes no room from others. */
const hasRoom = (environment: OpenEnvironment, at: number): boolean => {
  const minute = Math.floor(at / MINUTE_MS)
  environment.minuteCount = environment.minute === minute ? environment.minuteCount + 1 : 1
  environment.minute = minute
  return environment.minuteCount <= LIMITS.CHECK_INS_PER_MINUTE
}

/** The monitor, made or changed as its configuration says that came with the check-in. */
const openMonitor = async (
  transaction: LedgerTransaction,
  { config: sent, organizationId, projectId, receivedAt, slug }: ReceivedCheckIn,
): Promise<OpenMonitor | Outcome> => {
  const row = await transaction
    .selectFrom('monitors')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('slug', '=', slug)
    .executeTakeFirst()
  if (row === undefined) {
    return sent === null
      ? REFUSALS.unknown_monitor
      : makeMonitor(transaction, { organizationId, projectId, slug, receivedAt, sent })
  }
  if (row.deleted_at !== null) return REFUSALS.monitor_is_deleted
  const opened = { id: row.id, isDisabled: row.is_disabled === 1 }
  if (sent === null) return { ...opened, terms: termsOf(row), isChanged: false }
  const { config, error } = configAfter(row, sent)
  if (config !== row.config || error !== row.config_error) {
    await transaction.updateTable('monitors').set({ config, config_error: error }).where('id', '=', row.id).execute()
  }
  const terms = termsOf({ ...row, config })
  if (config !== row.config) {
    await keepPastConfig(transaction, row.id, { config: row.config, until: receivedAt })
    await reschedule(transaction, row.id, terms, receivedAt)
  }
  return { ...opened, terms, isChanged: config !== row.config }
}

/** What somebody set here is not overwritten by whoever has the DSN, unless they want that. */
const configAfter = (
  { config, source }: { readonly config: string; readonly source: string },
  sent: unknown,
): { readonly config: string; readonly error: string } => {
  const merged = mergeConfig(configOf(config), sent)
  if (source === 'person') {
    const isSame = merged.ok && JSON.stringify(merged.value) === config
    return { config, error: isSame ? '' : SET_HERE }
  }
  return merged.ok ? { config: JSON.stringify(merged.value), error: '' } : { config, error: merged.error }
}

const SET_HERE = 'Check-ins send another one, but it is set here. Let check-ins set it, or send it no more.'

const makeMonitor = async (
  transaction: LedgerTransaction,
  {
    organizationId,
    projectId,
    receivedAt,
    sent,
    slug,
  }: Pick<ReceivedCheckIn, 'organizationId' | 'projectId' | 'receivedAt' | 'slug'> & { readonly sent: unknown },
): Promise<OpenMonitor | Outcome> => {
  const merged = mergeConfig(null, sent)
  if (!merged.ok) return REFUSALS.invalid_monitor_config
  const project = await transaction
    .selectFrom('projects')
    .select('organization_id')
    .where('id', '=', projectId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (project?.organization_id !== organizationId) return REFUSALS.unknown_project
  const { monitors } = await transaction
    .selectFrom('monitors')
    .select((eb) => eb.fn.countAll<number>().as('monitors'))
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  if (monitors >= LIMITS.MONITORS_PER_PROJECT) return REFUSALS.too_many_monitors
  const row = {
    config: JSON.stringify(merged.value),
    is_muted: 0,
    muted_until: null,
    mute_windows: '[]',
  } as const
  const { id } = await transaction
    .insertInto('monitors')
    .values({
      ...row,
      guid: randomUUID(),
      organization_id: organizationId,
      project_id: projectId,
      slug,
      name: slug,
      config_error: '',
      is_disabled: 0,
      owner_user_id: null,
      owner_team_id: null,
      source: 'sdk',
      created_at: receivedAt,
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, isDisabled: false, terms: termsOf(row), isChanged: false }
}

/** With another schedule it is due at other times: the next after now, where it runs already. */
export const reschedule = async (
  transaction: LedgerTransaction,
  monitorId: number,
  { config, schedule }: Terms,
  now: number,
): Promise<void> => {
  const { nextDeadlineAt, nextDueAt } = timesAfter(now, schedule, config)
  await transaction
    .updateTable('monitor_environments')
    .set({ next_due_at: nextDueAt, next_deadline_at: nextDeadlineAt })
    .where('monitor_id', '=', monitorId)
    .where('last_run_at', 'is not', null)
    .execute()
}

const openEnvironment = async (
  transaction: LedgerTransaction,
  { id: monitorId, terms }: OpenMonitor,
  { environment: name, organizationId, projectId, receivedAt }: ReceivedCheckIn,
): Promise<OpenEnvironment | Outcome> => {
  const rows = await transaction
    .selectFrom('monitor_environments')
    .selectAll()
    .where('monitor_id', '=', monitorId)
    .execute()
  const row = rows.find((one) => one.name === name)
  if (row !== undefined) {
    return {
      id: row.id,
      projectId,
      terms,
      isMuted: row.is_muted === 1,
      state: stateOf(row),
      hasIssue: row.has_issue === 1,
      incidents: { day: row.incident_day, count: row.incident_count },
      lastRunAt: row.last_run_at,
      minute: row.minute,
      minuteCount: row.minute_count,
    }
  }
  if (rows.length >= LIMITS.MONITOR_ENVIRONMENTS) return REFUSALS.too_many_environments
  const { environments } = await transaction
    .selectFrom('monitor_environments')
    .select((eb) => eb.fn.countAll<number>().as('environments'))
    .where('monitor_id', 'in', (eb) => eb.selectFrom('monitors').select('id').where('project_id', '=', projectId))
    .executeTakeFirstOrThrow()
  if (environments >= LIMITS.MONITOR_ENVIRONMENTS_PER_PROJECT) return REFUSALS.too_many_environments
  const { id } = await transaction
    .insertInto('monitor_environments')
    .values({
      monitor_id: monitorId,
      organization_id: organizationId,
      project_id: projectId,
      name,
      status: NEW.status,
      is_muted: 0,
      next_due_at: null,
      next_deadline_at: null,
      missed_due_at: null,
      failures_in_row: 0,
      oks_in_row: 0,
      silent_periods: 0,
      incident_since: null,
      has_issue: 0,
      last_run_at: null,
      minute: 0,
      minute_count: 0,
      created_at: receivedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    id,
    projectId,
    terms,
    isMuted: false,
    state: NEW,
    hasIssue: false,
    incidents: { day: 0, count: 0 },
    lastRunAt: null,
    minute: 0,
    minuteCount: 0,
  }
}

const NEW: EnvironmentState = {
  status: 'active',
  nextDueAt: null,
  nextDeadlineAt: null,
  missedDueAt: null,
  failuresInRow: 0,
  oksInRow: 0,
  silentPeriods: 0,
  incidentSince: null,
}

/** What one check-in says of a run: that it began, goes on, is over, or wrote something. */
const takeOne = async (
  transaction: LedgerTransaction,
  environment: OpenEnvironment,
  checkIn: ReceivedCheckIn,
  absences: readonly Absence[],
): Promise<void> => {
  await endOverdue(transaction, environment, beforeCheckIn(checkIn.receivedAt), absences)
  const run = await runOf(transaction, environment.id, checkIn)
  const id = await changeRun(transaction, environment, checkIn, run)
  if (checkIn.log === '' || id === null) return
  await keepLog(
    transaction,
    { id, environmentId: environment.id, projectId: environment.projectId, at: checkIn.receivedAt },
    checkIn.log,
  )
}

const runOf = (
  transaction: LedgerTransaction,
  environmentId: number,
  { checkInId, status }: ReceivedCheckIn,
): Promise<RunRow | undefined> => {
  const query = transaction.selectFrom('monitor_runs').selectAll().where('environment_id', '=', environmentId)
  if (checkInId !== null) return query.where('check_in_id', '=', checkInId).executeTakeFirst()
  // Without an id, a beginning is a run of its own, and an end is that of the run that began last.
  if (status === 'in_progress') return Promise.resolve(undefined)
  return query
    .where('timeout_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** @returns the run; null when there is none and none begins */
const changeRun = async (
  transaction: LedgerTransaction,
  environment: OpenEnvironment,
  checkIn: ReceivedCheckIn,
  run: RunRow | undefined,
): Promise<number | null> => {
  const { receivedAt: at, status } = checkIn
  if (run === undefined) return status === 'log' ? null : beginRun(transaction, environment, checkIn)
  const change = (columns: Partial<RunRow>) =>
    transaction.updateTable('monitor_runs').set(columns).where('id', '=', run.id).execute()
  if (run.timeout_at === null) {
    // It is over. That it took longer than it may is still so; how long it took is good to know.
    if (run.status === 'timeout' && status !== 'in_progress' && status !== 'log') {
      await change({ duration_ms: checkIn.durationMs ?? at - run.started_at, exit_code: checkIn.exitCode })
    }
    return run.id
  }
  if (status === 'log' || status === 'unknown') return run.id
  if (status === 'in_progress') {
    await change({ timeout_at: at + environment.terms.config.max_runtime * MINUTE_MS })
    return run.id
  }
  const durationMs = checkIn.durationMs ?? at - run.started_at
  await change({
    status,
    ended_at: at,
    timeout_at: null,
    duration_ms: durationMs,
    exit_code: checkIn.exitCode,
    trace_id: checkIn.traceId ?? run.trace_id,
  })
  await addResult(transaction, environment, { run, result: status, at, durationMs })
  return run.id
}

const beginRun = async (
  transaction: LedgerTransaction,
  environment: OpenEnvironment,
  checkIn: ReceivedCheckIn,
): Promise<number> => {
  const { receivedAt: at, status } = checkIn
  const { config, schedule } = environment.terms
  const begun = begin(environment.state, at, schedule, config)
  environment.state = begun.state
  environment.lastRunAt = at
  const isOpen = status === 'in_progress'
  const begunRun = { started_at: at, is_late: begun.isLate ? 1 : 0, release: checkIn.release } as const
  const { durationMs } = checkIn
  const id = await insertRun(transaction, {
    ...begunRun,
    environment_id: environment.id,
    check_in_id: checkIn.checkInId ?? randomUUID().replaceAll('-', ''),
    status,
    ended_at: isOpen ? null : at,
    duration_ms: durationMs,
    due_at: begun.dueAt,
    timeout_at: isOpen ? at + config.max_runtime * MINUTE_MS : null,
    exit_code: checkIn.exitCode,
    trace_id: checkIn.traceId,
  })
  if (isOpen) await boundOpenRuns(transaction, environment, at)
  else if (status !== 'log')
    await addResult(transaction, environment, { run: { ...begunRun, id }, result: status, at, durationMs })
  return id
}

/** Runs that took longer than they may, each for itself. */
export const endOverdue = async (
  transaction: LedgerTransaction,
  environment: OpenEnvironment,
  { decidedAt, until }: Deciding,
  absences: readonly Absence[],
): Promise<void> => {
  const overdue = await transaction
    .selectFrom('monitor_runs')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('timeout_at', '<=', until)
    .orderBy('timeout_at')
    .execute()
  for (const run of overdue) {
    const isUnknown = wasAway(absences, run.started_at, run.timeout_at ?? until)
    await endRun(transaction, environment, run, {
      result: isUnknown ? 'unknown' : 'timeout',
      at: run.timeout_at ?? until,
      decidedAt,
    })
  }
}

const endRun = async (
  transaction: LedgerTransaction,
  environment: OpenEnvironment,
  run: RunRow,
  ended: { readonly result: 'timeout' | 'unknown'; readonly at: number; readonly decidedAt: number },
): Promise<void> => {
  await transaction
    .updateTable('monitor_runs')
    .set({ status: ended.result, ended_at: ended.at, timeout_at: null })
    .where('id', '=', run.id)
    .execute()
  await addResult(transaction, environment, { run, ...ended })
}

/** Whoever only ever begins runs does not fill the ledger with them. */
const boundOpenRuns = async (
  transaction: LedgerTransaction,
  environment: OpenEnvironment,
  at: number,
): Promise<void> => {
  const beyond = await transaction
    .selectFrom('monitor_runs')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('timeout_at', 'is not', null)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .offset(LIMITS.MONITOR_OPEN_RUNS)
    .limit(LIMITS.MONITOR_OPEN_RUNS)
    .execute()
  for (const run of beyond) await endRun(transaction, environment, run, { result: 'timeout', at, decidedAt: at })
}
