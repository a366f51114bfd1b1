import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { BASE_TIME, ledgerBatch, ledgerEvent } from '../../issues/test/sample-events.ts'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import type { LedgerFeedback } from '../feedback.store.ts'
import { readUserReport } from '../read-feedback.ts'
import { createReportRetention } from './expiry.ts'
import { createLedgerThreads } from './threads.ts'

const TOKEN = 't'.repeat(32)

const reportAbout = (eventId: string, comments: string): LedgerFeedback => {
  const report = readUserReport(
    { event_id: eventId, comments, name: 'Ada' },
    { eventId: null, receivedAt: BASE_TIME, userAgent: null },
  )
  if (report === null) throw new Error('no report')
  const { spam } = DEFAULT_PROJECT_SETTINGS.feedback
  const ids = { organizationId: 1, projectId: 1, keyId: 1 }
  return { ...ids, receivedAt: BASE_TIME, addressHash: '', attachments: 1, threadToken: TOKEN, spam, report }
}

describe.each(LEDGER_ENGINES)('what is noted of reports on $name', ({ open }) => {
  let opened: OpenedLedger

  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
  }, 240_000)
  afterEach(() => opened.close())

  const noted = async () => {
    const rows = await opened.ledger.db.selectFrom('facts').selectAll().orderBy('id').execute()
    return rows
      .filter(({ kind }) => !kind.startsWith('issue_'))
      .map((row) => ({ ...row, data: JSON.parse(row.data) as unknown }))
  }

  const receive = async (report: LedgerFeedback) => {
    const event = ledgerEvent({ seed: 'one' })
    const batch = ledgerBatch(1, [event], { feedback: [report] })
    const store = createIssueStore(opened)
    await store.apply(batch)
    // As after a kill.
    await store.apply(batch)
    return event.grouped.event.event_id
  }

  it('is that those went which are too old: whoever told of them forgets what they said', async () => {
    await receive(reportAbout(ledgerEvent({ seed: 'one' }).grouped.event.event_id, 'It broke'))
    const { expire } = createReportRetention(opened)
    const { signal } = new AbortController()
    expect(await expire?.({ organizationId: 1, projectIds: [1], before: BASE_TIME, signal })).toEqual({ feedback: 0 })
    expect(await expire?.({ organizationId: 1, projectIds: [1], before: BASE_TIME + 1, signal })).toEqual({
      feedback: 1,
    })
    expect((await noted()).at(-1)).toMatchObject({ kind: 'reports_deleted', project_id: 1, data: { reportIds: [1] } })
  })

  it('is that one came, once, with the issue that it is about', async () => {
    const eventId = ledgerEvent({ seed: 'one' }).grouped.event.event_id
    await receive(reportAbout(eventId, 'It broke'))
    expect(await noted()).toMatchObject([
      {
        kind: 'report_received',
        issue_id: 1,
        report_id: 1,
        received_at: BASE_TIME,
        data: { isGathered: false, report: { message: 'It broke', name: 'Ada', email: null, hasPicture: true } },
      },
    ])
  })

  it('is nothing of what is held for spam, and nothing of what its sender adds', async () => {
    const report = reportAbout('a'.repeat(32), 'Buy')
    await receive({ ...report, report: { ...report.report, honeypot: true } })
    await createLedgerThreads(opened).answer(TOKEN, 'Buy more', BASE_TIME)
    expect(await noted()).toEqual([])
  })

  it('is that who sent one wrote again', async () => {
    await receive(reportAbout('a'.repeat(32), 'It broke'))
    expect(await createLedgerThreads(opened).answer(TOKEN, 'It still does', BASE_TIME + 1)).toBe('ok')
    expect((await noted()).at(-1)).toMatchObject({
      kind: 'reporter_replied',
      report_id: 1,
      received_at: BASE_TIME + 1,
      data: { text: 'It still does', message: 'It broke', name: 'Ada' },
    })
  })
})
