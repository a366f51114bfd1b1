import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { type CallAs, withColleague } from '../lib/colleague.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvent } from '../lib/send.ts'
import { withoutAlerts } from '../lib/without-alerts.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { frameOf } from './pages/frame.ts'

const ORGANIZATION = 'told'
const ORG = `/organizations/${ORGANIZATION}`

const inboxOf = (page: Page) => ({
  lines: page.getByRole('region', { name: 'Lines' }).locator('[data-line]'),
  titles: () => page.getByRole('region', { name: 'Lines' }).locator('[data-line] a').allTextContents(),
  pane: page.getByRole('article'),
  unread: () =>
    page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Inbox/ })
      .textContent(),
})

describe('inbox', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let origin: string
  let ann: CallAs
  let ben: CallAs
  const issues: string[] = []

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    origin = originOf(server)
    ;({ owner: ann, colleague: ben } = await withColleague(server, 'Ben Ito'))
    await withoutAlerts(ann, ORG)
    for (const type of ['BasketError', 'PriceError', 'LampError', 'GoneError']) {
      await sendEvent(server.account.dsn, errorEvent(type, 'It is undefined'))
      issues.push((await apiOf(server).issue(type)).id)
    }
    signedIn = await signIn(server)
  })
  afterAll(() => closePages(browser))

  const note = (issue: string | undefined, text: string) => ben('POST', `${ORG}/issues/${issue}/notes/`, { text })

  it('A101: hears at once, has one line for each cause, and is worked off by keys, each undone', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const { lines, pane, titles, unread } = inboxOf(page)
    const frame = frameOf(page)
    const live = frame.live()
    await page.goto(`${origin}${ORG}/inbox`)
    await page.getByText('Nothing waits for you').waitFor()
    await live

    for (const text of ['@ann look', '@ann please', '@ann now']) await note(issues[0], text)
    await ben('PUT', `${ORG}/issues/${issues[1]}/`, { isSubscribed: true })
    await ben('PUT', `${ORG}/issues/${issues[1]}/`, { assignedTo: server.owner.email })
    await note(issues[1], 'It is the till.')
    // The page asks by itself.
    await lines.nth(1).waitFor()
    await eventually(unread).toMatch(/^Inbox2 unread/)
    await eventually(async () => (await titles()).filter((title) => title.includes('3 in one'))).toHaveLength(1)
    await page.getByRole('heading', { name: /^Waiting for you/ }).waitFor()

    await page.keyboard.press('j')
    await pane.waitFor()
    await eventually(unread).toMatch(/^Inbox1 unread/)
    const first = await pane.getByRole('heading').first().textContent()
    // Read, it stays until one looks elsewhere; `u` makes it unread again.
    expect(await lines.count()).toBe(2)
    await page.keyboard.press('u')
    await frame.message('Line marked as unread')
    await eventually(unread).toMatch(/^Inbox2 unread/)

    await page.keyboard.press('e')
    await frame.message('Line done')
    await eventually(() => lines.count()).toBe(1)
    await page.keyboard.press('z')
    await frame.message('Undone: Line done')
    await eventually(() => lines.count()).toBe(2)
    await eventually(async () => (await titles()).join()).toContain((first ?? '').slice(0, 20))

    await page.keyboard.press('Shift+E')
    await frame.message(/marked as read$/)
    await eventually(unread).toMatch(/^Inbox\s*$/)
    await page.keyboard.press('z')
    await eventually(unread).toMatch(/unread/)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('puts a line to sleep until somebody answers, and shows it awake', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const { lines, pane } = inboxOf(page)
    const frame = frameOf(page)
    const live = frame.live()
    await page.goto(`${origin}${ORG}/inbox?show=all`)
    await lines.nth(1).waitFor()
    await live
    await page.keyboard.press('j')
    await pane.waitFor()
    await page.keyboard.press('h')
    await page.getByRole('menuitem', { name: 'Until somebody answers' }).click()
    await frame.message('Line sleeps until somebody answers')
    await eventually(() => lines.count()).toBe(1)
    await page.getByRole('radio', { name: /^Snoozed/ }).click()
    await page.getByText('sleeps until somebody answers').first().waitFor()
    for (const issue of issues.slice(0, 2)) await note(issue, 'There is an answer.')
    await page.getByText('Nothing sleeps').waitFor()
    await page.getByRole('radio', { name: 'All' }).click()
    await page.getByText('Somebody answered.').first().waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('keys that come faster than lines open are for the lines that they lead to', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const { lines } = inboxOf(page)
    const frame = frameOf(page)
    const ids = () => lines.evaluateAll((all) => all.map((line) => line.getAttribute('data-line')))
    await page.goto(`${origin}${ORG}/inbox?show=all`)
    await lines.nth(1).waitFor()
    const before = await ids()
    await frame.pressAtOnce('j', 'j', 'e')
    await frame.message('Line done')
    await eventually(ids).toEqual(before.filter((_, at) => at !== 1))
    await page.keyboard.press('z')
    await eventually(ids).toEqual(before)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('a line that is marked as unread faster than it opens stays unread', async () => {
    await note(issues[0], '@ann quickly')
    const { page, complaints, close } = await openPage(browser, signedIn)
    const { lines, pane } = inboxOf(page)
    const frame = frameOf(page)
    const changes: unknown[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT' && request.url().endsWith('/inbox/')) changes.push(request.postDataJSON())
    })
    await page.goto(`${origin}${ORG}/inbox`)
    await lines.first().waitFor()
    await frame.pressAtOnce('j', 'u')
    await frame.message('Line marked as unread')
    await pane.waitFor()
    await page.keyboard.press('e')
    await frame.message('Line done')
    expect(changes).toMatchObject([{ isRead: false }, { isDone: true }])
    await page.keyboard.press('z')
    await frame.message('Undone: Line done')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('a line goes from an open inbox with its issue, and says what it is about before who did it', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const { lines } = inboxOf(page)
    const frame = frameOf(page)
    const live = frame.live()
    await page.goto(`${origin}${ORG}/inbox`)
    await live
    await ben('PUT', `${ORG}/issues/${issues[3]}/`, { assignedTo: server.owner.email })
    const line = lines.filter({ hasText: 'GoneError' })
    await line.waitFor()
    await eventually(() => line.textContent()).toMatch(/Assigned to you, .*GoneError.*Ben Ito assigned it to you\.$/)
    await page.getByRole('heading', { name: /^Waiting for you \d+ unread$/ }).waitFor()
    await ann('DELETE', `${ORG}/issues/${issues[3]}/`)
    await line.waitFor({ state: 'detached' })
    await ann('POST', `${ORG}/issues/restore/`, { ids: [issues[3]] })
    await line.waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('keeps its keys in sight under a banner, and beside a message', async () => {
    const { page, close } = await openPage(browser, signedIn, [/Failed to load resource/])
    const { lines } = inboxOf(page)
    const frame = frameOf(page)
    await note(issues[0], '@ann are you there?')
    await page.route(/\/status\/(\?|$)/, (route) => route.abort())
    await page.goto(`${origin}${ORG}/inbox?show=all`)
    await page.getByText('The server cannot be reached.').waitFor()
    await lines.first().waitFor()
    const box = async (what: Locator) => {
      const found = await what.boundingBox()
      if (found === null) throw new Error('It is not on the screen')
      return { top: found.y, bottom: found.y + found.height }
    }
    const keys = page.locator('footer').filter({ hasText: 'undo' })
    expect((await box(keys)).bottom).toBeLessThanOrEqual(page.viewportSize()?.height ?? 0)
    await page.keyboard.press('j')
    await page.keyboard.press('u')
    await frame.message(/^Line marked as/)
    await eventually(async () => (await box(frame.messages)).bottom <= (await box(keys)).top).toBe(true)
    await close()
  })

  it('A102: a note offers colleagues by @, and says whom it told and whom it could not', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const frame = frameOf(page)
    await page.goto(`${origin}${ORG}/issues/${issues[2]}`)
    const field = page.getByRole('textbox', { name: 'Write a note' })
    await field.pressSequentially('Dear @be')
    await page.getByRole('option', { name: /Ben Ito/ }).waitFor()
    await field.press('Enter')
    expect(await field.inputValue()).toBe('Dear @ben.ito ')
    await field.pressSequentially('and @zoe, look')
    await field.press('Control+Enter')
    await frame.message('The note was added, and Ben Ito told')
    await frame.message(/Nobody in this organisation is called @zoe/)
    await eventually(async () => (await ben<unknown[]>('GET', `${ORG}/inbox/`)).length).toBeGreaterThan(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('what reaches one is chosen by kind and way, and taken back', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    const frame = frameOf(page)
    interface Settings {
      readonly settings: {
        readonly kinds: Readonly<Record<string, { readonly mail?: string }>>
        readonly quiet: unknown
      }
    }
    const settings = async () => (await ann<Settings>('GET', '/users/me/notifications/')).settings
    await page.goto(`${origin}${ORG}/settings/notifications`)
    await frame.select(page.getByRole('combobox', { name: 'Mentioned: E-mail' }), 'Never')
    await frame.message('Mentioned, e-mail: never')
    await eventually(async () => (await settings()).kinds['mentioned']?.mail).toBe('never')
    await frame.messages.getByRole('button', { name: 'Undo' }).click()
    await frame.message('Undone: Mentioned, e-mail: never')
    await eventually(async () => (await settings()).kinds['mentioned']?.mail ?? 'as for everybody').toBe(
      'as for everybody',
    )
    await page.getByRole('switch', { name: /^Quiet hours/ }).click()
    await eventually(async () => (await settings()).quiet).toMatchObject({ from: 1320, to: 420 })
    await page.getByRole('button', { name: 'Preview' }).click()
    // The very mail, in a page of its own.
    await page
      .frameLocator('iframe[title="The mail"]')
      .getByRole('heading', { name: /^Your week/ })
      .waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })
})
