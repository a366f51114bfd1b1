import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIssueStore } from '../../test/stores/batch-stores.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../accounts/settings.ts'
import { createLedgerInbox } from '../feedback/ledger/inbox.ts'
import { readUserReport } from '../feedback/read-feedback.ts'
import { ledgerBatch } from '../issues/test/sample-events.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import { draftOfReport } from './evidence/of-report.ts'
import type { Double } from './test/double.ts'
import { HOOK_SECRET, openTrackers, PUBLIC_URL, type OpenedTrackers } from './test/open-trackers.ts'
import { startGithub } from './test/repository-double.ts'

const WORDS = 'I cannot pay with my card @anna, fixes #12\nThe page stays grey.'

describe.each(LEDGER_ENGINES)('tickets of reports on $name', ({ open }) => {
  let opened: OpenedLedger
  let double: Double
  let desk: OpenedTrackers
  let reportId = 0

  beforeEach(async () => {
    opened = await open()
    double = await startGithub()
    desk = await openTrackers(opened, double)
    const about = { eventId: null, receivedAt: opened.clock.now(), userAgent: null }
    const read = readUserReport(
      { event_id: 'a'.repeat(32), comments: WORDS, name: 'Marta', email: 'marta@example.com' },
      about,
    )
    if (read === null) throw new Error('no report')
    const report = { organizationId: 1, projectId: 1, keyId: 1, receivedAt: opened.clock.now(), addressHash: '' }
    const { spam } = DEFAULT_PROJECT_SETTINGS.feedback
    const { feedback } = await createIssueStore(opened).apply(
      ledgerBatch(2, [], { feedback: [{ ...report, attachments: 0, threadToken: null, spam, report: read }] }),
    )
    const [verdict] = feedback
    if (verdict?.kind !== 'stored') throw new Error('it was not stored')
    reportId = verdict.feedbackId
  })
  afterEach(async () => {
    await double.close()
    await opened.close()
  })

  const inbox = () => createLedgerInbox(opened)
  const status = async (): Promise<string | undefined> => (await inbox().find(1, String(reportId)))?.status
  const move = (to: 'open' | 'resolved' | 'archived') => inbox().change(desk.actor(), [reportId], { status: to })
  const make = async (): Promise<void> => {
    const record = await inbox().find(1, String(reportId))
    if (record === null) throw new Error('there is no report')
    const draft = draftOfReport(record, `${PUBLIC_URL}/organizations/acme/feedback?report=${reportId}`)
    const subject = { kind: 'report', id: reportId } as const
    await desk.tickets.make(desk.actor(), { trackerId: desk.trackerId, subject, draft })
    await desk.settle()
  }

  it('A61: say what somebody wrote, once, without their address', async () => {
    await make()
    await make()
    expect(double.tickets).toHaveLength(1)
    const [{ title, body } = { title: '', body: '' }] = double.tickets
    expect(title).toContain('I cannot pay with my card')
    expect(body).toContain('> The page stays grey.')
    expect(body).toContain('— Marta')
    expect(body).toContain(`${PUBLIC_URL}/organizations/acme/feedback?report=${reportId}#ticket-`)
    expect(body).not.toContain('marta@example.com')
    for (const text of [title, body]) expect(text).not.toMatch(/@anna|#1\d/)
  })

  it('A62: follow the report and are followed by it', async () => {
    await make()
    await move('resolved')
    await desk.settle()
    expect(double.tickets[0]?.state).toBe('closed')
    double.set('1', 'open')
    await desk.hear(double.hook('1', HOOK_SECRET))
    await desk.settle()
    expect(await status()).toBe('open')
    double.set('1', 'closed')
    await desk.hear(double.hook('1', HOOK_SECRET))
    await desk.settle()
    expect(await status()).toBe('resolved')
    await move('archived')
    await desk.settle()
    expect(double.tickets[0]?.state).toBe('closed')
  })
})
