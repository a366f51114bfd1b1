import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { axeViolations } from '../lib/axe.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { partsOf, serveWidget, type WidgetSite } from './dialog-site.ts'

describe('the widget for everybody', () => {
  let site: WidgetSite
  let browser: Browser
  beforeAll(async () => {
    ;[site, browser] = await Promise.all([serveWidget(), joinBrowser()])
  })
  afterAll(async () => {
    await closePages(browser)
    await site.close()
  })

  const violations = async (page: Page): Promise<string[]> => {
    const found = await axeViolations(page, { within: 'firsthand-feedback' })
    return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' | ')}`)
  }

  it.each([
    ['light', 'none'],
    ['dark', 'none'],
    ['light', 'active'],
  ] as const)(
    'widget 33, 35, 40: axe has nothing to say in %s, forced colours %s',
    async (colorScheme, forcedColors) => {
      site.show({
        options: {
          fields: [
            { type: 'rating', name: 'stars', label: 'How was it?' },
            { type: 'select', name: 'area', label: 'Area', options: ['Basket'] },
          ],
        },
      })
      const { page, close } = await openPage(browser, { colorScheme, forcedColors, reducedMotion: 'reduce' })
      await page.goto(site.url)
      const { trigger, dialog, message, send, alert, banner } = partsOf(page)
      await trigger.waitFor()
      expect(await violations(page)).toEqual([])
      await trigger.click()
      await dialog.waitFor()
      expect(await violations(page)).toEqual([])
      await send.click()
      await alert.getByText('Please enter').waitFor()
      expect(await violations(page)).toEqual([])
      await message.fill('hello')
      await send.click()
      await banner.hover()
      expect(await violations(page)).toEqual([])
      await close()
    },
  )

  it.each([
    ['http://127.0.0.1/', 2],
    ['http://shop.example/', 0],
  ])('widget 40: colours that cannot be read are reported to developers: at %s, %i times', async (origin, count) => {
    site.show({
      options: {
        themeLight: { foreground: '#999', accentForeground: 'var(--brand)' },
        themeDark: { accentForeground: '#fff', background: 'rgb(0 0 0 / 0.9)' },
      },
      after: "feedback.setTheme('dark'); feedback.setTheme('light')",
    })
    const { page, close } = await openPage(browser)
    const warnings: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text())
    })
    const asked = origin.includes('127') ? site.url : origin
    await page.route('http://shop.example/**', async (route) => {
      const url = route.request().url().replace(origin, site.url)
      await route.fulfill({ response: await route.fetch({ url }) })
    })
    await page.goto(asked)
    await partsOf(page).trigger.click()
    await partsOf(page).dialog.waitFor()
    await page.waitForLoadState('networkidle')
    await eventually(() => warnings.filter((text) => text.includes('has a contrast of'))).toHaveLength(count)
    if (count > 0)
      expect(warnings[0]).toContain('themeLight: foreground (#999) on background (#fff) has a contrast of 2.8')
    // A file that is still on its way must not find the page gone.
    await page.unrouteAll({ behavior: 'wait' })
    await close()
  })

  it('widget 28, 30: a modal dialog with a name, and Tab stays inside', async () => {
    site.show()
    const { page, close } = await openPage(browser)
    await page.goto(site.url)
    const { trigger } = partsOf(page)
    await trigger.click()
    await page.getByRole('dialog', { name: 'Report a Bug' }).waitFor()
    for (const key of [...Array(12).fill('Tab'), ...Array(12).fill('Shift+Tab')]) {
      await page.keyboard.press(key)
      expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('own')
    }
    await close()
  })

  it('widget 42: no animation under reduced motion', async () => {
    site.show()
    const { page, close } = await openPage(browser, { reducedMotion: 'reduce' })
    await page.goto(site.url)
    const { trigger, dialog } = partsOf(page)
    await trigger.click()
    expect(await dialog.evaluate((each) => each.getAnimations({ subtree: true }).length)).toBe(0)
    await close()
  })

  it.each(['de', 'fr', 'es', 'pt', 'ja', 'zh', 'ar'])(
    'widget 102: the page speaks %s, and so does the whole form',
    async (lang) => {
      site.show({ lang })
      const { page, close } = await openPage(browser)
      await page.goto(site.url)
      const { trigger, dialog } = partsOf(page)
      await trigger.click()
      await dialog.waitFor()
      expect(await dialog.innerText()).not.toMatch(/\b(Report a Bug|Send Bug Report|Cancel|Includes|required)\b/)
      await close()
    },
  )
})
