import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { withinOneHour } from '../lib/hour.ts'
import { ingestUrl, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { serveSite } from '../lib/site.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'receipts'

describe('the receipts', () => {
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

  const change = async (path: string, method: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(`${originOf(server)}/api/0${path}`, {
      method,
      headers: { authorization: `Bearer ${server.account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }

  it('say in plain words what became of everything: kept, filtered, limited, unreadable, dropped by the SDK', async () => {
    const { dsn } = server.account
    const limited = (await change(`/projects/${ORGANIZATION}/shop/keys/`, 'POST', {
      name: 'limited',
      rateLimit: { count: 1, window: 3600 },
    })) as {
      dsn: { public: string }
    }
    await change(`/projects/${ORGANIZATION}/shop/`, 'PUT', { settings: { filters: { localhost: true } } })
    await until('the localhost filter', async () => {
      await sendEvents(dsn, [{ message: 'from my machine', request: { url: 'http://localhost:5173/' } }])
      const { totals } = await apiOf(server).receipts()
      return totals.some((row) => row.reason === 'localhost') ? true : null
    })
    await sendEvents(dsn, [{ message: 'from a visitor', user: { ip_address: '203.0.113.7' } }])
    await fetch(ingestUrl(dsn), { method: 'POST', body: '{}\n{"type":"event"}\n{"message": "cut of' })

    const site = await serveSite(`
      import * as Sentry from 'sentry-browser-11'
      Sentry.init({
        dsn: ${JSON.stringify(limited.dsn.public)},
        beforeSend: (event) => (event.message === 'secret' ? null : event),
      })
      Sentry.setUser({ ip_address: '203.0.113.7' })
      globalThis.capture = (text) => { Sentry.captureMessage(text); return Sentry.flush(10000) }
    `)
    await withinOneHour()
    const visitor = await openPage(browser, {}, [/status of 429/])
    await visitor.page.goto(site.url)
    for (const text of ['secret', 'kept', 'refused', 'held back']) await visitor.page.evaluate(`capture('${text}')`)
    // An SDK reports what it dropped when the page is hidden.
    await visitor.page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden' })
      document.dispatchEvent(new Event('visibilitychange'))
    })

    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/receipts`)
    const table = page.getByRole('table', { name: 'Receipts' })
    const row = (outcome: string, words: string) =>
      table.getByRole('row').filter({ hasText: outcome }).filter({ hasText: words })
    await row('Accepted', 'event').first().waitFor()
    await row('Filtered', 'It came from a development machine (localhost).').waitFor()
    await row('Rate limited', 'The key’s own rate limit was reached.').first().waitFor()
    await row('Invalid', 'The JSON is broken or cut off.').waitFor()
    await row('Dropped by the SDK', 'Your own beforeSend returned nothing.').waitFor()
    await row('Dropped by the SDK', 'The SDK held it back because the server had asked for less.').waitFor()

    await page.getByRole('button', { name: /^Invalid/ }).click()
    await page.waitForURL('**outcome=invalid**')
    await eventually(() => table.getByRole('row').count()).toBe(2)
    await page.getByRole('button', { name: /^Invalid/ }).click()
    await row('Rate limited', 'The key’s own rate limit was reached.')
      .first()
      .getByRole('link', { name: 'Open the setting' })
      .click()
    await page.getByText('Limit: 1 per hour').waitFor()
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/receipts`)
    await table.waitFor()
    for (const width of [390, 320]) {
      await page.setViewportSize({ width, height: 844 })
      const overflow = () =>
        table.evaluate((element) => {
          const box = element.parentElement ?? element
          return [box.scrollWidth - box.clientWidth, document.documentElement.scrollWidth - innerWidth]
        })
      await eventually(overflow).toEqual([0, 0])
      await row('Accepted', 'event')
        .first()
        .getByText(/items?$/)
        .first()
        .waitFor()
    }
    expect(complaints.list).toEqual([])
    expect(visitor.complaints.list).toEqual([])
    await visitor.close()
    await site.close()
    await close()
  })
})
