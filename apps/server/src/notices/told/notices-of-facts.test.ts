import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIssueStore, type IssueStore } from '../../../test/stores/batch-stores.ts'
import { createHandles } from '../../accounts/ledger/handles.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { createLedgerThreads } from '../../feedback/ledger/threads.ts'
import { readUserReport } from '../../feedback/read-feedback.ts'
import { createLive } from '../../http/index.ts'
import { createLedgerIssueMarks } from '../../issues/ledger/issue-marks.ts'
import { createLedgerIssueWorkflow } from '../../issues/ledger/issue-workflow.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent, type SampleEvent } from '../../issues/test/sample-events.ts'
import type { Job } from '../../jobs.ts'
import { LEDGER_ENGINES, seedOrganization, silentLogger, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { sendDigests } from '../ledger/digests.ts'
import { createNoticeRetention } from '../ledger/expiry.ts'
import { createInbox } from '../ledger/inbox.ts'
import { notify } from '../ledger/notify.ts'
import { createNoticeSettings } from '../ledger/settings.ts'
import { wakeLines } from '../ledger/wake.ts'
import { ANN, BEN, CAT, changedSettings, seedPeople } from '../people.fixture.ts'
import { followNotices } from './follow-notices.ts'

const MINUTE = 60_000
const TOKEN = 't'.repeat(32)

describe.each(LEDGER_ENGINES)('whom facts concern, on $name', ({ open }) => {
  let opened: OpenedLedger
  let store: IssueStore
  let job: Job
  let number = 0
  let now = BASE_TIME
  /** In which organisations lines went or came back. */
  const moved: number[] = []

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    await seedPeople(opened.ledger, BASE_TIME)
    store = createIssueStore({ ledger: opened.ledger, clock: opened.clock })
    number = 0
    now = BASE_TIME
    const clock = { ...opened.clock, now: () => now }
    moved.length = 0
    const parts = { ledger: opened.ledger, live: createLive(), clock, logger: silentLogger }
    job = followNotices(parts, (organizationId) => moved.push(organizationId))
    // A follower begins with what is noted from its first look on.
    await follow()
  })
  afterEach(() => opened.close())

  const follow = async (): Promise<void> => {
    now += 20 * MINUTE
    await job.run()
  }
  const receive = async (...samples: SampleEvent[]): Promise<void> => {
    number += 1
    await store.apply(
      ledgerBatch(
        number,
        samples.map((sample) => ledgerEvent(sample)),
      ),
    )
    await store.settle('main', number)
  }
  const workflow = () => createLedgerIssueWorkflow({ ledger: opened.ledger })
  const actor = (userId: number | null) => ({ organizationId: 1, userId, now })
  const by = (userId: number | null) => ({ ...actor(userId), ids: [1] })
  const user = (id: number) => ({ type: 'user', id, name: '', email: '' }) as const
  const note = async (userId: number, text: string) => {
    const mentions = await createHandles(opened).mentionsIn(1, text)
    const idsOf = (type: 'user' | 'team') => mentions.flatMap(({ whom }) => (whom?.type === type ? [whom.id] : []))
    await workflow().addNote({
      ...actor(userId),
      issueId: 1,
      text,
      mentions: { userIds: idsOf('user'), teamIds: idsOf('team') },
    })
    await follow()
    return mentions
  }
  /** What somebody was told since the last look, and why. */
  const told = async (userId: number): Promise<readonly string[]> => {
    const inbox = createInbox({ ledger: opened.ledger })
    const owner = { organizationId: 1, userId }
    const lines = await inbox.list(owner, { view: 'unread', query: '', page: { behind: null, limit: 100 } })
    const items = await inbox.items(lines, 50)
    await inbox.change(owner, { ids: lines.map(({ id }) => id) }, { isDone: true }, now)
    return lines.flatMap(({ id, reason }) =>
      (items.get(id) ?? []).map(({ kind, title }) => `${kind}: ${title.split(':')[0]} (${reason})`),
    )
  }

  it('an assignment tells and subscribes whom it is to, and nobody of their own', async () => {
    await receive({ seed: '1' })
    await workflow().change({ ...by(ANN), assignee: user(BEN) })
    await workflow().change({ ...by(ANN), assignee: user(ANN) })
    await follow()
    expect(await told(BEN)).toEqual(['assigned: Assigned to you, SHOP-1 (Ann assigned it to you.)'])
    expect(await told(ANN)).toEqual([])
    const marks = createLedgerIssueMarks({ ledger: opened.ledger })
    expect(await marks.subscribers(1)).toEqual([ANN, BEN])
  })

  it('whoever is drawn in hears what comes a moment later', async () => {
    await receive({ seed: '1' })
    await workflow().addNote({ ...actor(ANN), issueId: 1, text: '@ben', mentions: { userIds: [BEN], teamIds: [] } })
    await workflow().change({ ...by(CAT), status: { kind: 'resolved' } })
    await follow()
    expect((await told(BEN)).map((line) => line.split(':')[0])).toEqual(['subscribed', 'mentioned'])
  })

  it('who takes back what they did has nobody mailed of either, as long as its mail waits', async () => {
    const waiting = () => opened.ledger.db.selectFrom('notice_mails').select('key').execute()
    await receive({ seed: '1' })
    await workflow().change({ ...by(ANN), assignee: user(BEN) })
    // From this mail on others are gathered.
    await note(ANN, 'Look')
    await workflow().change({ ...by(ANN), status: { kind: 'archivedForever' } })
    await job.run()
    expect(await waiting()).toHaveLength(1)
    // Somebody else has their own reason.
    await workflow().change({ ...by(CAT), status: { kind: 'unresolved' } })
    await job.run()
    expect(await waiting()).toHaveLength(2)
    await workflow().change({ ...by(ANN), status: { kind: 'resolved' } })
    await job.run()
    expect(await waiting()).toHaveLength(3)
    await workflow().change({ ...by(ANN), status: { kind: 'unresolved' } })
    await job.run()
    expect(await waiting()).toHaveLength(2)
  })

  it('a team is told as its members are', async () => {
    await opened.ledger.db
      .insertInto('teams')
      .values({ organization_id: 1, slug: 'checkout', name: 'Checkout', created_at: now })
      .execute()
    await opened.ledger.db
      .insertInto('team_members')
      .values([
        { team_id: 1, member_id: 1 },
        { team_id: 1, member_id: 3 },
      ])
      .execute()
    await receive({ seed: '1' })
    await workflow().change({ ...by(CAT), assignee: { type: 'team', id: 1, name: 'Checkout', slug: 'checkout' } })
    await follow()
    expect(await told(ANN)).toEqual(['assigned: Assigned to your team, SHOP-1 (Cat assigned it to your team.)'])
    expect(await told(BEN)).toEqual([])
    await note(BEN, 'Dear #checkout, is it #12 or #f00?')
    expect(await told(CAT)).toEqual(['mentioned: You are mentioned in SHOP-1 (Ben mentioned you in a note.)'])
  })

  it('A102: a mention tells and subscribes; somebody without access is named', async () => {
    await receive({ seed: '1' })
    const mentions = await note(ANN, 'May I raise it, @ben? Not you, @dan, nor `@cat`, nor x@cat.example')
    expect(mentions.map(({ handle, whom, reason }) => [handle, whom?.id ?? null, reason])).toEqual([
      ['@ben', BEN, null],
      ['@dan', null, 'Nobody in this organisation is called @dan: they have no access here, and were not told.'],
    ])
    expect(await told(BEN)).toEqual(['mentioned: You are mentioned in SHOP-1 (Ann mentioned you in a note.)'])
    expect(await told(CAT)).toEqual([])
    // Both follow it from now on: who was asked, and who asked.
    await note(CAT, 'It may.')
    expect(await told(BEN)).toEqual(['subscribed: New note in SHOP-1 (You were mentioned in it.)'])
    expect(await told(ANN)).toEqual(['subscribed: New note in SHOP-1 (You wrote a note on it.)'])
    await note(BEN, 'Done.')
    expect(await told(BEN)).toEqual([])
  })

  it('who follows an issue hears that it was resolved and that it came back, and whoever has it as well', async () => {
    await receive({ seed: '1' })
    await createLedgerIssueMarks({ ledger: opened.ledger }).set({ ...by(ANN), userId: ANN, subscribed: true })
    await workflow().change({ ...by(null), assignee: user(BEN) })
    await follow()
    expect(await told(BEN)).toEqual(['assigned: Assigned to you, SHOP-1 (A rule assigned it to you.)'])
    await workflow().change({ ...by(BEN), status: { kind: 'resolved' } })
    await follow()
    expect(await told(ANN)).toEqual(['subscribed: Resolved, SHOP-1 (Ben resolved it. You follow this issue.)'])
    expect(await told(BEN)).toEqual([])
    await receive({ seed: '2', at: now + MINUTE, release: '2.0' })
    await follow()
    expect(await told(ANN)).toEqual(['regression: Came back with 2.0, SHOP-1 (You follow this issue.)'])
    expect(await told(BEN)).toEqual(['regression: Came back with 2.0, SHOP-1 (It is assigned to you.)'])
    expect(await told(CAT)).toEqual([])
  })

  it('new issues are told to those who want to hear of them', async () => {
    const settings = createNoticeSettings({ ledger: opened.ledger })
    await settings.save(CAT, changedSettings({ projects: { '1': { new: { inbox: 'now' } } } }), now)
    await receive({ seed: '1' })
    await follow()
    expect(await told(CAT)).toEqual(['new: New, SHOP-1 (You want to hear of new issues.)'])
    expect(await told(ANN)).toEqual([])
  })

  it('what a visitor says, and says again to those who answered', async () => {
    const report = readUserReport(
      { event_id: 'a'.repeat(32), comments: 'The total went away', name: 'Marta' },
      { eventId: null, receivedAt: BASE_TIME, userAgent: null },
    )
    if (report === null) throw new Error('no report')
    const { spam } = DEFAULT_PROJECT_SETTINGS.feedback
    const ids = { organizationId: 1, projectId: 1, keyId: 1, receivedAt: BASE_TIME, addressHash: '', attachments: 0 }
    const feedback = [{ ...ids, threadToken: TOKEN, spam, report }]
    await store.apply(ledgerBatch(1, [], { feedback }))
    await store.settle('main', 1)
    await follow()
    expect(await told(ANN)).toEqual([expect.stringContaining('feedback: Marta')])
    const threads = createLedgerThreads({ ledger: opened.ledger })
    await opened.ledger.db
      .insertInto('feedback_messages')
      .values({
        feedback_id: 1,
        author: 'agent',
        user_id: BEN,
        text: 'In which browser?',
        delivery: 'page',
        attempts: 0,
        error: null,
        due_at: null,
        sent_at: null,
        created_at: now,
      })
      .execute()
    await threads.answer(TOKEN, 'In Safari', now)
    await follow()
    expect(await told(ANN)).toEqual([])
    expect(await told(BEN)).toEqual(
      [
        expect.stringContaining('feedback: Marta'),
        expect.stringContaining('reply: Marta answered your reply'),
      ].toReversed(),
    )
  })

  describe('of an issue that is merged into another one', () => {
    const inbox = () => createInbox({ ledger: opened.ledger })
    const owner = (userId: number) => ({ organizationId: 1, userId })
    const lines = (userId: number, view: 'all' | 'snoozed' = 'all') =>
      inbox().list(owner(userId), { view, query: '', page: { behind: null, limit: 10 } })
    const merge = async (): Promise<void> => {
      await workflow().merge({ ...actor(CAT), ids: [1, 2] })
      await follow()
    }
    /** Issue 2 has two events; Ben is told of issue 1. */
    const two = async (): Promise<void> => {
      await receive({ seed: '1', kind: 'a' })
      await receive({ seed: '2', kind: 'b' }, { seed: '3', kind: 'b' })
      await workflow().change({ ...by(ANN), assignee: user(BEN) })
      await follow()
    }

    it('its followers follow that one, but for those who do not want to', async () => {
      await two()
      const marks = createLedgerIssueMarks({ ledger: opened.ledger })
      await marks.set({ ...by(ANN), userId: ANN, subscribed: true })
      await workflow().addNote({ ...actor(CAT), issueId: 2, text: 'Hm' })
      await follow()
      await marks.set({ ...actor(CAT), ids: [1], userId: CAT, subscribed: true })
      await marks.set({ ...actor(CAT), ids: [2], userId: CAT, subscribed: false })
      await merge()
      expect(await marks.subscribers(2)).toEqual([ANN, BEN])
      await told(BEN)
      await workflow().change({ ...actor(CAT), ids: [2], status: { kind: 'resolved' } })
      await follow()
      expect(await told(BEN)).toEqual(['subscribed: Resolved, SHOP-2 (Cat resolved it. It was assigned to you.)'])
      expect(await told(CAT)).toEqual([])
    })

    it('its line is one of that one, and wakes up when both together are worse', async () => {
      await two()
      const [line] = await lines(BEN)
      await inbox().change(owner(BEN), { ids: [line?.id ?? 0] }, { snooze: { until: 'worse' } }, now)
      await merge()
      expect(await lines(BEN, 'snoozed')).toMatchObject([{ cause: 'issue:2', issueId: 2 }])
      expect((await wakeLines(opened.ledger, now)).organizationIds).toEqual([])
      await receive({ seed: '4', kind: 'a' })
      expect((await wakeLines(opened.ledger, now)).organizationIds).toEqual([1])
      expect(await lines(BEN)).toMatchObject([{ issueId: 2, woken: expect.stringContaining('It got worse') as string }])
    })

    it('what somebody has of both is one line', async () => {
      await two()
      await workflow().change({ ...actor(ANN), ids: [2], assignee: user(BEN) })
      await follow()
      const [newer] = await lines(BEN)
      await inbox().change(owner(BEN), { ids: [newer?.id ?? 0] }, { isRead: true }, now)
      await merge()
      const [line, ...others] = await lines(BEN)
      expect(others).toEqual([])
      expect(line).toMatchObject({ cause: 'issue:2', told: 2, isRead: false })
      const items = await inbox().items(line === undefined ? [] : [line], 10)
      expect([...items.values()].flat().map(({ title }) => title.split(':')[0])).toEqual([
        'Assigned to you, SHOP-2',
        'Assigned to you, SHOP-1',
      ])
    })
  })

  it('lines of an issue that is deleted are not there, until it is brought back; mails of it are not sent', async () => {
    await receive({ seed: '1' })
    await workflow().change({ ...by(ANN), assignee: user(BEN) })
    await follow()
    const inbox = createInbox({ ledger: opened.ledger })
    const owner = { organizationId: 1, userId: BEN }
    await opened.ledger.db
      .insertInto('notice_mails')
      .values({
        user_id: BEN,
        organization_id: 1,
        key: 'waits',
        kind: 'assigned',
        cause: 'issue:1',
        message: '{}',
        due_at: now,
        created_at: now,
        project_id: 1,
        dropped_at: null,
      })
      .execute()
    expect(moved).toEqual([])
    await workflow().remove({ ...by(ANN), discard: false })
    await follow()
    expect(moved).toEqual([1])
    expect((await inbox.count(owner)).unread).toBe(0)
    expect(await told(BEN)).toEqual([])
    await sendDigests(opened.ledger, now)
    expect(await opened.ledger.db.selectFrom('outbox').select('id').where('key', '=', 'waits').execute()).toEqual([])
    await workflow().restore({ ...by(ANN) })
    await follow()
    expect(moved).toEqual([1, 1])
    expect((await inbox.count(owner)).unread).toBe(1)
    await workflow().remove({ ...by(ANN), discard: false })
    await follow()
    await opened.ledger.db.deleteFrom('issues').execute()
    expect((await inbox.count(owner)).unread).toBe(0)
    await createNoticeRetention(opened).sweep?.(now, new AbortController().signal)
    expect(await opened.ledger.db.selectFrom('notice_entries').select('id').execute()).toEqual([])
  })

  it('what somebody hears of an issue while it is deleted is one line with what they had, once it is back', async () => {
    await receive({ seed: '1' })
    await workflow().change({ ...by(ANN), assignee: user(BEN) })
    await follow()
    await workflow().remove({ ...by(ANN), discard: false })
    await follow()
    // An alert says that it is over because the issue was deleted, and does so after the line was put away.
    const message = { kind: 'over', level: 'ok', headline: 'Over', blocks: [], actions: [], thread: 'issue:1' } as const
    const over = { ...message, stage: 'over', reason: 'An alert watches this.' } as const
    const about = { organizationId: 1, issueId: 1, reportId: null, actorId: ANN, isHigh: false }
    await opened.ledger.transaction((transaction) =>
      notify(
        transaction,
        [{ ...about, userIds: [BEN], kind: 'alert', key: 'over', cause: 'issue:1', message: over }],
        now,
      ),
    )
    await workflow().restore({ ...by(ANN) })
    await follow()
    const lines = await opened.ledger.db.selectFrom('notice_entries').select(['cause', 'told']).execute()
    expect(lines).toEqual([{ cause: 'issue:1', told: 2 }])
    expect((await told(BEN)).map((line) => line.split(' (')[0])).toEqual([
      'alert: Over',
      'assigned: Assigned to you, SHOP-1',
    ])
  })

  it('a line that sleeps until a release is live wakes up when it is seen', async () => {
    await receive({ seed: '1' })
    await workflow().change({ ...by(ANN), assignee: user(BEN) })
    await follow()
    const inbox = createInbox({ ledger: opened.ledger })
    const owner = { organizationId: 1, userId: BEN }
    await inbox.change(owner, { ids: [1] }, { snooze: { until: 'release', release: '3.0' } }, now)
    await receive({ seed: '2', kind: 'b', release: '2.9' })
    await follow()
    expect((await inbox.count(owner)).unread).toBe(0)
    await receive({ seed: '3', kind: 'b', release: '3.0' })
    await follow()
    expect((await inbox.find(owner, 1))?.woken).toBe('3.0 is live.')
    expect((await inbox.count(owner)).unread).toBe(1)
  })
})
