import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { newTraceId, sendTransaction, type SpanToSend } from '../lib/transactions.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'calls'

/** What one request asks of others; each has other values in it. */
const callsOf = (time: number): readonly SpanToSend[] => [
  { op: 'db.sql.query', name: `SELECT * FROM carts WHERE id = ${time}`, from: 1, to: 101 + time },
  { op: 'db.sql.query', name: `SELECT * FROM carts WHERE id = ${time + 1000}`, from: 110, to: 120 },
  { op: 'db.sql.query', name: 'SELECT 1', from: 130, to: 131 },
  // Two of four: one that its SDK calls failed, and one that it calls ok.
  {
    op: 'http.client',
    name: 'POST https://pay.example/charges',
    from: 122,
    to: 128,
    status: time === 1 ? 'deadline_exceeded' : 'ok',
    data: time === 1 ? {} : { 'http.response.status_code': time === 2 ? 500 : 200 },
  },
  { op: 'cache.get', name: `cart:${time}`, from: 140, to: 141, data: { 'cache.hit': time !== 0 } },
  {
    op: 'gen_ai.chat',
    name: 'chat o4',
    from: 150,
    to: 950,
    data: {
      'gen_ai.request.model': 'o4',
      'gen_ai.usage.input_tokens': 1200,
      'gen_ai.usage.output_tokens': 300,
      'gen_ai.cost.total_tokens': 0.0205,
    },
  },
]

describe('what services ask of others', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it('statements without their values, what they cost and are called from, and samples that open their trace', async () => {
    for (let time = 0; time < 4; time += 1) {
      await sendTransaction(server.account.dsn, {
        traceId: newTraceId(),
        startMs: Date.now() - 60_000,
        root: { op: 'http.server', name: 'GET /cart', from: 0, to: 1000, children: callsOf(time) },
      })
    }
    const { page, complaints, close } = await openPage(browser, signedIn)
    const at = `${originOf(server)}/organizations/${ORGANIZATION}/performance`
    const databases = page.getByRole('table', { name: 'Databases' })
    const carts = databases.getByRole('row').filter({ hasText: 'FROM carts' })
    // Eight of them in four transactions: 446 ms in all.
    await until('all statements', async () => {
      await page.goto(`${at}/databases?sort=-total`)
      await page
        .getByText(/^(No statements in this time|Statement)$/)
        .first()
        .waitFor()
      return (await carts.getByText('446 ms').count()) > 0 ? true : null
    })
    expect(await databases.getByRole('row').count()).toBe(3)
    await carts.getByText('99%').or(carts.getByText('100%')).first().waitFor()

    await page.getByRole('navigation', { name: 'Parts of performance' }).getByRole('link', { name: 'Caches' }).click()
    const cached = page.getByRole('table', { name: 'Caches' }).getByRole('row').filter({ hasText: 'GET' })
    await eventually(() => cached.textContent()).toContain('75%')
    expect(await cached.textContent()).toContain('GET cart:*')
    expect(await page.getByText(/cart:\d/).count()).toBe(0)
    await page.getByRole('navigation', { name: 'Parts of performance' }).getByRole('link', { name: 'Requests' }).click()
    const paid = page.getByRole('table', { name: 'Requests' }).getByRole('row').filter({ hasText: 'POST' })
    await eventually(() => paid.textContent()).toMatch(/4xx 0%.*5xx 25%.*Failed 50%/)
    await page.getByRole('navigation', { name: 'Parts of performance' }).getByRole('link', { name: 'AI' }).click()
    const model = page.getByRole('table', { name: 'AI' }).getByRole('row').filter({ hasText: 'o4' })
    await eventually(() => model.textContent()).toMatch(/Tokens in 4\.8K.*Tokens out 1\.2K.*Cost \$0\.082/)

    await page.goBack()
    await page.goBack()
    await page.goBack()
    await carts.getByRole('link').click()
    const callers = page.getByRole('table', { name: 'Called from' })
    await eventually(() => callers.getByRole('row').nth(1).textContent()).toMatch(/GET \/cart8 times/)
    const samples = page.getByRole('table', { name: 'Samples' })
    await eventually(() => samples.getByRole('row').nth(1).textContent()).toMatch(/103 ms.*WHERE id = 3/)
    await page.getByRole('radio', { name: 'Typical' }).click()
    await eventually(() => samples.getByRole('row').nth(1).textContent()).toMatch(/ ms.*WHERE id = (?:[0-24-9]|\d{4})/)
    await page.getByRole('radio', { name: 'Slowest' }).click()
    await eventually(() => samples.getByRole('row').nth(1).textContent()).toContain('WHERE id = 3')
    await page.keyboard.press('t')
    const tree = page.getByRole('treegrid', { name: 'Spans' })
    await eventually(() => tree.locator('[aria-selected=true]').textContent()).toContain('WHERE id = 3')
    expect(complaints.list).toEqual([])
    await close()
  })
})
