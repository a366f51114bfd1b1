import { readFileSync } from 'node:fs'
import { parseEnvelope } from '@firsthand/protocol'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import type { LedgerFeedback } from '../feedback.store.ts'
import { createReportItems } from '../report-items.ts'
import { readUserReport } from '../read-feedback.ts'
import type { DigestItem } from '../../ingest/index.ts'
import type { IssueStore } from '../../../test/stores/batch-stores.ts'
import { normalise } from '../../event/normalise/index.ts'
import { readJson } from '../../event/normalise/read-json.ts'
import { scrub } from '../../event/scrub/index.ts'
import { LIMITS } from '../limits.ts'
import { createAwaitedEvents } from './awaited-events.ts'
import { createLedgerInbox } from './inbox.ts'
import { createLedgerThreads } from './threads.ts'
import { searchedWords } from './migrations/0006-searched-words.ts'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import { LEDGER_WAYS, seedOrganization } from '../../storage/conformance/engines.ts'
import type { OpenedLedger } from '../../storage/conformance/engines.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent } from '../../issues/test/sample-events.ts'

const fixture = new URL('../../../../../fixtures/envelopes/', import.meta.url)

const reportAbout = (eventId: string, comments: string, at = BASE_TIME): LedgerFeedback => {
  const report = readUserReport(
    { event_id: eventId, comments, name: 'Ada' },
    { eventId: null, receivedAt: at, userAgent: null },
  )
  if (report === null) throw new Error('no report')
  return {
    organizationId: 1,
    projectId: 1,
    keyId: 1,
    receivedAt: at,
    addressHash: 'a',
    attachments: 0,
    threadToken: null,
    spam: DEFAULT_PROJECT_SETTINGS.feedback.spam,
    report,
  }
}

const ALL = { organizationId: 1, projectIds: null, mailbox: 'all', words: [], tags: [], period: null } as const
const PAGE = { sort: 'date', limit: 10, offset: 0 } as const
const EVENT = 'a'.repeat(32)

describe.each(LEDGER_WAYS)('feedback on $name', ({ open }) => {
  let opened: OpenedLedger
  let store: IssueStore

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    store = createIssueStore({ ledger: opened.ledger, clock: opened.clock })
  })
  afterEach(() => opened.close())

  const inbox = () => createLedgerInbox({ ledger: opened.ledger })

  it('a repeated batch makes no second report; a second report of an event replaces the first for five minutes', async () => {
    const first = ledgerBatch(1, [], { feedback: [reportAbout(EVENT, 'Broken')] })
    expect((await store.apply(first)).feedback).toMatchObject([{ kind: 'stored', status: 'open' }])
    expect((await store.apply(first)).feedback).toMatchObject([{ kind: 'stored' }])
    await store.settle('main', 1)
    await store.apply(ledgerBatch(2, [], { feedback: [reportAbout(EVENT, 'Really broken', BASE_TIME + 60_000)] }))
    await store.settle('main', 2)
    const late = ledgerBatch(3, [], { feedback: [reportAbout(EVENT, 'Late', BASE_TIME + 600_000)] })
    expect((await store.apply(late)).feedback).toEqual([{ kind: 'duplicate' }])
    const { rows, hits } = await inbox().list(ALL, PAGE)
    expect([hits, rows.map((row) => row.message)]).toEqual([1, ['Really broken']])
  })

  it('check 78: a user report before its event → linked later; other organisations see nothing', async () => {
    const event = ledgerEvent({ seed: 'one' })
    const eventId = event.grouped.event.event_id
    await store.apply(ledgerBatch(1, [], { feedback: [reportAbout(eventId, 'Broken')] }))
    await store.settle('main', 1)
    const [before] = (await inbox().list(ALL, PAGE)).rows
    expect(before?.issue).toBeNull()
    await store.apply(ledgerBatch(2, [event]))
    expect((await inbox().find(1, String(before?.id)))?.issue?.id).toBe(1)
    expect(await inbox().find(2, String(before?.id))).toBeNull()
    expect((await inbox().list({ ...ALL, organizationId: 2 }, PAGE)).hits).toBe(0)
  })

  it('a report of an event takes from it what it does not say itself, once, and is found by its address', async () => {
    const now = BASE_TIME + 1000
    const awaited = createAwaitedEvents({ ledger: opened.ledger })
    const event = ledgerEvent({ seed: 'one' })
    const eventId = event.grouped.event.event_id
    const own = reportAbout('c'.repeat(32), 'An SDK says where it was')
    const said = { ...own, report: { ...own.report, environment: 'qa', associatedEventId: eventId } }
    await store.apply(ledgerBatch(1, [], { feedback: [reportAbout(eventId, 'Broken'), said] }))
    await store.settle('main', 1)
    expect(await awaited.find(now)).toEqual([])
    await store.apply(ledgerBatch(2, [event]))
    await store.settle('main', 2)
    const [found, ...others] = await awaited.find(now)
    expect([found, others]).toMatchObject([{ organizationId: 1, projectId: 1, eventId, storedIssueId: 1 }, []])
    const surroundings = {
      replayId: 'd'.repeat(32),
      traceId: '',
      url: 'https://shop.example/Cart',
      browser: 'Chrome 156',
      os: '',
      environment: '',
      release: 'shop@1',
    }
    await awaited.take(found?.feedbackId ?? 0, surroundings)
    const [row] = (await inbox().list({ ...ALL, words: ['example/cart'] }, PAGE)).rows
    const { url, browser, release, replayId } = surroundings
    expect(row).toMatchObject({ url, browser, os: '', environment: 'production', release, replayId, traceId: null })
    expect(await awaited.find(now)).toEqual([])
    // What the visitor says instead of it does not lose it.
    await store.apply(ledgerBatch(3, [], { feedback: [reportAbout(eventId, 'Really broken', now)] }))
    expect((await inbox().list({ ...ALL, words: ['really', 'example/cart'] }, PAGE)).hits).toBe(1)
  })

  describe('reports of which nothing comes', () => {
    const events = [ledgerEvent({ seed: 'one' }), ledgerEvent({ seed: 'two' })]
    const [one = '', two = ''] = events.map(({ grouped }) => grouped.event.event_id)

    /** Two reports, each of an event that is here; the rows of the first can be had again under other ids. */
    const seed = async () => {
      await store.apply(ledgerBatch(1, [], { feedback: [reportAbout(one, 'One'), reportAbout(two, 'Two')] }))
      await store.settle('main', 1)
      await store.apply(ledgerBatch(2, events))
      await store.settle('main', 2)
      const { db } = opened.ledger
      const rows = await db.selectFrom('feedback').selectAll().orderBy('id').execute()
      const [first, second] = rows
      if (first === undefined || second === undefined) throw new Error('no reports')
      const { id: _, ...row } = first
      const more = async (count: number, change: (index: number) => Partial<typeof row>): Promise<void> => {
        const copies = Array.from({ length: count }, (_unused, index) => {
          const event_id = `5${index.toString(16).padStart(31, '0')}`
          return { ...row, event_id, created_at: BASE_TIME + 500, ...change(index) }
        })
        for (let at = 0; at < copies.length; at += 100) {
          await db
            .insertInto('feedback')
            .values(copies.slice(at, at + 100))
            .execute()
        }
      }
      return { first: first.id, second: second.id, more }
    }
    const invented = (index: number) => ({ associated_event_id: `6${index.toString(16).padStart(31, '0')}` })

    it('events that nobody sent, however many are named, keep no report from its event', async () => {
      const { first, second, more } = await seed()
      await more(1200, (index) => ({ ...invented(index), issue_id: null }))
      const found = await createAwaitedEvents({ ledger: opened.ledger }).find(BASE_TIME + 1000)
      expect(found).toHaveLength(2)
      expect(new Set(found.map((row) => row.feedbackId))).toEqual(new Set([first, second]))
      await opened.ledger.db.updateTable('feedback').set({ issue_id: null }).execute()
      const threads = createLedgerThreads({ ledger: opened.ledger })
      expect(await threads.linkLateEvents(BASE_TIME + 1000, LIMITS.FEEDBACK_STEP_ROWS)).toBe(2)
      expect(await threads.linkLateEvents(BASE_TIME + 1000, LIMITS.FEEDBACK_STEP_ROWS)).toBe(0)
      const linked = await opened.ledger.db
        .selectFrom('feedback')
        .select('id')
        .where('issue_id', 'is not', null)
        .orderBy('id')
        .execute()
      expect(linked.map((row) => row.id)).toEqual([first, second])
    })

    it('events that cannot be read hold neither reports of other organisations nor, for long, of their own', async () => {
      const { second, more } = await seed()
      const { db } = opened.ledger
      const organization = { slug: 'other', name: 'Other', retention_days: 90, settings: '{}', created_at: BASE_TIME }
      await db.insertInto('organizations').values(organization).execute()
      const project = await db.selectFrom('projects').selectAll().where('id', '=', 2).executeTakeFirstOrThrow()
      await db.updateTable('projects').set({ organization_id: 2 }).where('id', '=', project.id).execute()
      await db
        .updateTable('event_index')
        .set({ project_id: 2 })
        .where('event_id', '=', Buffer.from(two, 'hex'))
        .execute()
      const move = { organization_id: 2, project_id: 2 }
      await db.updateTable('feedback').set(move).where('id', '=', second).execute()
      await more(LIMITS.FEEDBACK_STEP_ROWS + 10, () => ({}))
      const all = await db.selectFrom('feedback').select('id').execute()
      const awaited = createAwaitedEvents({ ledger: opened.ledger })
      const seen = new Set<number>()
      for (let step = 0; step < 200 && seen.size < all.length; step += 1) {
        const found = await awaited.find(BASE_TIME + 1000)
        expect(found).toHaveLength(LIMITS.FEEDBACK_STEP_ROWS)
        expect(found.filter((row) => row.organizationId === 2).map((row) => row.feedbackId)).toEqual([second])
        for (const { feedbackId } of found) seen.add(feedbackId)
      }
      expect(seen.size).toBe(all.length)
    })
  })

  it('a text that comes again is marked as spam, and a person can take that back', async () => {
    const feedback = ['1', '2'].map((digit) => reportAbout(digit.repeat(32), 'Buy now'))
    await store.apply(ledgerBatch(1, [], { feedback }))
    const { rows } = await inbox().list({ ...ALL, mailbox: 'spam', words: ['BUY'] }, PAGE)
    expect(rows).toHaveLength(1)
    const ids = rows.map((row) => row.id)
    await inbox().change({ organizationId: 1, userId: null, now: BASE_TIME }, ids, { status: 'open' })
    expect(await inbox().counts(1, null)).toEqual({ unread: 2, open: 2, resolved: 0, spam: 0, archived: 0, held: 0 })
    expect((await inbox().activity(1, ids[0] ?? 0, { limit: 10 })).map((entry) => entry.type)).toEqual(['set_not_spam'])
  })

  it('activity comes newest first, one more than asked when there are more, and notes alone when they are asked for', async () => {
    await store.apply(ledgerBatch(1, [], { feedback: [reportAbout(EVENT, 'Broken')] }))
    const [report] = (await inbox().list(ALL, PAGE)).rows
    const id = report?.id ?? 0
    const actor = { organizationId: 1, userId: null, now: BASE_TIME }
    for (const text of ['one', 'two', 'three']) await inbox().note(actor, id, text)
    await inbox().change(actor, [id], { status: 'resolved' })
    const textsOf = (entries: readonly { readonly type: string; readonly data: object }[]) =>
      entries.map(({ type, data }) => ('text' in data ? data.text : type))
    expect(textsOf(await inbox().activity(1, id, { limit: 1 }))).toEqual(['set_resolved', 'three'])
    expect(textsOf(await inbox().activity(1, id, { type: 'note', limit: 3 }))).toEqual(['three', 'two', 'one'])
    expect(textsOf(await inbox().activity(1, id, { type: 'note', limit: 2 }))).toEqual(['three', 'two', 'one'])
    expect(await inbox().activity(2, id, { limit: 9 })).toEqual([])
  })

  const from = (digit: string, message: string, said: Partial<LedgerFeedback['report']> = {}): LedgerFeedback => {
    const entry = reportAbout(digit.repeat(32), message)
    return { ...entry, report: { ...entry.report, associatedEventId: null, email: `${digit}@shop.example`, ...said } }
  }

  it('the same words of different people behind one address are one row with a count, and none of them is spam', async () => {
    const words = 'The pay button does nothing'
    const many = Array.from({ length: 15 }, (_, at) =>
      from((at + 1).toString(16), `${words}${at % 2 === 0 ? '' : ' '}`),
    )
    const batch = ledgerBatch(1, [], { feedback: many })
    await store.apply(batch)
    // A process that died before it settled repeats the batch: nothing is counted twice.
    await store.apply(batch)
    await store.settle('main', 1)
    const { rows, hits } = await inbox().list(ALL, PAGE)
    expect([hits, rows[0]?.merged, rows[0]?.status]).toEqual([1, 14, 'open'])
    expect(await inbox().counts(1, null)).toMatchObject({ open: 1, spam: 0, held: 0 })
    const children = await inbox().merged(1, rows[0]?.id ?? 0)
    expect(new Set(children.map((child) => child.email)).size).toBe(14)
  })

  it('what one sender repeats is held and counted as held until somebody has seen it', async () => {
    const again = ['1', '2', '3'].map((digit) => from(digit, 'Buy my lamps today', { email: 'one@shop.example' }))
    await store.apply(ledgerBatch(1, [], { feedback: again }))
    expect(await inbox().counts(1, null)).toMatchObject({ open: 1, spam: 2, held: 2 })
    const { rows } = await inbox().list({ ...ALL, mailbox: 'spam' }, PAGE)
    await inbox().change({ organizationId: 1, userId: null, now: BASE_TIME }, [rows[0]?.id ?? 0], { isRead: true })
    expect(await inbox().counts(1, null)).toMatchObject({ spam: 2, held: 1 })
  })

  it('the oldest of those that are left takes the place of a report that is deleted', async () => {
    const many = ['1', '2', '3', '4'].map((digit) => from(digit, 'The pay button does nothing'))
    await store.apply(ledgerBatch(1, [], { feedback: many }))
    const [first] = (await inbox().list(ALL, PAGE)).rows
    await inbox().remove({ organizationId: 1, userId: null, now: 0 }, [first?.id ?? 0])
    const { rows, hits } = await inbox().list(ALL, PAGE)
    expect([hits, rows[0]?.merged, rows[0]?.email]).toEqual([1, 2, '2@shop.example'])
  })

  it('a report that was gathered stands alone again when it is replaced by other words', async () => {
    await store.apply(ledgerBatch(1, [], { feedback: ['1', '2'].map((d) => from(d, 'The pay button does nothing')) }))
    await store.settle('main', 1)
    expect((await inbox().list(ALL, PAGE)).hits).toBe(1)
    await store.apply(ledgerBatch(2, [], { feedback: [from('2', 'It works now, thank you')] }))
    expect((await inbox().list(ALL, PAGE)).rows.map((row) => row.merged)).toEqual([0, 0])
  })

  it('finds a long report by its beginning and by who wrote it, and keeps no more of it for searching', async () => {
    const long = `Beginning ${'filling '.repeat(8000)}`
    const other = { ...reportAbout('b'.repeat(32), '100% of it_is gone'), addressHash: 'b' }
    const feedback = [reportAbout(EVENT, `${long}End`), other]
    await store.apply(ledgerBatch(1, [], { feedback }))
    const hits = async (...words: string[]) => (await inbox().list({ ...ALL, words }, PAGE)).hits
    expect(await hits('BEGINNING', 'ada')).toBe(1)
    expect(await hits('end')).toBe(0)
    // Characters with a meaning in patterns have none here.
    expect([await hits('100%'), await hits('t_i'), await hits('o%f'), await hits('t_f')]).toEqual([1, 1, 0, 0])
    const { rows } = await inbox().list(ALL, PAGE)
    expect(rows.map((row) => row.message.length).toSorted((a, b) => a - b)).toEqual([18, long.length + 3])
    const kept = await opened.ledger.db.selectFrom('feedback').select('words').execute()
    expect(Math.max(...kept.map(({ words }) => words.length))).toBe(LIMITS.FEEDBACK_SEARCHED_CHARS)
  })

  it('shortens what was kept for searching before, and loses neither the writer nor the beginning', async () => {
    await store.apply(ledgerBatch(1, [], { feedback: [reportAbout(EVENT, 'x')] }))
    const message = `Beginning ${'filling '.repeat(8000)}`
    const words = `${message}\nada\nada@example.com\nhttps://example.com/${'p'.repeat(4000)}`.toLowerCase()
    await opened.ledger.db.updateTable('feedback').set({ message, words }).execute()
    for (const statement of searchedWords()) await sql.raw(statement).execute(opened.ledger.db)
    for (const word of ['beginning', 'ada@example.com', 'https://example.com/']) {
      expect((await inbox().list({ ...ALL, words: [word] }, PAGE)).hits).toBe(1)
    }
    const kept = await opened.ledger.db.selectFrom('feedback').select('words').executeTakeFirstOrThrow()
    expect(kept.words.length).toBe(LIMITS.FEEDBACK_SEARCHED_CHARS)
  })

  it('reads in a list nothing of what only the page of a report shows: a stranger may send a megabyte of it', async () => {
    const entry = reportAbout(EVENT, 'Broken')
    const details = { ...entry.report.details, breadcrumbs: [{ message: 'x'.repeat(900_000) }] }
    await store.apply(ledgerBatch(1, [], { feedback: [{ ...entry, report: { ...entry.report, details } }] }))
    const [row] = (await inbox().list(ALL, { ...PAGE, messageChars: 3 })).rows
    expect(row?.message).toBe('Bro')
    expect(JSON.stringify(row).length).toBeLessThan(10_000)
    expect((await inbox().find(1, String(row?.id)))?.details).toEqual(details)
  })

  it('counts all that match, on every page and behind the last one', async () => {
    const feedback = ['1', '2', '3'].map((digit) => ({
      ...reportAbout(digit.repeat(32), `Report ${digit}`),
      addressHash: digit,
    }))
    await store.apply(ledgerBatch(1, [], { feedback }))
    const page = async (offset: number) => {
      const { rows, hits } = await inbox().list({ ...ALL, words: ['report'] }, { sort: '-date', limit: 1, offset })
      return [rows.map((row) => row.message), hits]
    }
    expect(await page(0)).toEqual([['Report 1', 'Report 2'], 3])
    expect(await page(2)).toEqual([['Report 3'], 3])
    expect(await page(9)).toEqual([[], 3])
  })
})

describe('the feedback processor', () => {
  const processor = createReportItems({
    normalise,
    scrub,
    readJson,
    addressKey: new Uint8Array(32),
    threadKey: new Uint8Array(32),
    // Nothing is stored here.
    writer: { insertRows: () => Promise.reject(new Error('nothing is to be written')) },
  })
  const sender = {
    organizationId: 1,
    projectId: 1,
    keyId: 1,
    clientAddress: '1.2.3.4',
    userAgent: null,
    origin: null,
    sdk: '',
  }
  const expand = (body: Uint8Array) => {
    const envelope = parseEnvelope(body)
    const item = envelope.ok ? envelope.value.items.find((each) => each.header.type === 'feedback') : undefined
    if (!envelope.ok || item === undefined) throw new Error('no feedback')
    const { header } = envelope.value
    const digestItem: DigestItem = { sender, receivedAt: BASE_TIME, header, eventId: header.eventId, item }
    return processor.expand(digestItem, { settings: DEFAULT_PROJECT_SETTINGS, siblings: [] })
  }

  it('reads what a browser SDK sends', () => {
    const result = expand(readFileSync(new URL('sdk-9/browser-08-feedback.envelope', fixture)))
    if (!result.ok) throw new Error('dropped')
    expect(result.value.report).toMatchObject({
      message: expect.stringMatching(/./),
      eventId: expect.stringMatching(/^[0-9a-f]{32}$/),
      traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
  })

  it('check 77: a blank message → dropped', () => {
    const body = Buffer.from('{}\n{"type":"feedback"}\n{"contexts":{"feedback":{"message":"  \\n"}}}')
    expect(expand(body)).toMatchObject({ ok: false, error: { outcome: { reason: 'empty_feedback' } } })
  })
})
