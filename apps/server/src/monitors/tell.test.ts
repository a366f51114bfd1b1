import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createAccountStore } from '../accounts/ledger/account-store.ts'
import { occurrenceHash, type IssueWorkflow } from '../issues/index.ts'
import { createIssueStore } from '../../test/stores/batch-stores.ts'
import { createLedgerIssueWorkflow } from '../issues/ledger/issue-workflow.ts'
import { ledgerBatch, ledgerEvent } from '../issues/test/sample-events.ts'
import { createLive } from '../http/index.ts'
import { LEDGER_ENGINES, seedOrganization, silentLogger, type OpenedLedger } from '../storage/conformance/engines.ts'
import { createEndRemoved } from './end-removed.ts'
import type { WaitingEvent } from './ledger/events.ts'
import { createMonitorEvents } from './ledger/events.ts'
import { createMonitorChanges } from './ledger/monitor-changes.ts'
import { fingerprintOf, ISSUE_TYPE } from './occurrence.ts'
import { createTell } from './tell.ts'

const AT = Date.UTC(2026, 10, 27, 10)
const ISSUE = 1

describe.each(LEDGER_ENGINES)('telling of monitors on $name', ({ open }) => {
  let opened: OpenedLedger
  let workflow: IssueWorkflow
  let monitor: WaitingEvent['monitor']

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    workflow = createLedgerIssueWorkflow({ ledger: opened.ledger })
    const accounts = createAccountStore(opened.ledger)
    await accounts.insertUser({ email: 'ann@acme.example', name: 'Ann', passwordHash: '', now: AT })
    await opened.ledger.db
      .insertInto('members')
      .values({
        organization_id: 1,
        user_id: 1,
        email: 'ann@acme.example',
        role: 'member',
        invite_hash: null,
        invite_expires_at: null,
        created_at: AT,
      })
      .execute()
    monitor = {
      organizationId: 1,
      projectId: 1,
      guid: 'guid',
      slug: 'nightly',
      name: 'Nightly',
      environment: 'production',
      config: {
        schedule_type: 'crontab',
        schedule: '0 3 * * *',
        timezone: 'UTC',
        checkin_margin: 1,
        max_runtime: 30,
        failure_issue_threshold: 1,
        recovery_threshold: 1,
      },
      failuresInRow: 1,
      note: '',
      ownerUserId: 1,
      ownerTeamId: null,
    }
    // Its issue, as the digest made it.
    const issues = createIssueStore({ ledger: opened.ledger, clock: opened.clock })
    await issues.apply(ledgerBatch(1, [ledgerEvent({ seed: 'one', kind: 'voucher' })]))
    await opened.ledger.db
      .updateTable('issue_hashes')
      .set({ hash: occurrenceHash(ISSUE_TYPE, fingerprintOf(monitor)) })
      .execute()
  })
  afterEach(() => opened.close())

  const run = {
    eventId: 'e'.repeat(32),
    at: AT,
    status: 'error',
    startedAt: AT,
    endedAt: AT,
    durationMs: null,
    dueAt: AT,
    isLate: false,
    exitCode: null,
    release: '',
    traceId: null,
    log: '',
  }

  /** Tells of one thing that happened to the monitor. */
  const tell = async (kind: WaitingEvent['kind']): Promise<void> => {
    const event: WaitingEvent = { id: 1, environmentId: 1, kind, at: AT, monitor, run }
    const { issueOf } = createMonitorEvents(opened)
    await createTell({
      events: {
        issueOf,
        unsent: async () => [],
        digested: async () => (kind === 'failed' ? [event] : []),
        recovered: async () => (kind === 'recovered' ? [event] : []),
        forgetOvertaken: async () => {},
        waiting: async () => 0,
        sent: async () => {},
        done: async () => {},
      },
      workflow,
      submit: async () => {},
      settledUntil: () => AT,
      now: () => AT,
      changed: () => {},
    })()
  }
  const actor = { organizationId: 1, userId: 1, now: AT, ids: [ISSUE] }
  const issue = () =>
    opened.ledger.db
      .selectFrom('issues')
      .select(['status', 'substatus', 'assigned_user_id'])
      .where('id', '=', ISSUE)
      .executeTakeFirst()

  it('gives its issue to whom it is, but not again to somebody who gave it away', async () => {
    await tell('failed')
    expect(await issue()).toMatchObject({ assigned_user_id: 1 })
    await workflow.change({ ...actor, assignee: null })
    await tell('failed')
    expect(await issue()).toMatchObject({ assigned_user_id: null })
  })

  /** The monitor as it stands in the ledger while it fails, in two environments. */
  const failing = async (): Promise<number> => {
    const { db } = opened.ledger
    const { id } = await db
      .insertInto('monitors')
      .values({
        organization_id: 1,
        project_id: 1,
        guid: monitor.guid,
        slug: monitor.slug,
        name: monitor.name,
        config: JSON.stringify(monitor.config),
        config_error: '',
        source: 'person',
        is_disabled: 0,
        is_muted: 0,
        muted_until: null,
        mute_windows: '[]',
        owner_user_id: null,
        owner_team_id: null,
        created_at: AT,
        deleted_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const name of [monitor.environment, 'staging']) {
      await db
        .insertInto('monitor_environments')
        .values({
          monitor_id: id,
          organization_id: 1,
          project_id: 1,
          name,
          status: 'error',
          is_muted: 0,
          failures_in_row: 1,
          oks_in_row: 0,
          silent_periods: 0,
          incident_since: AT,
          has_issue: 1,
          minute: 0,
          minute_count: 0,
          created_at: AT,
        })
        .execute()
    }
    return id
  }

  it('resolves its issue when the environment in which it fails is removed, and that alone', async () => {
    const id = await failing()
    const { removeEnvironments } = createMonitorChanges(opened)
    expect(await removeEnvironments(1, id, ['staging'], AT)).toBe(false)
    expect(await issue()).toMatchObject({ status: 'unresolved' })
    expect(await removeEnvironments(2, id, [monitor.environment], AT)).toBe(false)
    expect(await issue()).toMatchObject({ status: 'unresolved' })
    expect(await removeEnvironments(1, id, [monitor.environment], AT)).toBe(true)
    expect(await issue()).toMatchObject({ status: 'resolved' })
    expect(await opened.ledger.db.selectFrom('monitor_environments').selectAll().execute()).toEqual([])
  })

  it('resolves its issue when the environment is removed that has just recovered, of which nobody was told yet', async () => {
    const id = await failing()
    const { db } = opened.ledger
    await db.updateTable('monitor_environments').set({ status: 'ok', has_issue: 0 }).execute()
    const { removeEnvironments } = createMonitorChanges(opened)
    expect(await removeEnvironments(1, id, ['staging'], AT)).toBe(false)
    expect(await issue()).toMatchObject({ status: 'unresolved' })
    expect(await removeEnvironments(1, id, [monitor.environment], AT)).toBe(true)
    expect(await issue()).toMatchObject({ status: 'resolved' })
  })

  it('resolves its issue when that opens after its environment was removed, as its event was on its way', async () => {
    const id = await failing()
    // The digest has not made it yet.
    await workflow.change({ ...actor, status: { kind: 'resolved' } })
    let until: number | null = null
    const changed: (readonly number[])[] = []
    const job = createEndRemoved({
      ...opened,
      live: createLive(),
      logger: silentLogger,
      settled: { until: () => until, now: () => AT, jump: () => null },
      changed: (...place) => changed.push(place),
    })
    await job.run()
    opened.clock.set(AT)
    expect(await createMonitorChanges(opened).removeEnvironments(1, id, [monitor.environment], AT)).toBe(false)
    until = AT - 1
    await job.run()
    await workflow.change({ ...actor, status: { kind: 'unresolved' } })
    await job.run()
    expect(await issue()).toMatchObject({ status: 'unresolved' })
    until = AT
    await job.run()
    expect(await issue()).toMatchObject({ status: 'resolved' })
    expect(changed).toEqual([[1, 1]])
  })

  it('knows of an environment that was removed while its event was sent', async () => {
    const id = await failing()
    const { db } = opened.ledger
    const environment = await db.selectFrom('monitor_environments').select('id').orderBy('id').executeTakeFirstOrThrow()
    const run = {
      environment_id: environment.id,
      check_in_id: 'c'.repeat(32),
      status: 'error',
      started_at: AT,
      release: '',
    }
    const nothing = { duration_ms: null, due_at: null, timeout_at: null, exit_code: null, trace_id: null }
    const { id: runId } = await db
      .insertInto('monitor_runs')
      .values({ ...run, ...nothing, ended_at: AT, is_late: 0 })
      .returning('id')
      .executeTakeFirstOrThrow()
    const failed = { environment_id: environment.id, run_id: runId, kind: 'failed', at: AT, sent_at: null }
    await db.insertInto('monitor_events').values(failed).execute()
    const facts = () =>
      db.selectFrom('facts').select('data').where('kind', '=', 'monitor_environments_removed').execute()
    const sent: string[] = []
    const tellAll = createTell({
      events: createMonitorEvents(opened),
      workflow,
      submit: async ({ eventId }) => {
        sent.push(eventId)
        await createMonitorChanges(opened).removeEnvironments(1, id, [monitor.environment], AT)
      },
      settledUntil: () => AT,
      now: () => AT,
      changed: () => {},
    })
    await tellAll()
    expect(sent).toHaveLength(1)
    expect((await facts()).map(({ data }) => data)).toEqual(
      Array.from({ length: 2 }, () => JSON.stringify({ guid: monitor.guid, environments: [monitor.environment] })),
    )
  })

  it('leaves the issue of an environment that was removed, came back and fails again', async () => {
    const id = await failing()
    const settled = { until: () => AT, now: () => AT, jump: () => null }
    const parts = { ...opened, live: createLive(), logger: silentLogger, settled, changed: () => {} }
    const job = createEndRemoved(parts)
    await job.run()
    opened.clock.set(AT)
    await createMonitorChanges(opened).removeEnvironments(1, id, [monitor.environment], AT)
    await workflow.change({ ...actor, status: { kind: 'unresolved' } })
    await opened.ledger.db.updateTable('monitor_environments').set({ name: monitor.environment }).execute()
    await job.run()
    expect(await issue()).toMatchObject({ status: 'unresolved' })
  })

  it('leaves an issue alone that was archived when its environment is removed', async () => {
    const id = await failing()
    await workflow.change({ ...actor, status: { kind: 'archivedForever' } })
    expect(await createMonitorChanges(opened).removeEnvironments(1, id, [monitor.environment], AT)).toBe(false)
    expect(await issue()).toMatchObject({ status: 'ignored' })
  })

  it('resolves its issue when it runs again, but leaves one alone that was archived', async () => {
    await tell('recovered')
    expect(await issue()).toMatchObject({ status: 'resolved' })
    await workflow.change({ ...actor, status: { kind: 'archivedForever' } })
    await tell('recovered')
    expect(await issue()).toMatchObject({ status: 'ignored', substatus: 'archived_forever' })
  })
})
