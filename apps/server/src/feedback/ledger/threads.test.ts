import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import type { LedgerFeedback } from '../feedback.store.ts'
import { readUserReport } from '../read-feedback.ts'
import { createReporterJob } from '../reporter-mail.ts'
import type { Threads } from './threads.ts'
import { LIMITS } from '../limits.ts'
import { createOccasion } from '../../lib/occasion.ts'
import { PermanentMailError } from '../../mail/mailer.ts'
import type { Mail, Mailer } from '../../mail/mailer.ts'
import { createLedgerThreads } from './threads.ts'
import { installationSecret } from '../../storage/ledger/installation-secret.ts'
import { createLedgerInbox } from './inbox.ts'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import { LEDGER_ENGINES, seedOrganization, silentLogger } from '../../storage/conformance/engines.ts'
import type { OpenedLedger } from '../../storage/conformance/engines.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent } from '../../issues/test/sample-events.ts'

const MINUTE_MS = 60_000

const reportAbout = (eventId: string, more: { readonly email?: string; readonly token?: string }): LedgerFeedback => {
  const report = readUserReport(
    { event_id: eventId, comments: `About ${eventId}`, name: 'Ada', email: more.email ?? '' },
    { eventId: null, receivedAt: BASE_TIME, userAgent: null },
  )
  if (report === null) throw new Error('no report')
  const { spam } = DEFAULT_PROJECT_SETTINGS.feedback
  const threadToken = more.token ?? null
  const ids = { organizationId: 1, projectId: 1, keyId: 1 }
  return { ...ids, receivedAt: BASE_TIME, addressHash: '', attachments: 0, threadToken, spam, report }
}

describe.each(LEDGER_ENGINES)('threads of reports on $name', ({ open }) => {
  let opened: OpenedLedger
  let threads: Threads
  let now = BASE_TIME
  let batch = 0
  const mails: Mail[] = []
  let answer: Error | null = null
  const mailer: Mailer = {
    send: async (mail) => {
      if (answer !== null) throw answer
      mails.push(mail)
      return { said: '250 OK', rejected: [] }
    },
    close: () => {},
  }

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    threads = createLedgerThreads({ ledger: opened.ledger })
    now = BASE_TIME
    batch = 0
    mails.length = 0
    answer = null
  })
  afterEach(() => opened.close())

  const clock = { ...({} as OpenedLedger['clock']), now: () => now }
  const occasion = createOccasion({ clock, quietMs: 10 * MINUTE_MS })
  const job = (by: Mailer | null = mailer) =>
    createReporterJob({
      threads,
      mailer: by,
      publicUrl: 'https://f.example',
      clock,
      logger: silentLogger,
      occasion,
      addressHash: () => 'a'.repeat(32),
    })
  const actor = () => ({ organizationId: 1, userId: null, now })
  const store = async (part: Parameters<typeof ledgerBatch>[2], events: Parameters<typeof ledgerBatch>[1] = []) => {
    batch += 1
    const issues = createIssueStore({ ledger: opened.ledger, clock: opened.clock })
    const result = await issues.apply(ledgerBatch(batch, events, part))
    await issues.settle('main', batch)
    return result
  }
  const received = async (entry: LedgerFeedback): Promise<number> => {
    const [verdict] = (await store({ feedback: [entry] })).feedback ?? []
    if (verdict?.kind !== 'stored') throw new Error('not stored')
    return verdict.feedbackId
  }
  it('know the language of their reporter', async () => {
    const token = 't'.repeat(32)
    const entry = reportAbout('b'.repeat(32), { token })
    const details = { ...entry.report.details, locale: 'de-DE', breadcrumbs: [{ message: 'a "quoted" word' }] }
    await received({ ...entry, report: { ...entry.report, details } })
    expect((await threads.byToken(token))?.locale).toBe('de-DE')
    await received(reportAbout('c'.repeat(32), { token: 'u'.repeat(32) }))
    expect((await threads.byToken('u'.repeat(32)))?.locale).toBe('')
  })

  it('a mail that is refused is tried again, later each time; one that is refused for good is not', async () => {
    const id = await received(reportAbout('a'.repeat(32), { email: 'ada@x.example' }))
    await threads.reply(actor(), id, { text: 'Hello', delivery: 'queued', resolve: false })
    answer = new Error('greylisted')
    await job().run()
    expect(await threads.messages(1, id)).toMatchObject([{ delivery: 'queued', attempts: 1, error: 'greylisted' }])
    answer = null
    await job().run()
    expect(mails).toHaveLength(0)
    now += LIMITS.FEEDBACK_MAIL_RETRY_MS
    await job().run()
    expect(await threads.messages(1, id)).toMatchObject([{ delivery: 'sent', attempts: 2, error: null }])
    expect(mails).toMatchObject([{ to: { address: 'ada@x.example' }, id: expect.stringMatching(/^feedback-\d+$/) }])
    await job().run()
    expect(mails).toHaveLength(1)

    await threads.reply(actor(), id, { text: 'Again', delivery: 'queued', resolve: false })
    answer = new PermanentMailError('no such user')
    await job().run()
    expect((await threads.messages(1, id))[1]).toMatchObject({ delivery: 'failed', error: 'no such user' })
  })

  it('one address gets only so many mails in an hour; the others wait', async () => {
    const id = await received(reportAbout('a'.repeat(32), { email: 'Ada@x.example' }))
    for (let count = 0; count < LIMITS.FEEDBACK_MAILS_PER_ADDRESS + 2; count += 1) {
      await threads.reply(actor(), id, { text: String(count), delivery: 'queued', resolve: false })
    }
    await job().run()
    expect(mails).toHaveLength(LIMITS.FEEDBACK_MAILS_PER_ADDRESS)
    now += LIMITS.FEEDBACK_MAIL_WINDOW_MS + 1
    await job().run()
    expect(mails).toHaveLength(LIMITS.FEEDBACK_MAILS_PER_ADDRESS + 2)
  })

  it('what is no single address gets no mail', async () => {
    const id = await received(reportAbout('a'.repeat(32), { email: 'a@x.example, b@x.example' }))
    await threads.reply(actor(), id, { text: 'Hello', delivery: 'queued', resolve: false })
    await job().run()
    expect(mails).toHaveLength(0)
    expect(await threads.messages(1, id)).toMatchObject([{ delivery: 'failed' }])
  })

  it('the ledger is asked when something happened or is due, and otherwise left alone', async () => {
    const one = job()
    /** As a server does all the time. */
    const runs = async (): Promise<number> => {
      if (!occasion.isDue()) return 0
      await one.run()
      return 1
    }
    const asksIn = async (milliseconds: number): Promise<boolean> => {
      let asked = 0
      const until = now + milliseconds
      for (; now < until; now += LIMITS.FEEDBACK_MAIL_INTERVAL_MS) asked += await runs()
      return asked > 0
    }
    occasion.wake()
    expect(await asksIn(LIMITS.FEEDBACK_MAIL_INTERVAL_MS)).toBe(true)
    expect(await asksIn(5 * MINUTE_MS)).toBe(false)

    const event = ledgerEvent({ seed: 'late' })
    const id = await received(reportAbout(event.grouped.event.event_id, { email: 'ada@x.example' }))
    occasion.wake()
    await runs()
    await store({}, [event])
    occasion.wake()
    await runs()
    expect((await createLedgerInbox({ ledger: opened.ledger }).find(1, String(id)))?.issue?.id).toBe(1)
    expect(await asksIn(5 * MINUTE_MS)).toBe(false)

    // What becomes due later needs no second word.
    await threads.reply(actor(), id, { text: 'Hello', delivery: 'queued', resolve: false })
    occasion.wake()
    answer = new Error('greylisted')
    await runs()
    expect(await threads.messages(1, id)).toMatchObject([{ author: 'agent', delivery: 'queued', attempts: 1 }])
    answer = null
    expect(await asksIn(LIMITS.FEEDBACK_MAIL_RETRY_MS)).toBe(false)
    await runs()
    expect(await threads.messages(1, id)).toMatchObject([{ author: 'agent', delivery: 'sent', attempts: 2 }])
    await runs()
    expect(await asksIn(5 * MINUTE_MS)).toBe(false)
    expect(await asksIn(10 * MINUTE_MS)).toBe(true)

    // A clock that was set back says nothing of what is due.
    now -= 60 * MINUTE_MS
    expect(await asksIn(LIMITS.FEEDBACK_MAIL_INTERVAL_MS)).toBe(true)
  })

  it('without a mail server nothing is sent, and nothing fails', async () => {
    const id = await received(reportAbout('a'.repeat(32), { email: 'ada@x.example' }))
    await threads.reply(actor(), id, { text: 'Hello', delivery: 'queued', resolve: false })
    await job(null).run()
    expect(await threads.messages(1, id)).toMatchObject([{ delivery: 'queued', attempts: 0 }])
    expect(await threads.messages(2, id)).toEqual([])
  })

  it('the secret of the installation is one for all who ask', async () => {
    const [one, two] = await Promise.all([installationSecret(opened.ledger), installationSecret(opened.ledger)])
    expect(Buffer.from(one('threads'))).toEqual(Buffer.from(two('threads')))
    expect(Buffer.from(one('threads'))).not.toEqual(Buffer.from(one('addresses')))
  })
})
