import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { pngOf } from '../lib/png.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { answer, partsOf, pauseClock, serveWidget, type WidgetSite } from './dialog-site.ts'

/** How many reports wait on the device. */
const keptOn = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const [found] = await indexedDB.databases()
    if (found?.name === undefined) return 0
    return new Promise<number>((resolve) => {
      const opening = indexedDB.open(found.name ?? '')
      opening.addEventListener('success', () => {
        const count = opening.result.transaction('reports').objectStore('reports').count()
        count.addEventListener('success', () => {
          opening.result.close()
          resolve(count.result)
        })
      })
    })
  })

const TIMEOUT = 'Unable to determine if Feedback was correctly sent.'
const GENERIC =
  'Unable to send feedback. This could be because of network issues, or because you are using an ad-blocker.'

describe('the sender when things fail', () => {
  let site: WidgetSite
  let browser: Browser
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([serveWidget(), joinBrowser()])
  })
  afterAll(async () => {
    await closePages(browser)
    await site.close()
  })

  const visit = async (
    work: (page: Page, parts: ReturnType<typeof partsOf>) => Promise<void>,
    shown: Parameters<WidgetSite['show']>[0] = {},
  ): Promise<void> => {
    site.show(shown)
    site.answering = answer(200)
    site.arrived.length = 0
    site.blocked.clear()
    const { page, close } = await openPage(browser)
    try {
      await page.goto(site.url)
      await work(page, partsOf(page))
    } finally {
      await close()
    }
  }

  const write = async ({ trigger, message, send }: ReturnType<typeof partsOf>, text: string): Promise<void> => {
    await trigger.click()
    await message.fill(text)
    await send.click()
  }

  it('widget 14, 19, 72, 73: no answer in 5000 ms, retry under the same id, and a late success replaces the text', () =>
    visit(async (page, parts) => {
      const held: (() => void)[] = []
      site.answering = (response, count) => void held.push(() => answer(200)(response, count))
      await pauseClock(page)
      await write(parts, 'slow')
      await eventually(() => site.arrived.length).toBe(1)
      await page.clock.runFor(4800)
      await eventually(() => parts.alert.textContent()).toBe('')
      await page.clock.runFor(400)
      await eventually(() => parts.alert.textContent()).toBe(TIMEOUT)
      await eventually(() => parts.message.inputValue()).toBe('slow')
      for (const go of held) go()
      await parts.banner.waitFor()
      await eventually(() => parts.dialog.isVisible()).toBe(false)
      expect(site.arrived).toHaveLength(1)
    }))

  it('widget 15: a blocked request names network issues or an ad-blocker', () =>
    visit(async (page, parts) => {
      await page.route('**/envelope/**', (route) => route.abort('blockedbyclient'))
      await write(parts, 'blocked')
      await eventually(() => parts.alert.textContent()).toMatch(/network issues.*ad-blocker/)
    }))

  it('widget 16: 403 names the list of allowed domains', () =>
    visit(async (_, parts) => {
      site.answering = answer(403, '<h1>no</h1>')
      await write(parts, 'refused')
      await eventually(() => parts.alert.textContent()).toMatch(/domain is not in your list of allowed domains/)
    }))

  it.each([300, 302, 304, 400, 401, 404, 413, 429, 500, 502, 503])(
    'widget 17, 19: %i is the generic text, and Send works again',
    (status) =>
      visit(async (_, parts) => {
        site.answering = answer(status, '<h1>no</h1>')
        await write(parts, 'failed')
        await eventually(() => parts.alert.textContent()).toBe(GENERIC)
        await eventually(() => parts.message.inputValue()).toBe('failed')
        site.answering = answer(200)
        await parts.send.click()
        await parts.banner.waitFor()
        expect(new Set(site.arrived.map(({ event }) => event.event_id)).size).toBe(1)
      }),
  )

  it.each([200, 201, 202, 204, 299])('widget 18: %i is a success', (status) =>
    visit(async (_, parts) => {
      site.answering = answer(status)
      await write(parts, 'fine')
      await parts.banner.waitFor()
    }),
  )

  it('widget 70: offline, the report is kept, the visitor is told, and it is sent once when online', () =>
    visit(async (page, parts) => {
      await parts.trigger.click()
      await parts.message.fill('from the train')
      await page.context().setOffline(true)
      await parts.send.click()
      await parts.banner.waitFor()
      await eventually(() => parts.banner.textContent()).toMatch(/offline/)
      expect(site.arrived).toEqual([])
      await page.context().setOffline(false)
      await eventually(() => site.arrived.length).toBe(1)
      // Its answer has been read: a page that is left before it would rightly send again.
      await eventually(() => keptOn(page)).toBe(0)
      await page.reload()
      await parts.trigger.waitFor()
      await page.waitForLoadState('networkidle')
      expect(site.arrived).toHaveLength(1)
    }))

  it('widget 75: 429 says when it goes on, and tries once more by itself', () =>
    visit(async (page, parts) => {
      // The hint counts down: on a busy machine its first number would be gone.
      await pauseClock(page)
      site.answering = (response, count) =>
        answer(count === 1 ? 429 : 200, '', count === 1 ? { 'retry-after': '2' } : {})(response, count)
      await write(parts, 'busy')
      await eventually(() => parts.alert.textContent()).toBe(GENERIC)
      await eventually(() => parts.hint.textContent()).toContain('in 2 seconds')
      expect(site.arrived).toHaveLength(1)
      await page.clock.runFor(2000)
      await parts.banner.waitFor()
      expect(site.arrived.map(({ event }) => event.event_id)).toEqual(Array(2).fill(site.arrived[0]?.event.event_id))
    }))

  it('widget 77: the page is left while sending: the report goes at the next visit', () =>
    visit(async (page, parts) => {
      site.answering = () => undefined
      await write(parts, 'leaving')
      await eventually(() => site.arrived.length).toBe(1)
      site.answering = answer(200)
      await page.reload()
      await eventually(() => site.arrived.length).toBe(2)
      expect(site.arrived[1]?.event.event_id).toBe(site.arrived[0]?.event.event_id)
    }))

  it('widget 78: a half-written message survives a reload, and is gone after success', () =>
    visit(async (page, parts) => {
      await parts.trigger.click()
      await parts.message.fill('half a sen')
      await page.reload()
      await parts.trigger.click()
      await eventually(() => parts.message.inputValue()).toBe('half a sen')
      await parts.send.click()
      await parts.banner.waitFor()
      await page.reload()
      await parts.trigger.click()
      await eventually(() => parts.message.inputValue()).toBe('')
    }))

  it('widget 79: without the dialog file an inline form sends the text', () =>
    visit(async (page, { trigger }) => {
      for (const part of ['dialog', 'send', 'screenshot', 'editor', 'headless'])
        site.blocked.add(`/feedback-${part}.js`)
      await page.reload()
      await trigger.click()
      await page.locator('firsthand-feedback .plain textarea').fill('plain words')
      await page.locator('firsthand-feedback .plain button').first().click()
      await eventually(() => site.arrived.map(({ event }) => event.contexts['feedback']?.['message'])).toEqual([
        'plain words',
      ])
    }))

  it('widget 79: a blocked server is reached through the tunnel', () =>
    visit(
      async (page, parts) => {
        await page.route('**/envelope/**', (route) => route.abort('blockedbyclient'))
        await write(parts, 'by tunnel')
        await parts.banner.waitFor()
        expect(site.arrived.map(({ path }) => path)).toEqual(['/quiet-path'])
        expect(site.arrived[0]?.header['dsn']).toBe(site.dsn)
      },
      { options: { fallbackTunnel: '/quiet-path' } },
    ))

  it('widget 77: a report with a picture that was on its way goes with its picture', () =>
    visit(
      async (page, parts) => {
        site.answering = () => undefined
        const picture = pngOf(1280, 800)
        await parts.trigger.click()
        await parts.message.fill('leaving with a picture')
        await page
          .locator('firsthand-feedback input[type=file]')
          .setInputFiles([{ name: 'a.png', mimeType: 'image/png', buffer: picture }])
        await page.getByRole('button', { name: 'Back to the form' }).click()
        await page.getByRole('button', { name: 'Add another' }).waitFor()
        await parts.send.click()
        await eventually(() => site.arrived.length).toBe(1)
        site.answering = answer(200)
        await page.reload()
        await eventually(() => site.arrived.length).toBe(2)
        const [first, second] = site.arrived.map(({ attachments }) => attachments.map(({ bytes }) => bytes.length))
        expect(second).toEqual(first)
        expect(first?.[0]).toBeGreaterThan(100)
      },
      { options: { enableScreenshot: true } },
    ))

  it('widget 79: where everything is blocked, the text can be copied', () =>
    visit(async (page, parts) => {
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.route('**/envelope/**', (route) => route.abort('blockedbyclient'))
      await write(parts, 'copied words')
      await page.getByRole('button', { name: 'Copy the text' }).click()
      await eventually(() => page.evaluate(() => navigator.clipboard.readText())).toBe('copied words')
    }))

  it('widget 80: offline and without storage, the visitor is told that the report is not kept', () =>
    visit(
      async (page, parts) => {
        await parts.trigger.click()
        await parts.message.fill('nowhere to keep it')
        await page.waitForLoadState('networkidle')
        await page.context().setOffline(true)
        await parts.send.click()
        await eventually(() => parts.alert.textContent()).toContain('could not be kept on this device')
        await eventually(() => parts.message.inputValue()).toBe('nowhere to keep it')
        await page.context().setOffline(false)
        await parts.send.click()
        await parts.banner.waitFor()
      },
      {
        head: "<script>Object.defineProperty(window,'localStorage',{get(){throw new DOMException('no','SecurityError')}});Object.defineProperty(window,'indexedDB',{get(){throw new DOMException('no','SecurityError')}})</script>",
      },
    ))

  it('widget 32: Escape while it is being sent loses nothing', () =>
    visit(async (page, parts) => {
      const held: (() => void)[] = []
      site.answering = (response, count) => void held.push(() => answer(503)(response, count))
      await write(parts, 'on its way')
      await eventually(() => held.length).toBe(1)
      await page.keyboard.press('Escape')
      await eventually(() => parts.dialog.isVisible()).toBe(true)
      held[0]?.()
      await eventually(() => parts.alert.textContent()).toBe(GENERIC)
      await eventually(() => parts.message.inputValue()).toBe('on its way')
      await page.keyboard.press('Escape')
      await parts.dialog.waitFor({ state: 'hidden' })
      await parts.trigger.click()
      await eventually(() => parts.message.inputValue()).toBe('on its way')
    }))

  it('widget 80: without storage nothing breaks', () =>
    visit(
      async (page, parts) => {
        const errors: string[] = []
        page.on('pageerror', (error) => errors.push(error.message))
        await write(parts, 'no storage')
        await parts.banner.waitFor()
        expect(errors).toEqual([])
      },
      {
        head: "<script>Object.defineProperty(window,'localStorage',{get(){throw new DOMException('no','SecurityError')}});Object.defineProperty(window,'indexedDB',{get(){throw new DOMException('no','SecurityError')}})</script>",
      },
    ))
})
