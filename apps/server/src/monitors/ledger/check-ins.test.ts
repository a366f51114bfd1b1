import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_WAYS, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { readOwners } from '../asked-owners.ts'
import { readCheckIn } from '../check-in.ts'
import { LIMITS } from '../limits.ts'
import { createTell } from '../tell.ts'
import { headingOf } from '../sentence.ts'
import { applyCheckIns, type CheckInVerdict } from './apply-check-ins.ts'
import { decideStep } from './decide.ts'
import { EMPTY_RUN } from './environment-writes.ts'
import { createMonitorEvents } from './events.ts'
import { createRunRetention } from './expiry.ts'
import { createMonitorChanges } from './monitor-changes.ts'
import { createMonitors } from './monitors.ts'
import { readConfigs } from './past-configs.ts'
import { notePresence } from './presence.ts'
import { createRunsView } from './runs-view.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** A full hour. */
const AT = Date.UTC(2026, 10, 27, 10)
const HOURLY = { schedule: { type: 'crontab', value: '0 * * * *' }, checkin_margin: 5, max_runtime: 10 }
const ID = 'a'.repeat(32)
const NIL = '0'.repeat(32)

describe.each(LEDGER_WAYS)('check-ins on $name', ({ open }) => {
  let opened: OpenedLedger
  let batch: number

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    batch = 0
  })
  afterEach(() => opened.close())

  const apply = (
    batchNumber: number,
    sent: readonly (readonly [at: number, payload: object])[],
    isRepeated = false,
    place = { organizationId: 1, projectId: 1 },
  ): Promise<readonly CheckInVerdict[]> =>
    opened.ledger.transaction((transaction) =>
      applyCheckIns(
        { transaction, dialect: opened.ledger.dialect, batch: batchNumber, isRepeated, now: AT },
        sent.map(([receivedAt, payload], index) => {
          const checkIn = readCheckIn({ monitor_slug: 'job', ...payload })
          if (checkIn === null) throw new Error('no check-in')
          return { ...checkIn, id: `${batchNumber}-${index}`, ...place, receivedAt }
        }),
      ),
    )
  const addOrganization = async () => {
    const { id: organizationId } = await opened.ledger.db
      .insertInto('organizations')
      .values({ slug: 'zeta', name: 'Zeta', retention_days: 90, settings: '{}', created_at: AT })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: projectId } = await opened.ledger.db
      .insertInto('projects')
      .values({
        organization_id: organizationId,
        slug: 'mill',
        name: 'mill',
        platform: 'node',
        settings: '{}',
        last_issue_number: 0,
        created_at: AT,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return { organizationId, projectId }
  }
  const send = async (at: number, payload: object): Promise<CheckInVerdict | undefined> => {
    batch += 1
    const [verdict] = await apply(batch, [[at, payload]])
    return verdict
  }
  const decide = async (until: number): Promise<void> => {
    while ((await decideStep(opened.ledger, until)).isPart);
  }
  const environments = async () => {
    const monitor = await createMonitors(opened).find(1, 'job', null)
    return createRunsView(opened).environments(monitor === null ? [] : [monitor.id])
  }
  const runs = async () => {
    const ids = (await environments()).map(({ id }) => id)
    const rows = await createRunsView(opened).runs(ids, { behind: null, limit: 100, status: null })
    return rows.toReversed()
  }
  const statuses = async (): Promise<string[]> => (await runs()).map(({ status }) => status)
  const toTell = async (): Promise<string[]> => {
    const rows = await opened.ledger.db.selectFrom('monitor_events').select('kind').orderBy('id').execute()
    return rows.map(({ kind }) => kind)
  }
  const begin = (at: number, more: object = {}) => send(at, { status: 'in_progress', check_in_id: ID, ...more })
  const end = (at: number, more: object = {}) => send(at, { status: 'ok', check_in_id: ID, ...more })

  it('a run is shown with the configuration of its time, whoever changed it since', async () => {
    const monitor = async () => {
      const row = await createMonitors(opened).find(1, 'job', null)
      if (row === null) throw new Error('no monitor')
      return row
    }
    const marginsAt = async (...times: number[]): Promise<number[]> => {
      const configAt = await readConfigs(opened.ledger, await monitor())
      return times.map((at) => configAt(at).checkin_margin)
    }
    await begin(AT, { monitor_config: HOURLY })
    await end(AT + 1000)
    await end(AT + HOUR, { monitor_config: HOURLY })
    expect(await marginsAt(AT, AT + HOUR)).toEqual([5, 5])
    await send(AT + 2 * HOUR, { status: 'ok', monitor_config: { ...HOURLY, checkin_margin: 7 } })
    const config = JSON.stringify({ ...JSON.parse((await monitor()).config), checkin_margin: 9 })
    await createMonitorChanges(opened).change(1, (await monitor()).id, { config }, AT + 3 * HOUR)
    expect(await marginsAt(AT, AT + 2 * HOUR - 1, AT + 2 * HOUR, AT + 3 * HOUR)).toEqual([5, 5, 7, 9])
    // Its run, too, was of the new configuration.
    expect((await runs()).map((row) => row.started_at)).toContain(AT + 2 * HOUR)
    const { expire } = createRunRetention(opened)
    await expire?.({
      organizationId: 1,
      before: AT + 2 * HOUR + 1,
      projectIds: [],
      signal: new AbortController().signal,
    })
    expect(await marginsAt(AT + 2 * HOUR, AT + 3 * HOUR)).toEqual([7, 9])
    expect(await opened.ledger.db.selectFrom('monitor_past_configs').selectAll().execute()).toHaveLength(1)
  })

  it('keeps so many configurations of the past, however often somebody changes it', async () => {
    await end(AT, { monitor_config: HOURLY })
    for (let change = 1; change <= LIMITS.MONITOR_PAST_CONFIGS + 3; change += 1) {
      const sent = { ...HOURLY, checkin_margin: 5 + (change % 2) }
      await end(AT + change * MINUTE, { monitor_config: sent })
    }
    const rows = await opened.ledger.db.selectFrom('monitor_past_configs').select('until_at').execute()
    expect(rows).toHaveLength(LIMITS.MONITOR_PAST_CONFIGS)
    expect(Math.min(...rows.map((row) => row.until_at))).toBe(AT + 4 * MINUTE)
  })

  it('a monitor that flaps is told of so often a day, and then when it fails for long', async () => {
    const most = LIMITS.MONITOR_INCIDENTS_PER_DAY
    const flap = async (from: number, times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        await send(from + 2 * time * MINUTE, { status: 'error' })
        await send(from + (2 * time + 1) * MINUTE, { status: 'ok' })
      }
    }
    const monthly = { schedule: { type: 'crontab', value: '0 0 1 * *' } }
    await end(AT - MINUTE, { monitor_config: monthly })
    await flap(AT, most + 5)
    const all = await toTell()
    expect(all).toHaveLength(2 * most)
    expect(all.at(-1)).toBe('recovered')
    const failed = (await createMonitorEvents(opened).unsent()).at(-1)
    expect(failed?.monitor.note).toContain('nobody is told of another one unless it lasts 15 minutes')
    const LONG = LIMITS.MONITOR_LASTING_MS
    const from = AT + 2 * HOUR
    for (let at = 0; at < LONG; at += MINUTE) await send(from + at, { status: 'error' })
    expect((await toTell()).slice(all.length)).toEqual([])
    await send(from + LONG, { status: 'error' })
    expect((await toTell()).slice(all.length)).toEqual(['failed'])
    await send(from + LONG + MINUTE, { status: 'ok' })
    await flap(from + HOUR, 3)
    expect((await toTell()).slice(all.length)).toEqual(['failed', 'recovered'])
    await flap(AT + 25 * HOUR, 1)
    expect((await toTell()).slice(all.length)).toEqual(['failed', 'recovered', 'failed', 'recovered'])
  })

  it('runs that never come now and then are told of so often a day as well', async () => {
    const most = LIMITS.MONITOR_INCIDENTS_PER_DAY
    const often = { schedule: { type: 'crontab', value: '*/2 * * * *' }, checkin_margin: 1 }
    await end(AT, { monitor_config: often })
    for (let time = 0; time < most + 5; time += 1) {
      // The one after next is missed, then one comes.
      const from = AT + time * 4 * MINUTE
      await decide(from + 3 * MINUTE + 1)
      await end(from + 4 * MINUTE, { check_in_id: NIL })
    }
    expect((await toTell()).filter((kind) => kind === 'failed')).toHaveLength(most)
    // One that goes on failing is one incident, however often it fails.
    const monitor = await opened.ledger.db.selectFrom('monitor_environments').selectAll().executeTakeFirstOrThrow()
    expect(monitor.incident_count).toBe(most)
  })

  it('A66: in_progress and ok of one id are one run; the nil id closes the newest', async () => {
    await begin(AT, { monitor_config: HOURLY })
    await end(AT + 90_000, { duration: 88.5 })
    await begin(AT + HOUR, { check_in_id: NIL })
    await begin(AT + HOUR + 1000, { check_in_id: NIL })
    await send(AT + HOUR + 3000, { status: 'error', check_in_id: NIL })
    const rows = await runs()
    expect(rows.map((row) => [row.status, row.started_at - AT, row.duration_ms])).toEqual([
      ['ok', 0, 88_500],
      ['in_progress', HOUR, null],
      ['error', HOUR + 1000, 2000],
    ])
  })

  it('an end without a beginning is a whole run, an unknown word is none of ours, and a late beginning opens nothing', async () => {
    await send(AT, { status: 'ok', duration: 2, monitor_config: HOURLY })
    await send(AT + HOUR, { status: 'missed' })
    await end(AT + 2 * HOUR)
    await begin(AT + 2 * HOUR + 1)
    expect(await statuses()).toEqual(['ok', 'unknown', 'ok'])
  })

  it('A68: only the keys that were sent change; an invalid configuration keeps the monitor and says why', async () => {
    await send(AT, {
      status: 'ok',
      monitor_config: { ...HOURLY, timezone: 'Europe/Berlin', failure_issue_threshold: 3 },
    })
    await send(AT + HOUR, { status: 'ok', monitor_config: { checkin_margin: 9 } })
    const changed = await createMonitors(opened).find(1, 'job', null)
    expect(JSON.parse(changed?.config ?? '')).toEqual({
      schedule_type: 'crontab',
      schedule: '0 * * * *',
      timezone: 'Europe/Berlin',
      checkin_margin: 9,
      max_runtime: 10,
      failure_issue_threshold: 3,
      recovery_threshold: 1,
    })
    expect(
      await send(AT + 2 * HOUR, { status: 'ok', monitor_config: { schedule: '61 * * * *', checkin_margin: 4 } }),
    ).toBeNull()
    const kept = await createMonitors(opened).find(1, 'job', null)
    expect([kept?.config, kept?.config_error]).toEqual([changed?.config, expect.stringContaining('"61" is no minute')])
    expect(await statuses()).toEqual(['ok', 'ok', 'ok'])
    await send(AT + 3 * HOUR, { status: 'ok', monitor_config: { checkin_margin: 4 } })
    expect((await createMonitors(opened).find(1, 'job', null))?.config_error).toBe('')
  })

  it('does not overwrite what somebody set here, and says so, until they let check-ins do it again', async () => {
    await send(AT, { status: 'ok', monitor_config: HOURLY })
    const found = async () => createMonitors(opened).find(1, 'job', null)
    const { config = '', id = 0 } = (await found()) ?? {}
    const set = JSON.stringify({ ...JSON.parse(config), checkin_margin: 7 })
    await createMonitorChanges(opened).change(1, id, { name: 'Nightly', config }, AT)
    expect((await found())?.source).toBe('sdk')
    await createMonitorChanges(opened).change(1, id, { config: set }, AT)
    expect(await send(AT + HOUR, { status: 'ok', monitor_config: { schedule: [5, 'year'] } })).toBeNull()
    expect(await found()).toMatchObject({ config: set, config_error: expect.stringContaining('set here') })
    await send(AT + 2 * HOUR, { status: 'ok', monitor_config: { checkin_margin: 7 } })
    expect(await found()).toMatchObject({ config: set, config_error: '' })
    await createMonitorChanges(opened).change(1, id, { source: 'sdk' }, AT)
    await send(AT + 3 * HOUR, { status: 'ok', monitor_config: HOURLY })
    expect(await found()).toMatchObject({ config, config_error: '' })
  })

  it('has no interval of more than five years', async () => {
    const every = (value: number, unit: string) =>
      send(AT, { status: 'ok', monitor_slug: unit, monitor_config: { schedule: [value, unit] } })
    expect(await every(6, 'year')).toEqual({ kind: 'invalid', reason: 'invalid_monitor_config' })
    expect(await every(5, 'year')).toBeNull()
    expect(await every(61, 'month')).toEqual({ kind: 'invalid', reason: 'invalid_monitor_config' })
    expect(await every(10_000, 'minute')).toBeNull()
  })

  it('says why it takes no check-in: unknown, no schedule, too many, switched off, deleted', async () => {
    expect(await send(AT, { status: 'ok' })).toEqual({ kind: 'invalid', reason: 'unknown_monitor' })
    expect(await send(AT, { status: 'ok', monitor_config: { schedule: '@reboot' } })).toEqual({
      kind: 'invalid',
      reason: 'invalid_monitor_config',
    })
    for (let count = 0; count < LIMITS.CHECK_INS_PER_MINUTE; count += 1) {
      expect(await send(AT, { status: 'ok', monitor_config: HOURLY })).toBeNull()
    }
    expect(await send(AT + 1, { status: 'ok' })).toEqual({ kind: 'rate_limited', reason: 'check_in_rate' })
    expect(await send(AT + MINUTE, { status: 'ok' })).toBeNull()
    for (let count = 1; count < LIMITS.MONITOR_ENVIRONMENTS; count += 1) {
      expect(await send(AT + MINUTE, { status: 'ok', environment: `e${count}` })).toBeNull()
    }
    expect(await send(AT + MINUTE, { status: 'ok', environment: 'one more' })).toEqual({
      kind: 'invalid',
      reason: 'too_many_environments',
    })
    const monitors = createMonitors(opened)
    const { id = 0 } = (await monitors.find(1, 'job', null)) ?? {}
    await createMonitorChanges(opened).change(1, id, { is_disabled: 1 }, AT)
    expect(await send(AT + 2 * MINUTE, { status: 'ok' })).toEqual({ kind: 'invalid', reason: 'monitor_is_disabled' })
    await createMonitorChanges(opened).remove(1, id, AT)
    expect(await send(AT + 2 * MINUTE, { status: 'ok' })).toEqual({ kind: 'invalid', reason: 'monitor_is_deleted' })
  })

  it('finds monitors by their words in the own organisation and its projects alone, and none that is deleted', async () => {
    const other = await addOrganization()
    const config = { status: 'ok', monitor_config: HOURLY }
    await send(AT, { ...config, monitor_slug: 'backup-ours' })
    await send(AT, { ...config, monitor_slug: 'backup-gone' })
    batch += 1
    await apply(batch, [[AT, { ...config, monitor_slug: 'backup-theirs' }]], false, other)
    const monitors = createMonitors(opened)
    const gone = await monitors.find(1, 'backup-gone', null)
    await createMonitorChanges(opened).remove(1, gone?.id ?? 0, AT)
    const found = async (organizationId: number, text: string, projectIds: readonly number[] | null) =>
      (
        await monitors.list(organizationId, { offset: 0, limit: 9, environments: [], owners: null, text, projectIds })
      ).map(({ slug }) => slug)
    for (const text of ['', 'backup', 'BACKUP-', 'ours']) expect(await found(1, text, null)).toEqual(['backup-ours'])
    expect(await found(1, 'backup', [2])).toEqual([])
    expect(await found(1, 'theirs', null)).toEqual([])
    expect(await found(other.organizationId, 'backup', null)).toEqual(['backup-theirs'])
  })

  it('has room for so many environments of a project, whatever they are called', async () => {
    await send(AT, { status: 'ok', monitor_config: HOURLY })
    const [first] = await environments()
    if (first === undefined) throw new Error('no environment')
    const { id: _, ...same } = first
    const more = Array.from({ length: LIMITS.MONITOR_ENVIRONMENTS_PER_PROJECT - 1 }, (_, index) => ({
      ...same,
      name: `e${index}`,
    }))
    for (let from = 0; from < more.length; from += 100) {
      await opened.ledger.db
        .insertInto('monitor_environments')
        .values(more.slice(from, from + 100))
        .execute()
    }
    expect(await send(AT, { status: 'ok', monitor_slug: 'one-more', monitor_config: HOURLY })).toEqual({
      kind: 'invalid',
      reason: 'too_many_environments',
    })
    expect(await createRunsView(opened).fullProjects([1, 2])).toEqual(new Set([1]))
    // Those that are there go on.
    expect(await send(AT + MINUTE, { status: 'ok' })).toBeNull()
  })

  it('tells of each of the first failures, then of fewer and fewer', async () => {
    const each = { schedule: '* * * * *', checkin_margin: 1 }
    await send(AT, { status: 'ok', monitor_config: each })
    await decide(AT + 70 * MINUTE)
    const told = await opened.ledger.db
      .selectFrom('monitor_events')
      .innerJoin('monitor_runs', 'monitor_runs.id', 'monitor_events.run_id')
      .select('monitor_runs.started_at')
      .orderBy('monitor_events.id')
      .execute()
    expect(told.map((one) => (one.started_at - AT) / MINUTE)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 16, 32, 64])
  })

  it('says since when it is late: since the first run that was missed after the last one that came', async () => {
    const each = { schedule: '* * * * *', checkin_margin: 1 }
    const lateSince = async () => [...(await createRunsView(opened).lateSince(await environments())).values()]
    await send(AT, { status: 'ok', monitor_config: each })
    await decide(AT + 5 * MINUTE)
    await send(AT + 6 * MINUTE + 30_000, { status: 'error' })
    expect(await lateSince()).toEqual([])
    await decide(AT + 20 * MINUTE)
    expect(await lateSince()).toEqual([AT + 7 * MINUTE])
    await send(AT + 21 * MINUTE, { status: 'ok' })
    expect(await lateSince()).toEqual([])
  })

  it('expects nothing any more of what did not run for very long, until it runs again', async () => {
    const each = { schedule: '* * * * *', checkin_margin: 1 }
    await send(AT, { status: 'ok', monitor_config: each })
    const end = AT + 10 * LIMITS.MONITOR_GIVEN_UP_PERIODS * MINUTE
    for (let slots = 0; slots <= LIMITS.MONITOR_GIVEN_UP_PERIODS; slots += LIMITS.MONITOR_SLOTS_PER_STEP)
      await decide(end)
    const [given] = await environments()
    expect([given?.status, given?.next_due_at]).toEqual(['error', null])
    const { missed } = await opened.ledger.db
      .selectFrom('monitor_runs')
      .select((eb) => eb.fn.countAll<number>().as('missed'))
      .where('status', '=', 'missed')
      .executeTakeFirstOrThrow()
    expect(missed).toBe(LIMITS.MONITOR_GIVEN_UP_PERIODS)
    await send(end + MINUTE, { status: 'ok' })
    expect((await environments())[0]).toMatchObject({ status: 'ok', next_due_at: end + 2 * MINUTE, silent_periods: 0 })
  })

  it('keeps so many runs of an environment, also of those that never came', async () => {
    await send(AT, { status: 'ok', monitor_config: HOURLY })
    const [environment] = await environments()
    const more = 5
    const rows = Array.from({ length: LIMITS.MONITOR_RUNS_KEPT + more }, (_, index) => AT - index * MINUTE)
    for (let from = 0; from < rows.length; from += 500) {
      await opened.ledger.db
        .insertInto('monitor_runs')
        .values(
          rows.slice(from, from + 500).map((at) => ({
            ...EMPTY_RUN,
            environment_id: environment?.id ?? 0,
            check_in_id: String(at),
            status: 'missed',
            started_at: at,
            ended_at: at,
            due_at: at,
          })),
        )
        .execute()
    }
    const retention = createRunRetention(opened)
    await retention.expire?.({ organizationId: 1, before: 0 } as Parameters<NonNullable<typeof retention.expire>>[0])
    const { kept } = await opened.ledger.db
      .selectFrom('monitor_runs')
      .select((eb) => eb.fn.countAll<number>().as('kept'))
      .executeTakeFirstOrThrow()
    expect(kept).toBeLessThanOrEqual(LIMITS.MONITOR_RUNS_KEPT)
    expect(kept).toBeGreaterThan(LIMITS.MONITOR_RUNS_KEPT - more)
  })

  it('what is to be told of one organisation keeps no other one waiting', async () => {
    const other = await addOrganization()
    const many = LIMITS.MONITOR_EVENTS_PER_LOOK + 1
    const failing = Array.from({ length: many }, (_, index) => [
      AT,
      {
        status: 'error',
        monitor_slug: `job-${Math.floor(index / 50)}`,
        environment: `e${index % 50}`,
        monitor_config: HOURLY,
      },
    ]) as [number, object][]
    await apply(1, failing)
    await apply(2, [[AT + 1, { status: 'error', monitor_slug: 'nightly', monitor_config: HOURLY }]], false, other)
    const events = createMonitorEvents(opened)
    const unsent = await events.unsent()
    expect(unsent).toHaveLength(LIMITS.MONITOR_EVENTS_PER_LOOK)
    expect(unsent.map(({ monitor }) => monitor.slug)).toContain('nightly')
    await events.sent(unsent, AT)
    expect((await events.digested(AT + 1)).map(({ monitor }) => monitor.slug)).toContain('nightly')
    expect(await events.unsent()).toHaveLength(2)
  })

  it('a repeated batch answers the same, and changes nothing', async () => {
    const sent = [
      [AT, { status: 'ok' }],
      [AT, { status: 'in_progress', monitor_config: HOURLY }],
      [AT + 1000, { status: 'error', log: 'disk full' }],
    ] as const
    const first = await apply(1, sent)
    expect(first).toEqual([{ kind: 'invalid', reason: 'unknown_monitor' }, null, null])
    const before = [await runs(), await environments(), await toTell()]
    expect(await apply(1, sent, true)).toEqual(first)
    expect([await runs(), await environments(), await toTell()]).toEqual(before)
  })

  it('A71: a run that never came is stored once, at its due time, after the margin', async () => {
    await send(AT, { status: 'ok', monitor_config: HOURLY })
    await decide(AT + HOUR + 5 * MINUTE - 1)
    expect(await statuses()).toEqual(['ok'])
    await decide(AT + HOUR + 5 * MINUTE)
    await decide(AT + HOUR + 5 * MINUTE)
    await decide(AT + HOUR + 50 * MINUTE)
    const rows = await runs()
    expect(rows.map((row) => [row.status, row.started_at])).toEqual([
      ['ok', AT],
      ['missed', AT + HOUR],
    ])
    expect(rows[1]?.due_at).toBe(AT + HOUR)
    expect(await toTell()).toEqual(['failed'])
  })

  it('what comes before it was decided is decided first: the order of the job and the digest does not matter', async () => {
    await send(AT, { status: 'ok', monitor_config: HOURLY })
    await send(AT + 3 * HOUR, { status: 'ok' })
    await decide(AT + 3 * HOUR + MINUTE)
    expect(await statuses()).toEqual(['ok', 'missed', 'missed', 'ok'])
    expect(await toTell()).toEqual(['failed', 'failed', 'recovered'])
  })

  it('A70: late, missed, timed out and failed differ', async () => {
    await send(AT, { status: 'ok', monitor_config: HOURLY })
    await decide(AT + HOUR + 6 * MINUTE)
    await send(AT + HOUR + 7 * MINUTE, { status: 'ok' })
    await begin(AT + 2 * HOUR)
    await decide(AT + 2 * HOUR + 10 * MINUTE)
    await send(AT + 3 * HOUR, { status: 'error', exit_code: 3 })
    const rows = await runs()
    expect(rows.map((row) => [row.status, row.is_late])).toEqual([
      ['ok', 0],
      ['missed', 0],
      ['ok', 1],
      ['timeout', 0],
      ['error', 0],
    ])
    expect(rows.map((row) => headingOf({ status: row.status, isLate: row.is_late === 1 }))).toEqual([
      'On time',
      'Missed',
      'Late',
      'Timed out',
      'Failed',
    ])
    expect(rows[2]?.due_at).toBe(AT + HOUR)
  })

  it.each([1, 3])('A72: a threshold of %d is met by as many results, and by no fewer', async (threshold) => {
    await send(AT, {
      status: 'ok',
      monitor_config: { ...HOURLY, failure_issue_threshold: threshold, recovery_threshold: 2 },
    })
    for (let failed = 1; failed <= threshold; failed += 1) {
      expect(await toTell()).toEqual([])
      await send(AT + failed * HOUR, { status: 'error' })
    }
    expect(await toTell()).toEqual(['failed'])
    await send(AT + (threshold + 1) * HOUR, { status: 'ok' })
    expect((await environments())[0]?.status).toBe('error')
    await send(AT + (threshold + 2) * HOUR, { status: 'ok' })
    expect(await toTell()).toEqual(['failed', 'recovered'])
    expect((await environments())[0]?.status).toBe('ok')
  })

  it('A72: a new environment does not fail by fewer either', async () => {
    await send(AT, { status: 'error', environment: 'new', monitor_config: { ...HOURLY, failure_issue_threshold: 3 } })
    await send(AT + HOUR, { status: 'error', environment: 'new' })
    expect(await toTell()).toEqual([])
  })

  it('A73: a second in_progress extends; ids that overlap time out apart', async () => {
    await begin(AT, { monitor_config: HOURLY })
    await begin(AT + 9 * MINUTE)
    await send(AT + 9 * MINUTE, { status: 'in_progress', check_in_id: 'b'.repeat(32) })
    await send(AT + 12 * MINUTE, { status: 'in_progress', check_in_id: 'c'.repeat(32) })
    await decide(AT + 18 * MINUTE)
    expect(await statuses()).toEqual(['in_progress', 'in_progress', 'in_progress'])
    await decide(AT + 19 * MINUTE)
    expect(await statuses()).toEqual(['timeout', 'timeout', 'in_progress'])
    await end(AT + 20 * MINUTE)
    const [first] = await runs()
    expect([first?.status, first?.duration_ms]).toEqual(['timeout', 20 * MINUTE])
  })

  it('A79: the server was away for half an hour: unknown, and nothing is missed', async () => {
    const every = { ...HOURLY, schedule: [10, 'minute'], checkin_margin: 2 }
    await notePresence(opened.ledger, 'door', AT)
    await send(AT, { status: 'ok', monitor_config: every })
    await begin(AT + 1000)
    expect(await notePresence(opened.ledger, 'door', AT + 30 * MINUTE)).toBe(true)
    await decide(AT + 31 * MINUTE)
    expect(await statuses()).not.toContain('missed')
    expect(await statuses()).not.toContain('timeout')
    expect(new Set((await statuses()).slice(1))).toEqual(new Set(['unknown']))
    expect(await toTell()).toEqual([])
    // What does not come after that is missed again.
    expect(await notePresence(opened.ledger, 'door', AT + 30 * MINUTE + 10_000)).toBe(false)
    await decide(AT + 60 * MINUTE)
    expect(await statuses()).toContain('missed')
  })

  it('A80: a muted monitor records and is silent, and its issue is over when it runs again', async () => {
    await send(AT, { status: 'error', monitor_config: HOURLY })
    const monitors = createMonitors(opened)
    const { id = 0 } = (await monitors.find(1, 'job', null)) ?? {}
    await createMonitorChanges(opened).change(1, id, { is_muted: 1 }, AT)
    await send(AT + HOUR, { status: 'error' })
    await decide(AT + 2 * HOUR + 10 * MINUTE)
    expect(await statuses()).toEqual(['error', 'error', 'missed'])
    expect(await toTell()).toEqual(['failed'])
    await send(AT + 3 * HOUR, { status: 'ok' })
    expect(await toTell()).toEqual(['failed', 'recovered'])
  })

  it('a window mutes on the clock of the monitor, over midnight as well', async () => {
    const night = { schedule: '0 * * * *', timezone: 'Europe/Berlin' }
    await send(AT, { status: 'ok', monitor_config: night })
    const monitors = createMonitors(opened)
    const { id = 0 } = (await monitors.find(1, 'job', null)) ?? {}
    await createMonitorChanges(opened).change(1, id, { mute_windows: '[{"from":"23:00","to":"05:00"}]' }, AT)
    // 03:00 in Berlin, then 05:00.
    await send(Date.UTC(2026, 10, 28, 2), { status: 'error' })
    await send(Date.UTC(2026, 10, 28, 4), { status: 'error' })
    const told = await opened.ledger.db
      .selectFrom('monitor_events')
      .innerJoin('monitor_runs', 'monitor_runs.id', 'monitor_events.run_id')
      .select('monitor_runs.started_at')
      .where('monitor_runs.status', '=', 'error')
      .execute()
    expect(told).toEqual([{ started_at: Date.UTC(2026, 10, 28, 4) }])
  })

  it('is told in order: nothing is over before its event was digested', async () => {
    await send(AT, { status: 'error', monitor_config: HOURLY, exit_code: 7 })
    await send(AT + HOUR, { status: 'ok' })
    const events = createMonitorEvents(opened)
    expect(await events.recovered(AT + HOUR)).toEqual([])
    const [failed] = await events.unsent()
    expect(failed).toMatchObject({ kind: 'failed', run: { status: 'error', exitCode: 7 }, monitor: { slug: 'job' } })
    await events.sent(failed === undefined ? [] : [failed], AT + 1)
    expect(await events.unsent()).toEqual([])
    expect(await events.digested(AT + 1)).toEqual([])
    expect(await events.digested(AT + 2)).toHaveLength(1)
    await events.done([failed?.id ?? 0])
    expect(await events.recovered(AT + HOUR)).toHaveLength(1)
  })

  it('what failed again before anybody was told that it runs is not over', async () => {
    await send(AT, { status: 'error', monitor_config: HOURLY })
    await send(AT + HOUR, { status: 'ok' })
    await send(AT + 2 * HOUR, { status: 'error' })
    const statuses: unknown[] = []
    let settledUntil = 0
    const events = createMonitorEvents(opened)
    const tell = createTell({
      events: { ...events, issueOf: async () => ({ id: 1, isUnresolved: true, wasAssigned: true }) },
      workflow: {
        assignee: async () => null,
        change: async ({ status }) => {
          statuses.push(status)
          return [1]
        },
      },
      submit: async () => {},
      settledUntil: () => settledUntil,
      now: () => AT + 3 * HOUR,
      changed: () => {},
    })
    expect(await tell()).toBe(true)
    settledUntil = AT + 4 * HOUR
    expect(await tell()).toBe(false)
    expect(statuses).toEqual([])
    // That it runs then is told.
    await send(AT + 3 * HOUR, { status: 'ok' })
    expect(await tell()).toBe(false)
    expect(statuses).toEqual([{ kind: 'resolved' }])
  })

  it('keeps what a run wrote, of the last runs', async () => {
    await begin(AT, { monitor_config: HOURLY })
    await end(AT + 1000, { log: 'line 1\nline 2\n' })
    const { id = 0 } = (await createMonitors(opened).find(1, 'job', null)) ?? {}
    expect(await createRunsView(opened).log(id, ID)).toBe('line 1\nline 2\n')
    for (let run = 1; run <= LIMITS.CHECK_IN_LOGS_KEPT; run += 1) {
      await send(AT + run * HOUR, { status: 'ok', check_in_id: NIL, log: `run ${run}` })
    }
    expect(await createRunsView(opened).log(id, ID)).toBeNull()
    const kept = (await runs()).filter((run) => run.has_log === 1)
    expect(kept).toHaveLength(LIMITS.CHECK_IN_LOGS_KEPT)
  })

  it('a deletion can be undone, and is carried out later', async () => {
    await send(AT, { status: 'ok', monitor_config: HOURLY })
    const monitors = createMonitors(opened)
    const row = await monitors.find(1, 'job', null)
    await createMonitorChanges(opened).remove(1, row?.id ?? 0, AT + 1)
    expect(await monitors.find(1, 'job', null)).toBeNull()
    await decide(AT + 5 * HOUR)
    await createMonitorChanges(opened).restore(1, row?.id ?? 0, AT + 5 * HOUR)
    expect(await statuses()).toEqual(['ok'])
    expect((await environments())[0]?.next_due_at).toBe(AT + 6 * HOUR)
    await createMonitorChanges(opened).remove(1, row?.id ?? 0, AT)
    await monitors.purge(AT + LIMITS.MONITOR_DELETION_MS + 1)
    expect(await monitors.find(1, row?.guid ?? '', null, true)).toBeNull()
  })

  it('one that fails and is deleted or switched off is over, unless that is undone in time', async () => {
    await send(AT, { status: 'error', monitor_config: HOURLY })
    const { id = 0 } = (await createMonitors(opened).find(1, 'job', null)) ?? {}
    const changes = createMonitorChanges(opened)
    const ways = {
      off: () => changes.change(1, id, { is_disabled: 1 }, AT),
      on: (at: number) => changes.change(1, id, { is_disabled: 0 }, at),
      remove: () => changes.remove(1, id, AT),
      restore: (at: number) => changes.restore(1, id, at),
    }
    const events = createMonitorEvents(opened)
    const failing = async () => (await environments()).map(({ has_issue: hasIssue }) => hasIssue)
    await events.done((await events.unsent()).map((event) => event.id))
    for (const [end, undo] of [
      [ways.off, ways.on],
      [ways.remove, ways.restore],
    ] as const) {
      await end()
      expect(await events.recovered(AT + 1)).toEqual([])
      await undo(AT + 1)
      expect(await toTell()).toEqual([])
      expect(await failing()).toEqual([1])
    }
    await ways.off()
    const over = await events.recovered(AT + LIMITS.MONITOR_UNDO_MS)
    expect(over).toMatchObject([{ kind: 'recovered', monitor: { slug: 'job' } }])
    await events.done(over.map((event) => event.id))
    // Of one that was off already there is nothing to tell, and what fails afterwards is told anew.
    await ways.remove()
    await ways.restore(AT + HOUR)
    expect(await toTell()).toEqual([])
    await ways.on(AT + HOUR)
    await send(AT + HOUR, { status: 'error' })
    expect(await toTell()).toEqual(['failed'])
  })

  it('is found by whose it is: a member, a team, one of somebody’s teams, or nobody', async () => {
    await send(AT, { status: 'ok', monitor_config: HOURLY })
    const { db } = opened.ledger
    const { id: userId } = await db
      .insertInto('users')
      .values({
        email: 'a@b.example',
        name: '',
        password_hash: '',
        preferences: '{}',
        created_at: 1,
        last_login_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: memberId } = await db
      .insertInto('members')
      .values({
        organization_id: 1,
        user_id: userId,
        email: 'a@b.example',
        role: 'member',
        invite_hash: null,
        invite_expires_at: null,
        created_at: 1,
        invited_by: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const { id: teamId } = await db
      .insertInto('teams')
      .values({ organization_id: 1, slug: 'ops', name: 'Ops', created_at: 1 })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('team_members').values({ team_id: teamId, member_id: memberId }).execute()
    const own = (owner: { readonly owner_user_id: number | null; readonly owner_team_id: number | null }) =>
      db.updateTable('monitors').set(owner).execute()
    const all = { offset: 0, limit: 10, projectIds: null, environments: [], text: '' }
    const finds = async (...owner: readonly string[]): Promise<boolean> => {
      const found = await createMonitors(opened).list(1, { ...all, owners: readOwners(owner, userId) })
      return found.length === 1
    }
    expect([await finds('unassigned'), await finds('myteams', `user:${userId}`)]).toEqual([true, false])
    await own({ owner_user_id: userId, owner_team_id: null })
    expect([await finds(`user:${userId}`), await finds('user:999', 'unassigned', 'myteams')]).toEqual([true, false])
    await own({ owner_user_id: null, owner_team_id: teamId })
    expect([await finds(`team:${teamId}`), await finds('myteams'), await finds('unassigned')]).toEqual([
      true,
      true,
      false,
    ])
    expect(await finds()).toBe(true)
    expect(() => readOwners(['everybody'], userId)).toThrow('"everybody" owns no monitors.')
  })

  it('nobody reaches a monitor of another organisation', async () => {
    await send(AT, { status: 'ok', monitor_config: HOURLY })
    const monitors = createMonitors(opened)
    const row = await monitors.find(1, 'job', null)
    expect(await monitors.find(2, row?.guid ?? '', null)).toBeNull()
    expect(
      await monitors.list(2, { offset: 0, limit: 10, projectIds: null, environments: [], text: '', owners: null }),
    ).toEqual([])
    expect(await createMonitorChanges(opened).change(2, row?.id ?? 0, { name: 'mine' }, AT)).toBe(false)
  })
})
