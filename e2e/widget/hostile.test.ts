import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchBrowser, openPage } from '../lib/browser.ts'
import { answer, partsOf, serveWidget, type WidgetSite } from './dialog-site.ts'

describe('the widget on hostile pages', () => {
  let site: WidgetSite
  let browser: Browser
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([serveWidget(), launchBrowser()])
  })
  afterAll(async () => {
    await browser.close()
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

  it.each([
    [
      '47: all:unset and nothing shown',
      '*{all:unset!important}body,body *,html>*{display:none!important;visibility:hidden!important}',
    ],
    ['48: resets', 'html{font-size:62.5%}div,button,dialog,input{all:unset;font-size:40px;padding:40px}'],
    [
      '49: transform and filter on body',
      'body{transform:scale(.5);filter:blur(1px);contain:paint;perspective:10px;height:4000px}',
    ],
    [
      '50: an overlay above all',
      'body::after{content:"";position:fixed;inset:0;z-index:2147483647;background:rgb(0 0 0/.2)}',
    ],
  ])('widget %s', (_, css) => visit(flow, { head: `<style>${css}</style>` }))

  it('widget 51, 52: a native modal of the page is open; Escape closes only ours', () =>
    visit(
      async (page, parts) => {
        await page.evaluate(() => document.querySelector('dialog')?.showModal())
        await parts.trigger.click()
        await parts.dialog.waitFor()
        await page.keyboard.press('Escape')
        expect(await page.locator('#theirs').isVisible()).toBe(true)
        expect(await parts.dialog.isVisible()).toBe(false)
        await flow(page, parts)
        await page.evaluate(() => document.querySelector('#theirs')?.remove())
        await parts.banner.click({ position: { x: 20, y: 10 } })
        await parts.trigger.click()
        await parts.dialog.waitFor()
      },
      { html: '<h1>A shop</h1><dialog id="theirs"><button>Theirs</button></dialog>' },
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
        expect((await trigger.boundingBox())?.x).toBe(20)
        await trigger.click()
        expect((await dialog.boundingBox())?.x).toBe(20)
      },
      { lang: 'ar" dir="rtl' },
    ))

  it('widget 61: fits a phone of 320 × 568', () =>
    visit(
      async (page, { trigger, dialog, send }) => {
        await trigger.click()
        const box = await dialog.boundingBox()
        expect((box?.x ?? -1) >= 0 && (box?.width ?? 999) <= 320).toBe(true)
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
      expect(await trigger.isVisible()).toBe(false)
    }))

  it('widget 65, 66: body replaced and started twice: one trigger', () =>
    visit(
      async (page, { trigger }) => {
        await page.evaluate(() => document.body.replaceWith(document.createElement('body')))
        await trigger.click()
        expect(await page.locator('firsthand-feedback').count()).toBe(1)
      },
      { after: `createFeedback({ dsn: 'http://0123456789abcdef0123456789abcdef@' + location.host + '/1' })` },
    ))
})
