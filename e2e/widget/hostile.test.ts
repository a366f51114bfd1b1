import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { answer, partsOf, pauseClock, serveWidget, type WidgetSite } from './dialog-site.ts'

describe('the widget on hostile pages', () => {
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
    context: BrowserContextOptions = {},
  ): Promise<void> => {
    site.show(shown)
    site.answering = answer(200)
    site.arrived.length = 0
    const { page, complaints, close } = await openPage(browser, context)
    try {
      await page.goto(site.url)
      await work(page, partsOf(page))
      expect(complaints.list).toEqual([])
    } finally {
      await close()
    }
  }

  const flow = async (page: Page, { trigger, message, send, banner }: ReturnType<typeof partsOf>): Promise<void> => {
    await trigger.click()
    await message.click()
    await page.keyboard.type('It works here')
    await send.click()
    await banner.waitFor()
    expect(site.arrived[0]?.event.contexts['feedback']?.['message']).toBe('It works here')
  }

  /** Where the parts stand and how large they are, the trigger first. */
  const metricsOf = async (page: Page, { trigger, dialog }: ReturnType<typeof partsOf>): Promise<unknown[]> => {
    await trigger.waitFor()
    const box = await trigger.boundingBox()
    await trigger.click()
    await dialog.waitFor()
    const look = () =>
      dialog.evaluate((element) =>
        [element, ...element.querySelectorAll('h2,label,input:not([type=checkbox]),textarea,button,footer')].map(
          (each) => {
            const { x, y, width, height } = each.getBoundingClientRect()
            const { fontSize, lineHeight, color, backgroundColor } = getComputedStyle(each)
            return [x, y, width, height, fontSize, lineHeight, color, backgroundColor].join(' ')
          },
        ),
      )
    // Until two looks are the same: the form may still be settling.
    let seen = await look()
    const inner = await until('a form that stands still', async () => {
      const before = seen
      seen = await look()
      return before.join() === seen.join() ? seen : null
    })
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    return [box, ...inner]
  }

  it.each([
    [
      '47: all:unset and nothing shown',
      '*{all:unset!important}body,body *,html>*{display:none!important;visibility:hidden!important}',
    ],
    [
      '48: resets',
      'html{font-size:62.5%}div,button,dialog,input{all:unset;font-size:40px;padding:40px}*{letter-spacing:4px;line-height:3;text-transform:uppercase;zoom:1}',
    ],
    [
      '49: transform and filter on body',
      'body{transform:scale(.5);filter:blur(1px);contain:paint;perspective:10px;height:4000px}',
    ],
    [
      '50: an overlay above all',
      'body::after{content:"";position:fixed;inset:0;z-index:2147483647;background:rgb(0 0 0/.2)}',
    ],
  ])('widget %s: used as on any page, and looks as on any page', async (_, css) => {
    const still = { reducedMotion: 'reduce' } as const
    const plain: unknown[] = []
    await visit(async (page, parts) => void plain.push(...(await metricsOf(page, parts))), {}, still)
    await visit(
      async (page, parts) => {
        expect(await metricsOf(page, parts)).toEqual(plain)
        await flow(page, parts)
      },
      { head: `<style>${css}</style>` },
      still,
    )
  })

  it('widget 50: outside of the top layer, the z-index is the integrator’s', () =>
    visit(
      async (page, parts) => {
        await parts.trigger.waitFor()
        expect(
          await parts.trigger.evaluate((each: HTMLElement) => [getComputedStyle(each).zIndex, each.popover]),
        ).toEqual(['7', null])
        const top = () =>
          page.evaluate(() => document.elementFromPoint(innerWidth - 40, innerHeight - 40)?.localName ?? '')
        expect(await top()).toBe('aside')
        await page.evaluate(() => document.querySelector('aside')?.style.setProperty('z-index', '6'))
        expect(await top()).toBe('firsthand-feedback')
        await flow(page, parts)
      },
      {
        html: '<aside style="position:fixed;inset:0;z-index:8;background:#eee">Over it</aside>',
        options: { topLayer: false, zIndex: 7 },
      },
    ))

  it('widget 51, 52: a native modal of the page is open; Escape closes only ours', () =>
    visit(
      async (page, parts) => {
        await pauseClock(page)
        await page.evaluate(() => document.querySelector('dialog')?.showModal())
        await parts.trigger.click()
        await parts.dialog.waitFor()
        await page.keyboard.press('Escape')
        await eventually(() => parts.dialog.isVisible()).toBe(false)
        expect(await page.locator('#theirs').isVisible()).toBe(true)
        await flow(page, parts)
        await page.evaluate(() => document.querySelector('#theirs')?.remove())
        await parts.banner.click({ position: { x: 20, y: 10 } })
        await parts.trigger.click()
        await parts.dialog.waitFor()
      },
      { html: '<h1>A shop</h1><dialog id="theirs"><button>Theirs</button></dialog>' },
    ))

  it('widget 52: two nested modals, one that opens while the form is open, and one that goes with the host inside', () =>
    visit(
      async (page, parts) => {
        await pauseClock(page)
        const modal = (id: string) =>
          page.evaluate((one) => document.querySelector<HTMLDialogElement>(one)?.showModal(), id)
        await modal('#first')
        await modal('#second')
        await flow(page, parts)
        expect([await page.locator('#first').isVisible(), await page.locator('#second').isVisible()]).toEqual([
          true,
          true,
        ])
        await parts.banner.click({ position: { x: 20, y: 10 } })
        // The host stands in the second one, and goes with it.
        await page.evaluate(() => document.querySelector('#second')?.remove())
        await parts.trigger.click()
        await parts.message.fill('half a sentence')
        await modal('#third')
        await page.locator('#third button').click()
        await page.evaluate(() => document.querySelector('#third')?.remove())
        await eventually(() => parts.message.inputValue()).toBe('half a sentence')
        await parts.send.click()
        await parts.banner.waitFor()
        await page.evaluate(() => document.querySelector('#first')?.remove())
        await parts.trigger.click()
        await parts.dialog.waitFor()
        expect(site.arrived).toHaveLength(2)
        await eventually(() => page.locator('firsthand-feedback').count()).toBe(1)
      },
      {
        html: '<dialog id="first">First<dialog id="second"><button>Second</button></dialog></dialog><dialog id="third"><button onclick="this.textContent=`pressed`">Third</button></dialog>',
      },
    ))

  it('widget 59: in a sandboxed frame without storage, everything works and nothing is thrown', () =>
    visit(
      async (page) => {
        await pauseClock(page)
        const frame = page.frameLocator('iframe')
        const inFrame = (selector: string) => frame.locator(`firsthand-feedback ${selector}`)
        await inFrame('.trigger').click()
        await inFrame('[name=message]').fill('from a frame')
        await inFrame('button[type=submit]').click()
        await inFrame('.banner').waitFor()
        expect(site.arrived[0]?.event.contexts['feedback']?.['message']).toBe('from a frame')
        await inFrame('.banner').click({ position: { x: 20, y: 10 } })
        await inFrame('.trigger').click()
        await inFrame('dialog.dialog').waitFor()
      },
      {
        // The page shows itself in the frame, once.
        before:
          'if (top === window) { document.body.innerHTML = \'<iframe sandbox="allow-scripts" src="/" width=1200 height=800></iframe>\'; await new Promise(() => {}) }',
        options: { enableScreenshot: true },
      },
    ))

  it('widget 54, 55: handlers of the page see nothing of what is typed, and cannot prevent it', () =>
    visit(
      async (page, parts) => {
        await flow(page, parts)
        expect(await page.evaluate(() => (window as unknown as { seen: string[] }).seen)).toEqual([])
      },
      {
        head: `<script>window.seen=[];for(const on of [window,document])for(const type of ['keydown','keypress','pointerdown','focusin'])on.addEventListener(type,(e)=>{if(e.target.localName==='firsthand-feedback')seen.push(type)});for(const type of ['submit','keydown'])document.addEventListener(type,(e)=>e.preventDefault(),true)</script>`,
      },
    ))

  it('widget 56, 57: a strict policy with Trusted Types is never violated', () =>
    visit(flow, {
      headers: {
        'content-security-policy':
          "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; require-trusted-types-for 'script'; trusted-types 'none'",
      },
    }))

  it('widget 60: mirrored on a right-to-left page', () =>
    visit(
      async (_, { trigger, dialog }) => {
        await eventually(async () => (await trigger.boundingBox())?.x).toBe(20)
        await trigger.click()
        await eventually(async () => (await dialog.boundingBox())?.x).toBe(20)
      },
      { lang: 'ar" dir="rtl' },
    ))

  it('widget 61: fits a phone of 320 × 568', () =>
    visit(
      async (page, { trigger, dialog, send }) => {
        await trigger.click()
        await eventually(async () => {
          const box = await dialog.boundingBox()
          return (box?.x ?? -1) >= 0 && (box?.width ?? 999) <= 320
        }).toBe(true)
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
        await send.scrollIntoViewIfNeeded()
        expect(await dialog.evaluate((each) => each.scrollWidth <= each.clientWidth)).toBe(true)
      },
      {},
      { viewport: { width: 320, height: 568 } },
    ))

  it('widget 63: nothing of it is printed', () =>
    visit(async (page, { trigger }) => {
      await trigger.waitFor()
      await page.emulateMedia({ media: 'print' })
      await eventually(() => trigger.isVisible()).toBe(false)
    }))

  it('widget 65, 66: body replaced and started twice: one trigger', () =>
    visit(
      async (page, { trigger }) => {
        await page.evaluate(() => document.body.replaceWith(document.createElement('body')))
        await trigger.click()
        await eventually(() => page.locator('firsthand-feedback').count()).toBe(1)
      },
      { after: `createFeedback({ dsn: 'http://0123456789abcdef0123456789abcdef@' + location.host + '/1' })` },
    ))

  it('widget 65: history, a page kept by the browser, Turbo’s kept body, a double mount: one trigger, and no leak', () =>
    visit(
      async (page, parts) => {
        await page.evaluate(() => history.pushState({}, '', '?page=2'))
        await page.goBack()
        await eventually(() => parts.trigger.count()).toBe(1)
        // Turbo keeps a copy of the body and puts it back.
        await page.evaluate(() => {
          const kept = document.body.cloneNode(true)
          document.body.replaceWith(document.createElement('body'))
          document.body.replaceWith(kept)
        })
        await eventually(() => page.locator('firsthand-feedback').count()).toBe(1)
        // React's StrictMode mounts, unmounts and mounts again.
        const counts = await page.evaluate(async () => {
          const scope = globalThis as unknown as {
            feedback: { remove(): Promise<void> }
            make(): { remove(): Promise<void> }
          }
          await scope.feedback.remove()
          const found = [document.querySelectorAll('firsthand-feedback').length]
          const first = scope.make()
          void first.remove()
          scope.make()
          await new Promise((resolve) => setTimeout(resolve, 0))
          return [...found, document.querySelectorAll('firsthand-feedback').length]
        })
        expect(counts).toEqual([0, 1])
        await page.goto('about:blank')
        await page.goBack()
        await flow(page, parts)
        await eventually(() => page.locator('firsthand-feedback').count()).toBe(1)
      },
      {
        after: `window.make = () => createFeedback({ dsn: 'http://0123456789abcdef0123456789abcdef@' + location.host + '/1', enableScreenshot: false })`,
      },
    ))
})
