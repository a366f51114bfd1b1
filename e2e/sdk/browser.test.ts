import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { serveSite } from '../lib/site.ts'

const ORGANIZATION = 'browser'

const application = (alias: string, word: string, dsn: string): string => `
  import * as Sentry from '${alias}'
  Sentry.init({ dsn: ${JSON.stringify(dsn)}, release: 'site@${alias}', environment: 'e2e', sendDefaultPii: true })
  Sentry.setUser({ id: '7', email: 'bob@example.com' })
  function openBasket() { null.items.length }
  document.getElementById('basket').addEventListener('click', function onBasket() {
    try { openBasket() } catch (cause) { throw new Error('basket of ${word} is broken', { cause }) }
  })
  document.getElementById('note').addEventListener('click', () => Sentry.captureMessage('visitor of ${word} says hello'))
  document.getElementById('late').addEventListener('click', () => { Promise.reject(new RangeError('promise of ${word} was broken')) })
`

const BUTTONS = '<button id="basket">Basket</button><button id="note">Note</button><button id="late">Late</button>'

/** Unmodified SDKs in Chromium, on a page of another origin: CORS, text/plain bodies, authentication by query. */
describe('the JavaScript SDKs in Chromium', () => {
  let server: SharedServer
  let browser: Browser
  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it.each([
    [7, 'seven'],
    [8, 'eight'],
    [9, 'nine'],
    [10, 'ten'],
    [11, 'eleven'],
  ])('SDK %i: an uncaught error, a rejected promise and a message become three issues', async (major, word) => {
    const alias = `sentry-browser-${major}`
    const site = await serveSite(application(alias, word, server.account.dsn), BUTTONS)
    const { page, close } = await openPage(browser)
    await page.goto(site.url)
    await page.click('#basket')
    await page.click('#note')
    await page.click('#late')
    const api = apiOf(server)

    const uncaught = await api.issue(`basket of ${word} is broken`)
    const event = await api.latestEvent(uncaught.id)
    expect(event.tags).toContainEqual(expect.objectContaining({ key: 'handled', value: 'no' }))
    expect(event.contexts['browser']?.['name']).toMatch(/Chrome/)
    expect(event.user).toMatchObject({ id: '7', ip_address: '127.0.0.1' })
    const crumbs = event.entries.find((entry) => entry.type === 'breadcrumbs')?.data as {
      values: { category: string; message: string | null }[]
    }
    expect(crumbs.values).toContainEqual(
      expect.objectContaining({ category: 'ui.click', message: expect.stringContaining('button#basket') }),
    )

    const rejected = await api.issue(`promise of ${word} was broken`)
    expect(rejected.metadata['type']).toBe('RangeError')

    const message = await api.issue(`visitor of ${word} says hello`)
    expect(message).toMatchObject({ title: `visitor of ${word} says hello`, level: 'info' })

    await close()
    await site.close()
  })
})
