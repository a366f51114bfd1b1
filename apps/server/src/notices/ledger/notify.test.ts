import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization } from '../../storage/conformance/engines.ts'
import type { OpenedLedger } from '../../storage/conformance/engines.ts'
import { notify, type Notice } from '../index.ts'
import { NOTICE_KINDS } from '../notice.ts'
import { ANN, BEN, CAT, changedSettings, DAN, messageOf, noticeOf, seedPeople } from '../people.fixture.ts'
import { LIMITS } from '../limits.ts'
import { PACES, type NoticeSettings } from '../settings.ts'
import { sendDigests } from './digests.ts'
import { createNoticeRetention } from './expiry.ts'
import { createInbox } from './inbox.ts'
import { createNoticeSettings } from './settings.ts'

const MINUTE = 60_000
/** A Wednesday, 12:00 UTC. */
const NOON = Date.UTC(2026, 10, 25, 12)
const ALL = { behind: null, limit: 100 }

describe.each(LEDGER_ENGINES)('telling people on $name', ({ open }) => {
  let opened: OpenedLedger
  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    await seedPeople(opened.ledger, NOON)
  })
  afterEach(() => opened.close())

  const tell = (notices: readonly Notice[], now = NOON): Promise<void> =>
    opened.ledger.transaction((transaction) => notify(transaction, notices, now))
  const inboxOf = (userId: number, view: 'unread' | 'all' | 'snoozed' | 'done' = 'unread') =>
    createInbox({ ledger: opened.ledger }).list({ organizationId: 1, userId }, { view, query: '', page: ALL })
  const mails = async () => {
    const rows = await opened.ledger.db
      .selectFrom('outbox')
      .select(['user_id', 'unsubscribe', 'message'])
      .orderBy('id')
      .execute()
    return rows.map(({ user_id: userId, unsubscribe, message }) => ({
      userId,
      unsubscribe,
      headline: (JSON.parse(message) as { headline: string }).headline,
    }))
  }
  const waiting = async () =>
    (await opened.ledger.db.selectFrom('notice_mails').select('due_at').where('dropped_at', 'is', null).execute())
      .length
  const settle = (userId: number, more: Partial<NoticeSettings>): Promise<void> =>
    createNoticeSettings({ ledger: opened.ledger }).save(userId, changedSettings(more), NOON)

  const forgetAll = async (): Promise<void> => {
    for (const table of ['notice_items', 'notice_entries', 'notice_mails', 'notice_mailing', 'outbox'] as const) {
      await opened.ledger.db.deleteFrom(table).execute()
    }
  }

  it('A99: each kind comes by each way as it is set', async () => {
    for (const kind of NOTICE_KINDS) {
      for (const pace of PACES) {
        // The other way is another pace, so that neither can be taken for the other.
        const mail = PACES[(PACES.indexOf(pace) + 1) % PACES.length] ?? 'now'
        await forgetAll()
        await settle(ANN, { kinds: { [kind]: { inbox: pace, mail } } })
        await tell([noticeOf({ kind, cause: 'issue:1' }), noticeOf({ kind, cause: 'issue:2' })])
        const lines = (await inboxOf(ANN)).map(({ told }) => told)
        const told = { kind, pace, lines, mails: (await mails()).length, waiting: await waiting() }
        expect(told).toEqual({
          kind,
          pace,
          // Gathered, all of a kind is one line a day.
          lines: pace === 'never' ? [] : pace === 'digest' ? [2] : [1, 1],
          // Gathered, the first goes at once and what follows waits.
          mails: mail === 'never' ? 0 : mail === 'digest' ? 1 : 2,
          waiting: mail === 'digest' ? 1 : 0,
        })
      }
    }
  })

  it('A99: own acts are silent, and so is what concerns no member', async () => {
    await tell([noticeOf({ kind: 'mentioned', userIds: [ANN, BEN, DAN], actorId: BEN })])
    expect(await inboxOf(ANN)).toHaveLength(1)
    expect(await inboxOf(BEN)).toHaveLength(0)
    expect(await inboxOf(DAN)).toHaveLength(0)
    expect((await mails()).map(({ userId }) => userId)).toEqual([ANN])
  })

  it('tells nobody twice under one key', async () => {
    const notice = noticeOf({ kind: 'mentioned', key: 'the same' })
    await tell([notice, notice])
    await tell([notice], NOON + MINUTE)
    expect((await inboxOf(ANN)).map(({ told }) => told)).toEqual([1])
    expect(await mails()).toHaveLength(1)
  })

  it('A101: one line for each cause, that says how much it is about', async () => {
    const notices = Array.from({ length: 300 }, (_, index) =>
      noticeOf({ userIds: [ANN, BEN], cause: 'incident:7', message: messageOf(`Alert ${index}`) }),
    )
    await tell(notices)
    await tell([noticeOf({ cause: 'issue:2' })], NOON + MINUTE)
    const lines = await inboxOf(ANN)
    expect(lines.map(({ cause, told, title }) => [cause, told, title])).toEqual([
      ['issue:2', 1, expect.any(String)],
      ['incident:7', 300, 'Alert 299'],
    ])
    const items = await createInbox({ ledger: opened.ledger }).items(lines, 50)
    expect(items.get(lines[1]?.id ?? 0)).toHaveLength(50)
    expect((await inboxOf(BEN)).map(({ told }) => told)).toEqual([300])
  })

  it('what waits for the person comes first, until it is over', async () => {
    await tell([noticeOf({ cause: 'issue:1', kind: 'mentioned' })])
    await tell([noticeOf({ cause: 'issue:2' })], NOON + MINUTE)
    expect((await inboxOf(ANN)).map(({ cause, waits }) => [cause, waits])).toEqual([
      ['issue:1', true],
      ['issue:2', false],
    ])
    await tell([noticeOf({ cause: 'issue:1', kind: 'alert', message: messageOf('All clear', { stage: 'over' }) })])
    expect((await inboxOf(ANN)).every(({ waits }) => !waits)).toBe(true)
  })

  it('a line that was done with begins anew when something comes', async () => {
    const inbox = createInbox({ ledger: opened.ledger })
    await tell([noticeOf(), noticeOf()])
    const [line] = await inboxOf(ANN)
    await inbox.change({ organizationId: 1, userId: ANN }, { ids: [line?.id ?? 0] }, { isDone: true }, NOON)
    expect(await inboxOf(ANN)).toHaveLength(0)
    await tell([noticeOf()], NOON + MINUTE)
    expect((await inboxOf(ANN)).map(({ told, isRead }) => [told, isRead])).toEqual([[1, false]])
  })

  it('mails that are gathered come as one, a quarter of an hour after the first', async () => {
    await tell([noticeOf({ message: messageOf('One') })])
    await tell([noticeOf({ message: messageOf('Two'), cause: 'issue:2' })], NOON + MINUTE)
    await tell([noticeOf({ message: messageOf('Three'), cause: 'issue:2' })], NOON + 2 * MINUTE)
    expect(await sendDigests(opened.ledger, NOON + 14 * MINUTE)).toBe(NOON + 15 * MINUTE)
    expect(await mails()).toHaveLength(1)
    await sendDigests(opened.ledger, NOON + 15 * MINUTE)
    await sendDigests(opened.ledger, NOON + 15 * MINUTE)
    expect((await mails()).map(({ headline, unsubscribe }) => [headline, unsubscribe])).toEqual([
      ['One', 'subscribed'],
      ['Three (and 1 more)', 'subscribed'],
    ])
    // The next one waits for its own quarter of an hour.
    await tell([noticeOf()], NOON + 16 * MINUTE)
    expect(await sendDigests(opened.ledger, NOON + 29 * MINUTE)).toBe(NOON + 30 * MINUTE)
  })

  it('what is urgent is never gathered, and what is of high priority alone is', async () => {
    await tell([noticeOf(), noticeOf({ isHigh: true, message: messageOf('High') })])
    expect(await waiting()).toBe(1)
    await tell([noticeOf({ isUrgent: true, message: messageOf('Urgent') })])
    expect((await mails()).map(({ headline }) => headline).slice(1)).toEqual(['Urgent'])
    expect(await waiting()).toBe(1)
  })

  it('A104: quiet hours hold mail for one digest, and high passes if chosen', async () => {
    const quiet = { from: 22 * 60, to: 7 * 60, weekends: false, highMayPass: false }
    await settle(ANN, { quiet, timezone: 'Europe/Berlin' })
    await settle(BEN, { quiet: { ...quiet, highMayPass: true }, timezone: 'Europe/Berlin' })
    const night = Date.UTC(2026, 10, 25, 23)
    await tell(
      [
        noticeOf({ userIds: [ANN, BEN], kind: 'mentioned', cause: 'issue:1', message: messageOf('Asked') }),
        noticeOf({ userIds: [ANN, BEN], cause: 'issue:2', message: messageOf('High'), isHigh: true }),
      ],
      night,
    )
    expect(await mails()).toEqual([{ userId: BEN, unsubscribe: 'subscribed', headline: 'High' }])
    // Seven in Berlin is six in UTC.
    expect(await sendDigests(opened.ledger, night + MINUTE)).toBe(Date.UTC(2026, 10, 26, 6))
    await sendDigests(opened.ledger, Date.UTC(2026, 10, 26, 6))
    expect((await mails()).slice(1)).toEqual([
      { userId: ANN, unsubscribe: 'mentioned,subscribed', headline: '2 things happened: Asked' },
      { userId: BEN, unsubscribe: 'mentioned', headline: 'Asked' },
    ])
  })

  it('that something is over waits for nobody who is told meanwhile that it is back', async () => {
    const quiet = { from: 22 * 60, to: 7 * 60, weekends: false, highMayPass: true }
    await settle(ANN, { quiet })
    const night = Date.UTC(2026, 10, 25, 23)
    const high = { kind: 'alert', isHigh: true } as const
    const over = { kind: 'alert', message: messageOf('Over: one', { kind: 'over', stage: 'over' }) } as const
    const two = messageOf('Over: two', { kind: 'over', stage: 'over', thread: 'issue:2' })
    const other = { message: two, cause: 'issue:2' }
    await tell([noticeOf({ ...high, message: messageOf('New: one') }), noticeOf(over)], night)
    await tell(
      [noticeOf({ ...over, ...other }), noticeOf({ ...high, message: messageOf('Back: one'), goesOn: ['issue:1'] })],
      night + MINUTE,
    )
    await sendDigests(opened.ledger, Date.UTC(2026, 10, 26, 7))
    expect((await mails()).map(({ headline }) => headline)).toEqual(['New: one', 'Back: one', 'Over: two'])
  })

  it('who looks at a line needs no mail about it any more', async () => {
    await tell([noticeOf({ cause: 'issue:1' }), noticeOf({ cause: 'issue:2' })])
    expect(await waiting()).toBe(1)
    const inbox = createInbox({ ledger: opened.ledger })
    const owner = { organizationId: 1, userId: ANN }
    const before = await inbox.change(owner, { unreadUpTo: NOON, query: '' }, { isRead: true }, NOON)
    expect(await waiting()).toBe(0)
    await sendDigests(opened.ledger, NOON + 20 * MINUTE)
    const sent = (await mails()).length
    // An undo brings back the mail, too, for a while.
    await inbox.restore(owner, before, NOON + 5 * MINUTE)
    expect(await waiting()).toBe(1)
    await inbox.change(owner, { unreadUpTo: NOON, query: '' }, { isRead: true }, NOON)
    const retention = createNoticeRetention({ ledger: opened.ledger })
    await retention.sweep?.(NOON + LIMITS.NOTICE_UNDO_MS, new AbortController().signal)
    await inbox.restore(owner, before, NOON)
    expect(await waiting()).toBe(1)
    await sendDigests(opened.ledger, NOON + 20 * MINUTE)
    expect((await mails()).length).toBe(sent + 1)
  })

  it('who wants no more of a kind, or of a project, is not sent what waited of it', async () => {
    await tell([noticeOf({ cause: 'issue:1' })])
    const sent = (await mails()).length
    await tell([noticeOf({ cause: 'issue:2' })])
    await opened.ledger.db.updateTable('notice_mails').set({ project_id: 2 }).execute()
    await settle(ANN, { projects: { '2': { subscribed: { mail: 'never' } } } })
    await sendDigests(opened.ledger, NOON + 20 * MINUTE)
    expect([(await mails()).length, await waiting()]).toEqual([sent, 0])
  })

  it('project settings come before those of the kind', async () => {
    await opened.ledger.db
      .insertInto('feedback')
      .values({
        organization_id: 1,
        project_id: 2,
        event_id: 'a'.repeat(32),
        batch: 1,
        key_id: 1,
        source: 'widget',
        status: 'open',
        is_read: 0,
        message: 'm',
        name: '',
        email: '',
        url: '',
        browser: '',
        os: '',
        environment: '',
        release: '',
        words: '',
        details: '{}',
        trace_id: null,
        replay_id: null,
        associated_event_id: null,
        issue_id: null,
        assigned_user_id: null,
        assigned_team_id: null,
        spam_score: 0,
        spam_reasons: '[]',
        spam_decided_by: 'automatic',
        attachments: 0,
        address_hash: '',
        message_hash: '',
        merged_into_id: null,
        awaits_reply: 0,
        created_at: NOON,
        last_activity_at: NOON,
        thread_token: null,
        told_resolved_at: null,
      })
      .execute()
    await settle(ANN, { projects: { '2': { reply: { inbox: 'never', mail: 'never' } } } })
    await tell([noticeOf({ kind: 'reply', reportId: 1, userIds: [ANN, BEN] })])
    expect(await inboxOf(ANN)).toHaveLength(0)
    expect(await inboxOf(BEN)).toHaveLength(1)
    expect((await mails()).map(({ userId }) => userId)).toEqual([BEN])
  })

  it('a line that sleeps is woken by a mention, by an answer or by what gets worse, and by nothing else', async () => {
    const inbox = createInbox({ ledger: opened.ledger })
    const owner = { organizationId: 1, userId: CAT }
    const sleep = async (until: 'worse' | 'answer') => {
      const all = await inboxOf(CAT, 'all')
      const ids = all.map(({ id }) => id)
      await inbox.change(owner, { ids }, { snooze: { until } }, NOON)
    }
    const to = { userIds: [CAT] }
    await tell([noticeOf(to)])
    await sleep('worse')
    const before = (await mails()).length
    await tell([noticeOf({ ...to, actorId: ANN })], NOON + 20 * MINUTE)
    expect(await inboxOf(CAT)).toHaveLength(0)
    expect((await inboxOf(CAT, 'snoozed')).map(({ told }) => told)).toEqual([2])
    expect((await mails()).length).toBe(before)
    await tell([noticeOf({ ...to, kind: 'escalation' })])
    expect((await inboxOf(CAT)).map(({ woken }) => woken)).toEqual(['It got worse.'])
    await sleep('answer')
    await tell([noticeOf({ ...to, kind: 'regression' })])
    expect(await inboxOf(CAT)).toHaveLength(0)
    await tell([noticeOf({ ...to, kind: 'reply' })])
    expect((await inboxOf(CAT)).map(({ woken }) => woken)).toEqual(['Somebody answered.'])
    await sleep('worse')
    await tell([noticeOf({ ...to, kind: 'mentioned', actorId: ANN })])
    expect((await inboxOf(CAT)).map(({ woken }) => woken)).toEqual(['You were mentioned.'])
  })
})
