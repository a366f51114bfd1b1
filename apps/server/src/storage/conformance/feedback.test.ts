import { readFileSync } from 'node:fs'
import { parseEnvelope } from '@firsthand/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import type { LedgerFeedback } from '../../feedback/feedback.store.ts'
import { createFeedbackProcessor, readUserReport } from '../../feedback/index.ts'
import type { DigestItem } from '../../ingest/index.ts'
import type { IssueStore } from '../../issues/issues.store.ts'
import { normalise } from '../../issues/normalise/index.ts'
import { readJson } from '../../issues/normalise/read-json.ts'
import { scrub } from '../../issues/scrub/index.ts'
import { createLedgerInbox } from '../ledger/inbox.ts'
import { createIssueStore } from '../ledger/issue-store.ts'
import { LEDGER_ENGINES, seedOrganization } from './engines.ts'
import type { OpenedLedger } from './engines.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent } from './sample-events.ts'

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

describe.each(LEDGER_ENGINES)('feedback on $name', ({ open }) => {
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

  it('a text that comes again is marked as spam, and a person can take that back', async () => {
    const feedback = ['1', '2'].map((digit) => reportAbout(digit.repeat(32), 'Buy now'))
    await store.apply(ledgerBatch(1, [], { feedback }))
    const { rows } = await inbox().list({ ...ALL, mailbox: 'spam', words: ['BUY'] }, PAGE)
    expect(rows).toHaveLength(1)
    const ids = rows.map((row) => row.id)
    await inbox().change({ organizationId: 1, userId: null, now: BASE_TIME }, ids, { status: 'open' })
    expect(await inbox().counts(1, null)).toEqual({ unread: 2, open: 2, resolved: 0, spam: 0, archived: 0 })
    expect((await inbox().activity(1, ids[0] ?? 0)).map((entry) => entry.type)).toEqual(['set_not_spam'])
  })
})

describe('the feedback processor', () => {
  const processor = createFeedbackProcessor({
    normalise,
    scrub,
    readJson,
    addressKey: new Uint8Array(32),
    threadKey: new Uint8Array(32),
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
    return processor.expand(digestItem, { settings: DEFAULT_PROJECT_SETTINGS })
  }

  it('reads what a browser SDK sends', () => {
    const result = expand(readFileSync(new URL('sdk-9/browser-08-feedback.envelope', fixture)))
    if (!result.ok || result.value.kind !== 'feedback') throw new Error('dropped')
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
