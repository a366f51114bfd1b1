import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { answer, partsOf, serveWidget, type WidgetSite } from './dialog-site.ts'

type Parts = ReturnType<typeof partsOf>

const LOGS = '/feedback-logs.js'
const LABEL = 'console and network of the last minute'

/** What the browser's own functions look like, and whether they still are the first ones. */
const KEEP = `window.first = [console.log, fetch, XMLHttpRequest.prototype.open, XMLHttpRequest.prototype.send]
  window.areFirst = () => [console.log, fetch, XMLHttpRequest.prototype.open, XMLHttpRequest.prototype.send].every((each, at) => each === first[at])`

interface Crumb {
  readonly category: string
  readonly level?: string
  readonly message?: string
  readonly data?: Readonly<Record<string, unknown>>
}

describe('console and network lines', () => {
  let site: WidgetSite
  let browser: Browser
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([serveWidget(), joinBrowser()])
  })
  afterAll(async () => {
    await closePages(browser)
    await site.close()
  })
  beforeEach(() => {
    site.answering = answer(200)
    site.arrived.length = 0
    site.asked.length = 0
    site.blocked.clear()
  })

  const visit = async (
    work: (page: Page, parts: Parts) => Promise<void>,
    shown: Parameters<WidgetSite['show']>[0] = {},
    ignore: readonly RegExp[] = [],
  ): Promise<void> => {
    site.show({ ...shown, head: `<script>${KEEP};${shown?.head ?? ''}</script>` })
    const { page, complaints, close } = await openPage(browser, {}, ignore)
    try {
      await page.goto(site.url)
      await partsOf(page).trigger.waitFor()
      await work(page, partsOf(page))
      expect(complaints.list).toEqual([])
    } finally {
      await close()
    }
  }
  const areFirst = (page: Page): Promise<boolean> =>
    page.evaluate(() => (globalThis as unknown as { areFirst(): boolean }).areFirst())
  const crumbsOf = (index: number): readonly Crumb[] | undefined =>
    (site.arrived[index]?.event as { readonly breadcrumbs?: readonly Crumb[] } | undefined)?.breadcrumbs
  const on = { options: { logs: true } }
  const recording = (page: Page) => eventually(() => areFirst(page)).toBe(false)

  it('widget 107: nothing is noted unless it is configured', () =>
    visit(async (page, { trigger, message, send, banner }) => {
      await page.evaluate(() => console.log('a word'))
      await trigger.click()
      await message.fill('hello')
      await send.click()
      await banner.waitFor()
      expect(await areFirst(page)).toBe(true)
      expect(site.asked).not.toContain(LOGS)
      expect(crumbsOf(0)).toBeUndefined()
    }))

  it('widget 107: what the page said and asked is shown before it is sent, without what was filled in', () =>
    visit(
      async (page, { trigger, message, send, banner }) => {
        await recording(page)
        const seen = await page.evaluate(async () => {
          console.warn('basket', { items: 2, password: 'hunter2' }, new TypeError('no tea'))
          console.log('token=abc')
          console.log({
            get bad(): string {
              throw new Error('a getter')
            },
          })
          const found = await fetch('/icon?user=ada#top')
          const missing = await fetch(new Request('/missing', { method: 'PUT' }))
          const failed: unknown = await fetch('http://127.0.0.1:1/').catch((error: unknown) => error)
          const asked = new XMLHttpRequest()
          asked.open('get', '/icon?q=tea')
          await new Promise((resolve) => {
            asked.addEventListener('loadend', resolve)
            asked.send()
          })
          return [found.status, missing.status, failed instanceof TypeError, asked.status, fetch.name, fetch.length]
        })
        expect(seen).toEqual([204, 404, true, 204, 'fetch', 1])
        await trigger.click()
        await page.getByText(`Includes page address, browser, ${LABEL}`).click()
        const lines = page.getByRole('list', { name: LABEL }).getByRole('listitem')
        const at = site.url.replace(/\/$/, '')
        await eventually(() => lines.allTextContents()).toEqual([
          'warning basket {"items":2,"password":[Filtered]} TypeError: no tea',
          'log token=[Filtered]',
          `GET ${at}/icon?user= 204`,
          `PUT ${at}/missing 404`,
          'GET http://127.0.0.1:1/',
          `GET ${at}/icon?q= 204`,
        ])
        // Said after the form was opened: nobody has seen it, so it does not go along.
        await page.evaluate(() => console.log('later'))
        await message.fill('hello')
        await send.click()
        await banner.waitFor()
        const crumbs = crumbsOf(0) ?? []
        expect(crumbs.map(({ category, level }) => [category, level])).toEqual([
          ['console', 'warning'],
          ['console', 'log'],
          ['fetch', undefined],
          ['fetch', 'warning'],
          ['fetch', 'error'],
          ['xhr', undefined],
        ])
        expect(crumbs[5]?.data).toMatchObject({ method: 'GET', status_code: 204 })
        expect(crumbs[5]?.data?.['duration_ms']).toBeGreaterThanOrEqual(0)
        // The report itself is no line of the next one.
        await trigger.click()
        await eventually(() => lines.last().textContent()).toBe('log later')
      },
      on,
      [/404|ERR_UNSAFE_PORT|Failed to load resource|ERR_CONNECTION/],
    ))

  it('widget 107: the visitor can leave it out', () =>
    visit(async (page, { trigger, message, send, banner }) => {
      await recording(page)
      await page.evaluate(() => console.log('a word'))
      await trigger.click()
      await page.getByText(`Includes page address, browser, ${LABEL}`).click()
      await page.getByLabel(LABEL, { exact: true }).first().uncheck()
      await page.getByText('Includes page address, browser').waitFor()
      await message.fill('hello')
      await send.click()
      await banner.waitFor()
      expect(crumbsOf(0)).toBeUndefined()
    }, on))

  it('widget 104, 107: remove() gives the page its functions back', () =>
    visit(async (page) => {
      await recording(page)
      await page.evaluate(() => (globalThis as unknown as { feedback: { remove(): Promise<void> } }).feedback.remove())
      expect(await areFirst(page)).toBe(true)
    }, on))

  it('widget 107: where Sentry’s SDK notes them, it is left alone, and its notes of the last minute go along', () =>
    visit(
      async (page, { trigger, message, send, banner }) => {
        await trigger.click()
        await message.fill('hello')
        await send.click()
        await banner.waitFor()
        expect(site.asked).toContain(LOGS)
        expect(await areFirst(page)).toBe(true)
        expect(crumbsOf(0)?.map((crumb) => crumb.message)).toEqual(['theirs'])
      },
      {
        ...on,
        head: `const now = Date.now() / 1000
          const crumbs = [{ timestamp: now - 90, category: 'console', message: 'old' }, { timestamp: now, category: 'ui.click', message: 'a click' }, { timestamp: now, category: 'console', level: 'log', message: 'theirs' }]
          const client = { getIntegrationByName: (name) => name === 'Breadcrumbs' ? {} : undefined }
          window.__SENTRY__ = { version: '9.0.0', '9.0.0': { stack: { getClient: () => client, getIsolationScope: () => ({ getScopeData: () => ({ breadcrumbs: crumbs }) }) } } }`,
      },
    ))

  describe('as an integration of an SDK that notes them', () => {
    /** A click, a line that is too old, and one of the last minute. */
    const within = {
      options: { autoInject: false },
      after: `const { feedbackIntegration } = await import('/feedback.js')
          const now = Date.now() / 1000
          const breadcrumbs = [{ timestamp: now - 90, category: 'console', message: 'old' }, { timestamp: now - 2, category: 'ui.click', message: 'a step' }, { timestamp: now - 1, category: 'console', level: 'log', message: 'a word' }]
          window.later = () => breadcrumbs.push({ timestamp: Date.now() / 1000, category: 'console', level: 'log', message: 'later' })
          const scope = { getScopeData: () => ({ breadcrumbs }), getUser: () => ({}) }
          const widget = feedbackIntegration({ logs: true, enableScreenshot: false })
          const client = { getOptions: () => ({ dsn: location.origin.replace('//', '//0123456789abcdef0123456789abcdef@') + '/1' }), getDsn: () => undefined,
            getIntegrationByName: (name) => name === 'Breadcrumbs', getCurrentScope: () => scope, getIsolationScope: () => scope, getGlobalScope: () => scope }
          widget.setup(client); widget.afterAllSetup(client)`,
    }
    const sentWithout = (part: string) => async (page: Page, parts: Parts) => {
      await parts.trigger.click()
      await page.getByText(`Includes page address, browser, recent actions, ${LABEL}`).click()
      const lines = page.getByRole('list', { name: LABEL }).getByRole('listitem')
      await eventually(() => lines.allTextContents()).toEqual(['log a word'])
      // Nobody has seen it, so it does not go along.
      await page.evaluate(() => (globalThis as unknown as { later(): void }).later())
      if (part !== 'nothing') await page.getByRole('checkbox', { name: part }).uncheck()
      await parts.message.fill('hello')
      await parts.send.click()
      await parts.banner.waitFor()
      expect(await areFirst(page)).toBe(true)
    }

    it.each([
      ['nothing', ['a step', 'a word']],
      ['recent actions', ['a word']],
      [LABEL, ['a step']],
    ])('widget 91, 107: its lines are shown, and go along as shown; without %s', (part, sent) =>
      visit(async (page, parts) => {
        await sentWithout(part)(page, parts)
        expect(crumbsOf(0)?.map((crumb) => crumb.message)).toEqual(sent)
      }, within),
    )
  })

  it('widget 107: where the code for it does not load, the form does without', () => {
    site.blocked.add(LOGS)
    return visit(
      async (page, { trigger, message, send, banner }) => {
        await trigger.click()
        await page.getByText('Includes page address, browser').waitFor()
        await message.fill('hello')
        await send.click()
        await banner.waitFor()
        expect(crumbsOf(0)).toBeUndefined()
      },
      on,
      [/404/],
    )
  })
})
