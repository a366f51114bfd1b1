import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { pngOf } from '../lib/png.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { texts } from '../../packages/feedback/src/text/en.ts'
import { pictureTexts } from '../../packages/feedback/src/text/picture.en.ts'
import { answer, partsOf, pauseClock, serveWidget, type WidgetSite } from './dialog-site.ts'

type Parts = ReturnType<typeof partsOf>

const TIMEOUT = 'Unable to determine if Feedback was correctly sent.'
const GENERIC =
  'Unable to send feedback. This could be because of network issues, or because you are using an ad-blocker.'
const DAY_MS = 24 * 60 * 60_000
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
  work: (page: Page, parts: Parts, context: BrowserContext) => Promise<void>,
  shown: Parameters<WidgetSite['show']>[0] = {},
  options: BrowserContextOptions & { readonly path?: string } = {},
): Promise<void> => {
  site.show(shown)
  const { path = '', ...rest } = options
  const { page, close } = await openPage(browser, { viewport: { width: 1280, height: 800 }, ...rest })
  try {
    const errors: string[] = []
    page.on('pageerror', (error) => errors.push(error.message))
    await page.goto(`${site.url}${path}`)
    await work(page, partsOf(page), page.context())
    expect(errors).toEqual([])
  } finally {
    await close()
  }
}

const sendText = async ({ trigger, message, send, banner }: Parts, text: string): Promise<void> => {
  await trigger.click()
  await message.fill(text)
  await send.click()
  await banner.waitFor()
}

const feedbackOf = (index: number) => site.arrived[index]?.event.contexts['feedback'] ?? {}

describe('what the form says of itself', () => {
  it('widget 36: required fields are marked by text and aria-required, not by colour', () =>
    visit(
      async (page, { trigger, message, email, name }) => {
        await trigger.click()
        await expect.poll(() => message.getAttribute('aria-required')).toBe('true')
        await eventually(() => email.getAttribute('aria-required')).toBe('true')
        await eventually(() => name.getAttribute('aria-required')).not.toBe('true')
        const labels = await page.locator('firsthand-feedback label').allInnerTexts()
        expect(labels.find((label) => label.startsWith('Description'))).toContain('(required)')
        expect(labels.find((label) => label.startsWith('Email'))).toContain('(required)')
        expect(labels.find((label) => label.startsWith('Name'))).not.toContain('(required)')
      },
      { options: { isEmailRequired: true } },
    ))

  it('widget 45: the trigger’s accessible name contains its visible label', () =>
    visit(async (page, { trigger }) => {
      const label = (await trigger.innerText()).trim()
      expect(label).toBe('Report a Bug')
      await eventually(() => page.getByRole('button', { name: label }).count()).toBe(1)
    }))

  it('widget 91: what goes along is said, and each part can be taken out', () =>
    visit(async (page, { trigger, message, send, banner }) => {
      await trigger.click()
      await page.getByText('Includes page address, browser').click()
      await page.getByLabel('page address').uncheck()
      await message.fill('without the page')
      await send.click()
      await banner.waitFor()
      expect(feedbackOf(0)['url']).toBeUndefined()
      expect(JSON.stringify(site.arrived[0]?.event)).not.toContain(site.url)
    }))

  it('widget 91: what goes along has a line of its own above the buttons', () =>
    visit(async (page, { trigger, send }) => {
      await trigger.click()
      const summary = page.getByText('Includes page address, browser')
      for (const box of [summary, page.getByRole('checkbox', { name: 'browser' })]) {
        await box.waitFor()
        const [said, button, cancel] = await Promise.all(
          [box, send, page.getByRole('button', { name: 'Cancel' })].map((each) => each.boundingBox()),
        )
        if (!said || !button || !cancel) throw new Error('not all of the form is shown')
        expect(said.y + said.height).toBeLessThanOrEqual(Math.min(button.y, cancel.y))
        await summary.click()
      }
    }))

  it('widget 91: the picture and the recent actions can be taken out as well', () =>
    visit(
      async (page, { trigger, message, send, banner }) => {
        const picture = pngOf(1280, 800)
        await trigger.click()
        await page.getByText('Includes page address, browser, recent actions').click()
        await page.getByLabel('recent actions').uncheck()
        await page.getByText('Includes page address, browser').waitFor()
        await page
          .locator('firsthand-feedback input[type=file]')
          .setInputFiles([{ name: 'a.png', mimeType: 'image/png', buffer: picture }])
        await page.getByRole('button', { name: 'Remove screenshot' }).first().click()
        await page.getByRole('button', { name: 'Add a screenshot' }).waitFor()
        await message.fill('without both')
        await send.click()
        await banner.waitFor()
        expect(site.arrived[0]?.attachments).toEqual([])
        expect(JSON.stringify(site.arrived[0]?.event)).not.toContain('breadcrumbs')
      },
      {
        options: { autoInject: false },
        after: `const { feedbackIntegration } = await import('/feedback.js')
          const crumbs = [{ category: 'ui.click', message: 'a secret button' }]
          const scope = { getScopeData: () => ({ breadcrumbs: crumbs }), getUser: () => ({}) }
          const widget = feedbackIntegration({})
          const client = { getOptions: () => ({ dsn: location.origin.replace('//', '//0123456789abcdef0123456789abcdef@') + '/1' }), getDsn: () => undefined,
            getIntegrationByName: (name) => name === 'Breadcrumbs', getCurrentScope: () => scope, getIsolationScope: () => scope, getGlobalScope: () => scope }
          widget.setup(client); widget.afterAllSetup(client)`,
      },
    ))

  it('widget 102: with every text replaced, no other text is seen, in any state', () =>
    visit(
      async (page, { trigger, message, email, send, banner, alert }) => {
        /** Texts, and names for those who do not see, that came from nowhere. */
        const foreign = () =>
          page.locator('firsthand-feedback').evaluate((host) => {
            const found: string[] = []
            const look = (text: string | null): void => {
              const ours = /⟦[^⟦⟧]*⟧/g
              // A list of ours may stand in a sentence of ours.
              const rest = (text ?? '').replace(ours, '').replace(ours, '')
              if (/[A-Za-z]{2}/.test(rest)) found.push(rest)
            }
            for (const each of host.shadowRoot?.querySelectorAll('*') ?? []) {
              for (const node of each.childNodes) if (node.nodeType === Node.TEXT_NODE) look(node.textContent)
              for (const name of ['aria-label', 'placeholder', 'title', 'alt']) look(each.getAttribute(name))
            }
            return found
          })
        await trigger.waitFor()
        expect(await foreign()).toEqual([])
        await trigger.click()
        await send.click()
        await alert.getByText('⟦Please').waitFor()
        expect(await foreign()).toEqual([])
        await message.fill('x'.repeat(4000))
        await email.fill('odd')
        await send.click()
        await page.getByRole('button', { name: '⟦Add a screenshot⟧' }).click()
        await page.locator('firsthand-feedback .tool[data-tool=crop]').click()
        await page.locator('firsthand-feedback .frame').waitFor()
        expect(await foreign()).toEqual([])
        await page.getByRole('button', { name: '⟦Back to the form⟧' }).click()
        await page.getByRole('button', { name: '⟦Enlarge⟧' }).waitFor()
        expect(await foreign()).toEqual([])
        for (const status of [500, 403, 413]) {
          site.answering = answer(status)
          await send.click()
          await eventually(() => site.arrived.length).toBe([500, 403, 413].indexOf(status) + 1)
          await eventually(() => alert.textContent()).toContain('⟦Unable')
          expect(await foreign()).toEqual([])
        }
        site.answering = answer(200, JSON.stringify({ id: '1', thread_url: `${site.url}f/a` }))
        await send.click()
        await banner.waitFor()
        await eventually(() => banner.innerText()).toContain('⟦Thank')
        expect(await foreign()).toEqual([])
      },
      {
        options: {
          enableScreenshot: true,
          ...Object.fromEntries(Object.entries({ ...texts, ...pictureTexts }).map(([key, text]) => [key, `⟦${text}⟧`])),
          triggerAriaLabel: '',
        },
      },
    ))

  it('widget 96: 4096 characters, a counter from 200 left, a paste that is cut with a notice', () =>
    visit(async (page, { trigger, message, name, email, send, banner }) => {
      await trigger.click()
      await message.fill('x'.repeat(3896))
      await page.getByText('200 characters left').waitFor()
      await message.fill('x'.repeat(5000))
      await page.getByRole('status').filter({ hasText: 'The text was cut to 4096 characters.' }).waitFor()
      await name.fill('n'.repeat(300))
      await email.fill(`${'e'.repeat(300)}@x.example`)
      await send.click()
      await send.click()
      await banner.waitFor()
      const { message: text, name: who, contact_email: address } = feedbackOf(0)
      expect([String(text).length, String(who).length]).toEqual([4096, 128])
      expect(String(address).length).toBeLessThanOrEqual(254)
    }))

  it('widget 97: an odd e-mail address warns, and is sent at the second press', () =>
    visit(async (_, { trigger, message, email, send, alert, banner }) => {
      await trigger.click()
      await message.fill('hello')
      await email.fill('not-an-address')
      await send.click()
      await eventually(() => alert.textContent()).toContain('looks unusual')
      await eventually(() => email.getAttribute('aria-invalid')).toBe('true')
      expect(site.arrived).toEqual([])
      await send.click()
      await banner.waitFor()
      expect(feedbackOf(0)['contact_email']).toBe('not-an-address')
    }))

  it('widget 97: the warning stands below the field, covers nothing, and names the button', () =>
    visit(
      async (_, { trigger, message, email, send, alert }) => {
        await trigger.click()
        await message.fill('hello')
        await email.fill('not-an-address')
        await send.click()
        await eventually(() => alert.textContent()).toContain('“Send Bug Report”')
        await eventually(() => alert.isVisible()).toBe(true)
        const [field, warning, button] = await Promise.all([email, alert, send].map((each) => each.boundingBox()))
        if (!field || !warning || !button) throw new Error('not all of the form is shown')
        expect(warning.y).toBeGreaterThanOrEqual(field.y + field.height)
        expect(warning.y + warning.height).toBeLessThanOrEqual(button.y)
        // What concerns more than one field is said at the top again.
        await message.fill('')
        await send.click()
        await eventually(() => alert.textContent()).toContain('Please enter in')
        expect((await alert.boundingBox())?.y).toBeLessThan((await email.boundingBox())?.y ?? 0)
      },
      {},
      { viewport: { width: 1280, height: 420 } },
    ))
})

describe('where it is seen', () => {
  it('widget 61: on a phone the description has room for four lines', () =>
    visit(
      async (_, { trigger, dialog, message, send }) => {
        await trigger.click()
        await message.waitFor()
        const sizes = await message.evaluate((element) => {
          const { lineHeight, paddingTop, paddingBottom } = getComputedStyle(element)
          return {
            room: element.clientHeight - parseFloat(paddingTop) - parseFloat(paddingBottom),
            line: parseFloat(lineHeight),
          }
        })
        expect(sizes.room).toBeGreaterThanOrEqual(4 * sizes.line)
        // All of it still fits.
        expect(await dialog.evaluate((element) => element.scrollHeight - element.clientHeight)).toBeLessThanOrEqual(1)
        const button = await send.boundingBox()
        expect((button?.y ?? 0) + (button?.height ?? 844)).toBeLessThanOrEqual(844)
      },
      {},
      { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, reducedMotion: 'reduce' },
    ))

  it.each([2, 4])('widget 41: %i × zoom at 1280 px: nothing clipped, nothing scrolls sideways', (zoom) =>
    visit(
      async (page, { trigger, dialog, send }) => {
        await trigger.click()
        await dialog.waitFor()
        const { scroll, client, box } = await dialog.evaluate((element) => ({
          scroll: element.scrollWidth,
          client: element.clientWidth,
          box: element.getBoundingClientRect().toJSON() as DOMRect,
        }))
        expect(scroll).toBeLessThanOrEqual(client)
        expect(box.left).toBeGreaterThanOrEqual(0)
        expect(box.right).toBeLessThanOrEqual(1280 / zoom)
        expect(box.bottom).toBeLessThanOrEqual(800 / zoom + 1)
        await send.scrollIntoViewIfNeeded()
        await eventually(() => send.isVisible()).toBe(true)
        expect(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
      },
      {},
      { viewport: { width: 1280 / zoom, height: 800 / zoom }, deviceScaleFactor: zoom, reducedMotion: 'reduce' },
    ),
  )

  it('widget 43: borders and focus are visible in forced colours', () =>
    visit(
      async (page, { trigger, message }) => {
        const border = (of: typeof trigger) => of.evaluate((element) => getComputedStyle(element).borderTopWidth)
        await trigger.waitFor()
        expect(Number.parseFloat(await border(trigger))).toBeGreaterThan(0)
        await page.keyboard.press('Tab')
        await page.keyboard.press('Tab')
        await eventually(() => trigger.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none')
        await page.keyboard.press('Enter')
        await message.waitFor()
        expect(Number.parseFloat(await border(message))).toBeGreaterThan(0)
        await eventually(() => message.evaluate((element) => getComputedStyle(element).outlineStyle)).not.toBe('none')
      },
      {},
      { forcedColors: 'active' },
    ))

  it('widget 62: a notch does not cover the trigger', () =>
    visit(async (page, { trigger }) => {
      await trigger.waitFor()
      const before = await trigger.boundingBox()
      const session = await page.context().newCDPSession(page)
      await session.send('Emulation.setSafeAreaInsetsOverride', { insets: { bottom: 34, right: 20 } })
      await eventually(async () => {
        const after = await trigger.boundingBox()
        return [(after?.x ?? 0) - (before?.x ?? 0), (after?.y ?? 0) - (before?.y ?? 0)]
      }).toEqual([-20, -34])
    }))

  it('widget 64: dark by the system, by the page, by the option, and by a call while it is open', async () => {
    const light = 'rgb(255, 255, 255)'
    const dark = 'rgb(26, 26, 24)'
    const ground = (of: Parts['trigger']) => of.evaluate((element) => getComputedStyle(element).backgroundColor)
    const check = (expected: string, shown: Parameters<WidgetSite['show']>[0], colorScheme: 'light' | 'dark') =>
      visit(async (_, { trigger }) => eventually(() => ground(trigger)).toBe(expected), shown, { colorScheme })
    await check(dark, {}, 'dark')
    await check(dark, { before: "document.documentElement.dataset.theme = 'dark'" }, 'light')
    await check(light, { options: { colorScheme: 'light' } }, 'dark')
    await visit(async (page, { trigger, dialog }) => {
      await trigger.click()
      await dialog.waitFor()
      expect(await ground(dialog)).toBe(light)
      await page.evaluate(() =>
        (globalThis as unknown as { feedback: { setTheme(to: string): void } }).feedback.setTheme('dark'),
      )
      await eventually(() => ground(dialog)).toBe(dark)
    })
    await visit(
      async (_, { trigger }) => {
        await eventually(() => ground(trigger)).toBe('rgb(255, 192, 203)')
      },
      { options: { themeLight: { background: 'pink' } } },
      { colorScheme: 'light' },
    )
  })
})

describe('on difficult pages', () => {
  it.each([
    ['async', '<script type="module" async src="/app.js"></script>'],
    ['defer', '<script type="module" defer src="/app.js"></script>'],
    ['module', '<script type="module" src="/app.js"></script>'],
  ])('widget 67: loaded in the head, %s', (_, head) =>
    visit(
      async (page, parts) => {
        await sendText(parts, 'from the head')
        await eventually(() => page.locator('firsthand-feedback').count()).toBe(1)
      },
      { head },
    ),
  )

  it('widget 68: a page in design mode, and one that removes elements it does not know', async () => {
    await visit(
      async (page, parts) => {
        await sendText(parts, 'in design mode')
        expect(await page.evaluate(() => document.designMode)).toBe('on')
      },
      { before: "document.designMode = 'on'" },
    )
    await visit(
      async (page, { trigger }) => {
        await trigger.waitFor({ state: 'detached' })
        // Whoever is removed does not fight: the page goes on.
        const removals = await page.evaluate(() => (globalThis as unknown as { removals: number }).removals)
        expect(removals).toBeLessThan(5)
      },
      {
        before:
          "window.removals = 0; new MutationObserver(() => { const found = document.querySelector('firsthand-feedback'); if (found) { window.removals += 1; found.remove() } }).observe(document, { childList: true, subtree: true })",
      },
    )
  })

  it('widget 69: no global is written, and no prototype is patched', () =>
    visit(
      async (page, parts) => {
        await sendText(parts, 'clean')
        const changed = await page.evaluate(() => {
          const { before, patched } = globalThis as unknown as { before: string[]; patched: () => string[] }
          const known = new Set([...before, 'feedback', 'before', 'patched'])
          return { globals: Object.keys(globalThis).filter((key) => !known.has(key)), patched: patched() }
        })
        expect(changed).toEqual({ globals: [], patched: [] })
      },
      {
        head: `<script>
          const owners = { Element, Node, EventTarget, History, XMLHttpRequest, HTMLDialogElement, Document, Storage }
          const values = Object.entries(owners).flatMap(([name, owner]) => Object.getOwnPropertyNames(owner.prototype)
            .map((key) => [name, owner.prototype, key, Object.getOwnPropertyDescriptor(owner.prototype, key)]))
          const functions = { fetch, addEventListener, setTimeout, open }
          window.patched = () => [
            ...values.filter(([, from, key, was]) => { const now = Object.getOwnPropertyDescriptor(from, key); return !now || now.value !== was.value || now.get !== was.get || now.set !== was.set }).map(([name, , key]) => name + '.' + key),
            ...Object.keys(functions).filter((key) => window[key] !== functions[key]),
          ]
          window.before = Object.keys(window)
        </script>`,
      },
    ))

  it('widget 105: without popover the trigger and the form work all the same', () =>
    visit((_, parts) => sendText(parts, 'no popover'), {
      before: 'delete HTMLElement.prototype.showPopover; delete HTMLElement.prototype.popover',
    }))
})

describe('while sending', () => {
  it('widget 74: an answer after 4.9 s is a success; after 5.1 s it was a timeout', () =>
    visit(async (page, parts) => {
      const held: (() => void)[] = []
      site.answering = (response, count) => void held.push(() => answer(200)(response, count))
      await pauseClock(page)
      await parts.trigger.click()
      await parts.message.fill('nearly')
      await parts.send.click()
      await eventually(() => held.length).toBe(1)
      await page.clock.runFor(4900)
      held[0]?.()
      await parts.banner.waitFor()
      await page.clock.runFor(6000)
      await parts.banner.waitFor({ state: 'detached' })

      await parts.trigger.click()
      await parts.message.fill('too late')
      await parts.send.click()
      await eventually(() => held.length).toBe(2)
      await page.clock.runFor(5100)
      await eventually(() => parts.alert.textContent()).toBe(TIMEOUT)
    }))

  it('widget 76: 413 offers to send without the picture, and refuses no text for its sake', () =>
    visit(
      async (page, { trigger, message, send, alert, banner }) => {
        site.answering = (response, count) => answer(count === 1 ? 413 : 200)(response, count)
        const picture = pngOf(1280, 800)
        await trigger.click()
        await message.fill('with a picture')
        const chooser = page.waitForEvent('filechooser')
        await page.getByRole('button', { name: 'More' }).click()
        await page.getByRole('menuitem', { name: 'Upload image' }).click()
        await (await chooser).setFiles([{ name: 'a.png', mimeType: 'image/png', buffer: picture }])
        await page.getByRole('button', { name: 'Back to the form' }).click()
        await page.getByRole('button', { name: 'Add another' }).waitFor()
        await send.click()
        await eventually(() => alert.textContent()).toBe(GENERIC)
        await page.getByText('The picture may be too large').waitFor()
        await page.getByRole('button', { name: 'Send without the picture' }).click()
        await banner.waitFor()
        expect(site.arrived.map(({ attachments }) => attachments.length)).toEqual([1, 0])
        expect(feedbackOf(1)['message']).toBe('with a picture')
      },
      { options: { enableScreenshot: true } },
    ))

  it('widget 84: a hook that drops the report is told at once, and the text stays', () =>
    visit(
      async (page, { alert, message, send }) => {
        await page.click('#own')
        await message.fill('dropped')
        await send.click()
        await eventually(() => alert.textContent()).toBe('This page chose not to send the report.')
        await eventually(() => message.inputValue()).toBe('dropped')
        expect(site.arrived).toEqual([])
      },
      {
        after: "document.getElementById('own').onclick = () => window.feedback.openDialog({ beforeSend: () => null })",
      },
    ))

  it('widget 89: secrets in the page’s address are not sent', () =>
    visit(
      async (_, parts) => {
        await sendText(parts, 'where am I?')
        const text = JSON.stringify(site.arrived[0]?.event)
        expect(text).not.toMatch(/hunter2|abc123|s3cret/)
        expect(feedbackOf(0)['url']).toContain('page=2')
      },
      {},
      { path: '?page=2&password=hunter2&api_key=abc123#access_token=s3cret' },
    ))

  it('widget 93: tags and fields of one report are not those of the next', () =>
    visit(
      async (page, parts) => {
        await pauseClock(page)
        await page.click('#own')
        await parts.message.fill('with tags')
        await parts.send.click()
        await parts.banner.click({ position: { x: 20, y: 10 } })
        const second = page.locator('firsthand-feedback dialog[open]')
        await parts.trigger.click()
        await second.locator('[name=message]').fill('without')
        await second.locator('button[type=submit]').click()
        await eventually(() => site.arrived.length).toBe(2)
        expect([site.arrived[0]?.event.tags, site.arrived[1]?.event.tags ?? {}]).toEqual([{ area: 'basket' }, {}])
        expect(site.arrived[1]?.event.contexts['feedback']?.['fields']).toBeUndefined()
      },
      {
        after:
          "window.feedback.attachTo('#own', { tags: { area: 'basket' }, fields: [{ type: 'text', name: 'f', label: 'F' }] })",
      },
    ))

  it('widget 94: no cookie, no third party, no more of the address than the origin', () =>
    visit(async (page, parts, context) => {
      await context.addCookies([{ name: 'visitor', value: '1', url: site.url }])
      const requests: { url: string; headers: Record<string, string> }[] = []
      page.on('request', (request) => requests.push({ url: request.url(), headers: request.headers() }))
      const sent = page.waitForRequest((request) => request.method() === 'POST')
      await sendText(parts, 'private')
      const headers = await (await sent).allHeaders()
      expect(headers['cookie']).toBeUndefined()
      expect(headers['referer'] ?? '').not.toContain('?')
      expect(requests.filter(({ url }) => !url.startsWith(site.url))).toEqual([])
      expect((await context.cookies()).map(({ name }) => name)).toEqual(['visitor'])
    }))
})

describe('functions of the page', () => {
  it('that fail are told to the page, and the form goes on', async () => {
    site.show({
      options: { autoInject: false },
      after: `const fail = (name) => () => { throw new Error(name) }
        const names = ['onFormOpen', 'onFormClose', 'onSubmitSuccess', 'onSubmitError', 'onFormSubmitted', 'user']
        window.second = createFeedback({ dsn: location.origin.replace('//', '//0123456789abcdef0123456789abcdef@') + '/1', id: 'second', enableScreenshot: false,
          ...Object.fromEntries(names.slice(0, 5).map((name) => [name, fail(name)])), user: () => { if (!window.isKnown) throw new Error('user') } })`,
    })
    const { page, close } = await openPage(browser)
    await pauseClock(page)
    const told: string[] = []
    page.on('pageerror', (error) => told.push(error.message))
    await page.goto(site.url)
    const parts = partsOf(page)
    await parts.trigger.click()
    await parts.dialog.waitFor()
    await eventually(() => page.locator('firsthand-feedback dialog').count()).toBe(1)
    await page.evaluate(() => Object.assign(globalThis, { isKnown: true }))
    await parts.message.fill('kept')
    await page.keyboard.press('Escape')
    await parts.dialog.waitFor({ state: 'hidden' })
    await parts.trigger.click()
    site.answering = answer(500)
    await parts.send.click()
    await eventually(() => parts.alert.textContent()).toBe(GENERIC)
    site.answering = answer(200)
    await parts.send.click()
    await parts.banner.click({ position: { x: 20, y: 10 } })
    await eventually(() => told).toEqual([
      'user',
      'onFormOpen',
      'onFormClose',
      'onFormOpen',
      'onSubmitError',
      'onSubmitSuccess',
      'onFormSubmitted',
    ])
    expect(feedbackOf(1)['message']).toBe('kept')
    await close()
  })

  it('may add what JSON cannot carry', () =>
    visit(
      async (_, parts) => {
        await parts.trigger.click()
        await parts.message.fill('with odd things')
        await parts.send.click()
        await parts.banner.waitFor()
        expect(site.arrived[0]?.event.tags).toEqual({ large: '12345678901234567890' })
        expect(site.arrived[0]?.event.contexts['round']).toEqual({ inner: { outer: '[Circular]' } })
        expect(feedbackOf(0)['message']).toBe('with odd things')
      },
      {
        options: { autoInject: false },
        after: `createFeedback({ dsn: location.origin.replace('//', '//0123456789abcdef0123456789abcdef@') + '/1', id: 'second', enableScreenshot: false,
          tags: { large: 12345678901234567890n }, context: () => { const round = { inner: {} }; round.inner.outer = round; return { round } } })`,
      },
    ))

  it('that fail while a report is made cost what they would have added; one that has the last look costs the report', async () => {
    const told: string[] = []
    const make = (more: string): Parameters<WidgetSite['show']>[0] => ({
      options: { autoInject: false },
      after: `createFeedback({ dsn: location.origin.replace('//', '//0123456789abcdef0123456789abcdef@') + '/1', id: 'second', enableScreenshot: false,
        user: () => { throw new Error('user') }, context: () => { throw new Error('context') }, ${more} })`,
    })
    for (const [more, count] of [
      ['', 1],
      ["beforeSend: () => { throw new Error('beforeSend') }", 1],
    ] as const) {
      site.show(make(more))
      const { page, close } = await openPage(browser)
      page.on('pageerror', (error) => told.push(error.message))
      await page.goto(site.url)
      const { trigger, message, send, banner, alert } = partsOf(page)
      await trigger.click()
      await message.fill('made all the same')
      await send.click()
      if (more === '') await banner.waitFor()
      else await eventually(() => alert.textContent()).toBe('This page chose not to send the report.')
      expect(site.arrived).toHaveLength(count)
      await close()
    }
    expect(feedbackOf(0)['message']).toBe('made all the same')
    expect(told).toEqual(['user', 'user', 'context', 'user', 'user', 'context', 'beforeSend'])
  })
})

describe('what it costs and keeps', () => {
  it('widget 90: nothing is requested or stored before the form is opened, but the first file', () =>
    visit(async (page, { trigger }) => {
      await trigger.waitFor()
      await page.waitForLoadState('networkidle')
      // Its icon a page asks for only where the browser has a window to show it in.
      const asked = (): readonly string[] => [...new Set(site.asked)].filter((path) => path !== '/icon').toSorted()
      await eventually(asked).toEqual(['/', '/app.js', '/feedback.js'])
      expect(
        await page.evaluate(async () => [
          localStorage.length,
          sessionStorage.length,
          (await indexedDB.databases()).length,
          document.cookie,
        ]),
      ).toEqual([0, 0, 0, ''])
    }))

  it('widget 92: a draft is forgotten after seven days, and everything is by remove({ purge: true })', async () => {
    site.show()
    const { page: blank, close } = await openPage(browser)
    const context = blank.context()
    const start = new Date('2026-01-01T12:00:00Z').getTime()
    const open = async (at: number): Promise<Page> => {
      const page = await context.newPage()
      await page.clock.setFixedTime(at)
      await page.goto(site.url)
      await partsOf(page).trigger.click()
      await partsOf(page).message.waitFor()
      return page
    }
    const first = await open(start)
    await partsOf(first).message.fill('half a sentence')
    await eventually(() => first.evaluate(() => JSON.stringify(localStorage))).toContain('half a sentence')
    await first.close()
    const second = await open(start + 6 * DAY_MS)
    await eventually(() => partsOf(second).message.inputValue()).toBe('half a sentence')
    await second.close()
    const third = await open(start + 14 * DAY_MS)
    await eventually(() => partsOf(third).message.inputValue()).toBe('')
    await partsOf(third).message.fill('again')
    await eventually(() => third.evaluate(() => JSON.stringify(localStorage))).toContain('again')
    await third.evaluate(() =>
      (globalThis as unknown as { feedback: { remove(how: object): Promise<void> } }).feedback.remove({ purge: true }),
    )
    expect(await third.evaluate(() => JSON.stringify(localStorage))).not.toContain('again')
    expect(await third.evaluate(async () => (await indexedDB.databases()).length)).toBe(0)
    await close()
  })

  it('widget 100: closed, it has no timer, no frame and no observer of the page', () =>
    visit(
      async (page, { trigger }) => {
        await trigger.waitFor()
        await page.waitForLoadState('networkidle')
        expect(await page.evaluate(() => (globalThis as unknown as { used: string[] }).used)).toEqual([])
      },
      {
        head: `<script>
          window.used = []
          const wrap = (owner, name, what = name) => { const real = owner[name]; owner[name] = function (...given) { used.push(what); return real.apply(this, given) } }
          for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback']) wrap(window, name)
          for (const owner of [MutationObserver, ResizeObserver, IntersectionObserver]) wrap(owner.prototype, 'observe', owner.name)
        </script>`,
      },
    ))

  it('widget 101: a thousand openings leave no listener, no node and no memory behind', () =>
    visit(async (page, { trigger }) => {
      await trigger.waitFor()
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable')
      const cycles = async (count: number) => {
        await page.evaluate(async (times) => {
          const { feedback } = globalThis as unknown as {
            feedback: { openDialog(): Promise<void>; closeDialog(): void }
          }
          for (let done = 0; done < times; done += 1) {
            await feedback.openDialog()
            feedback.closeDialog()
          }
        }, count)
        await session.send('HeapProfiler.collectGarbage')
        await session.send('HeapProfiler.collectGarbage')
        const { metrics } = await session.send('Performance.getMetrics')
        const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
        return { nodes: value('Nodes'), listeners: value('JSEventListeners'), heap: value('JSHeapUsedSize') }
      }
      const early = await cycles(50)
      const late = await cycles(1000)
      expect(late.listeners - early.listeners).toBeLessThan(10)
      expect(late.nodes - early.nodes).toBeLessThan(50)
      // Compiled code and caches grow a little; a form that is kept is tens of kilobytes each time.
      expect(late.heap - early.heap).toBeLessThan(500_000)
    }))

  it('widget 101: opening and closing by hand leaves no listener and no node behind', () =>
    visit(async (page, { trigger, dialog }) => {
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable')
      const cycles = async (count: number): Promise<{ readonly nodes: number; readonly listeners: number }> => {
        for (let done = 0; done < count; done += 1) {
          await trigger.click()
          await dialog.waitFor()
          await page.keyboard.press('Escape')
          await trigger.waitFor()
        }
        await session.send('HeapProfiler.collectGarbage')
        const { metrics } = await session.send('Performance.getMetrics')
        const value = (name: string): number => metrics.find((metric) => metric.name === name)?.value ?? -1
        return { nodes: value('Nodes'), listeners: value('JSEventListeners') }
      }
      const early = await cycles(5)
      const late = await cycles(60)
      expect(late.listeners - early.listeners).toBeLessThan(10)
      expect(late.nodes - early.nodes).toBeLessThan(60)
    }))
})
