import { linkIssueTicket } from '@firsthand/contract'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createOutgoing } from '../lib/outgoing.ts'
import { LEDGER_ENGINES, type OpenedLedger } from '../storage/conformance/engines.ts'
import type { Double } from './test/double.ts'
import { startJiraCloud } from './test/jira-double.ts'
import { startLinear } from './test/linear-double.ts'
import { openTrackers, type OpenedTrackers } from './test/open-trackers.ts'
import { createTicketDesk } from './ticket-desk.ts'

const [ENGINE] = LEDGER_ENGINES
if (ENGINE === undefined) throw new Error('there is no ledger to test with')

/** Two connections to one site: the first one's place is another than that of the double's tickets. */
const CASES = [
  {
    name: 'projects of one Jira site',
    start: startJiraCloud,
    place: 'project',
    other: 'PLAN',
    id: '10001',
    own: 'SHOP-1',
    moved: { id: '10001', key: 'PLAN-9', fields: { summary: 'Moved', status: { statusCategory: { key: 'new' } } } },
    addressOf: ({ url }: Double, key: string) => `${url}/browse/${key}`,
  },
  {
    name: 'teams of Linear',
    start: startLinear,
    place: 'team',
    other: 'OPS',
    id: '0c1d8a5e-1111-4222-8333-444455556666',
    own: 'ENG-1',
    moved: {
      data: {
        issue: {
          id: '0c1d8a5e-1111-4222-8333-444455556666',
          identifier: 'OPS-9',
          url: 'https://linear.app/acme/issue/OPS-9/moved',
          title: 'Moved',
          state: { type: 'unstarted' },
        },
      },
    },
    addressOf: (_: Double, key: string) => `https://linear.app/acme/issue/${key}`,
  },
]

describe.each(CASES)('linking tickets of two $name', ({ start, place, other, id, own, moved, addressOf }) => {
  let opened: OpenedLedger
  let double: Double
  let desk: OpenedTrackers
  let link: (key: string) => ReturnType<ReturnType<typeof createTicketDesk>['link']>

  beforeEach(async () => {
    opened = await ENGINE.open()
    double = await start()
    desk = await openTrackers(opened, { ...double, settings: { ...double.settings, [place]: other } })
    const { clock } = opened
    const outgoing = createOutgoing({ allowedRanges: ['127.0.0.1'] })
    const ticketDesk = createTicketDesk({ ...desk, outgoing, clock, changed: () => {} })
    const request = {
      caller: { user: { id: 1 } },
      organization: { id: 1, slug: 'acme' },
      signal: new AbortController().signal,
    }
    const about = { subject: desk.subject, draft: () => Promise.reject(new Error('nothing is written')) }
    link = (key) => ticketDesk.link(request, about, linkIssueTicket.body.parse({ url: addressOf(double, key) }).url)
  })
  afterEach(async () => {
    await double.close()
    await opened.close()
  })

  const connect = async (name: string, more: object = {}): Promise<number> => {
    const added = await desk.trackers.add(
      {
        organizationId: 1,
        kind: double.kind,
        name,
        settings: { ...double.settings, ...more },
        sealed: { secrets: double.secrets, hook: null },
        hookKey: name.padEnd(36, '0'),
        createdBy: 1,
      },
      opened.clock.now(),
    )
    if (!added.ok) throw new Error(added.error)
    return added.value
  }

  it('finds the connection of its own project or team, not the first of the site', async () => {
    double.tickets.push({ id, key: own, title: 'There before', body: '', state: 'open' })
    await expect(link(own)).rejects.toMatchObject({ status: 400 })
    const tracker = await connect('own')
    expect(await link(own)).toMatchObject({ key: own, tracker: { id: String(tracker) } })
  })

  it('asks the next connection where one does not see it', async () => {
    double.tickets.push({ id, key: own, title: 'There before', body: '', state: 'open' })
    await connect('blind')
    double.next = { kind: 'refuse', status: 401 }
    const tracker = await connect('seeing')
    expect(await link(own)).toMatchObject({ tracker: { id: String(tracker) } })
  })

  it('refuses a ticket that was moved to another project or team, and says what it is now', async () => {
    // Trackers lead from the address that a ticket had to where it is.
    double.next = { kind: 'refuse', status: 200, json: moved }
    await connect('own')
    const message = expect.stringContaining(`is ${other}-9 now`) as string
    await expect(link(own)).rejects.toMatchObject({ status: 400, message })
  })
})
