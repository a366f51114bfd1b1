import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { type Complaints, openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { closePages, joinBrowser, joinServer } from '../lib/shared.ts'
import { type Frame, frameOf } from './pages/frame.ts'
import { type Stream, streamOf } from './pages/stream.ts'

const ORGANIZATION = 'saved'
const CHECKOUT = 'is:unresolved area:checkout'

describe('saved searches', () => {
  let browser: Browser
  let signedIn: SignedIn
  let origin: string

  const visit = async (): Promise<{
    page: Page
    complaints: Complaints
    stream: Stream
    frame: Frame
    button: Locator
    close(): Promise<void>
  }> => {
    const opened = await openPage(browser, signedIn)
    return {
      ...opened,
      stream: streamOf(opened.page, ORGANIZATION, origin),
      frame: frameOf(opened.page),
      button: opened.page.getByRole('button', { name: /^Saved searches/ }),
    }
  }
  const named = (button: Locator) => eventually(() => button.getAttribute('aria-label'))

  beforeAll(async () => {
    const [server, joined] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    browser = joined
    origin = originOf(server)
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it('keeps a search under a name, for oneself and for everybody, and refuses what cannot be kept', async () => {
    const { complaints, stream, frame, button, close } = await visit()
    await stream.open(CHECKOUT)
    await frame.choose(button, 'Save it under a name …')
    const asked = frame.dialog.filter({ hasText: 'Save this search' })
    await asked.getByRole('button', { name: 'Save search' }).click()
    await asked.getByText('Give it a name.').waitFor()
    await asked.getByLabel('Name').fill('Checkout')
    await asked.getByRole('button', { name: 'Save search' }).click()
    await frame.message('Saved as “Checkout”')
    await asked.waitFor({ state: 'detached' })
    await named(button).toBe('Saved searches: Checkout')

    await stream.search('level:fatal')
    await named(button).toBe('Saved searches')
    await frame.choose(button, 'Save it under a name …')
    await asked.getByLabel('Name').fill('Worst of all')
    await asked.getByText('For everybody').click()
    await asked.getByRole('button', { name: 'Save search' }).click()
    await named(button).toBe('Saved searches: Worst of all')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('opens, renames and deletes by keyboard, and takes the deletion back', async () => {
    const { page, complaints, stream, frame, button, close } = await visit()
    await stream.open()
    await named(button).toBe('Saved searches')
    await page.keyboard.press('v')
    const menu = page.getByRole('menu')
    await eventually(() => menu.getByRole('menuitemradio').allTextContents()).toEqual([
      `Checkout${CHECKOUT}`,
      'Worst of alllevel:fatal',
    ])
    for (const title of ['Yours', 'Shared with everybody', 'This search']) await menu.getByText(title).waitFor()
    await eventually(() => menu.evaluate((list) => list.contains(document.activeElement))).toBe(true)
    const checkout = menu.getByRole('menuitemradio', { name: /^Checkout/ })
    await page.keyboard.press('Home')
    await eventually(() => checkout.evaluate((item) => item === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('query') === CHECKOUT)
    await eventually(() => stream.searchBar.inputValue()).toBe(CHECKOUT)
    await named(button).toBe('Saved searches: Checkout')

    await frame.choose(button, 'Rename, change or share …')
    const asked = frame.dialog.filter({ hasText: 'Saved search' })
    const name = asked.getByLabel('Name')
    await eventually(() => name.evaluate((field) => field === document.activeElement)).toBe(true)
    await name.fill('Paying')
    await page.keyboard.press('Enter')
    await named(button).toBe('Saved searches: Paying')
    await asked.waitFor({ state: 'detached' })

    await frame.choose(button, 'Delete “Paying”')
    await frame.heldMessage('“Paying” deleted')
    await named(button).toBe('Saved searches')
    await frame.messages.getByRole('button', { name: 'Undo' }).first().click()
    await named(button).toBe('Saved searches: Paying')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('is found in the palette by its name and by its words', async () => {
    const { page, complaints, stream, button, close } = await visit()
    await stream.open()
    await named(button).toBe('Saved searches')
    await page.keyboard.press('ControlOrMeta+k')
    const field = page.getByRole('dialog', { name: 'Commands' }).getByRole('combobox')
    await field.fill('area:checkout')
    const group = page.getByRole('group', { name: 'Saved searches' })
    await group.getByRole('option', { name: /^Paying/ }).waitFor()
    await field.fill('worst')
    await group.getByRole('option', { name: /^Worst of all/ }).click()
    await page.waitForURL((url) => url.searchParams.get('query') === 'level:fatal')
    await named(button).toBe('Saved searches: Worst of all')
    expect(complaints.list).toEqual([])
    await close()
  })
})
