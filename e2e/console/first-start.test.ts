import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER, type RunningServer, startServer } from '../../tools/harness/server.ts'
import { originOf } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { serveSite } from '../lib/site.ts'
import { until } from '../lib/until.ts'
import { frameOf } from './pages/frame.ts'
import { logInPage } from './pages/log-in.ts'

/** The browser notes a refused request as an error of its own; the flow provokes it. */
const REFUSED = [/status of (?:400|401|403|429)/]

describe('the first start', () => {
  let server: RunningServer
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([
      startServer({ setUp: false, environment: { FIRSTHAND_SMTP_URL: 'smtp://127.0.0.1:1?from=shop@example.com' } }),
      joinBrowser(),
    ])
    origin = originOf(server)
  })
  afterAll(async () => {
    await closePages(browser)
    await server.stop()
    server.remove()
  })

  /** What the person who starts the server reads. */
  const printedLink = (): Promise<string> =>
    until('the set-up link', () =>
      Promise.resolve(/^Nobody owns this installation yet\. Set it up at (\S+)\n$/m.exec(server.stdout())?.[1] ?? null),
    )
  const fillIn = async (page: Page): Promise<void> => {
    await page.getByLabel('E-mail').fill(OWNER.email)
    await page.getByLabel('Name', { exact: false }).first().fill('Ann')
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByLabel('Organisation', { exact: true }).fill('Acme Shop')
    await page.getByLabel('Project', { exact: true }).fill('Shop web')
  }

  it('is for nobody who has not the link that the server printed', async () => {
    const { page, complaints, close } = await openPage(browser, {}, REFUSED)
    await page.goto(`${origin}/`)
    await page.waitForURL('**/setup')
    const token = page.getByLabel('Set-up token')
    const create = page.getByRole('button', { name: 'Create and continue' })
    await fillIn(page)
    await create.click()
    await page.getByText('Paste the link or the token that the server printed when it started.').waitFor()
    await token.fill('a-guess')
    await create.click()
    await page.getByText('This is not the set-up token of this server.').waitFor()
    await eventually(() => page.getByText('npx firsthand setup-link').count()).toBe(1)
    expect(new URL(page.url()).pathname).toBe('/setup')

    // A link that was cut short: the token can be corrected.
    await page.goto('about:blank')
    await page.goto((await printedLink()).slice(0, -3))
    await page.getByLabel('E-mail').waitFor()
    expect(await token.count()).toBe(0)
    await fillIn(page)
    await create.click()
    await page.getByText('This is not the set-up token of this server.').waitFor()
    await token.waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('leads from the set-up page to the first event of a real SDK, live, and to its issue', async () => {
    const { page, complaints, close } = await openPage(browser)
    await page.goto(await printedLink())
    await page.waitForURL(/setup$/)
    await page.reload()
    const create = page.getByRole('button', { name: 'Create and continue' })

    await create.click()
    await page.getByText('Enter an e-mail address, like ann@example.com.').waitFor()
    await page.getByText('Name your organisation or team.').waitFor()
    expect(page.url()).toBe(`${origin}/setup`)

    await fillIn(page)
    const live = frameOf(page).live()
    await create.click()

    await page.getByRole('heading', { name: 'Set up Shop web' }).waitFor()
    await eventually(() => page.evaluate(() => sessionStorage.getItem('firsthand:setup-token'))).toBe(null)
    await page.getByText('Waiting for the first event…').waitFor()
    await live
    const dsn = await page
      .locator('code')
      .filter({ hasText: /^http:\/\/[0-9a-f]{32}@/ })
      .first()
      .innerText()
    const snippet = await page.locator('pre').filter({ hasText: 'Sentry.init' }).first().innerText()
    expect(snippet).toContain(dsn)

    let loads = 0
    page.on('load', () => (loads += 1))
    const site = await serveSite(`
      import * as Sentry from 'sentry-browser-11'
      Sentry.init({ dsn: ${JSON.stringify(dsn)} })
      setTimeout(function openBasket() { throw new TypeError('the basket is torn') })
    `)
    const visitor = await openPage(browser, {}, [/the basket is torn/])
    await visitor.page.goto(site.url)

    await page.getByText('The first event has arrived').waitFor()
    await page.getByText('TypeError: the basket is torn').waitFor()
    expect(loads).toBe(0)
    await page.getByRole('link', { name: 'Open the issue' }).click()
    await page.getByRole('heading', { level: 1, name: 'TypeError' }).waitFor()
    await page.getByRole('region', { name: 'Event', exact: true }).waitFor()
    expect(complaints.list).toEqual([])
    expect(visitor.complaints.list).toEqual([])
    await visitor.close()
    await site.close()
    await close()
  })

  it('is over when it is done: the set-up page leads on', async () => {
    const { page, close } = await openPage(browser)
    await page.goto(`${origin}/setup`)
    await page.waitForURL('**/login')
    await eventually(() => page.getByRole('button', { name: 'Create and continue' }).count()).toBe(0)
    await close()
  })

  it('logs in to where one was going, stays over a reload, and logs out', async () => {
    const { page, complaints, close } = await openPage(browser, {}, REFUSED)
    const logIn = logInPage(page)
    const frame = frameOf(page)
    await page.goto(`${origin}/organizations/acme-shop/receipts`)
    await logIn.heading.waitFor()
    await page.getByRole('button', { name: 'Log in' }).click()
    await page.getByText('Enter your e-mail address.').waitFor()

    await logIn.submit(OWNER.email, 'not the password')
    await page.getByText('E-mail or password is not right. Check both and try again.').waitFor()

    await logIn.submit(OWNER.email, OWNER.password)
    await page.getByRole('heading', { name: 'Receipts' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/organizations/acme-shop/receipts')

    await page.reload()
    await page.getByRole('heading', { name: 'Receipts' }).waitFor()

    await frame.logOut()
    await page.goto(`${origin}/organizations/acme-shop/issues`)
    await logIn.heading.waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('tells the owner that mails lead nowhere without an address of the server', async () => {
    const { page, complaints, close } = await openPage(browser, {}, REFUSED)
    await page.goto(`${origin}/organizations/acme-shop/receipts`)
    await logInPage(page).submit(OWNER.email, OWNER.password)
    await page
      .getByRole('status')
      .filter({ hasText: 'For the administrators of this server: FIRSTHAND_PUBLIC_URL is not set' })
      .waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('tells somebody who tries too often how long to wait', async () => {
    const { page, complaints, close } = await openPage(browser, {}, REFUSED)
    const logIn = logInPage(page)
    await page.goto(`${origin}/login`)
    for (let attempt = 0; attempt < 10; attempt += 1) {
      const answer = await page.request.post(`${origin}/api/0/auth/login/`, {
        data: { email: 'nobody@example.com', password: 'wrong wrong wrong' },
        headers: { origin },
      })
      expect(answer.status()).toBe(400)
    }
    await logIn.submit('nobody@example.com', 'wrong wrong wrong')
    await page.getByText(/Too many attempts to sign in\. Wait \d minutes and try again\./).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })
})
