import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { newSpanId, newTraceId, sendTransaction } from '../lib/transactions.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'traces-found'

describe('the search for traces', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
    for (const [name, plan] of [
      ['GET /cart', 'free'],
      ['POST /api/orders', 'paid'],
    ] as const) {
      const traceId = newTraceId()
      await sendTransaction(server.account.dsn, {
        traceId,
        startMs: Date.now() - 60_000,
        root: {
          op: 'http.server',
          name,
          from: 0,
          to: 900,
          children: [{ op: 'db.sql.query', name: 'SELECT carts', from: 1, to: 300, data: { plan } }],
        },
      })
      if (plan === 'paid')
        await sendEvents(
          server.account.dsn,
          ['no stock', 'no price'].map((message) => ({
            ...errorEvent('Error', message),
            contexts: { trace: { trace_id: traceId, span_id: newSpanId() } },
          })),
        )
    }
  })
  afterAll(() => closePages(browser))

  it('finds them by an attribute of any span, and opens the waterfall at that span', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const table = page.getByRole('table', { name: 'Traces' })
    const names = () => table.getByRole('link').allTextContents()
    await until('two traces', async () => {
      await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/traces`)
      await page
        .getByText(/^(No traces in this time|POST \/api\/orders)$/)
        .first()
        .waitFor()
      return (await names()).length === 2 ? true : null
    })
    await page.getByRole('heading', { name: '2 traces' }).waitFor()
    const search = page.getByRole('combobox', { name: 'Search spans' })
    await search.fill('plan:pa')
    // What senders made up is offered, too.
    await page.getByRole('option', { name: /^paid/ }).waitFor()
    await search.fill('plan:paid')
    await search.press('Enter')
    await eventually(names).toEqual([expect.stringMatching(/^POST \/api\/orders/)])
    await page.getByRole('heading', { name: '1 trace' }).waitFor()
    await eventually(() => table.getByRole('row').nth(1).textContent()).toContain('900 ms')
    await eventually(() => table.getByRole('row').nth(1).textContent()).toContain('2 errors')
    await table.getByRole('link').click()
    const tree = page.getByRole('treegrid', { name: 'Spans' })
    await eventually(() => tree.locator('[aria-selected=true]').textContent()).toContain('SELECT carts')
    expect(complaints.list).toEqual([])
    await close()
  })
})
