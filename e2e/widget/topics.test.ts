import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { axeViolations } from '../lib/axe.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { answer, partsOf, serveWidget, type WidgetSite } from './dialog-site.ts'

type Parts = ReturnType<typeof partsOf>

const TOPICS = '/feedback-topics.js'

describe('category and rating', () => {
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
    context: BrowserContextOptions = {},
    ignore: readonly RegExp[] = [],
  ): Promise<void> => {
    site.show(shown)
    const { page, complaints, close } = await openPage(browser, context, ignore)
    try {
      await page.goto(site.url)
      await work(page, partsOf(page))
      expect(complaints.list).toEqual([])
    } finally {
      await close()
    }
  }
  const feedbackOf = (index: number) => site.arrived[index]?.event.contexts['feedback'] ?? {}

  it('widget 106: nobody is asked, and nothing is loaded for it, unless it is configured', () =>
    visit(async (page, { trigger, message, send, banner }) => {
      await trigger.click()
      await message.fill('hello')
      await eventually(() => page.getByRole('radio').count()).toBe(0)
      await send.click()
      await banner.waitFor()
      expect(site.asked).not.toContain(TOPICS)
      expect(feedbackOf(0)).not.toHaveProperty('category')
      expect(feedbackOf(0)).not.toHaveProperty('rating')
    }))

  it('widget 106: both are answered by keys, kept with the draft, sent, and empty for the next report', () =>
    visit(
      async (page, { trigger, message, send, banner }) => {
        await trigger.click()
        await message.fill('hello')
        await message.press('Tab')
        const chosen = (name: string) => page.getByRole('radio', { name, exact: true })
        await eventually(() => chosen('Bug').evaluate((radio) => radio.matches(':focus'))).toBe(true)
        await page.keyboard.press('ArrowRight')
        await eventually(() => chosen('Idea').isChecked()).toBe(true)
        await page.keyboard.press('Tab')
        await eventually(() => chosen('1 of 5').evaluate((radio) => radio.matches(':focus'))).toBe(true)
        await page.keyboard.press('ArrowLeft')
        await eventually(() => chosen('5 of 5').isChecked()).toBe(true)
        await page.keyboard.press('ArrowLeft')
        await eventually(() => chosen('4 of 5').isChecked()).toBe(true)
        await page.reload()
        await trigger.click()
        await eventually(() => chosen('Idea').isChecked()).toBe(true)
        await eventually(() => chosen('4 of 5').isChecked()).toBe(true)
        await send.click()
        await banner.waitFor()
        expect(feedbackOf(0)).toMatchObject({ category: 'idea', rating: 4 })
        expect(feedbackOf(0)).not.toHaveProperty('fields')
        await trigger.click()
        await message.fill('again')
        await eventually(() => page.locator('firsthand-feedback input:checked[type=radio]').count()).toBe(0)
        await send.click()
        await eventually(() => site.arrived.length).toBe(2)
        expect(feedbackOf(1)).not.toHaveProperty('category')
        expect(feedbackOf(1)).not.toHaveProperty('rating')
      },
      { options: { categories: true, rating: true } },
    ))

  it.each([
    ['Basket, Delivery ,,', 'Delivery', 'Delivery'],
    [['Basket', { value: 'd', label: 'Delivery' }], 'Delivery', 'd'],
  ])('widget 106: a list of the site’s own, beside its own fields of these names: %j', (categories, label, sent) =>
    visit(
      async (page, { trigger, message, send, banner }) => {
        await trigger.click()
        await page.getByRole('radio', { name: label }).check({ force: true })
        await page.getByRole('textbox', { name: 'Own category' }).fill('own')
        await page.getByRole('radio', { name: '3 of 5' }).first().check({ force: true })
        await message.fill('hello')
        await eventually(() => page.locator('firsthand-feedback .chips label').allTextContents()).toEqual([
          'Basket',
          'Delivery',
        ])
        await send.click()
        await banner.waitFor()
        expect(feedbackOf(0)).toMatchObject({ category: sent, rating: 3, fields: { category: 'own', rating: 0 } })
      },
      {
        options: {
          categories,
          rating: true,
          fields: [
            { type: 'text', name: 'category', label: 'Own category' },
            { type: 'rating', name: 'rating', label: 'Own rating' },
          ],
        },
      },
    ),
  )

  it('widget 106: texts in the language of the form, or as configured', async () => {
    const seen = new Set<string>()
    for (const lang of ['en', 'de', 'fr', 'es', 'pt', 'ja', 'zh', 'ar']) {
      await visit(
        async (page, { trigger }) => {
          await trigger.click()
          await eventually(() => page.locator('firsthand-feedback legend').count()).toBe(2)
          seen.add((await page.locator('firsthand-feedback legend').allTextContents()).join('|'))
        },
        { lang, options: { categories: true, rating: true } },
      )
    }
    expect(seen.size).toBe(8)
    await visit(
      async (page, { trigger }) => {
        await trigger.click()
        await eventually(() => page.locator('firsthand-feedback legend').allTextContents()).toEqual(['Kind', 'Stars'])
        await eventually(() => page.locator('firsthand-feedback .chips label').first().textContent()).toBe('Defect')
      },
      {
        options: { categories: true, rating: true, categoryLabel: 'Kind', categoryBug: 'Defect', ratingLabel: 'Stars' },
      },
    )
  })

  it.each([
    ['en', { categories: true }, ['Send feedback', 'Send feedback']],
    ['de', { categories: true }, ['Feedback senden', 'Feedback senden']],
    ['en', { categories: true, formTitle: 'Tell us', submitButtonLabel: 'Tell' }, ['Tell us', 'Tell']],
    ['en', { rating: true }, ['Report a Bug', 'Send Bug Report']],
  ])('widget 106: a form that asks for a category is not called that of a bug: %s %j', (lang, options, said) =>
    visit(
      async (page, { trigger, dialog, send }) => {
        await trigger.click()
        await dialog.waitFor()
        await eventually(async () => [
          await page.locator('firsthand-feedback h2').textContent(),
          await send.textContent(),
        ]).toEqual(said)
      },
      { lang, options },
    ),
  )

  it.each([
    ['light', 'none', 1440],
    ['dark', 'none', 390],
    ['light', 'active', 320],
  ] as const)(
    'widget 33, 39: axe has nothing to say in %s, forced colours %s, %i px',
    (colorScheme, forcedColors, width) =>
      visit(
        async (page, { trigger, dialog }) => {
          await trigger.click()
          await dialog.waitFor()
          await page.getByRole('radio', { name: 'Praise' }).check({ force: true })
          const violations = await axeViolations(page, { within: 'firsthand-feedback' })
          expect(violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html).join(' ')}`)).toEqual([])
          const small = await page
            .locator('firsthand-feedback .chips label, firsthand-feedback .stars label')
            .evaluateAll(
              (labels, right) =>
                labels
                  .map((label) => label.getBoundingClientRect())
                  .filter((box) => box.width < 24 || box.height < 24 || box.left < 0 || box.right > right).length,
              width,
            )
          expect(small).toBe(0)
        },
        { options: { categories: true, rating: true } },
        { colorScheme, forcedColors, reducedMotion: 'reduce', viewport: { width, height: 800 } },
      ),
  )

  it('widget 106: a form whose questions do not load is a form without them', () => {
    site.blocked.add(TOPICS)
    return visit(
      async (page, { trigger, message, send, banner }) => {
        await trigger.click()
        await message.fill('hello')
        await send.click()
        await banner.waitFor()
        expect(await page.getByRole('radio').count()).toBe(0)
      },
      { options: { categories: true, rating: true } },
      {},
      [/404/],
    )
  })
})
