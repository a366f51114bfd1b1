import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIssueStore, type IssueStore } from '../../../test/stores/batch-stores.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { createLedgerInbox } from '../../feedback/ledger/inbox.ts'
import { readUserReport } from '../../feedback/read-feedback.ts'
import { createLive } from '../../http/index.ts'
import { BASE_TIME, ledgerBatch } from '../../issues/test/sample-events.ts'
import type { Job } from '../../jobs.ts'
import { LEDGER_ENGINES, seedOrganization, silentLogger, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createNoticeRetention } from '../ledger/expiry.ts'
import { createInbox } from '../ledger/inbox.ts'
import { noticesOfReports } from '../ledger/migrations/0062-notices-of-reports.ts'
import { notify } from '../ledger/notify.ts'
import { createNoticeSettings } from '../ledger/settings.ts'
import { ANN, BEN, changedSettings, seedPeople } from '../people.fixture.ts'
import { followNotices } from './follow-notices.ts'

const MINUTE = 60_000

describe.each(LEDGER_ENGINES)('what people were told of a report that is deleted, on $name', ({ open }) => {
  let opened: OpenedLedger
  let store: IssueStore
  let job: Job
  let batch = 0
  let now = BASE_TIME
  const moved: number[] = []

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    await seedPeople(opened.ledger, BASE_TIME)
    store = createIssueStore({ ledger: opened.ledger, clock: opened.clock })
    batch = 0
    now = BASE_TIME
    moved.length = 0
    const parts = { ledger: opened.ledger, live: createLive(), clock: { ...opened.clock, now: () => now } }
    job = followNotices({ ...parts, logger: silentLogger }, (organizationId) => moved.push(organizationId))
    await job.run()
  })
  afterEach(() => opened.close())

  const say = async (...words: string[]): Promise<void> => {
    for (const [index, comments] of words.entries()) {
      batch += 1
      now += MINUTE
      const report = readUserReport(
        { event_id: `${batch}${index}`.padStart(32, '0'), comments, name: 'Marta' },
        { eventId: null, receivedAt: now, userAgent: null },
      )
      if (report === null) throw new Error('no report')
      const { spam } = DEFAULT_PROJECT_SETTINGS.feedback
      const ids = { organizationId: 1, projectId: 1, keyId: 1, receivedAt: now, addressHash: '', attachments: 0 }
      const feedback = [{ ...ids, threadToken: String(batch).padStart(32, 't'), spam, report }]
      await store.apply(ledgerBatch(batch, [], { feedback }))
      await store.settle('main', batch)
      await job.run()
    }
  }
  const remove = async (...ids: number[]): Promise<void> => {
    await createLedgerInbox(opened).remove({ organizationId: 1, userId: BEN, now }, ids)
    await job.run()
  }
  const inbox = () => createInbox(opened)
  const owner = { organizationId: 1, userId: ANN }
  const lines = () => inbox().list(owner, { view: 'all', query: '', page: { behind: null, limit: 10 } })
  /** Each line with what it is about. */
  const shown = async () => {
    const found = await lines()
    const items = await inbox().items(found, 10)
    return found.map(({ id, title, told, reportId, message }) => ({
      title,
      told,
      reportId,
      leads: message.actions[0]?.path,
      items: (items.get(id) ?? []).map((item) => item.title),
    }))
  }
  const words = () =>
    opened.ledger.db
      .selectFrom('notice_items')
      .select(['title', 'detail', 'path'])
      .execute()
      .then((rows) => JSON.stringify(rows))

  it('a line of a day counts down, and says what was told before', async () => {
    await say('The total went away', 'The map is black', 'No coupon is taken')
    const at = (await lines())[0]?.lastAt ?? 0
    const before = await shown()
    expect(before).toMatchObject([{ told: 3, reportId: 3 }])
    await remove(3)
    expect(moved).toEqual([1])
    expect(await shown()).toEqual([
      {
        title: 'Marta: “The map is black”',
        told: 2,
        reportId: 2,
        leads: '/organizations/acme/feedback?report=2',
        items: ['Marta: “The map is black”', 'Marta: “The total went away”'],
      },
    ])
    expect((await lines())[0]?.lastAt).toBeLessThan(at)
    await remove(1)
    expect(await shown()).toMatchObject([{ told: 1, items: ['Marta: “The map is black”'] }])
    expect(await words()).not.toContain('The total went away')
    await remove(2)
    expect(await shown()).toEqual([])
    expect(await inbox().count(owner)).toEqual({ unread: 0, waiting: 0, snoozed: 0 })
  })

  it('what came before a line was done with counts for nothing', async () => {
    await say('The total went away')
    const [line] = await lines()
    await inbox().change(owner, { ids: [line?.id ?? 0] }, { isDone: true }, now)
    await say('The map is black')
    await remove(1)
    expect(await shown()).toMatchObject([{ told: 1, reportId: 2, items: ['Marta: “The map is black”'] }])
    await remove(2)
    expect(await shown()).toEqual([])
  })

  it('a mail of it that waits is not sent', async () => {
    const wanted = changedSettings({ kinds: { feedback: { mail: 'digest' } } })
    await createNoticeSettings(opened).save(ANN, wanted, now)
    // From this mail on others are gathered.
    await say('The total went away', 'The map is black')
    const waiting = () => opened.ledger.db.selectFrom('notice_mails').select('report_id').execute()
    expect(await waiting()).toEqual([{ report_id: 2 }])
    await remove(2)
    expect(await waiting()).toEqual([])
    const onItsWay = () => opened.ledger.db.selectFrom('outbox').select('state').execute()
    expect(await onItsWay()).toEqual([{ state: 'waiting' }])
    await remove(1)
    expect(await onItsWay()).toEqual([])
  })

  it('other lines that it stands in keep the rest, and wait for nobody because of it', async () => {
    await say('The total went away')
    const message = {
      kind: 'other' as const,
      level: 'info' as const,
      headline: 'Something else',
      blocks: [],
      actions: [],
      thread: 'x',
      stage: 'single' as const,
      reason: 'You asked.',
    }
    const notice = {
      organizationId: 1,
      userIds: [ANN],
      issueId: null,
      actorId: null,
      cause: 'x',
      isHigh: false,
      message,
    }
    await opened.ledger.transaction((transaction) =>
      notify(
        transaction,
        [
          { ...notice, kind: 'subscribed', reportId: null, key: 'a' },
          { ...notice, kind: 'reply', reportId: 1, key: 'b', message: { ...message, headline: 'An answer' } },
        ],
        now,
      ),
    )
    const line = async () => (await lines()).find(({ cause }) => cause === 'x')
    expect(await line()).toMatchObject({ title: 'An answer', told: 2, waits: true, kind: 'reply' })
    await remove(1)
    expect(await line()).toMatchObject({ title: 'Something else', told: 1, waits: false, kind: 'subscribed' })
  })

  it('a report that went with its age is swept out', async () => {
    await say('The total went away', 'The map is black')
    await opened.ledger.db.deleteFrom('feedback').where('id', '=', 2).execute()
    await createNoticeRetention(opened).sweep?.(now, new AbortController().signal)
    expect(await shown()).toMatchObject([{ told: 1, items: ['Marta: “The total went away”'] }])
    expect(await words()).not.toContain('The map is black')
  })
  it('of what was told before reports were noted, they are known by where it leads', async () => {
    await say('The total went away')
    const { db, dialect } = opened.ledger
    await db.updateTable('notice_items').set({ report_id: null }).execute()
    await sql.raw(noticesOfReports(dialect)[1] ?? '').execute(db)
    const items = await db.selectFrom('notice_items').select('report_id').execute()
    expect([...new Set(items.map(({ report_id: id }) => id))]).toEqual([1])
  })
})
