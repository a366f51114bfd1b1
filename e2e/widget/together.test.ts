import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { answer, partsOf, pauseClock, serveWidget, type WidgetSite } from './dialog-site.ts'

type Parts = ReturnType<typeof partsOf>

/** In the two languages that are spoken here. */
const ADD = /Add a screenshot|إضافة لقطة شاشة/
const BACK = /Back to the form|العودة إلى النموذج/

/** What only shows where all parts stand in one shadow root, under all of their style sheets. */
describe('the whole widget', () => {
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
  })

  const visit = async (
    work: (page: Page, parts: Parts) => Promise<void>,
    shown: Parameters<WidgetSite['show']>[0] = {},
    context: BrowserContextOptions = {},
  ): Promise<void> => {
    site.show(shown)
    const { page, complaints, close } = await openPage(browser, context)
    try {
      await page.goto(site.url)
      await work(page, partsOf(page))
      expect(complaints.list).toEqual([])
    } finally {
      await close()
    }
  }

  const report = async ({ trigger, message, send, banner }: Parts, text = 'A report'): Promise<void> => {
    await trigger.click()
    await message.fill(text)
    await send.click()
    await banner.waitFor()
  }
  const answerWith = (threadUrl: unknown): void => {
    site.answering = answer(200, JSON.stringify({ id: '1', thread_url: threadUrl }))
  }

  const handlesOf = (page: Page) =>
    page.locator('firsthand-feedback .frame').evaluate((frame) => {
      const { left, top, right, bottom } = frame.getBoundingClientRect()
      const corners = { topLeft: [left, top], topRight: [right, top], bottomLeft: [left, bottom] }
      const expected: Record<string, number[]> = { ...corners, bottomRight: [right, bottom] }
      return [...frame.querySelectorAll<HTMLElement>('[data-corner]')].map((handle) => {
        const box = handle.getBoundingClientRect()
        const [x = Number.NaN, y = Number.NaN] = expected[handle.dataset['corner'] ?? ''] ?? []
        return Math.max(Math.abs(box.x + box.width / 2 - x), Math.abs(box.y + box.height / 2 - y))
      })
    })

  it.each([
    ['en', ''],
    ['ar', '" dir="rtl'],
  ])('widget 20, 21: in the dialog (%s), the four handles stand at the corners, and a drag crops', (lang, more) =>
    visit(
      async (page, { trigger, dialog }) => {
        await trigger.click()
        await dialog.getByRole('button', { name: ADD }).click()
        await page.locator('firsthand-feedback .tool[data-tool=crop]').click()
        const frame = page.locator('firsthand-feedback .frame')
        await frame.waitFor()
        await eventually(async () => Math.max(...(await handlesOf(page)))).toBeLessThanOrEqual(3)
        expect(await handlesOf(page)).toHaveLength(4)
        const before = await frame.boundingBox()
        const handle = await page.locator('firsthand-feedback .frame [data-corner=bottomRight]').boundingBox()
        if (before === null || handle === null) throw new Error('the frame is not shown')
        await page.mouse.move(handle.x + handle.width / 2, handle.y + handle.height / 2)
        await page.mouse.down()
        await page.mouse.move(before.x + before.width / 2, before.y + before.height / 2, { steps: 5 })
        await page.mouse.up()
        await eventually(async () => ((await frame.boundingBox())?.width ?? 0) / before.width).toBeLessThan(0.6)
        expect(Math.max(...(await handlesOf(page)))).toBeLessThanOrEqual(3)
      },
      { lang: `${lang}${more}`, options: { enableScreenshot: true } },
    ),
  )

  it('widget 20: a form that is closed while its picture is shown large leaves the page free', () =>
    visit(
      async (page, { trigger, dialog }) => {
        await trigger.click()
        await dialog.getByRole('button', { name: ADD }).click()
        await page.getByRole('button', { name: BACK }).waitFor()
        await page.evaluate(() =>
          (globalThis as unknown as { feedback: { closeDialog(): void } }).feedback.closeDialog(),
        )
        await dialog.waitFor({ state: 'hidden' })
        await page.click('#own')
      },
      { options: { enableScreenshot: true } },
    ))

  it('widget 22, 54: on a phone, real touches crop and draw, whatever the page does with touches', () =>
    visit(
      async (page, { trigger, dialog, message }) => {
        const session = await page.context().newCDPSession(page)
        const touch = async (points: readonly (readonly [number, number])[]): Promise<void> => {
          const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at?: readonly [number, number]) =>
            session.send('Input.dispatchTouchEvent', { type, touchPoints: at ? [{ x: at[0], y: at[1] }] : [] })
          for (const [index, point] of points.entries()) await send(index === 0 ? 'touchStart' : 'touchMove', point)
          await send('touchEnd')
        }
        // The browser makes a click of a tap a moment later, or none: of one that a busy machine draws out, and of one so
        // soon after a drag. A finger taps again when nothing comes of it.
        const tap = (button: Locator, isDone: () => Promise<boolean>): Promise<void> =>
          eventually(async () => {
            if (await isDone()) return true
            await button.tap({ timeout: 5_000 })
            return until('what the tap is for', async () => ((await isDone()) ? true : null), 2_000)
          }).toBe(true)
        await trigger.tap()
        const way = dialog.getByRole('menuitem', { name: ADD })
        await tap(dialog.getByRole('button', { name: 'More' }), () => way.isVisible())
        await way.tap()
        const frame = page.locator('firsthand-feedback .frame')
        await tap(page.locator('firsthand-feedback .tool[data-tool=crop]'), () => frame.isVisible())
        await eventually(async () => Math.max(...(await handlesOf(page)))).toBeLessThanOrEqual(3)
        const before = await frame.boundingBox()
        if (before === null) throw new Error('the frame is not shown')
        const { x, y, width, height } = before
        await touch([
          [x + width, y + height],
          [x + width * 0.75, y + height * 0.75],
          [x + width / 2, y + height / 2],
        ])
        await eventually(async () => ((await frame.boundingBox())?.width ?? 0) / width).toBeLessThan(0.6)
        await tap(page.locator('firsthand-feedback [data-action=apply]'), () => frame.isHidden())
        const draw = page.locator('firsthand-feedback .tool', { hasText: 'Draw' })
        await tap(draw, async () => (await draw.getAttribute('aria-pressed')) === 'true')
        const stage = await page.locator('firsthand-feedback .stage').boundingBox()
        if (stage === null) throw new Error('the stage is not shown')
        const at = (part: number): readonly [number, number] => [
          stage.x + stage.width * part,
          stage.y + stage.height * part,
        ]
        await touch([at(0.3), at(0.5), at(0.7)])
        await eventually(() => page.locator('firsthand-feedback .mark').count()).toBe(1)
        await tap(page.getByRole('button', { name: BACK }), () => page.locator('dialog.large').isHidden())
        await tap(message, () => message.evaluate((element) => element.matches(':focus')))
        await page.keyboard.type('by touch')
        await eventually(() => message.inputValue()).toBe('by touch')
      },
      {
        options: { enableScreenshot: true },
        html: '<h1>A shop</h1><p style="height:3000px">Lamps</p>',
        head: `<script>for (const type of ['touchstart', 'pointerdown', 'mousedown', 'click']) document.addEventListener(type, (event) => { event.preventDefault(); event.stopImmediatePropagation() }, { capture: true, passive: false })</script>`,
      },
      { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
    ))

  it.each([
    [390, 844],
    [320, 568],
    [720, 450],
  ])('widget 61: at %i × %i, Send is to be seen and pressed beside the editor', (width, height) =>
    visit(
      async (page, { trigger, dialog, send }) => {
        await trigger.click()
        await dialog.getByRole('button', { name: ADD }).click()
        const back = page.getByRole('button', { name: BACK })
        await back.waitFor()
        // Whole, in one line and inside of the window.
        expect(await back.evaluate((button) => button.scrollWidth <= button.clientWidth)).toBe(true)
        expect((await back.boundingBox())?.height).toBeLessThanOrEqual(44)
        await back.click()
        await page.getByRole('button', { name: 'Enlarge' }).waitFor()
        await eventually(async () => {
          await dialog.evaluate((element) => element.scrollTo(0, 0))
          const box = await send.boundingBox()
          return (box?.y ?? height) + (box?.height ?? 0)
        }).toBeLessThanOrEqual(height)
        // Nothing lies above it.
        await send.click({ trial: true })
      },
      { options: { enableScreenshot: true } },
      { viewport: { width, height } },
    ),
  )

  it.each([
    [320, 568],
    [720, 450],
  ])('widget 5: at %i × %i, the text stands where it is seen, beside the field that it is about', (width, height) =>
    visit(
      async (page, { trigger, message, send, alert }) => {
        await trigger.click()
        await message.waitFor()
        await send.click()
        await alert.getByText('Please enter').waitFor()
        for (const part of [alert.locator('.text'), message]) {
          await eventually(async () => (await part.boundingBox())?.y ?? -1).toBeGreaterThanOrEqual(0)
          // Nothing lies above it.
          await eventually(() =>
            part.evaluate((element) => {
              const { left, top } = element.getBoundingClientRect()
              const found = (element.getRootNode() as ShadowRoot).elementFromPoint(left + 8, top + 8)
              return found !== null && element.contains(found)
            }),
          ).toBe(true)
        }
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      },
      {
        options: { enableScreenshot: true, fields: [{ type: 'rating', name: 'stars', label: 'How was it?' }] },
      },
      { viewport: { width, height } },
    ),
  )

  it('widget 34: the ring around a wrong field that has the focus is that of an error', () =>
    visit(async (_, { trigger, message, send }) => {
      await trigger.click()
      const ring = () => message.evaluate((element) => getComputedStyle(element).outlineColor)
      const usual = await ring()
      await send.click()
      await eventually(ring).not.toBe(usual)
    }))

  it('a link to the answer is shown, and found again in the next form', () =>
    visit(async (page, parts) => {
      await pauseClock(page)
      const last = page.getByRole('link', { name: 'Your last report' })
      for (const name of 'abcdefg') {
        answerWith(`${site.url}f/${name}`)
        await report(parts)
        const link = page.getByRole('link', { name: 'Follow your report' })
        await eventually(() => link.getAttribute('href')).toBe(`${site.url}f/${name}`)
        await eventually(() => link.getAttribute('rel')).toBe('noopener noreferrer')
        await parts.banner.click({ position: { x: 20, y: 10 } })
      }
      await page.reload()
      await parts.trigger.click()
      await eventually(() => last.getAttribute('href')).toBe(`${site.url}f/g`)
      const kept = await page.evaluate(() => Object.entries(localStorage).find(([key]) => key.includes('threads'))?.[1])
      expect(JSON.parse(String(kept))).toHaveLength(5)
    }))

  it('on a device that others use, the links to answers can be forgotten', () =>
    visit(async (page, parts) => {
      await pauseClock(page)
      const last = page.getByRole('link', { name: 'Your last report' })
      for (const name of 'ab') {
        answerWith(`${site.url}f/${name}`)
        await report(parts)
        await parts.banner.click({ position: { x: 20, y: 10 } })
      }
      await page.reload()
      await parts.trigger.click()
      await last.waitFor()
      await page.getByRole('button', { name: 'Forget it' }).click()
      await last.waitFor({ state: 'detached' })
      await eventually(() => parts.message.evaluate((element) => element.matches(':focus'))).toBe(true)
      await page.keyboard.type('focused')
      await eventually(() => parts.message.inputValue()).toBe('focused')
      expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('threads')
      await page.reload()
      await parts.trigger.click()
      await parts.message.waitFor()
      await eventually(() => last.count()).toBe(0)
    }))

  it.each([
    ['https://elsewhere.example/f/a'],
    ['javascript:alert(1)'],
    ['//elsewhere.example/f/a'],
    ['http://127.0.0.1:1/f/a'],
    ['http://user@elsewhere.example/'],
    [7],
  ])('a link that does not lead to the server of the DSN is not shown: %s', (threadUrl) =>
    visit(async (page, parts) => {
      answerWith(threadUrl)
      await report(parts)
      await page.getByText('Thank you for your report!').waitFor()
      expect(await page.locator('firsthand-feedback a').count()).toBe(0)
      expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain('threads')
    }),
  )

  it('widget 92: links to answers go with remove({ purge: true })', () =>
    visit(async (page, parts) => {
      answerWith(`${site.url}f/a`)
      await report(parts)
      await page.evaluate(() =>
        (globalThis as unknown as { feedback: { remove(how: object): Promise<void> } }).feedback.remove({
          purge: true,
        }),
      )
      expect(await page.evaluate(() => localStorage.length)).toBe(0)
    }))

  it('widget 13: the focus on the banner holds its clock while the pointer comes and goes', () =>
    visit(async (page, parts) => {
      await pauseClock(page)
      answerWith(`${site.url}f/a`)
      await report(parts)
      await page.getByRole('link', { name: 'Follow your report' }).focus()
      await parts.banner.hover()
      await page.mouse.move(5, 5)
      await page.clock.runFor(20_000)
      await eventually(() => parts.banner.isVisible()).toBe(true)
      await page.getByRole('link', { name: 'Follow your report' }).blur()
      await page.clock.runFor(5500)
      await eventually(() => parts.banner.count()).toBe(0)
    }))

  it('widget 66: two widgets of two projects stand side by side', () =>
    visit(
      async (page) => {
        await pauseClock(page)
        for (const id of ['sentry-feedback', 'second']) {
          await page.locator(`firsthand-feedback#${id} .trigger`).click()
          await page.locator(`firsthand-feedback#${id} [name=message]`).fill(`To ${id}`)
          await page.locator(`firsthand-feedback#${id} button[type=submit]`).click()
          await page.locator(`firsthand-feedback#${id} .banner`).click({ position: { x: 20, y: 10 } })
        }
        expect(site.arrived.map(({ path }) => path)).toEqual(['/api/1/envelope/', '/api/2/envelope/'])
        await eventually(() => page.locator('firsthand-feedback').count()).toBe(2)
      },
      {
        after: `createFeedback({ dsn: 'http://0123456789abcdef0123456789abcdef@' + location.host + '/2', id: 'second', position: 'top-start', enableScreenshot: false })`,
      },
    ))
})
