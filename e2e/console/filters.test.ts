import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'

const ORGANIZATION = 'filters'

describe('on a phone, filters wait in a sheet', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it.each([
    ['issues', 'Show issues'],
    ['feedback', 'Show reports'],
  ])('of %s: a project is chosen, counted and stands in the address', async (screen, done) => {
    const { page, complaints, close } = await openPage(browser, { ...signedIn, viewport: { width: 390, height: 844 } })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/${screen}`)
    await page.getByRole('button', { name: 'Filters', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: 'Filters' })
    await sheet.getByRole('combobox', { name: 'Projects: All projects' }).click()
    const shop = page.getByRole('option', { name: 'Shop shop' })
    await shop.click()
    await eventually(() => Promise.resolve(new URL(page.url()).searchParams.has('project'))).toBe(true)
    const words = page.getByRole('combobox', { name: 'Projects', exact: true })
    await words.focus()
    await words.press('Escape')
    await shop.waitFor({ state: 'hidden' })
    await sheet.getByRole('combobox', { name: 'Projects: Shop' }).waitFor()
    await sheet.getByRole('button', { name: done }).click()
    await sheet.waitFor({ state: 'hidden' })
    await page.getByRole('button', { name: 'Filters (1)' }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })
})
