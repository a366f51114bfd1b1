import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../accounts/settings.ts'
import { createIssueStore } from '../../../test/stores/batch-stores.ts'
import { BASE_TIME, ledgerBatch } from '../../issues/test/sample-events.ts'
import { LEDGER_ENGINES, seedOrganization, type OpenedLedger } from '../../storage/conformance/engines.ts'
import { createPersonalReports } from '../erase-reports.ts'
import type { LedgerFeedback } from '../feedback.store.ts'
import { readUserReport } from '../read-feedback.ts'
import { createLedgerInbox } from './inbox.ts'
import { createReportsOfPerson } from './reports-of-person.ts'

const reportFrom = (email: string, digit: string): LedgerFeedback => {
  const report = readUserReport(
    { event_id: digit.repeat(32), comments: `From ${email}`, email },
    { eventId: null, receivedAt: BASE_TIME, userAgent: null },
  )
  if (report === null) throw new Error('no report')
  const { spam } = DEFAULT_PROJECT_SETTINGS.feedback
  const place = { organizationId: 1, projectId: 1, keyId: 1 }
  return { ...place, receivedAt: BASE_TIME, addressHash: digit, attachments: 0, threadToken: null, spam, report }
}

const OWN = ['ÄRGER@x.example', 'Ärger@X.example', 'ärger@x.example', 'Jo.ÖZ@x.example', 'jo.Öz@x.example']
const OTHERS = ['arger@x.example', 'ärger@y.example', 'jo.az@x.example', 'ben@x.example']

describe.each(LEDGER_ENGINES)('reports of a person on $name', ({ open }) => {
  let opened: OpenedLedger
  beforeEach(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
    const feedback = [...OWN, ...OTHERS].map((email, index) => reportFrom(email, String(index + 1)))
    await createIssueStore(opened).apply(ledgerBatch(1, [], { feedback }))
  })
  afterEach(() => opened.close())

  const emails = ['ärger@x.example', 'jo.öz@x.example']

  it('are found by their address whatever its case, in every language', async () => {
    const period = { from: 0, to: BASE_TIME }
    const asked = { organizationId: 1, projectIds: [1], keys: [], emails, period, limit: 10, characters: 100 }
    const { reports } = createReportsOfPerson(opened.ledger)
    const found = await reports(asked)
    expect(new Set(found.map(({ message }) => message))).toEqual(new Set(OWN.map((email) => `From ${email}`)))
    expect(await reports({ ...asked, organizationId: 2 })).toEqual([])
    expect(await reports({ ...asked, projectIds: [2] })).toEqual([])
  })

  it('are counted for erasing by their address whatever its case, in every language', async () => {
    const nothing = () => {
      throw new Error('nothing is asked beside the ledger')
    }
    const { count } = createPersonalReports({
      ...opened,
      client: { command: nothing, query: nothing } as never,
      freeing: { after: nothing },
      inbox: createLedgerInbox(opened),
    })
    const person = { organizationId: 1, keys: [], emails, receivedUntil: BASE_TIME }
    expect(await count(person, 10)).toBe(OWN.length)
  })
})
