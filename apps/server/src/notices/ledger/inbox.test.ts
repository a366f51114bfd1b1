import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { MomentPage } from '../../lib/moment-page.ts'
import { LEDGER_ENGINES, seedOrganization } from '../../storage/conformance/engines.ts'
import type { OpenedLedger } from '../../storage/conformance/engines.ts'
import { plansOf } from '../../storage/conformance/plans.ts'
import { notify } from '../index.ts'
import { LIMITS } from '../limits.ts'
import { ANN, BEN, messageOf, noticeOf, seedPeople } from '../people.fixture.ts'
import { createNoticeRetention } from './expiry.ts'
import { createInbox, placeInInbox, type Inbox } from './inbox.ts'
import { createInboxNews } from './news.ts'
import { wakeByRelease, wakeLines } from './wake.ts'

const NOON = Date.UTC(2026, 10, 25, 12)
const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const owner = { organizationId: 1, userId: ANN }
const page = { behind: null, limit: 100 }

describe.each(LEDGER_ENGINES)('inbox on $name', ({ open }) => {
  let opened: OpenedLedger
  let inbox: Inbox
  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    await seedPeople(opened.ledger, NOON)
    inbox = createInbox({ ledger: opened.ledger })
    await tell('issue:1', 'Checkout broke', NOON)
    await tell('issue:2', 'Slow search', NOON + 1)
    await tell('issue:3', 'Odd 100%', NOON + 2)
  })
  afterEach(() => opened.close())

  const tell = (cause: string, headline: string, now: number, userId: number = ANN): Promise<void> =>
    opened.ledger.transaction((transaction) =>
      notify(transaction, [noticeOf({ userIds: [userId], cause, message: messageOf(headline) })], now),
    )
  const list = async (view: 'unread' | 'all' | 'snoozed' | 'done', query = '') =>
    (await inbox.list(owner, { view, query, page })).map(({ cause }) => cause)
  const idOf = async (cause: string): Promise<number> => {
    const row = await opened.ledger.db
      .selectFrom('notice_entries')
      .select('id')
      .where('cause', '=', cause)
      .where('user_id', '=', ANN)
      .executeTakeFirstOrThrow()
    return row.id
  }

  it('A101: read, unread, done and back, each with what undoes it', async () => {
    const id = await idOf('issue:2')
    expect(await inbox.count(owner)).toEqual({ unread: 3, waiting: 0, snoozed: 0 })
    const read = await inbox.change(owner, { ids: [id] }, { isRead: true }, NOON + HOUR)
    expect(await list('unread')).toEqual(['issue:3', 'issue:1'])
    const done = await inbox.change(owner, { ids: [id] }, { isDone: true }, NOON + HOUR)
    expect(await list('all')).toEqual(['issue:3', 'issue:1'])
    expect(await list('done')).toEqual(['issue:2'])
    expect(await inbox.restore(owner, done, NOON + HOUR)).toBe(1)
    expect(await list('all')).toEqual(['issue:3', 'issue:2', 'issue:1'])
    expect(await list('unread')).toEqual(['issue:3', 'issue:1'])
    expect(await inbox.restore(owner, read, NOON + HOUR)).toBe(1)
    expect(await list('unread')).toEqual(['issue:3', 'issue:2', 'issue:1'])
  })

  it('A101: a search finds a line by what it lists, in its title or in what was said, of nobody else', async () => {
    await tell('issue:1', 'Order was lost', NOON + 3)
    await tell('issue:1', 'Checkout broke again', NOON + 4)
    await tell('issue:4', 'Of Ben alone', NOON + 5, BEN)
    expect(await list('all', 'ORDER WAS')).toEqual(['issue:1'])
    expect(await list('all', 'text of slow')).toEqual(['issue:2'])
    expect(await list('all', 'of ben')).toEqual([])
    expect(await list('all', '100%')).toEqual(['issue:3'])
    expect(await list('done', 'order')).toEqual([])
    // Nobody else's words find a line, whatever line they say they stand in.
    const id = await idOf('issue:2')
    await opened.ledger.db.updateTable('notice_items').set({ entry_id: id }).where('user_id', '=', BEN).execute()
    expect(await list('all', 'of ben')).toEqual([])
    // What was told before a line was done with is no longer listed in it.
    await inbox.change(owner, { ids: [await idOf('issue:1')] }, { isDone: true }, NOON + HOUR)
    expect(await list('done', 'order')).toEqual(['issue:1'])
    await tell('issue:1', 'Back', NOON + 2 * HOUR)
    expect(await list('all', 'order')).toEqual([])
  })

  it('A101: a search looks through the newest 200 things of a line', async () => {
    await tell('issue:1', 'First of many', NOON + 3)
    for (let nth = 1; nth < LIMITS.NOTICE_ITEMS_SEARCHED; nth += 1) await tell('issue:1', `Then ${nth}`, NOON + 3 + nth)
    expect(await list('all', 'first of many')).toEqual(['issue:1'])
    await tell('issue:1', 'One more', NOON + HOUR)
    expect(await list('all', 'first of many')).toEqual([])
  })

  it('A101: mark all takes what was seen, not what came since, and is undone', async () => {
    await tell('issue:4', 'Came later', NOON + HOUR)
    const before = await inbox.change(owner, { unreadUpTo: NOON + 2, query: '' }, { isRead: true }, NOON + HOUR)
    expect(before).toHaveLength(3)
    expect(await list('unread')).toEqual(['issue:4'])
    // A notice that came in between keeps its line unread, and is not put back into the past.
    await tell('issue:1', 'Again', NOON + 2 * HOUR)
    expect(await inbox.restore(owner, before, NOON + 2 * HOUR)).toBe(2)
    expect(await list('unread')).toEqual(['issue:1', 'issue:4', 'issue:3', 'issue:2'])
  })

  it('gives each line once, also where others come above it between two pages', async () => {
    await opened.ledger.db.updateTable('notice_entries').set({ waits: 1 }).where('cause', '=', 'issue:1').execute()
    const given: string[] = []
    for (const view of ['all', 'done'] as const) {
      let behind: MomentPage['behind'] = null
      for (let pages = 0; pages < 3; pages += 1) {
        const [line] = await inbox.list(owner, { view, query: '', page: { behind, limit: 1 } })
        if (line === undefined) break
        given.push(`${view} ${line.cause}`)
        behind = placeInInbox(view, line)
        if (pages === 0) await tell('issue:9', 'Came later', NOON + HOUR)
      }
      await inbox.change(owner, { unreadUpTo: NOON + 2, query: '' }, { isDone: true }, NOON + HOUR)
    }
    expect(given).toEqual(['all issue:1', 'all issue:9', 'all issue:3', 'done issue:3', 'done issue:2', 'done issue:1'])
  })

  it('finds words in titles, as they stand', async () => {
    expect(await list('all', 'CHECKOUT')).toEqual(['issue:1'])
    expect(await list('all', '0%')).toEqual(['issue:3'])
    expect(await list('all', '_')).toEqual([])
  })

  it('sleeps until a time', async () => {
    const id = await idOf('issue:1')
    const before = await inbox.change(owner, { ids: [id] }, { snooze: { until: 'time', at: NOON + DAY } }, NOON)
    expect(await list('all')).toEqual(['issue:3', 'issue:2'])
    expect(await list('snoozed')).toEqual(['issue:1'])
    expect(await wakeLines(opened.ledger, NOON + HOUR)).toEqual({ organizationIds: [], nextAt: NOON + DAY })
    expect(await wakeLines(opened.ledger, NOON + DAY)).toEqual({ organizationIds: [1], nextAt: Infinity })
    const [woken] = await inbox.list(owner, { view: 'unread', query: 'checkout', page })
    expect([woken?.isRead, woken?.woken, woken?.snooze]).toEqual([false, 'You wanted to see it again now.', null])
    expect(before.map(({ snooze }) => snooze)).toEqual([null])
  })

  it('A101: whoever undoes that a line is done, or was put to sleep again, sees why it had come back', async () => {
    const ids = [await idOf('issue:1')]
    const woken = async (view: 'all' | 'done' | 'snoozed') =>
      (await inbox.list(owner, { view, query: 'checkout', page })).map((line) => line.woken)
    await inbox.change(owner, { ids }, { snooze: { until: 'time', at: NOON + DAY } }, NOON)
    await wakeLines(opened.ledger, NOON + DAY)
    for (const away of [{ isDone: true }, { snooze: { until: 'answer' } }] as const) {
      const before = await inbox.change(owner, { ids }, away, NOON + DAY)
      expect([await woken('done'), await woken('snoozed'), await woken('all')].flat()).toEqual([''])
      expect(await inbox.restore(owner, before, NOON + DAY)).toBe(1)
      expect(await woken('all')).toEqual(['You wanted to see it again now.'])
    }
    // Whoever takes it out again later does so for another reason.
    await inbox.change(owner, { ids }, { isDone: true }, NOON + DAY)
    await inbox.change(owner, { ids }, { isDone: false }, NOON + DAY)
    expect(await woken('all')).toEqual([''])
  })

  it('sleeps until an issue has twice its events', async () => {
    await opened.ledger.db
      .insertInto('issues')
      .values({
        organization_id: 1,
        project_id: 1,
        number: 1,
        type: 'error',
        category: 'error',
        title: 'Checkout broke',
        culprit: '',
        metadata: '{}',
        level: 'error',
        level_rank: 40,
        platform: 'javascript',
        logger: '',
        status: 'unresolved',
        substatus: 'new',
        status_details: '{}',
        priority: 'high',
        is_unhandled: 0,
        first_seen: NOON,
        last_seen: NOON,
        times_seen: 10,
        first_release: null,
        last_release: null,
        assigned_user_id: null,
        assigned_team_id: null,
        deleted_at: null,
        merged_into_id: null,
        created_at: NOON,
        changed_at: NOON,
      })
      .execute()
    const id = await idOf('issue:1')
    await opened.ledger.db.updateTable('notice_entries').set({ issue_id: 1 }).where('id', '=', id).execute()
    await inbox.change(owner, { ids: [id] }, { snooze: { until: 'worse' } }, NOON)
    await opened.ledger.db.updateTable('issues').set({ times_seen: 19 }).execute()
    expect((await wakeLines(opened.ledger, NOON)).organizationIds).toEqual([])
    await opened.ledger.db.updateTable('issues').set({ times_seen: 20 }).execute()
    expect((await wakeLines(opened.ledger, NOON)).organizationIds).toEqual([1])
    expect(await list('unread')).toContain('issue:1')
  })

  it('sleeps until a release', async () => {
    const first = await idOf('issue:1')
    const next = await idOf('issue:2')
    await inbox.change(owner, { ids: [first] }, { snooze: { until: 'release', release: '2.0' } }, NOON)
    await inbox.change(owner, { ids: [next] }, { snooze: { until: 'release', release: null } }, NOON)
    const live = (version: string) =>
      opened.ledger.transaction((transaction) =>
        wakeByRelease(transaction, { organizationId: 1, projectId: 1, version }),
      )
    await live('1.9')
    expect(await list('unread')).toEqual(['issue:3', 'issue:2'])
    await live('2.0')
    const [woken] = await inbox.list(owner, { view: 'unread', query: 'checkout', page })
    expect(woken?.woken).toBe('2.0 is live.')
  })

  it('nobody reads or changes another one’s', async () => {
    const id = await idOf('issue:1')
    const other = { organizationId: 1, userId: BEN }
    const elsewhere = { organizationId: 2, userId: ANN }
    for (const stranger of [other, elsewhere]) {
      expect(await inbox.find(stranger, id)).toBeNull()
      expect(await inbox.change(stranger, { ids: [id] }, { isDone: true }, NOON)).toEqual([])
      const state = { id, isRead: true, isDone: true, snooze: null, lastAt: NOON }
      expect(await inbox.restore(stranger, [state], NOON)).toBe(0)
    }
    expect((await inbox.find(owner, id))?.isDone).toBe(false)
  })

  it('goes with the membership, and with time', async () => {
    const news = createInboxNews({ ledger: opened.ledger })
    expect(await news.since()).toEqual([])
    await tell('issue:9', 'For Ben', NOON, BEN)
    expect(await news.since()).toEqual([1])
    expect(await news.since()).toEqual([])
    const retention = createNoticeRetention({ ledger: opened.ledger })
    await inbox.change(owner, { ids: [await idOf('issue:1')] }, { isDone: true }, NOON)
    await retention.sweep?.(NOON + 31 * DAY, new AbortController().signal)
    expect(await list('done')).toEqual([])
    expect(await list('all')).toEqual(['issue:3', 'issue:2'])
    await inbox.forget(owner)
    expect(await list('all')).toEqual([])
    const rest = await opened.ledger.db.selectFrom('notice_items').select('user_id').execute()
    expect(rest.map((row) => row.user_id)).toEqual([BEN])
  })
})

it('a search looks through the things of each line alone, not through those of the organisation', async () => {
  const [sqlite] = LEDGER_ENGINES
  if (sqlite === undefined) throw new Error('there is no SQLite')
  const { close, ledger } = await sqlite.open()
  const plans = await plansOf(ledger, (recorded) =>
    createInbox({ ledger: recorded }).list(owner, { view: 'all', query: 'checkout', page }),
  )
  expect(plans).toHaveLength(1)
  expect(plans.flat()).toContain('SEARCH notice_items USING INDEX notice_items_entry (entry_id=?)')
  expect(plans.flat().filter((line) => line.includes('notice_items'))).toHaveLength(1)
  await close()
})
