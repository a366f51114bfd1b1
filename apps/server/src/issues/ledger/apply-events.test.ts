import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { IssueStore, LedgerResult } from '../../../test/stores/batch-stores.ts'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import type { IssueTable } from './schema.ts'
import { LEDGER_ENGINES, seedOrganization } from '../../storage/conformance/engines.ts'
import type { OpenedLedger } from '../../storage/conformance/engines.ts'
import { exception, frame, settings, thrown } from '../grouping/events.fixture.ts'
import { createGrouping, findGroupingVersion, group } from '../grouping/index.ts'
import { BASE_TIME, hex, ledgerBatch, ledgerEvent } from '../test/sample-events.ts'
import type { SampleEvent } from '../test/sample-events.ts'
import { createLedgerReleaseView } from '../../releases/ledger/release-view.ts'
import { createEnvironmentView } from './environment-view.ts'

const MINUTE_MS = 60_000
/** PostgreSQL as WebAssembly takes its time to start, on a busy machine above all. */
const STARTING_MS = 240_000

describe.each(LEDGER_ENGINES)('issue store on $name', ({ open }) => {
  let opened: OpenedLedger
  let store: IssueStore
  let number: number

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    store = createIssueStore({ ledger: opened.ledger, clock: opened.clock })
    number = 0
  }, STARTING_MS)
  afterEach(() => opened.close())

  const apply = async (...samples: SampleEvent[]): Promise<LedgerResult> => {
    number += 1
    const result = await store.apply(
      ledgerBatch(
        number,
        samples.map((sample) => ledgerEvent(sample)),
      ),
    )
    await store.settle('main', number)
    return result
  }

  const issue = (id: number) =>
    opened.ledger.db.selectFrom('issues').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  const change = (id: number, columns: Partial<Omit<IssueTable, 'id'>>) =>
    opened.ledger.db.updateTable('issues').set(columns).where('id', '=', id).execute()

  /** How often something happened, to any issue. */
  const happened = async (type: string): Promise<number> => {
    const rows = await opened.ledger.db.selectFrom('issue_activity').select('id').where('type', '=', type).execute()
    return rows.length
  }

  const activity = async (issueId: number): Promise<string[]> => {
    const rows = await opened.ledger.db
      .selectFrom('issue_activity')
      .select('type')
      .where('issue_id', '=', issueId)
      .orderBy('id')
      .execute()
    return rows.map((row) => row.type)
  }

  const storedIssue = (result: LedgerResult, index = 0): number => {
    const verdict = result.events[index]
    if (verdict?.kind !== 'stored') throw new Error(`not stored: ${JSON.stringify(verdict)}`)
    return verdict.issueId
  }

  it('opens one issue per hash and numbers them inside the project', async () => {
    const result = await apply(
      { seed: '1', kind: 'a' },
      { seed: '2', kind: 'a' },
      { seed: '3', kind: 'b' },
      { seed: '4', kind: 'a' },
    )
    expect(result.events.map((verdict) => verdict.kind === 'stored' && verdict.opened)).toEqual([
      true,
      false,
      true,
      false,
    ])
    expect(storedIssue(result, 0)).toBe(storedIssue(result, 3))
    const rows = await opened.ledger.db.selectFrom('issues').selectAll().orderBy('number').execute()
    expect(rows.map((row) => [row.number, row.times_seen, row.status, row.substatus])).toEqual([
      [1, 3, 'unresolved', 'new'],
      [2, 1, 'unresolved', 'new'],
    ])
    expect(await activity(storedIssue(result))).toEqual(['first_seen'])
    expect(await happened('first_seen')).toBe(2)
    const project = await opened.ledger.db
      .selectFrom('projects')
      .selectAll()
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    expect([project.first_event_at, project.last_issue_number]).toEqual([BASE_TIME, 2])
  })

  it('shows what the newest event says, whatever the order of arrival', async () => {
    const result = await apply({ seed: '1', at: BASE_TIME + MINUTE_MS, message: 'newest', level: 'warning' })
    await apply({ seed: '2', at: BASE_TIME, message: 'older' })
    const row = await issue(storedIssue(result))
    expect(row.title).toContain('newest')
    expect([row.level, row.level_rank, row.times_seen]).toEqual(['warning', 30, 2])
    expect([row.first_seen, row.last_seen]).toEqual([BASE_TIME, BASE_TIME + MINUTE_MS])
  })

  it('names the releases of its first and last event by their own time, whatever the order of arrival', async () => {
    const at = (minutes: number): number => BASE_TIME + minutes * MINUTE_MS
    const id = storedIssue(
      await apply({ seed: '1', release: '3.0', at: at(30) }, { seed: '2', release: '2.0', at: at(20) }),
    )
    expect(await issue(id)).toMatchObject({ first_release: '2.0', last_release: '3.0' })
    await apply({ seed: '3', release: '2.5', at: at(25) }, { seed: '4', release: '1.0', at: at(10) })
    expect(await issue(id)).toMatchObject({ first_release: '1.0', last_release: '3.0' })
    await apply({ seed: '5', release: '5.0', at: at(50) }, { seed: '6', release: '4.0', at: at(40) })
    expect(await issue(id)).toMatchObject({ first_release: '1.0', last_release: '5.0' })
    // An older event without a release says nothing of the release of one that is not the first.
    await apply({ seed: '7', at: at(5) }, { seed: '8', release: '2.7', at: at(27) })
    expect(await issue(id)).toMatchObject({ first_seen: at(5), first_release: '1.0', last_release: '5.0' })
  })

  it('names them also where events without a release are older and newer than all that have one', async () => {
    const at = (minutes: number): number => BASE_TIME + minutes * MINUTE_MS
    const id = storedIssue(await apply({ seed: '1', at: at(5) }, { seed: '2', at: at(50) }))
    await apply({ seed: '3', release: '2.0', at: at(20) })
    await apply({ seed: '4', release: '3.0', at: at(30) })
    expect(await issue(id)).toMatchObject({ first_release: '2.0', last_release: '3.0' })
    await apply({ seed: '5', release: '1.0', at: at(10) })
    await apply({ seed: '6', at: at(2) })
    expect(await issue(id)).toMatchObject({ first_release: '1.0', last_release: '3.0' })
    expect(await issue(id)).toMatchObject({ first_seen: at(2), last_seen: at(50) })
  })

  it('takes the times of an issue for those of its releases where these were not kept yet', async () => {
    const at = (minutes: number): number => BASE_TIME + minutes * MINUTE_MS
    const id = storedIssue(
      await apply({ seed: '1', release: '2.0', at: at(20) }, { seed: '2', release: '3.0', at: at(30) }),
    )
    await change(id, { first_release_at: null, last_release_at: null })
    await apply({ seed: '3', at: at(5) }, { seed: '4', at: at(50) })
    await apply({ seed: '5', release: '1.0', at: at(10) }, { seed: '6', release: '4.0', at: at(40) })
    expect(await issue(id)).toMatchObject({ first_release: '1.0', last_release: '4.0' })
  })

  it('keeps an event id once per project, inside a batch and over batches', async () => {
    const first = await apply({ seed: '1' }, { seed: '1', kind: 'b' }, { seed: '2' })
    expect(first.events.map((verdict) => verdict.kind)).toEqual(['stored', 'duplicate', 'stored'])
    const second = await apply({ seed: '2' }, { seed: '3' })
    expect(second.events.map((verdict) => verdict.kind)).toEqual(['duplicate', 'stored'])
    expect((await issue(storedIssue(first))).times_seen).toBe(3)

    number += 1
    const other = await store.apply(ledgerBatch(number, [ledgerEvent({ seed: '1' }, { projectId: 2 })]))
    expect(other.events[0]).toMatchObject({ kind: 'stored', opened: true })
  })

  it('answers a repeated batch from what the first run left, and counts nothing twice', async () => {
    await apply({ seed: '0' })
    const batch = ledgerBatch(
      2,
      [{ seed: '0' }, { seed: '1' }, { seed: '1' }, { seed: '2', kind: 'b' }].map((sample) => ledgerEvent(sample)),
    )
    const first = await store.apply(batch)
    expect(await store.progress('main')).toEqual({
      batch: 2,
      position: { segment: 0, offset: 1000 },
      pending: { segment: 0, offset: 2000 },
      waitingTypes: [],
    })
    const before = await opened.ledger.db.selectFrom('issues').selectAll().orderBy('id').execute()
    const repeated = await store.apply(batch)
    expect(repeated.events.map((verdict) => verdict.kind)).toEqual(['duplicate', 'stored', 'duplicate', 'stored'])
    expect(storedIssue(repeated, 1)).toBe(storedIssue(first, 1))
    expect(await opened.ledger.db.selectFrom('issues').selectAll().orderBy('id').execute()).toEqual(before)
    expect(await happened('first_seen')).toBe(2)

    await store.settle('main', 2)
    expect(await store.progress('main')).toMatchObject({
      batch: 2,
      position: { segment: 0, offset: 2000 },
      pending: null,
    })
    await expect(store.apply(batch)).rejects.toThrow(/cannot be applied/)
  })

  it('takes batches of both digests at once, in any order of their issues, each with a progress of its own', async () => {
    const batches = 6
    const digest = async (spool: string, kinds: readonly string[]): Promise<void> => {
      for (let batch = 1; batch <= batches; batch += 1) {
        const events = kinds.map((kind) => ledgerEvent({ seed: `${spool} ${batch} ${kind}`, kind }))
        await store.apply(ledgerBatch(batch, events, { spool }))
        await store.settle(spool, batch)
      }
    }
    await Promise.all([digest('main', ['a', 'b', 'c']), digest('main:heavy', ['c', 'b', 'a'])])
    const issues = await opened.ledger.db.selectFrom('issues').select('times_seen').execute()
    expect(issues.map(({ times_seen: times }) => times)).toEqual([2 * batches, 2 * batches, 2 * batches])
    for (const spool of ['main', 'main:heavy']) {
      expect(await store.progress(spool)).toMatchObject({ batch: batches, pending: null })
    }
  })

  it('refuses a batch that would skip or overtake another', async () => {
    expect(await store.progress('main')).toEqual({
      batch: 0,
      position: { segment: 0, offset: 0 },
      pending: null,
      waitingTypes: null,
    })
    await expect(store.apply(ledgerBatch(2, []))).rejects.toThrow(/cannot be applied/)
    await store.apply(ledgerBatch(1, []))
    await expect(store.apply(ledgerBatch(2, []))).rejects.toThrow(/pending/)
    await expect(store.apply(ledgerBatch(1, [], { end: { segment: 0, offset: 5 } }))).rejects.toThrow(
      /exactly the same records/,
    )
  })

  it('gives several spools a progress of their own', async () => {
    await store.apply(ledgerBatch(1, [ledgerEvent({ seed: '1' })], { spool: 'one' }))
    const repeated = await store.apply(ledgerBatch(1, [ledgerEvent({ seed: '1' })], { spool: 'two' }))
    expect(repeated.events[0]?.kind).toBe('duplicate')
    const again = await store.apply(ledgerBatch(1, [ledgerEvent({ seed: '1' })], { spool: 'two' }))
    expect(again.events[0]?.kind).toBe('duplicate')
  })

  it('lets the first known hash decide and attaches the free ones', async () => {
    const [a, b, c] = [hex('a', 32), hex('b', 32), hex('c', 32)]
    const first = await apply({ seed: '1', hashes: [a] })
    const second = await apply({ seed: '2', hashes: [b, a] }, { seed: '3', hashes: [c] })
    expect(storedIssue(second, 0)).toBe(storedIssue(first))
    const third = await apply({ seed: '4', hashes: [b] }, { seed: '5', hashes: [c, a] })
    expect(storedIssue(third, 0)).toBe(storedIssue(first))
    expect(storedIssue(third, 1)).toBe(storedIssue(second, 1))
  })

  it('discards events of a tombstone and of a project that is gone', async () => {
    await opened.ledger.db
      .insertInto('issue_hashes')
      .values({ project_id: 1, hash: hex('hash:x', 32), issue_id: null, grouping_version: 'v', created_at: 0 })
      .execute()
    await opened.ledger.db.updateTable('projects').set({ deleted_at: 1 }).where('id', '=', 2).execute()
    const batch = ledgerBatch(1, [
      ledgerEvent({ seed: '1', kind: 'x' }),
      ledgerEvent({ seed: '2' }, { projectId: 2 }),
      ledgerEvent({ seed: '3' }, { projectId: 77 }),
      ledgerEvent({ seed: '4' }),
    ])
    const expected = [
      { kind: 'discarded', reason: 'discarded_hash' },
      { kind: 'discarded', reason: 'unknown_project' },
      { kind: 'discarded', reason: 'unknown_project' },
    ]
    expect((await store.apply(batch)).events.slice(0, 3)).toEqual(expected)
    expect((await store.apply(batch)).events.slice(0, 3)).toEqual(expected)
  })

  describe('while the next version of grouping takes over', () => {
    const [old, other] = [hex('hash:old', 32), hex('hash:other', 32)]
    const [next, nextOther] = [hex('hash:next', 32), hex('hash:next other', 32)]
    const v2 = (seed: string, hash: string, before: string): SampleEvent => ({
      seed,
      version: 'v2',
      hashes: [hash],
      previous: { version: 'v1', hashes: [before] },
    })
    const hashesOf = async (issueId: number | null) => {
      const rows = await opened.ledger.db
        .selectFrom('issue_hashes')
        .select(['hash', 'grouping_version as version'])
        .where('issue_id', issueId === null ? 'is' : '=', issueId)
        .orderBy('grouping_version')
        .execute()
      return rows.map(({ hash, version }) => [version, hash])
    }

    it('an issue keeps its identity, and is known by its new hash when the old one is computed no more', async () => {
      const known = storedIssue(await apply({ seed: '1', version: 'v1', hashes: [old] }))
      const during = await apply(v2('2', next, old))
      expect(during.events[0]).toMatchObject({ issueId: known, opened: false })
      expect(await hashesOf(known)).toEqual([
        ['v1', old],
        ['v2', next],
      ])
      expect(storedIssue(await apply({ seed: '3', version: 'v2', hashes: [next] }))).toBe(known)
    })

    it('an issue that version 1 opened stays what it is when version 2 groups the same error otherwise', async () => {
      const v1 = findGroupingVersion('firsthand:2026-11-20')
      if (v1 === undefined) throw new Error('version 1 is gone')
      const frames = [{ function: '?', filename: 'https://shop.example/app.js', in_app: true }, frame()]
      const error = thrown([
        exception([frame({ function: 'net' })]),
        exception(frames.toReversed(), { value: 'for Ann' }),
      ])
      const before = createGrouping(v1).group(error, settings()).grouping
      const { previous, ...after } = group(error, settings()).grouping
      expect(after.hashes).not.toEqual(before.hashes)
      expect(previous).toEqual(before)
      const known = storedIssue(await apply({ seed: '1', ...before }))
      await change(known, { status: 'ignored', substatus: 'archived_forever', assigned_user_id: null })
      const during = await apply({ seed: '2', ...after, previous: before })
      expect(during.events[0]).toMatchObject({ issueId: known, opened: false })
      expect(await issue(known)).toMatchObject({ status: 'ignored', times_seen: 2 })
      expect(storedIssue(await apply({ seed: '3', ...after }))).toBe(known)
    })

    it('the new hash goes before the old one, and old hashes open nothing and are attached to nothing', async () => {
      const known = storedIssue(await apply({ seed: '1', version: 'v1', hashes: [old] }))
      // The old version takes these for one, the new one tells them apart.
      const apart = await apply(v2('2', next, other), v2('3', nextOther, other), v2('4', next, old))
      const [first, second, third] = [0, 1, 2].map((index) => storedIssue(apart, index))
      expect(new Set([known, first, second]).size).toBe(3)
      expect(third).toBe(first)
      expect(await hashesOf(first ?? 0)).toEqual([['v2', next]])
      expect(await hashesOf(known)).toEqual([['v1', old]])
    })

    it('what was discarded stays so, by the new hash too', async () => {
      await opened.ledger.db
        .insertInto('issue_hashes')
        .values({ project_id: 1, hash: old, issue_id: null, grouping_version: 'v1', created_at: 0 })
        .execute()
      const discarded = { kind: 'discarded', reason: 'discarded_hash' }
      expect((await apply(v2('1', next, old), v2('2', next, old))).events).toEqual([discarded, discarded])
      expect(await hashesOf(null)).toEqual([
        ['v1', old],
        ['v2', next],
      ])
      expect((await apply({ seed: '3', version: 'v2', hashes: [next] })).events).toEqual([discarded])
    })
  })

  it('follows a merge, and opens a new issue when the old one is being deleted', async () => {
    const first = await apply({ seed: '1', kind: 'a' }, { seed: '2', kind: 'b' })
    const [a, b] = [storedIssue(first, 0), storedIssue(first, 1)]
    await change(b, { merged_into_id: a })
    const merged = await apply({ seed: '3', kind: 'b' })
    expect(storedIssue(merged)).toBe(a)
    await change(a, { deleted_at: BASE_TIME })
    const reborn = await apply({ seed: '4', kind: 'a' }, { seed: '5', kind: 'a' })
    expect(reborn.events[0]).toMatchObject({ kind: 'stored', opened: true })
    expect(storedIssue(await apply({ seed: '6', kind: 'a' }))).toBe(storedIssue(reborn))
  })

  it('reopens a resolved issue as regressed', async () => {
    const id = storedIssue(await apply({ seed: '1' }))
    await change(id, { status: 'resolved', substatus: null, status_details: '{}' })
    const result = await apply({ seed: '2' }, { seed: '3' })
    expect(result.events.map((verdict) => verdict.kind === 'stored' && verdict.regressed)).toEqual([true, false])
    expect(await issue(id)).toMatchObject({ status: 'unresolved', substatus: 'regressed', times_seen: 3 })
    expect(await activity(id)).toEqual(['first_seen', 'set_regression'])
    expect(await happened('set_regression')).toBe(1)
  })

  it('leaves it resolved for events that were received before', async () => {
    const id = storedIssue(await apply({ seed: '1' }))
    await change(id, {
      status: 'resolved',
      substatus: null,
      status_details: JSON.stringify({ since: BASE_TIME + MINUTE_MS }),
    })
    await apply({ seed: '2', at: BASE_TIME })
    expect((await issue(id)).status).toBe('resolved')
    await apply({ seed: '3', at: BASE_TIME + 2 * MINUTE_MS })
    expect((await issue(id)).status).toBe('unresolved')
  })

  it('compares releases by the order in which they were first seen', async () => {
    const id = storedIssue(await apply({ seed: '1', release: '1.0', at: BASE_TIME }))
    await apply({ seed: '2', release: '2.0', at: BASE_TIME + 1 }, { seed: '3', release: '10.0', at: BASE_TIME + 2 })
    const resolve = (details: object) =>
      change(id, { status: 'resolved', substatus: null, status_details: JSON.stringify(details) })

    await resolve({ inNextRelease: true, currentRelease: '2.0' })
    await apply({ seed: '4', release: '1.0' }, { seed: '5', release: '2.0' })
    expect((await issue(id)).status).toBe('resolved')
    await apply({ seed: '6', release: '10.0' })
    expect((await issue(id)).substatus).toBe('regressed')

    await resolve({ inRelease: '2.0' })
    await apply({ seed: '7', release: '1.0' })
    expect((await issue(id)).status).toBe('resolved')
    await apply({ seed: '8', release: '2.0' })
    expect((await issue(id)).substatus).toBe('regressed')

    await resolve({ inRelease: '2.0' })
    await apply({ seed: '9', release: '11.0', at: BASE_TIME + 3 })
    expect(await issue(id)).toMatchObject({ substatus: 'regressed', first_release: '1.0', last_release: '11.0' })
  })

  it('unarchives when the events or the time are up, and never an issue archived for ever', async () => {
    const result = await apply({ seed: '1', kind: 'a' }, { seed: '2', kind: 'b' }, { seed: '3', kind: 'c' })
    const [a, b, c] = [storedIssue(result, 0), storedIssue(result, 1), storedIssue(result, 2)]
    const archive = (id: number, details: object) =>
      change(id, {
        status: 'ignored',
        substatus: 'archived_until_condition_met',
        status_details: JSON.stringify(details),
      })
    await archive(a, { untilEvents: 2, eventsAtStart: 1 })
    await archive(b, { untilTimestamp: BASE_TIME + MINUTE_MS })
    await change(c, { status: 'ignored', substatus: 'archived_forever' })
    await apply({ seed: '4', kind: 'a' }, { seed: '5', kind: 'b' }, { seed: '6', kind: 'c' })
    expect([(await issue(a)).status, (await issue(b)).status, (await issue(c)).status]).toEqual([
      'ignored',
      'ignored',
      'ignored',
    ])
    await apply(
      { seed: '7', kind: 'a' },
      { seed: '8', kind: 'b', at: BASE_TIME + MINUTE_MS },
      { seed: '9', kind: 'c', at: BASE_TIME + MINUTE_MS },
    )
    expect(await issue(a)).toMatchObject({ status: 'unresolved', substatus: 'ongoing', status_details: '{}' })
    expect(await issue(b)).toMatchObject({ status: 'unresolved', substatus: 'ongoing' })
    expect((await issue(c)).status).toBe('ignored')
    expect(await happened('set_unresolved')).toBe(2)
    expect(await activity(a)).toEqual(['first_seen', 'set_unresolved'])
  })

  it('notes releases, environments, keys and blobs', async () => {
    await opened.ledger.db
      .insertInto('project_keys')
      .values({ project_id: 1, public_key: 'k', label: '', is_active: 1, created_at: 0 })
      .execute()
    const event = { ...ledgerEvent({ seed: '1', release: '1.0', environment: 'staging' }), keyId: 1 }
    const blob = { key: `1/${hex('blob', 64)}`, organizationId: 1, bytes: 5, receivedAt: BASE_TIME }
    await store.apply(
      ledgerBatch(1, [event, ledgerEvent({ seed: '2', release: '1.0', kind: 'b' })], { blobs: [blob, blob] }),
    )
    expect(
      await opened.ledger.db.selectFrom('environments').select(['project_id', 'name']).orderBy('name').execute(),
    ).toEqual([
      { project_id: 1, name: 'production' },
      { project_id: 1, name: 'staging' },
    ])
    expect(await opened.ledger.db.selectFrom('releases').select(['version', 'first_seen']).execute()).toEqual([
      { version: '1.0', first_seen: BASE_TIME },
    ])
    expect(
      await opened.ledger.db.selectFrom('release_projects').select(['project_id', 'new_issues']).execute(),
    ).toEqual([{ project_id: 1, new_issues: 2 }])
    const key = await opened.ledger.db.selectFrom('project_keys').select('last_used_at').executeTakeFirstOrThrow()
    expect(key.last_used_at).toBe(BASE_TIME)
    expect(await opened.ledger.db.selectFrom('blobs').selectAll().execute()).toEqual([
      { key: blob.key, organization_id: 1, bytes: 5, needed_until: 0, received_at: BASE_TIME },
    ])
  })

  it('lists releases and environments of an organisation’s living projects', async () => {
    const { db } = opened.ledger
    const release = { organization_id: 1, last_seen: 9, date_released: null }
    const [first] = await db
      .insertInto('releases')
      .values([
        { ...release, version: '1.0', first_seen: 5 },
        { ...release, version: '2.0', first_seen: 6 },
      ])
      .returning('id')
      .execute()
    await db
      .insertInto('release_projects')
      .values({ release_id: first?.id ?? 0, project_id: 1, first_seen: 5, new_issues: 2 })
      .execute()
    await db.insertInto('environments').values({ project_id: 1, name: 'prod', first_seen: 1 }).execute()
    const view = createLedgerReleaseView(opened)
    const page = { offset: 0, limit: 10 }
    const all = { query: '', projectIds: null, status: null }
    expect((await view.releases(1, all, page)).map(({ version }) => version)).toEqual(['2.0', '1.0'])
    expect(await view.releases(1, { ...all, query: '1.', projectIds: [1] }, page)).toMatchObject([{ newIssues: 2 }])
    expect(await view.releases(1, { ...all, projectIds: [] }, page)).toEqual([])
    expect(await view.release(1, '2.0')).toMatchObject({ projects: [] })
    expect(await view.release(2, '2.0')).toBeNull()
    const named = createEnvironmentView(opened)
    expect(await named.environments(1, null)).toEqual(['prod'])
    expect(await named.environments(1, [])).toEqual([])
    await db.updateTable('projects').set({ deleted_at: 9 }).where('id', '=', 1).execute()
    expect(await named.environments(1, null)).toEqual([])
    expect(await view.release(1, '1.0')).toMatchObject({ projects: [] })
  })

  it('applies two thousand events of a thousand issues in one batch', async () => {
    const samples = Array.from({ length: 2000 }, (_, index): SampleEvent => ({
      seed: String(index),
      kind: String(index % 1000),
      frames: 1,
    }))
    await apply(...samples)
    const result = await apply(...samples.map((sample) => ({ ...sample, seed: `again:${sample.seed}` })))
    expect(result.events.every((verdict) => verdict.kind === 'stored' && !verdict.opened)).toBe(true)
    const rows = await opened.ledger.db.selectFrom('issues').select('times_seen').execute()
    expect(rows).toHaveLength(1000)
    expect(new Set(rows.map((row) => row.times_seen))).toEqual(new Set([4]))
  }, 300_000)
})
