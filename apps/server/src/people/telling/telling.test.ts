import type { Telling } from '@firsthand/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import { createAccountStore } from '../../accounts/ledger/account-store.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { createReporterJob } from '../../feedback/reporter-mail.ts'
import { createLedgerInbox } from '../../feedback/ledger/inbox.ts'
import { createLedgerThreads } from '../../feedback/ledger/threads.ts'
import { createLedgerUnsubscribes } from '../../feedback/ledger/unsubscribes.ts'
import type { LedgerFeedback } from '../../feedback/feedback.store.ts'
import { readUserReport } from '../../feedback/read-feedback.ts'
import { addressHash } from '../../feedback/unsubscribe.ts'
import { createLedgerIssueWorkflow } from '../../issues/ledger/issue-workflow.ts'
import { createLedgerIssueView } from '../../issues/ledger/issue-view.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent } from '../../issues/test/sample-events.ts'
import { createOccasion } from '../../lib/occasion.ts'
import type { Mail, Mailer } from '../../mail/mailer.ts'
import { LEDGER_ENGINES, seedOrganization, silentLogger, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createTellingSends } from '../ledger/send-tellings.ts'
import { createLedgerTellings, planByItself } from '../ledger/tellings.ts'
import { untoldIssues } from '../ledger/untold.ts'
import { recipientsOf } from '../ledger/written-reports.ts'
import { LIMITS as FEEDBACK_LIMITS } from '../../feedback/limits.ts'
import { LIMITS } from '../limits.ts'
import { createTellJob } from './tell-job.ts'

const MINUTE_MS = 60_000
const KEY = new Uint8Array([7])
const ORGANIZATION = 1
const ISSUE = 1

interface Written {
  readonly name?: string
  readonly email?: string
  readonly token?: string
  readonly text?: string
  readonly locale?: string
}

const reportAbout = (eventId: string, { name = '', email = '', token, text, locale = '' }: Written): LedgerFeedback => {
  const comments = text ?? `About ${eventId}`
  const about = { eventId: null, receivedAt: BASE_TIME, userAgent: null }
  const read = readUserReport({ event_id: eventId, comments, name, email }, about)
  if (read === null) throw new Error('no report')
  const { spam } = DEFAULT_PROJECT_SETTINGS.feedback
  const report = { ...read, details: { ...read.details, locale } }
  const ids = { organizationId: ORGANIZATION, projectId: 1, keyId: 1 }
  return { ...ids, receivedAt: BASE_TIME, addressHash: '', attachments: 0, threadToken: token ?? null, spam, report }
}

describe.each(LEDGER_ENGINES)('telling people on $name', ({ open }) => {
  let opened: OpenedLedger
  let now = BASE_TIME
  let batch = 0
  const mails: Mail[] = []
  const mailer: Mailer = {
    send: async (mail) => {
      mails.push(mail)
      return { said: '250 OK', rejected: [] }
    },
    close: () => {},
  }
  const reach = { canSendEmail: true, addressKey: KEY }

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    now = BASE_TIME
    batch = 0
    mails.length = 0
  })
  afterEach(() => opened.close())

  const clock = { now: () => now }
  const occasion = () => createOccasion({ clock, quietMs: 10 * MINUTE_MS })
  const workflow = () => createLedgerIssueWorkflow({ ledger: opened.ledger })
  const inbox = () => createLedgerInbox({ ledger: opened.ledger })
  const threads = () => createLedgerThreads({ ledger: opened.ledger })
  const actor = () => ({ organizationId: ORGANIZATION, userId: null, now })

  const store = async (reports: readonly LedgerFeedback[], events: Parameters<typeof ledgerBatch>[1] = []) => {
    batch += 1
    const issues = createIssueStore({ ledger: opened.ledger, clock: opened.clock })
    const { feedback } = await issues.apply(ledgerBatch(batch, events, { feedback: reports }))
    await issues.settle('main', batch)
    return feedback.flatMap((verdict) => (verdict.kind === 'stored' ? [verdict.feedbackId] : []))
  }

  /** Events of one issue, each with somebody who wrote about it; they are one issue. */
  const people = async (...written: readonly Written[]): Promise<readonly number[]> => {
    const events = written.map((_, index) =>
      ledgerEvent({ seed: `person-${index}`, kind: 'voucher', release: 'shop@1' }),
    )
    return store(
      written.map((one, index) => reportAbout(events[index]?.grouped.event.event_id ?? '', one)),
      events,
    )
  }

  const resolve = async (telling?: Telling, release: string | null = null): Promise<void> => {
    if (telling !== undefined) {
      const tellings = createLedgerTellings({ ledger: opened.ledger })
      const userId = await somebody()
      await tellings.plan({ organizationId: ORGANIZATION, userId, now, issueIds: [ISSUE], telling, release })
    }
    const status =
      release === null
        ? ({ kind: 'resolved' } as const)
        : release === ''
          ? ({ kind: 'resolvedInNextRelease' } as const)
          : ({ kind: 'resolvedInRelease', version: release } as const)
    await workflow().change({ ...actor(), ids: [ISSUE], status })
  }
  const reopen = () => workflow().change({ ...actor(), ids: [ISSUE], status: { kind: 'unresolved' } })

  const somebody = async (): Promise<number> => {
    const known = await opened.ledger.db.selectFrom('users').select('id').executeTakeFirst()
    if (known !== undefined) return known.id
    const person = { email: 'ann@acme.example', name: 'Ann Keller', passwordHash: '', now }
    await createAccountStore(opened.ledger).insertUser(person)
    return somebody()
  }

  /** What the server does all the time. */
  const work = async (): Promise<void> => {
    const { ledger } = opened
    await createTellJob({
      untold: untoldIssues(ledger),
      planByItself: (issue, at) =>
        ledger.transaction((transaction) => planByItself(transaction, { ...issue, now: at })),
      sends: createTellingSends({ ledger, reach }),
      occasion: occasion(),
      logger: silentLogger,
      told: () => {},
    }).run()
    await createReporterJob({
      threads: threads(),
      mailer,
      publicUrl: 'https://f.example',
      clock,
      logger: silentLogger,
      occasion: occasion(),
      addressHash: (organizationId, address) => addressHash(KEY, organizationId, address),
    }).run()
  }
  const later = async (milliseconds: number): Promise<void> => {
    now += milliseconds
    await work()
  }
  const addresses = (): readonly string[] =>
    mails.flatMap(({ to }) => [to].flat().map(({ address }) => address.toLowerCase())).toSorted()
  const activity = async () => {
    const view = createLedgerIssueView({ ledger: opened.ledger })
    return view.activity(ISSUE, { types: ['people_told'], limit: 10, offset: 0 })
  }

  it('A106: within ten minutes an undo sends nothing; after them each person gets one mail', async () => {
    await people(
      { name: 'Marta', email: 'marta@x.example', locale: 'pt-PT' },
      { name: 'Marta', email: 'Marta@X.example', text: 'Again, it is gone' },
      { name: 'Jonas', email: 'jonas@x.example', locale: 'de-AT' },
      { token: 'T'.repeat(32) },
    )
    await resolve({})
    await work()
    await later(LIMITS.TELLING_DELAY_MS - 1)
    expect(mails).toHaveLength(0)
    await reopen()
    await later(LIMITS.TELLING_DELAY_MS)
    expect(mails).toHaveLength(0)

    await resolve({})
    await later(LIMITS.TELLING_DELAY_MS)
    await later(LIMITS.TELLING_DELAY_MS)
    expect(addresses()).toEqual(['jonas@x.example', 'marta@x.example'])
    expect(await activity()).toMatchObject([{ type: 'people_told', data: { people: 3 } }])
  })

  it('A106: everybody reads their own language, with their own words, and nothing of the issue', async () => {
    const [marta, jonas, anonymous] = await people(
      { name: 'Marta', email: 'marta@x.example', text: 'The total went away', locale: 'pt-PT' },
      { name: 'Jonas', email: 'jonas@x.example', locale: 'de-AT' },
      { token: 'T'.repeat(32) },
    )
    await resolve({ texts: { pt: 'Olá {name}, você escreveu: “{quote}”. Está corrigido.' } })
    await later(LIMITS.TELLING_DELAY_MS)
    const textOf = async (id: number | undefined) => (await threads().messages(ORGANIZATION, id ?? 0)).at(-1)?.text
    expect(await textOf(marta)).toBe('Olá Marta, você escreveu: “The total went away”. Está corrigido.')
    expect(await textOf(jonas)).toBe('Guten Tag Jonas,\n\nDas gemeldete Problem ist behoben. Danke für Ihre Meldung!')
    expect(await textOf(anonymous)).toBe('Hello,\n\nThe problem you reported is resolved. Thank you for telling us!')
    const view = createLedgerIssueView({ ledger: opened.ledger })
    const [issue] = await view.records(ORGANIZATION, [ISSUE])
    for (const { subject, text, unsubscribeUrl } of mails) {
      for (const secret of [issue?.shortId ?? '?', issue?.title ?? '?', issue?.culprit ?? '?', 'Ann Keller']) {
        expect(`${subject}\n${text}`).not.toContain(secret)
      }
      expect(unsubscribeUrl).toMatch(/^https:\/\/f\.example\/reporters\/unsubscribe\/1-[0-9a-f]{32}$/)
      expect(text).toContain(unsubscribeUrl)
    }
    expect(await threads().messages(ORGANIZATION, anonymous ?? 0)).toMatchObject([{ delivery: 'page' }])
  })

  it('A106: spam, unsubscribed people, those left out and those without a way are not told, and the preview says so', async () => {
    const [spam, , left] = await people(
      { email: 'spam@x.example' },
      { email: 'quiet@x.example' },
      { email: 'left@x.example' },
      { name: 'nobody' },
      { email: 'ada@x.example' },
    )
    await inbox().change(actor(), [spam ?? 0], { status: 'spam' })
    const quiet = addressHash(KEY, ORGANIZATION, 'Quiet@x.example')
    await createLedgerUnsubscribes({ ledger: opened.ledger }).add(ORGANIZATION, quiet, now)
    await resolve({ except: [String(left)] })
    const { settings } = await opened.ledger.db.selectFrom('projects').select('settings').executeTakeFirstOrThrow()
    const chosen = await recipientsOf(
      opened.ledger.db,
      { dialect: opened.ledger.dialect, reach },
      { organizationId: ORGANIZATION, issueIds: [ISSUE], leftOut: [left ?? 0], settings },
    )
    expect(chosen.people.map(({ email }) => email)).toEqual(['ada@x.example'])
    expect(new Map(chosen.notTold.map(({ email, why }) => [email, why]))).toEqual(
      new Map([
        ['spam@x.example', 'spam'],
        ['quiet@x.example', 'unsubscribed'],
        ['left@x.example', 'left_out'],
        ['', 'unreachable'],
      ]),
    )
    await later(LIMITS.TELLING_DELAY_MS)
    expect(addresses()).toEqual(['ada@x.example'])
  })

  it('A106: whoever was told is told again only when they wrote since', async () => {
    const [marta] = await people(
      { email: 'marta@x.example', token: 'M'.repeat(32) },
      { email: 'jonas@x.example', token: 'J'.repeat(32) },
    )
    await resolve({})
    await later(LIMITS.TELLING_DELAY_MS)
    expect(addresses()).toEqual(['jonas@x.example', 'marta@x.example'])

    now += MINUTE_MS
    await threads().answer('M'.repeat(32), 'It still happens', now)
    await reopen()
    await later(MINUTE_MS)
    await resolve({})
    await later(LIMITS.TELLING_DELAY_MS)
    expect(addresses()).toEqual(['jonas@x.example', 'marta@x.example', 'marta@x.example'])
    expect(await threads().messages(ORGANIZATION, marta ?? 0)).toHaveLength(3)
  })

  it('A106: who resolves without a word of it tells people as the project has it, and “never” tells nobody', async () => {
    await people({ email: 'marta@x.example' })
    await resolve()
    await work()
    await later(LIMITS.TELLING_DELAY_MS - 1)
    expect(mails).toHaveLength(0)
    await later(1)
    expect(addresses()).toEqual(['marta@x.example'])

    mails.length = 0
    await opened.ledger.db.deleteFrom('told_people').execute()
    await reopen()
    await later(MINUTE_MS)
    await resolve({ when: 'never' })
    await later(LIMITS.TELLING_DELAY_MS)
    await later(LIMITS.TELLING_DELAY_MS)
    expect(mails).toHaveLength(0)
    expect(await activity()).toHaveLength(1)

    // Nor is whoever writes later.
    await store([reportAbout('d'.repeat(32), { email: 'late@x.example' })])
    const [late] = (await inbox().list(ALL, { sort: 'date', limit: 1, offset: 0 })).rows
    await inbox().link(actor(), late?.id ?? 0, ISSUE)
    await later(MINUTE_MS)
    await later(LIMITS.TELLING_DELAY_MS)
    expect(mails).toHaveLength(0)
  })

  it('A106: what waits is changed and taken back until it is sent', async () => {
    await people({ email: 'marta@x.example', name: 'Marta' })
    const tellings = createLedgerTellings({ ledger: opened.ledger })
    await resolve({})
    await later(MINUTE_MS)
    const userId = await somebody()
    const changedBy = { organizationId: ORGANIZATION, userId, now }
    await tellings.change(changedBy, ISSUE, { texts: { en: 'Dear {name}' } }, null)
    expect(await tellings.planned(ISSUE)).toMatchObject({ texts: { en: 'Dear {name}' }, waitsFor: 'nothing' })
    await later(LIMITS.TELLING_DELAY_MS)
    expect(mails).toMatchObject([{ text: expect.stringMatching(/^Dear Marta\n/) }])
    expect(await tellings.withdraw(ISSUE, now)).toBe(false)

    mails.length = 0
    await store([reportAbout('e'.repeat(32), { email: 'late@x.example' })])
    const [late] = (await inbox().list(ALL, { sort: 'date', limit: 1, offset: 0 })).rows
    await inbox().link(actor(), late?.id ?? 0, ISSUE)
    await later(MINUTE_MS)
    expect(await tellings.planned(ISSUE)).toMatchObject({ userId: null })
    expect(await tellings.withdraw(ISSUE, now)).toBe(true)
    await later(LIMITS.TELLING_DELAY_MS)
    await later(LIMITS.TELLING_DELAY_MS)
    expect(mails).toHaveLength(0)
  })

  it('A106: a project writes by itself to a few; of more, somebody has to say so', async () => {
    const many = Array.from({ length: LIMITS.TELLING_UNASKED_ADDRESSES + 1 }, (_, index) => ({
      email: `stranger-${index}@x.example`,
    }))
    await people(...many)
    await resolve()
    await work()
    await later(LIMITS.TELLING_DELAY_MS)
    await later(LIMITS.TELLING_DELAY_MS)
    expect(mails).toHaveLength(0)
    const tellings = createLedgerTellings({ ledger: opened.ledger })
    expect(await tellings.planned(ISSUE)).toMatchObject({ waitsFor: 'person', dueAt: null })
    await tellings.change({ organizationId: ORGANIZATION, userId: await somebody(), now }, ISSUE, {}, null)
    await later(LIMITS.TELLING_DELAY_MS)
    expect(addresses()).toHaveLength(many.length)
  })

  it('A106: what a project writes by itself leads its receiver nowhere, whoever gave the address', async () => {
    await people({
      email: 'victim@x.example',
      name: 'Sign in at evil.example/login',
      text: 'Your account was locked: https://evil.example/login',
    })
    await resolve()
    await work()
    await later(LIMITS.TELLING_DELAY_MS)
    expect(addresses()).toEqual(['victim@x.example'])
    expect(JSON.stringify(mails)).not.toContain('evil')
    mails.length = 0
    await opened.ledger.db.deleteFrom('told_people').execute()
    await reopen()
    await later(MINUTE_MS)
    await resolve({ texts: { en: 'Dear {name}, you wrote “{quote}”' } })
    await later(LIMITS.TELLING_DELAY_MS)
    expect(mails[0]?.text).toContain('Dear Sign in at evil. example/login, you wrote')
    expect(mails[0]?.text).not.toContain('evil.example')
  })

  it('A106: a project writes so many mails in an hour that no person wrote; the others wait', async () => {
    const [marta] = await people({ email: 'marta@x.example' }, { email: 'jonas@x.example' })
    await opened.ledger.db
      .insertInto('feedback_messages')
      .values(
        Array.from({ length: FEEDBACK_LIMITS.FEEDBACK_UNASKED_MAILS_PER_PROJECT }, () => ({
          feedback_id: marta ?? 0,
          author: 'system' as const,
          user_id: null,
          text: 'told',
          delivery: 'sent' as const,
          error: '',
          attempts: 1,
          due_at: null,
          sent_at: BASE_TIME,
          created_at: BASE_TIME,
        })),
      )
      .execute()
    await resolve({ except: [String(marta)] })
    await later(LIMITS.TELLING_DELAY_MS)
    expect(mails).toHaveLength(0)
    await later(FEEDBACK_LIMITS.FEEDBACK_MAIL_WINDOW_MS)
    expect(addresses()).toEqual(['jonas@x.example'])
  })

  it('A107: “with release X” sends when X is first seen, and not before', async () => {
    await people({ email: 'marta@x.example', name: 'Marta' })
    await resolve({ when: 'release' }, 'shop@2')
    await later(LIMITS.TELLING_DELAY_MS)
    await later(60 * MINUTE_MS)
    expect(mails).toHaveLength(0)
    await store([], [ledgerEvent({ seed: 'other', kind: 'other', release: 'shop@3' })])
    await later(MINUTE_MS)
    expect(mails).toHaveLength(0)
    await store([], [ledgerEvent({ seed: 'two', kind: 'other', release: 'shop@2' })])
    await work()
    expect(mails).toMatchObject([{ to: { address: 'marta@x.example' }, text: expect.stringContaining('shop@2') }])
    expect(await activity()).toMatchObject([{ data: { people: 1, version: 'shop@2' } }])
  })

  it('A107: “with the next release” sends when any later one is seen, and says which', async () => {
    await people({ email: 'marta@x.example' })
    await resolve(undefined, '')
    await work()
    await later(LIMITS.TELLING_DELAY_MS)
    expect(mails).toHaveLength(0)
    await store([], [ledgerEvent({ seed: 'two', kind: 'other', release: 'shop@2', at: now })])
    await work()
    expect(mails).toMatchObject([{ text: expect.stringContaining('shop@2') }])
  })

  it('A106: of many people each step takes some, and nobody twice', async () => {
    const many = Array.from({ length: LIMITS.TOLD_PER_TRANSACTION + 3 }, (_, index) => ({
      token: `${'t'.repeat(28)}${1000 + index}`,
    }))
    await people(...many)
    await opened.ledger.db.updateTable('feedback').set({ status: 'open', merged_into_id: null }).execute()
    await resolve({})
    await later(LIMITS.TELLING_DELAY_MS)
    await later(LIMITS.TELLING_DELAY_MS)
    const told = await opened.ledger.db.selectFrom('feedback_messages').select('feedback_id').execute()
    expect(new Set(told.map((row) => row.feedback_id)).size).toBe(many.length)
    expect(told).toHaveLength(many.length)
    expect(await activity()).toMatchObject([{ data: { people: many.length } }])
  })

  it('reports of what was merged into an issue, and those that stand under another, count as its own', async () => {
    const [first, second] = await people({ email: 'one@x.example' }, { email: 'two@x.example' })
    const other = ledgerEvent({ seed: 'elsewhere', kind: 'elsewhere' })
    const [third] = await store([reportAbout(other.grouped.event.event_id, { email: 'three@x.example' })], [other])
    await store([reportAbout('f'.repeat(32), { email: 'four@x.example' })])
    const [four] = (await inbox().list(ALL, { sort: 'date', limit: 1, offset: 0 })).rows
    await inbox().merge(actor(), first ?? 0, [four?.id ?? 0])
    await workflow().merge({ ...actor(), ids: [1, 2] })
    await resolve({})
    await later(LIMITS.TELLING_DELAY_MS)
    expect([first, second, third]).not.toContain(undefined)
    expect(addresses()).toEqual(['four@x.example', 'one@x.example', 'three@x.example', 'two@x.example'])
  })
})

const ALL = {
  organizationId: ORGANIZATION,
  projectIds: null,
  mailbox: 'all',
  words: [],
  tags: [],
  period: null,
} as const
