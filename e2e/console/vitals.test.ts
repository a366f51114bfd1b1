import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { sendMeasuredLoad, sendStandaloneInp, sendStreamedVitals } from '../lib/page-loads.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

const ORGANIZATION = 'vitals'
const LONG = '/a/page/whose/name/is/longer/than/a/phone/is/wide'

describe('web vitals', () => {
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

  it('T69, T72, T73, T74 are rated by page, however the SDK tells them; the worst say whom to blame, and open their trace', async () => {
    const { dsn } = server.account
    await sendStreamedVitals(dsn, [
      ...Array.from({ length: 10 }, () => ({ page: '/cart', country: 'AT', vitals: { lcp: 2501, inp: 90 } })),
      { page: LONG, vitals: { lcp: 900 } },
      {
        page: '/cart',
        browser: 'Firefox',
        vitals: { inp: 640 },
        attributes: {
          'browser.web_vital.inp.target': 'button.place',
          'browser.web_vital.inp.input_delay': 40,
          'browser.web_vital.inp.processing_duration': 520,
          'browser.web_vital.inp.presentation_delay': 80,
        },
      },
    ])
    await sendMeasuredLoad(dsn, { page: '/rare', vitals: { lcp: 4001, cls: 0.3, fcp: 900, ttfb: 200 } })
    await sendStandaloneInp(dsn, '/rare', 320, 'body > a.more')

    const { page, complaints, close } = await openPage(browser, signedIn)
    const table = page.getByRole('table', { name: 'Pages' })
    const at = `${originOf(server)}/organizations/${ORGANIZATION}/performance`
    await until('both pages', async () => {
      await page.goto(`${at}/vitals?sort=page`)
      await page
        .getByText(/^(No web vitals in this time|Page)$/)
        .first()
        .waitFor()
      // The last that was sent is the interaction on the second page.
      return (await table.getByText('320 ms').count()) > 0 ? true : null
    })
    const rowOf = (name: string) => table.getByRole('row').filter({ hasText: name })
    const cart = rowOf('/cart')
    await eventually(() => cart.textContent()).toMatch(/2\.501 s Needs work.*90 ms Good.*11 samples$/)
    expect(await cart.getByText('Few samples').count()).toBe(0)
    const rare = rowOf('/rare')
    await rare.getByText('Few samples', { exact: true }).waitFor()
    await eventually(() => rare.textContent()).toMatch(/4\.001 s Poor/)
    const cards = page.getByRole('list', { name: 'Web vitals at p75' })
    await cards.getByText('Poor', { exact: true }).first().waitFor()

    // On a phone the project stands beside the name, however long that is.
    await page.setViewportSize({ width: 390, height: 844 })
    const long = rowOf(LONG)
    const apart = async (): Promise<number> => {
      const [name, place] = await Promise.all(
        [LONG, 'Shop'].map((text) => long.getByText(text, { exact: true }).boundingBox()),
      )
      return Math.abs((name?.y ?? 0) + (name?.height ?? 0) / 2 - (place?.y ?? 999) - (place?.height ?? 0) / 2)
    }
    await eventually(apart).toBeLessThan(4)
    await page.setViewportSize({ width: 1440, height: 900 })
    await table.getByRole('button', { name: 'LCP' }).waitFor()

    await cart.getByRole('link').click()
    await page.getByRole('button', { name: 'INP next paint' }).click()
    await page.getByRole('heading', { name: 'INP over time' }).waitFor()
    const samples = page.getByRole('table', { name: 'Worst samples' })
    const worst = samples.getByRole('row').nth(1)
    await eventually(() => worst.textContent()).toMatch(
      /640 ms Poor.*button\.place.*input delay 40 ms · processing 520 ms · presentation 80 ms.*Firefox/,
    )
    await page.getByRole('radio', { name: 'Country' }).click()
    await page.getByRole('table', { name: 'INP by country' }).getByRole('row').filter({ hasText: 'AT' }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    const beyond = () =>
      page
        .getByRole('table', { name: 'INP by country' })
        .evaluate((table) => table.getBoundingClientRect().right - document.documentElement.clientWidth)
    await eventually(beyond).toBeLessThanOrEqual(0)
    await page.setViewportSize({ width: 1440, height: 900 })
    await samples.getByRole('columnheader', { name: 'When' }).waitFor()
    await worst.getByRole('link').click()
    const tree = page.getByRole('treegrid', { name: 'Spans' })
    await eventually(() => tree.locator('[aria-selected=true]').textContent()).toContain('INP')

    // The span of an older SDK is called after its element, and tells no browser but by its User-Agent.
    await page.goto(`${at}/vitals/page?page=/rare&vital=inp&by=browser`)
    await eventually(() => samples.getByRole('row').nth(1).textContent()).toContain('body > a.more')
    await page.getByRole('table', { name: 'INP by browser' }).getByText('Mobile Safari').waitFor()

    // What a score is made of can be read without a pointer.
    const notes = page.getByText('What the values and scores mean', { exact: true })
    await notes.focus()
    await page.keyboard.press('Enter')
    await page.getByText(/^Score: Of 100.*\. 200 ms scores 90, 500 ms scores 50\.$/).waitFor()

    // A page that nobody loaded is one sentence, not one for each vital.
    await page.goto(`${at}/vitals/page?page=/nope`)
    await page.getByText('No web vitals of this page', { exact: true }).waitFor()
    expect(await page.getByText(/^Not measured/).count()).toBe(0)
    await page.getByRole('link', { name: 'All pages' }).click()
    await cart.waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })
})
