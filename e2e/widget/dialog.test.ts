import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { answer, partsOf, pauseClock, serveWidget, type WidgetSite } from './dialog-site.ts'

const MISSING = 'Please enter in the following required fields:'

describe('the dialog, as specified', () => {
  let site: WidgetSite
  let browser: Browser
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([serveWidget(), joinBrowser()])
  })
  afterAll(async () => {
    await closePages(browser)
    await site.close()
  })

  /** A fresh visitor on the page; complaints of the browser fail the test. */
  const visit = async (
    work: (page: Page, parts: ReturnType<typeof partsOf>) => Promise<void>,
    shown: Parameters<WidgetSite['show']>[0] = {},
    context: BrowserContextOptions = {},
  ): Promise<void> => {
    site.show(shown)
    site.answering = answer(200)
    site.arrived.length = 0
    const { page, complaints, close } = await openPage(browser, context, [/Failed to load resource/])
    try {
      await page.goto(site.url)
      await work(page, partsOf(page))
      expect(complaints.list).toEqual([])
    } finally {
      await close()
    }
  }

  it('widget 1: the trigger stands at the block-end inline-end corner', () =>
    visit(async (_, { trigger }) => {
      await trigger.waitFor()
      const box = await trigger.boundingBox()
      expect(box).not.toBeNull()
      expect(1440 - (box?.x ?? 0) - (box?.width ?? 0)).toBe(20)
      expect(900 - (box?.y ?? 0) - (box?.height ?? 0)).toBe(20)
    }))

  it.each(['click', 'Enter', 'Space'])('widget 2: %s on the trigger opens the dialog', (how) =>
    visit(async (_, { trigger, dialog }) => {
      if (how === 'click') await trigger.click()
      else await trigger.press(how)
      await dialog.waitFor()
    }),
  )

  it('widget 3, 29, 44: name, e-mail and message in that order; the message has the focus; labels and tokens are real', () =>
    visit(async (page, { trigger, dialog }) => {
      await trigger.click()
      await dialog.waitFor()
      expect(
        await dialog
          .locator('input:visible:not([type=checkbox]),textarea')
          .evaluateAll((all) => all.map((each) => each.getAttribute('name'))),
      ).toEqual(['name', 'email', 'message', 'website'])
      await page.getByLabel('Description').fill('typed by label')
      await eventually(() => page.getByLabel('Name').getAttribute('autocomplete')).toBe('name')
      await eventually(() => page.getByLabel('Email').getAttribute('autocomplete')).toBe('email')
      await page.keyboard.type('!')
      await eventually(() => page.getByLabel('Description').inputValue()).toBe('typed by label!')
    }))

  it('widget 4, 26: a message alone is sent as one envelope with a feedback item', () =>
    visit(async (_, { trigger, message, send, banner }) => {
      await trigger.click()
      await message.fill('The basket is empty')
      await send.click()
      await banner.waitFor()
      expect(site.arrived).toHaveLength(1)
      expect(site.arrived[0]?.event.contexts['feedback']).toMatchObject({
        message: 'The basket is empty',
        url: site.url,
        source: 'widget',
        honeypot: '',
        fill_ms: expect.any(Number),
      })
      expect(site.arrived[0]?.header['event_id']).toBe(site.arrived[0]?.event.event_id)
    }))

  it.each(['', '   \n '])('widget 5, 6, 11, 34: message %j', (text) =>
    visit(async (page, { trigger, message, send, alert }) => {
      await trigger.click()
      await message.fill(text)
      await send.click()
      await eventually(() => alert.textContent()).toBe(`${MISSING} Description`)
      await eventually(() => alert.getAttribute('role')).toBe('alert')
      await eventually(() => message.getAttribute('aria-invalid')).toBe('true')
      await eventually(() =>
        page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('name')),
      ).toBe('message')
      expect(site.arrived).toEqual([])
    }),
  )

  it('widget 5, 6, 97: what is mended is no longer complained about, field by field', () =>
    visit(
      async (_, { trigger, message, name, email, send, alert }) => {
        await trigger.click()
        await send.click()
        await eventually(() => alert.textContent()).toBe(`${MISSING} Name, Description`)
        await name.fill('Ada')
        await eventually(() => alert.textContent()).toBe(`${MISSING} Description`)
        await eventually(() => name.getAttribute('aria-invalid')).toBe(null)
        await eventually(() => message.getAttribute('aria-invalid')).toBe('true')
        await message.fill('It is dark')
        await eventually(() => alert.textContent()).toBe('')
        await email.fill('not-an-address')
        await send.click()
        await eventually(() => email.getAttribute('aria-invalid')).toBe('true')
        // What is typed elsewhere mends nothing.
        await message.fill('It is very dark')
        await eventually(() => alert.textContent()).toContain('looks unusual')
        await email.fill('ada@shop.example')
        await eventually(() => alert.textContent()).toBe('')
        await eventually(() => email.getAttribute('aria-invalid')).toBe(null)
      },
      { options: { isNameRequired: true } },
    ))

  it.each([
    [false, false, 'Description'],
    [true, false, 'Name, Description'],
    [false, true, 'Email, Description'],
    [true, true, 'Name, Email, Description'],
  ])('widget 7, 8, 9: name required %s, e-mail required %s → %s', (isNameRequired, isEmailRequired, labels) =>
    visit(
      async (_, { trigger, send, alert }) => {
        await trigger.click()
        await send.click()
        await eventually(() => alert.textContent()).toBe(`${MISSING} ${labels}`)
      },
      { options: { isNameRequired, isEmailRequired, showName: false, showEmail: false } },
    ),
  )

  it('widget 10: configured labels', () =>
    visit(
      async (_, { trigger, send, alert }) => {
        await trigger.click()
        await send.click()
        await eventually(() => alert.textContent()).toBe(`${MISSING} Your name, What happened`)
      },
      { options: { isNameRequired: true, nameLabel: 'Your name', messageLabel: 'What happened' } },
    ))

  it('widget 12, 35: the banner is there at 4.5 s, gone at 5.5 s, and takes no focus', () =>
    visit(async (page, { trigger, message, send, banner }) => {
      await pauseClock(page)
      await trigger.click()
      await message.fill('hello')
      await send.click()
      await banner.waitFor()
      await page.clock.runFor(4500)
      await eventually(() => banner.isVisible()).toBe(true)
      await eventually(() => banner.locator('[role=status]').textContent()).toContain('Thank you for your report!')
      expect(await banner.evaluate((each) => each.contains((each.getRootNode() as ShadowRoot).activeElement))).toBe(
        false,
      )
      await page.clock.runFor(1000)
      await eventually(() => banner.count()).toBe(0)
    }))

  it('widget 13: a pointer on the banner stops its clock; a click ends it', () =>
    visit(async (page, { trigger, message, send, banner }) => {
      await pauseClock(page)
      await trigger.click()
      await message.fill('hello')
      await send.click()
      await banner.hover()
      await page.clock.runFor(20_000)
      await eventually(() => banner.isVisible()).toBe(true)
      await banner.click({ position: { x: 20, y: 10 } })
      await eventually(() => banner.count()).toBe(0)
    }))

  it('widget 31: Escape closes, and the focus returns to the opener', () =>
    visit(
      async (page, { dialog }) => {
        await page.click('#own')
        await dialog.waitFor()
        await page.keyboard.press('Escape')
        await eventually(() => dialog.isVisible()).toBe(false)
        await eventually(() => page.evaluate(() => document.activeElement?.id)).toBe('own')
      },
      { after: "feedback.attachTo('#own')" },
    ))

  it('widget 31: an opener that is gone leaves the focus to the trigger', () =>
    visit(
      async (page, { dialog }) => {
        await page.click('#own')
        await dialog.waitFor()
        await page.evaluate(() => document.getElementById('own')?.remove())
        await page.keyboard.press('Escape')
        await eventually(() => dialog.isVisible()).toBe(false)
        await eventually(() =>
          page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.className),
        ).toContain('trigger')
      },
      { after: "feedback.attachTo('#own')" },
    ))

  it.each([
    ['', 'name'],
    ['Bob', 'email'],
  ])('widget 29: with the name %j known, the first empty required field has the focus', (name, focused) =>
    visit(
      async (page, { dialog, trigger }) => {
        await page.evaluate((known) => Object.assign(window, { known }), name)
        await trigger.click()
        await dialog.waitFor()
        await eventually(() =>
          page.evaluate(() => document.activeElement?.shadowRoot?.activeElement?.getAttribute('name')),
        ).toBe(focused)
      },
      {
        options: { isNameRequired: true, isEmailRequired: true },
        after:
          "await feedback.remove(); window.second = createFeedback({ dsn: location.origin.replace('//', '//0123456789abcdef0123456789abcdef@') + '/1', enableScreenshot: false, isNameRequired: true, isEmailRequired: true, user: () => ({ username: window.known }) })",
      },
    ),
  )

  it('widget 39: targets of trigger, form and banner at 320 px', () =>
    visit(
      async (page, { trigger, message, send, banner, dialog }) => {
        const small = async (main: readonly string[]): Promise<string[]> =>
          page.locator('firsthand-feedback').evaluate(
            (host, big) =>
              [...(host.shadowRoot?.querySelectorAll('button,summary,input,textarea,select,a') ?? [])].flatMap(
                (each) => {
                  // What is in a label is pressed by its label.
                  const { width, height } = (each.closest('label.check') ?? each).getBoundingClientRect()
                  const least = big.some((one) => each.matches(one)) ? 44 : 24
                  const isHidden = width === 0 || each.closest('.trap') !== null || !each.checkVisibility()
                  return isHidden || (width >= least && height >= least)
                    ? []
                    : [`${each.outerHTML} ${width} × ${height}`]
                },
              ),
            main,
          )
        await trigger.waitFor()
        expect(await small(['.trigger'])).toEqual([])
        await trigger.click()
        await dialog.waitFor()
        await page.locator('firsthand-feedback summary').click()
        expect(await small(['.button', 'input[name]', 'textarea'])).toEqual([])
        await message.fill('hello')
        await send.click()
        await banner.waitFor()
        expect(await small([])).toEqual([])
      },
      { options: { enableScreenshot: true } },
      { viewport: { width: 320, height: 568 } },
    ))

  it('widget 71: ten fast clicks and Enter send one request', () =>
    visit(async (_, { trigger, message, send, banner }) => {
      await trigger.click()
      await message.fill('once')
      await send.evaluate((button: HTMLButtonElement) => {
        for (let index = 0; index < 10; index++) button.click()
      })
      await banner.waitFor()
      expect(site.arrived).toHaveLength(1)
    }))

  it('widget 104: remove() leaves the page exactly as it was', () =>
    visit(
      async (page, { trigger, message, send, banner }) => {
        const before = await page.evaluate(() => document.documentElement.outerHTML)
        await page.evaluate(() => {
          const { feedback, start } = window as unknown as {
            feedback: { remove(how?: object): Promise<void> }
            start(): void
          }
          start()
          return feedback === undefined
        })
        await trigger.click()
        await message.fill('hello')
        await send.click()
        await banner.waitFor()
        await page.evaluate(() =>
          (window as unknown as { second: { remove(how: object): Promise<void> } }).second.remove({ purge: true }),
        )
        expect(await page.evaluate(() => document.documentElement.outerHTML)).toBe(before)
        expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([])
      },
      {
        options: { autoInject: false },
        after: `await feedback.remove(); window.start = () => { window.second = createFeedback({ dsn: ${JSON.stringify('http://0123456789abcdef0123456789abcdef@')} + location.host + '/1', enableScreenshot: false }) }`,
      },
    ))
})
