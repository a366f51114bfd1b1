import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { sendFeedback } from '../lib/feedback.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { pngOf } from '../lib/png.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'

/** What stands there until the server has answered, when it comes, and when a part of it does not. */

const ORGANIZATION = 'loading'

/** Of a screen, all that moved under the reader's eyes. Chromium calls 0.1 good. */
const MAX_SHIFT = 0.02

declare global {
  interface Window {
    /** Layout shifts so far. */
    moved?: number
  }
}

/** Runs in the page, before anything of it. */
const countShifts = (): void => {
  globalThis.window.moved = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      globalThis.window.moved = (globalThis.window.moved ?? 0) + (entry as PerformanceEntry & { value: number }).value
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

describe('while the console loads', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  const ids = { issue: '', report: '' }

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
    await sendEvents(
      server.account.dsn,
      ['FirstError', 'SecondError', 'FirstError'].map((type, index) =>
        errorEvent(type, 'is waited for', {
          in: type,
          release: 'shop@1.0.0',
          environment: 'production',
          tags: { area: index === 0 ? 'cart' : 'list' },
          user: { id: String(index), email: `visitor${index}@example.com` },
          breadcrumbs: [{ category: 'ui.click', message: 'button.pay' }],
        }),
      ),
    )
    const bytes = pngOf(1280, 720)
    const sent = await sendFeedback(
      server.account.dsn,
      { message: 'The list stays empty', name: 'Marta', url: 'https://shop.example.com/list' },
      {
        event: { breadcrumbs: [{ category: 'ui.click', message: 'button.list' }] },
        files: [{ name: 'screenshot.png', type: 'image/png', bytes }],
      },
    )
    ids.report = sent.eventId
    ids.issue = (await apiOf(server).issue('FirstError')).id
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it.each([
    ['the stream', () => 'issues', 'Loading issues', 'FirstError'],
    ['an issue', () => `issues/${ids.issue}`, 'Loading the issue', 'button.pay'],
    ['the inbox', () => 'feedback', 'Loading reports', 'The list stays empty'],
    ['a report', () => `feedback?report=${ids.report}`, 'Loading the report', 'button.list'],
    ['the set-up', () => 'projects/shop/getting-started', 'Loading the instructions', 'is waited for'],
    ['a project', () => 'settings/projects/shop', 'Loading: the project', 'Delete this project'],
    ['members', () => 'settings/members', 'Loading: the members', `ann@${ORGANIZATION}.example.com`],
    ['receipts', () => 'receipts', 'Loading the receipts', 'Stored and shown.'],
  ])('%s has its shape before it is there, and nothing moves when it comes', async (_, path, label, text) => {
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      const { page, complaints, close } = await openPage(browser, { ...signedIn, viewport })
      await page.addInitScript(countShifts)
      const released = Promise.withResolvers<void>()
      await page.route(
        ({ pathname }) =>
          pathname.startsWith('/api/0/') && !pathname.includes('/auth/') && !pathname.endsWith('/live/'),
        async (route) => {
          await released.promise
          await route.fallback()
        },
      )
      await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/${path()}`)
      const outline = page.getByRole('status', { name: label })
      await outline.waitFor()
      // What is answered sooner comes without a flash of grey before it.
      const [delay, before] = await outline.evaluate((element) => {
        const { animationDelay, animationFillMode } = getComputedStyle(element)
        return [animationDelay, animationFillMode]
      })
      expect([delay, before]).toEqual(['0.15s', 'backwards'])
      await eventually(() => outline.evaluate((element) => getComputedStyle(element).opacity)).toBe('1')
      released.resolve()
      await page.getByText(text).first().waitFor()
      await eventually(() => page.getByRole('status', { name: /^Loading/ }).count()).toBe(0)
      await eventually(() => page.evaluate(() => [...document.images].every((image) => image.complete))).toBe(true)
      const moved = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            // Shifts are told of after the frame in which they were drawn.
            requestAnimationFrame(() => requestAnimationFrame(() => resolve(globalThis.window.moved ?? 1)))
          }),
      )
      expect(moved, `${viewport.width} px`).toBeLessThanOrEqual(MAX_SHIFT)
      expect(complaints.list).toEqual([])
      await close()
    }
  })

  it.each([
    ['tags', 'The tags could not be loaded.', 'area'],
    ['stats', 'The graph could not be loaded.', 'highest'],
  ])(
    'a part of the issue page that is slow (%s) says so and is tried again; the rest stays',
    async (part, said, text) => {
      const { page, complaints, close } = await openPage(browser, signedIn, [/status of 503/])
      let asked = 0
      await page.route(
        ({ pathname }) => pathname.endsWith(`/issues/${ids.issue}/${part}/`),
        (route) => {
          asked += 1
          return route.fulfill({
            status: 503,
            headers: { 'retry-after': '5' },
            json: { detail: 'This search takes too long.' },
          })
        },
      )
      await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues/${ids.issue}`)
      const failed = page.getByRole('alert').filter({ hasText: said })
      await failed.getByText('This search takes too long.').waitFor()
      await page.getByText('button.pay').waitFor()
      await page.getByRole('heading', { level: 1, name: 'FirstError' }).waitFor()
      // Once ahead of the page and once by it, and not again: the server said when to come.
      expect(asked).toBeLessThanOrEqual(2)
      await page.unrouteAll({ behavior: 'wait' })
      await failed.getByRole('button', { name: 'Try again' }).click()
      await failed.waitFor({ state: 'detached' })
      await page.getByText(text).first().waitFor()
      expect(complaints.list).toEqual([])
      await close()
    },
  )

  it('receipts that are slow say so in their place: the filters stay', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, [/status of 503/])
    await page.route(
      ({ pathname }) => pathname.endsWith('/receipts/'),
      (route) =>
        route.fulfill({
          status: 503,
          headers: { 'retry-after': '5' },
          json: { detail: 'This search takes too long.' },
        }),
    )
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/receipts`)
    await page.getByText('The receipts could not be loaded').waitFor()
    await page.getByRole('heading', { level: 1, name: 'Receipts' }).waitFor()
    await page.unrouteAll({ behavior: 'wait' })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByText('Stored and shown.').first().waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })
})
