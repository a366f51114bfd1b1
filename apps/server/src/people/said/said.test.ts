import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createIssueApp,
  nextId,
  sampleEvent,
  type IssueApp,
  type TestOrganization,
} from '../../issues/test/issue-app.ts'
import { LEDGER_ENGINES } from '../../storage/conformance/engines.ts'
import { readSaid } from '../ledger/said.ts'
import { createSaidRoutes } from './said.routes.ts'

const MINUTE_MS = 60_000

describe.each(LEDGER_ENGINES)('what people said about an issue, on $name', (engine) => {
  let app: IssueApp
  let acme: TestOrganization
  let issue = 0

  const wrote = (message: string, ago: number) =>
    app.report({ ...acme, issueId: issue, about: nextId(), message, ago: ago * MINUTE_MS })
  const page = async (cursor = '') => {
    const path = `/organizations/acme/issues/${issue}/people/?limit=2&cursor=${cursor}`
    const { body, headers, status } = await acme.call('GET', path)
    expect(status).toBe(200)
    return {
      said: (body as { readonly message: string }[]).map(({ message }) => message),
      hits: headers.get('x-hits'),
      next: /rel="next"; results="true"; cursor="([^"]+)"/.exec(headers.get('link') ?? '')?.[1],
    }
  }

  beforeAll(async () => {
    app = await createIssueApp(engine, {
      moreRoutes: ({ ask, accounts, issues, ledger }) =>
        createSaidRoutes({
          issues,
          ask,
          said: readSaid(ledger),
          attachments: { list: async () => [] },
          settings: accounts.lookup,
          canSendEmail: true,
        }),
    })
    acme = await app.organization('acme')
    ;[issue = 0] = await app.store(acme, [sampleEvent({ kind: 'voucher', ago: MINUTE_MS, event: {} })])
    // The second and the third came in the same moment, and a page ends between them.
    for (const [index, ago] of [9, 8, 8, 7].entries()) await wrote(`${index + 1}`, ago)
  })
  afterAll(() => app.close())

  it('its pages neither repeat nor skip one when another comes in between', async () => {
    const first = await page()
    expect(first).toMatchObject({ said: ['4', '3'], hits: '4' })
    await wrote('5', 1)
    expect(await page(first.next)).toEqual({ said: ['2', '1'], hits: '5', next: undefined })
  })

  it('a cursor of another list is refused', async () => {
    const { status } = await acme.call('GET', `/organizations/acme/issues/${issue}/people/?cursor=0:x:0`)
    expect(status).toBe(400)
  })
})
