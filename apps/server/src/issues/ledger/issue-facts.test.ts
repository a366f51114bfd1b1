import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import type { IssueStore } from '../../../test/stores/batch-stores.ts'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { summaryOf } from '../digest/event-to-store.ts'
import type { Features } from '../features.ts'
import { LIMITS } from '../limits.ts'
import { BASE_TIME, hex, ledgerBatch, ledgerEvent, sampleEvent, type SampleEvent } from '../test/sample-events.ts'
import { createLedgerIssueWorkflow } from './issue-workflow.ts'
import type { IssueTable } from './schema.ts'

const MINUTE_MS = 60_000

interface Data {
  readonly event?: { readonly tags: readonly unknown[]; readonly tagsLeftOut: number }
  readonly features?: Features
}

describe.each(LEDGER_ENGINES)('what is noted of issues on $name', ({ open }) => {
  let opened: OpenedLedger
  let store: IssueStore
  let number: number

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    store = createIssueStore({ ledger: opened.ledger, clock: opened.clock })
    number = 0
  }, 240_000)
  afterEach(() => opened.close())

  const batch = (samples: readonly SampleEvent[]) =>
    ledgerBatch(
      number,
      samples.map((sample) => ledgerEvent(sample)),
    )

  const apply = async (...samples: SampleEvent[]): Promise<void> => {
    number += 1
    await store.apply(batch(samples))
    await store.settle('main', number)
  }

  const noted = async () => {
    const rows = await opened.ledger.db.selectFrom('facts').selectAll().orderBy('id').execute()
    return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as Data }))
  }

  const kinds = async (): Promise<string[]> => (await noted()).map(({ kind }) => kind)

  const change = (columns: Partial<Omit<IssueTable, 'id'>>) =>
    opened.ledger.db.updateTable('issues').set(columns).where('id', '=', 1).execute()

  it('is that it was opened, with the first of its events, and nothing of those that only count', async () => {
    await apply({ seed: '1', environment: 'staging' }, { seed: '2' }, { seed: '3', kind: 'b' })
    await apply({ seed: '4' }, { seed: '5', kind: 'b' })
    const facts = await noted()
    expect(facts.map(({ kind, issue_id: issueId }) => [kind, issueId])).toEqual([
      ['issue_opened', 1],
      ['issue_opened', 2],
    ])
    expect(facts[0]).toMatchObject({
      organization_id: 1,
      project_id: 1,
      actor_id: null,
      received_at: BASE_TIME,
      data: {
        issue: { number: 1, status: 'unresolved', priority: 'high', timesSeen: 2, firstSeen: BASE_TIME },
        event: {
          eventId: hex('event:1', 32),
          environment: 'staging',
          release: null,
          isUnhandled: true,
          user: { id: hex('1', 4), email: null },
          url: expect.stringContaining('https://shop.example/') as string,
          tags: expect.arrayContaining([['environment', 'staging']]) as unknown[],
          tagsLeftOut: 0,
        },
      },
    })
  })

  it('is noted once, also when a batch is applied again', async () => {
    number += 1
    await store.apply(batch([{ seed: '1', release: '1.0' }]))
    await store.apply(batch([{ seed: '1', release: '1.0' }]))
    expect(await kinds()).toEqual(['release_first_seen', 'issue_opened'])
  })

  it('is the first event of a release in each project', async () => {
    await apply({ seed: '1', release: '1.0', environment: 'staging' }, { seed: '2', release: '1.0' })
    await apply({ seed: '3', release: '1.0' }, { seed: '4', release: '1.1' })
    number += 1
    await store.apply(ledgerBatch(number, [ledgerEvent({ seed: '5', release: '1.0' }, { projectId: 2 })]))
    const releases = (await noted()).filter(({ kind }) => kind === 'release_first_seen')
    expect(releases.map((fact) => [fact.project_id, fact.data])).toEqual([
      [1, { version: '1.0', environment: 'staging' }],
      [1, { version: '1.1', environment: 'production' }],
      [2, { version: '1.0', environment: 'production' }],
    ])
  })

  it('releases of issues that are merged are those of their events, and go with them again', async () => {
    const at = (minutes: number): number => BASE_TIME + minutes * MINUTE_MS
    await apply({ seed: '1', at: at(1) }, { seed: '2', at: at(9) }, { seed: '3', at: at(5), release: '5' })
    await apply({ seed: '4', kind: 'b', at: at(3), release: '3' }, { seed: '5', kind: 'b', at: at(7), release: '7' })
    const workflow = createLedgerIssueWorkflow({ ledger: opened.ledger })
    const actor = { organizationId: 1, userId: null, now: at(10) }
    const releases = () =>
      opened.ledger.db
        .selectFrom('issues')
        .select(['first_seen', 'first_release', 'last_release', 'last_seen'])
        .where('id', '=', 1)
        .executeTakeFirst()
    const { hash } = await opened.ledger.db
      .selectFrom('issue_hashes')
      .select('hash')
      .where('issue_id', '=', 2)
      .executeTakeFirstOrThrow()
    await workflow.merge({ ...actor, ids: [1, 2] })
    expect(await releases()).toEqual({ first_seen: at(1), first_release: '3', last_release: '7', last_seen: at(9) })
    await workflow.unmerge({ ...actor, issueId: 1, hashes: [hash] })
    expect(await releases()).toEqual({ first_seen: at(1), first_release: '5', last_release: '5', last_seen: at(9) })
  })

  it('is that it came back, with the event that was the reason', async () => {
    await apply({ seed: '1' })
    const since = BASE_TIME + MINUTE_MS
    await change({ status: 'resolved', substatus: null, status_details: JSON.stringify({ since }) })
    await apply({ seed: '2', at: BASE_TIME }, { seed: '3', at: since, release: '2.0' })
    const fact = (await noted()).at(-1)
    expect(fact).toMatchObject({
      kind: 'issue_regressed',
      received_at: since,
      data: { version: '2.0', event: { eventId: hex('event:3', 32) }, issue: { substatus: 'regressed', timesSeen: 3 } },
    })
  })

  it('is that what it was archived for came', async () => {
    await apply({ seed: '1' })
    const details = { untilEvents: 2, eventsAtStart: 1 }
    await change({
      status: 'ignored',
      substatus: 'archived_until_condition_met',
      status_details: JSON.stringify(details),
    })
    await apply({ seed: '2' }, { seed: '3' })
    expect((await noted()).at(-1)).toMatchObject({
      kind: 'issue_unarchived',
      data: { reason: 'until_events', event: { eventId: hex('event:3', 32) } },
    })
  })

  it('is that it was merged, taken apart and deleted, of each issue to which that happened', async () => {
    await apply({ seed: '1', kind: 'a' }, { seed: '2', kind: 'b' }, { seed: '3', kind: 'b' }, { seed: '4', kind: 'c' })
    const workflow = createLedgerIssueWorkflow({ ledger: opened.ledger })
    const actor = { organizationId: 1, userId: null, now: BASE_TIME }
    const hashes = await opened.ledger.db.selectFrom('issue_hashes').select('hash').where('issue_id', '=', 1).execute()
    await workflow.merge({ ...actor, ids: [1, 2, 3] })
    await workflow.unmerge({ ...actor, issueId: 2, hashes: hashes.map(({ hash }) => hash) })
    await workflow.remove({ ...actor, ids: [1, 2, 99], discard: true })
    await workflow.restore({ ...actor, ids: [2, 3, 99] })
    const facts = (await noted()).slice(3).map(({ kind, issue_id: issueId, data }) => [kind, issueId, data])
    const issue = (number: number, timesSeen: number) => expect.objectContaining({ number, timesSeen }) as unknown
    const into = { parentId: 2, parent: issue(2, 4) }
    expect(facts).toEqual([
      ['issue_merged', 1, { issue: issue(1, 1), ...into }],
      ['issue_merged', 3, { issue: issue(3, 1), ...into }],
      ['issue_unmerged', 1, { issue: issue(1, 1), parentId: 2 }],
      ['issue_deleted', 1, { issue: issue(1, 1) }],
      ['issue_deleted', 2, { issue: issue(2, 3) }],
      ['issue_restored', 2, { issue: issue(2, 3) }],
    ])
  })

  it('is cut where a sender has much to say', async () => {
    const long = '\u0001'.repeat(5000)
    const event = ledgerEvent({ seed: '1', release: long, environment: long, user: long })
    const tags = Array.from({ length: 200 }, (_, index): [string, string] => [`key-${index}`, '\u0001'.repeat(200)])
    const grouped = {
      ...event.grouped,
      title: { ...event.grouped.title, title: long, culprit: long },
      event: { ...event.grouped.event, tags, transaction: long, logger: long, request: { url: long } },
    }
    number += 1
    await store.apply(ledgerBatch(number, [{ ...event, grouped }]))
    const fact = (await noted()).at(-1)
    expect(fact?.kind).toBe('issue_opened')
    const { tags: kept, tagsLeftOut } = fact?.data['event'] ?? { tags: [], tagsLeftOut: 0 }
    expect(kept.length).toBeGreaterThan(0)
    expect(kept.length + tagsLeftOut).toBe(200)
  })

  it('is what a new issue is known by, in so much room', async () => {
    const long = (index: number): string => `${'\u{1F600}\u0001'.repeat(100)}${index}`
    const frames = Array.from({ length: 200 }, (_, index) => ({ function: `f${index} ${long(index)}`, in_app: true }))
    const sample = sampleEvent({ seed: '1' })
    const exception = { values: [{ type: long(0), value: '語'.repeat(5000), stacktrace: { frames } }] }
    const grouped = summaryOf({ ...sample, event: { ...sample.event, exception } })
    number += 1
    await store.apply(ledgerBatch(number, [{ ...ledgerEvent({ seed: '1' }), grouped }]))
    const { features } = (await noted()).at(-1)?.data ?? {}
    expect(features?.functions[0]).toContain('f199')
    expect(features?.functions[1]).toContain('f198')
    expect(Buffer.byteLength(JSON.stringify(features))).toBeLessThanOrEqual(LIMITS.FEATURE_BYTES)
  })

  it('goes with the issue', async () => {
    await apply({ seed: '1' })
    await opened.ledger.db.deleteFrom('issues').where('id', '=', 1).execute()
    expect(await kinds()).toEqual([])
  })

  describe('by people', () => {
    const USER = 1
    const actor = { organizationId: 1, userId: USER, now: BASE_TIME + MINUTE_MS }
    const workflow = () => createLedgerIssueWorkflow(opened)

    beforeEach(async () => {
      await opened.ledger.db
        .insertInto('users')
        .values({
          email: 'anna@example.com',
          name: 'Anna',
          password_hash: '',
          preferences: '{}',
          created_at: BASE_TIME,
          last_login_at: null,
        })
        .execute()
      await apply({ seed: '1', level: 'warning' })
    })

    it('is each thing that they did, and who', async () => {
      await workflow().change({
        ...actor,
        ids: [1],
        status: { kind: 'resolvedInRelease', version: '3.0' },
        assignee: { type: 'user', id: USER, name: 'Anna', email: 'anna@example.com' },
        priority: 'high',
      })
      await workflow().change({ ...actor, ids: [1], status: { kind: 'unresolved' }, assignee: null, priority: 'low' })
      await workflow().change({ ...actor, ids: [1], status: { kind: 'archivedForever' } })
      const facts = (await noted()).slice(1)
      expect(facts.map(({ kind, actor_id: by }) => [kind, by])).toEqual([
        ['issue_resolved', USER],
        ['issue_assigned', USER],
        ['issue_priority_raised', USER],
        ['issue_reopened', USER],
        ['issue_assigned', USER],
        ['issue_archived', USER],
      ])
      expect(facts[0]?.data).toMatchObject({ inRelease: '3.0', inNextRelease: false, issue: { status: 'resolved' } })
      expect(facts[1]?.data).toMatchObject({ userId: USER, teamId: null })
      expect(facts[2]?.data).toMatchObject({ from: 'medium', to: 'high' })
      expect(facts[4]?.data).toMatchObject({ userId: null, teamId: null })
    })

    it('is nothing where all was so before', async () => {
      await workflow().change({ ...actor, ids: [1], status: { kind: 'unresolved', substatus: 'new' }, assignee: null })
      expect(await kinds()).toEqual(['issue_opened'])
    })

    it('is a note, with whom it names', async () => {
      const activityId = await workflow().addNote({
        ...actor,
        issueId: 1,
        text: 'Look at this, @anna',
        mentions: { userIds: [USER], teamIds: [] },
      })
      expect((await noted()).at(-1)).toMatchObject({
        kind: 'issue_noted',
        actor_id: USER,
        data: { activityId, userIds: [USER], teamIds: [] },
      })
    })
  })
})
