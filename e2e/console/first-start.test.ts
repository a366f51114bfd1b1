import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER, type RunningServer, startServer } from '../../tools/harness/server.ts'
import { originOf } from '../lib/account.ts'
import { launchBrowser, openPage } from '../lib/browser.ts'
import { serveSite } from '../lib/site.ts'
import { frameOf } from './pages/frame.ts'
import { logInPage } from './pages/log-in.ts'

/** The browser notes a refused request as an error of its own; the flow provokes it. */
const REFUSED = [/status of (?:400|401|429)/]

describe('the first start', () => {
  let server: RunningServer
  let browser: Browser
  let origin: string
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startServer({ setUp: false }), launchBrowser()])
    origin = originOf(server)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    server.remove()
  })

  it('leads from the set-up page to the first event of a real SDK, live, and to its issue', async () => {
    const { page, complaints, close } = await openPage(browser)
    await page.goto(`${origin}/organizations/anything/issues`)
    await page.waitForURL('**/setup')
    const create = page.getByRole('button', { name: 'Create and continue' })

    await create.click()
    await page.getByText('Write an e-mail address, like ann@example.com.').waitFor()
    await page.getByText('Name your organisation or team.').waitFor()

    await page.getByLabel('E-mail').fill(OWNER.email)
    await page.getByLabel('Name', { exact: false }).first().fill('Ann')
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByLabel('Organisation', { exact: true }).fill('Acme Shop')
    await page.getByLabel('Project', { exact: true }).fill('Shop web')
    await create.click()

    await page.getByRole('heading', { name: 'Set up Shop web' }).waitFor()
    await page.getByText('Waiting for the first event…').waitFor()
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

    await page.getByText('The first event is here').waitFor()
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
    expect(await page.getByRole('button', { name: 'Create and continue' }).count()).toBe(0)
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
