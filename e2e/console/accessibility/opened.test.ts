import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer } from '../../../tools/harness/server.ts'
import { originOf } from '../../lib/account.ts'
import { openPage } from '../../lib/browser.ts'
import { closePages } from '../../lib/shared.ts'
import { type Exhibition, examine, IN_COLOUR, prepareExhibition, showIn, STILL, violations } from './exhibition.ts'
import { OF_ISSUES, OF_PERFORMANCE, OF_REPORTS, OF_SETTINGS } from './screens.ts'

const ORGANIZATION = 'accessibility-opened'

const ORG = `/organizations/${ORGANIZATION}`

/** Routes that draw nothing of their own: layouts and redirects. `setup` has a test of its own below. */
const WITHOUT_SCREEN = ['/', 'settings', 'organizations/$org', 'setup']

interface Part {
  readonly name: string
  readonly path: string
  readonly open: (page: Page) => Promise<unknown>
  /** What is there when it is open. */
  readonly opened: (page: Page) => Promise<unknown>
}

const dialog =
  (name: string | RegExp) =>
  (page: Page): Promise<unknown> =>
    page.getByRole('dialog', { name }).waitFor()

const PARTS: readonly Part[] = [
  {
    name: 'the search with its completions',
    path: `${ORG}/issues`,
    open: (page) => page.getByRole('combobox', { name: 'Search issues' }).click(),
    opened: (page) => page.getByRole('listbox').getByRole('option').first().waitFor(),
  },
  {
    name: 'the bar for selected issues',
    path: `${ORG}/issues`,
    open: (page) => page.getByRole('checkbox', { name: 'Select all loaded issues' }).click(),
    opened: (page) => page.getByRole('toolbar', { name: 'Change selected issues' }).waitFor(),
  },
  {
    name: 'the command palette',
    path: `${ORG}/issues`,
    open: (page) => page.keyboard.press('Control+k'),
    opened: (page) => page.getByRole('dialog', { name: 'Commands' }).getByRole('option').first().waitFor(),
  },
  {
    name: 'the help for shortcuts',
    path: `${ORG}/issues`,
    open: (page) => page.keyboard.press('?'),
    opened: dialog(/shortcuts/i),
  },
  {
    name: 'the menu of the account',
    path: `${ORG}/issues`,
    open: (page) => page.getByRole('button', { name: /^Account of/ }).click(),
    opened: (page) => page.getByRole('menuitem', { name: 'Log out' }).waitFor(),
  },
  {
    name: 'the limit of an alert',
    path: `${ORG}/alerts/new?template=people`,
    open: (page) => page.getByRole('button', { name: /^Limit: / }).click(),
    opened: dialog('Limit'),
  },
  {
    name: 'the hours of an alert',
    path: `${ORG}/alerts/new?template=people`,
    open: (page) => page.getByRole('button', { name: /^Hours: / }).click(),
    opened: dialog('Hours'),
  },
  {
    name: 'the dialog of a new key',
    path: `${ORG}/settings/projects/shop?tab=keys`,
    open: (page) => page.getByRole('button', { name: 'New key' }).click(),
    opened: dialog(/./),
  },
  {
    name: 'the dialog of a new token',
    path: `${ORG}/settings/tokens`,
    open: (page) => page.getByRole('button', { name: 'New token' }).click(),
    opened: dialog(/./),
  },
]

describe('what opens above a screen, for everybody', () => {
  let exhibition: Exhibition
  beforeAll(async () => {
    exhibition = await prepareExhibition(ORGANIZATION)
  })
  afterAll(() => closePages(exhibition.browser))

  it('every route of the router has a screen in one of these files', () => {
    const source = join(import.meta.dirname, '..', '..', '..', 'apps', 'console', 'src')
    const declared = readdirSync(source, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('manifest.ts') || file.endsWith('parent-routes.tsx'))
      .flatMap((file) => [
        ...readFileSync(join(source, file), 'utf8').matchAll(/createRoute\(\{[^}]*?path: '([^']*)'/g),
      ])
      .map((match) => match[1] ?? '')
    expect(declared.length).toBeGreaterThan(15)
    const screens = [...OF_ISSUES, ...OF_REPORTS, ...OF_PERFORMANCE, ...OF_SETTINGS]
    const covered = new Set([...WITHOUT_SCREEN, ...screens.map((screen) => screen.route)])
    expect(declared.filter((path) => !covered.has(path))).toEqual([])
  })

  it.each(PARTS)('axe finds nothing in $name', async ({ path, open, opened }) => {
    const { page } = exhibition.inside
    await page.emulateMedia({ colorScheme: 'light' })
    await page.goto(`${exhibition.origin}${path}`)
    await page
      .getByText(path.endsWith('issues') ? 'basket is undefined' : /shop|token/i)
      .first()
      .waitFor()
    await open(page)
    await opened(page)
    const found = await violations(page, 'light')
    await showIn(page, 'dark')
    found.push(...(await violations(page, 'dark', IN_COLOUR)))
    // Menus and lists float beside the landmarks, at the end of the document.
    expect(found.filter(({ rule }) => !rule.startsWith('region:'))).toEqual([])
  })

  it('axe finds nothing on the set-up page of a new installation', async () => {
    const fresh = await startServer({ setUp: false })
    const { page, close } = await openPage(exhibition.browser, STILL)
    await page.goto(`${originOf(fresh)}/`)
    await page.getByRole('heading', { name: 'Set up Firsthand' }).waitFor()
    expect(await examine(page)).toEqual([])
    await close()
    await fresh.stop()
    fresh.remove()
  })
})
