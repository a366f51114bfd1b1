import type { Browser, Locator } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { originOf, type SignedIn, signIn } from '../lib/account.ts'
import { apiOf } from '../lib/api.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { sendFeedback } from '../lib/feedback.ts'
import { sendProfile } from '../lib/profiles.ts'
import { errorEvent, newEventId, sendEvent } from '../lib/send.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { newTraceId, sendTransaction } from '../lib/transactions.ts'
import { sendVisit } from '../lib/visits.ts'

const ORGANIZATION = 'widths'

const LONG = 'a-name-that-nobody-would-ever-break-into-lines-of-its-own-accord-2026-11-21'

/** Everything must be reachable on the smallest phone, on tablets in both directions, and where a column appears or goes. */
const WIDTHS = [320, 390, 700, 800, 1000, 1280, 1440] as const

describe('at every width', () => {
  let server: SharedServer
  let browser: Browser
  let signedIn: SignedIn
  let issue: string
  let profile: string
  const trace = newTraceId()

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([joinServer(ORGANIZATION), joinBrowser()])
    signedIn = await signIn(server)
    const { dsn, organization, project, token } = server.account
    await fetch(`${originOf(server)}/api/0/projects/${organization}/${project}/`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name: LONG }),
    })
    await sendEvent(dsn, {
      ...errorEvent('WideError', LONG),
      release: `${LONG}@1.0`,
      environment: 'production',
      tags: { [LONG.slice(0, 32)]: LONG, url: `https://example.com/${LONG}` },
      user: { id: LONG, email: `${LONG}@example.com` },
    })
    await sendFeedback(dsn, { message: LONG, name: `Zoe-${LONG}`, contact_email: `${LONG.slice(0, 40)}@example.com` })
    await sendTransaction(dsn, {
      traceId: trace,
      startMs: Date.now() - 60_000,
      user: LONG,
      root: {
        op: 'http.server',
        name: LONG,
        from: 0,
        to: 70_000,
        children: [{ op: LONG.slice(0, 64), name: LONG, from: 1, to: 60_000, status: 'deadline_exceeded' }],
      },
    })
    await sendVisit(dsn, {
      urls: [`https://example.com/${LONG}`, `https://example.com/${LONG}/${LONG}`],
      dead: [[{ tagName: 'button', attributes: { id: LONG, 'aria-label': LONG } }, 5]],
      event: { user: { email: `${LONG.slice(0, 40)}@example.com` }, release: `${LONG}@1.0`, environment: 'production' },
    })
    profile = await sendProfile(dsn, { transaction: LONG })
    issue = (await apiOf(server).issue('WideError')).id
  })
  afterAll(async () => {
    await closePages(browser)
  })

  it.each([
    ['the stream', () => 'issues', 'WideError'],
    ['an issue', () => `issues/${issue}`, 'Stack trace'],
    ['its events', () => `issues/${issue}?tab=events`, 'production'],
    ['the inbox', () => 'feedback?mailbox=all', 'Zoe-a-name'],
    ['replays', () => 'replays', `${LONG.slice(0, 40)}@example.com`],
    ['clicked elements', () => 'replays/clicks', LONG],
    ['receipts', () => 'receipts', 'Stored and shown'],
    ['transactions', () => 'performance', LONG],
    ['a transaction', () => `performance/summary?transaction=${LONG}`, 'Slowest samples'],
    ['a trace', () => `traces/${trace}`, LONG],
    ['a profile', () => `profiles/${profile}`, 'loadTable'],
    ['traces', () => 'traces', LONG],
    ['explore', () => 'explore?group=transaction', LONG],
    ['alerts', () => 'alerts', 'Last fired'],
    ['a new alert', () => `alerts/new?template=people&query=transaction:${LONG}`, 'Dry run, last 14 days'],
    ['project settings', () => 'settings/projects/shop?tab=feedback', 'What is suspicious'],
  ])('%s does not scroll sideways, and the navigation is whole', async (_, path, text) => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/${path()}`)
    await page.getByText(text).first().waitFor()
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 })
      await page.getByRole('button', { name: /^Account of/ }).waitFor()
      // What follows from the width is drawn a moment after it has changed.
      const measured = () =>
        page.evaluate(() => {
          const account = document.querySelector('nav[aria-label=Main] li:last-child button')?.getBoundingClientRect()
          const tables = [...document.querySelectorAll('[role=region]:has(> table)')]
          return {
            page: document.documentElement.scrollWidth - innerWidth,
            account: account !== undefined && account.right <= innerWidth && account.left >= 0,
            tables: tables.filter((table) => table.scrollWidth > table.clientWidth).length,
          }
        })
      await eventually(measured, `${width} px`).toEqual({ page: 0, account: true, tables: 0 })
    }
    expect(complaints.list).toEqual([])
    await close()
  })

  it('on the narrowest phone a row holds all that is said of a replay, and its page names the visitor', async () => {
    const { dsn } = server.account
    const replayId = newEventId()
    const button = { tagName: 'button', textContent: 'Pay', attributes: {} }
    await sendVisit(dsn, { replayId, dead: [[button, 5]], event: { user: { username: 'Marta Silva' } } })
    await sendEvent(dsn, { ...errorEvent('RowError', LONG), contexts: { replay: { replay_id: replayId } } })
    await apiOf(server).issue('RowError')
    const { page, complaints, close } = await openPage(browser, { ...signedIn, viewport: { width: 320, height: 800 } })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/replays?query=id%3A${replayId}`)
    const row = page.locator('[data-replay]')
    for (const said of ['1 error', '1 rage', '1 dead', 'RowError']) await row.getByText(said).first().waitFor()
    const beyond = () =>
      row.evaluate((element) => {
        const { bottom, top } = element.getBoundingClientRect()
        return [...element.children]
          .filter((child) => child.getBoundingClientRect().height > 0)
          .filter((child) => child.getBoundingClientRect().top < top || child.getBoundingClientRect().bottom > bottom)
          .map((child) => child.textContent)
      })
    await eventually(beyond).toEqual([])
    await row.getByRole('link', { name: 'Marta Silva' }).click()
    const name = page.getByRole('heading', { name: 'Marta Silva' })
    await eventually(() => name.evaluate((title) => title.scrollWidth - title.clientWidth)).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('on a phone the pages without a place in the bar are under More, which shows when one of them is open', async () => {
    const { page, complaints, close } = await openPage(browser, { ...signedIn, viewport: { width: 320, height: 640 } })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues`)
    const bar = page.getByRole('navigation', { name: 'Main' })
    const more = bar.getByRole('button', { name: 'More' })
    await more.waitFor()
    const links = await bar.getByRole('link').evaluateAll((all) => all.map((link) => link.closest('li')?.title))
    expect(links).toEqual(['Inbox', 'Issues', 'Review'])
    expect(await more.getAttribute('aria-current')).toBeNull()
    await more.press('Enter')
    await page.getByRole('menuitem', { name: 'Logs' }).press('Enter')
    await page.waitForURL(/\/logs/)
    await eventually(() => more.getAttribute('aria-current')).toBe('page')
    expect(complaints.list).toEqual([])
    await close()
  })

  it('tabs without room stand in a menu, and the one that is chosen there in the row', async () => {
    const { page, complaints, close } = await openPage(browser, { ...signedIn, viewport: { width: 390, height: 844 } })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/settings/projects/shop`)
    const tabs = page.getByRole('tablist', { name: "Parts of the project's settings" }).getByRole('tab')
    const more = page.getByRole('button', { name: 'More tabs' })
    await more.click()
    const rest = page.getByRole('menuitem')
    await rest.last().waitFor()
    const shown = await tabs.count()
    const all = shown + (await rest.count())
    const name = await rest.last().innerText()
    await rest.last().click()
    await page.getByRole('tab', { name, selected: true }).waitFor()
    const isWithin = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)
    expect(isWithin).toBe(true)
    await page.setViewportSize({ width: 1024, height: 900 })
    // With more room more of them stand in the row, and the menu has what is left.
    await eventually(() => tabs.count()).toBeGreaterThan(shown)
    const inRow = await tabs.count()
    await more.click()
    await eventually(() => rest.count()).toBe(all - inRow)
    await page.keyboard.press('Escape')
    await page.setViewportSize({ width: 1440, height: 900 })
    await eventually(() => tabs.count()).toBe(all)
    await eventually(() => more.count()).toBe(0)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('an issue has its facts beside each other where the window is as wide as that', async () => {
    const { page, complaints, close } = await openPage(browser, {
      ...signedIn,
      viewport: { width: 2560, height: 1300 },
    })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues/${issue}`)
    const part = (name: string) => page.getByRole('region', { name, exact: true })
    await part('Activity').waitFor()
    const placed = async () => {
      const names = ['Who is affected', 'Tickets', 'Why grouped']
      const [who, tickets, why] = await Promise.all(names.map((name) => part(name).boundingBox()))
      if (!who || !tickets || !why) return false
      const isBeside = tickets.y === who.y && why.x > who.x + who.width && why.x + why.width > 2300
      return isBeside && why.y > tickets.y && why.x === tickets.x
    }
    await eventually(placed).toBe(true)
    expect(complaints.list).toEqual([])
    await close()
  })

  it.each([390, 1440, 2560])('the facts of an issue stand apart from each other, %i wide', async (width) => {
    const { page, complaints, close } = await openPage(browser, { ...signedIn, viewport: { width, height: 1300 } })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues/${issue}`)
    const part = (name: string) => page.getByRole('region', { name, exact: true })
    await part('Activity').waitFor()
    const gaps = async () => {
      const names = ['Who is affected', 'Tickets', 'Why grouped', 'Similar issues', 'Who was told', 'Activity']
      const boxes = await Promise.all(names.map((name) => part(name).boundingBox()))
      // Where it is wide, the second begins a column of its own.
      return boxes.slice(1).map((box, at) => {
        const before = boxes[at]
        return box && before && (box.x > before.x ? 'beside' : Math.round(box.y - before.y - before.height))
      })
    }
    await eventually(gaps).toEqual([width === 2560 ? 'beside' : 20, 20, 20, 20, 20])
    expect(complaints.list).toEqual([])
    await close()
  })

  it('a report has lines that can be read, and what is known of it beside them, where the window is wide', async () => {
    const { page, complaints, close } = await openPage(browser, {
      ...signedIn,
      viewport: { width: 2560, height: 1300 },
    })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/feedback?mailbox=all`)
    await page.getByRole('link', { name: /Zoe-a-name/ }).click()
    const said = page.getByRole('region', { name: 'What was said' })
    const facts = page.getByRole('complementary', { name: 'About this report' })
    const placed = async () => {
      const [text, card, side] = await Promise.all([
        said.getByText(LONG, { exact: true }).boundingBox(),
        said.boundingBox(),
        facts.boundingBox(),
      ])
      return text !== null && text.width <= 640 && card !== null && side !== null && side.x < card.x + card.width + 60
    }
    await eventually(placed).toBe(true)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('a button of the settings stands above what it changes, however wide the window is', async () => {
    const { page, complaints, close } = await openPage(browser, {
      ...signedIn,
      viewport: { width: 2560, height: 1300 },
    })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/settings/projects/shop`)
    const edgeOf = async (element: Locator) => {
      const box = await element.boundingBox()
      return box === null ? null : box.x + box.width
    }
    const rightOf = (name: string, role: 'link' | 'button') => edgeOf(page.getByRole(role, { name }))
    const settings = page.getByRole('tabpanel').locator('section').first()
    await settings.waitFor()
    const apart = async () => {
      const link = await rightOf('Set up an SDK', 'link')
      const edge = await edgeOf(settings)
      return link === null || edge === null ? null : Math.abs(link - edge)
    }
    await eventually(apart).toBe(0)

    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/projects/shop/getting-started`)
    const setUpApart = async () => {
      const link = await rightOf('Go to its issues', 'link')
      const copy = await rightOf('Copy DSN', 'button')
      return link === null || copy === null ? null : link - copy
    }
    // The panel around the other has its padding.
    await eventually(setUpApart).toBeLessThan(20)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('a dialog with long lines keeps its close button in sight on a phone', async () => {
    const { page, close } = await openPage(browser, { ...signedIn, viewport: { width: 390, height: 844 } })
    await page.goto(`${originOf(server)}/organizations/${ORGANIZATION}/issues/${issue}`)
    await page.getByRole('button', { name: 'JSON' }).click()
    const dialog = page.getByRole('dialog', { name: 'Event as JSON' })
    await dialog.getByText('"event_id"').waitFor()
    await eventually(async () => {
      const box = await dialog.getByRole('button', { name: 'Close' }).boundingBox()
      return (box?.x ?? 999) + (box?.width ?? 0)
    }).toBeLessThanOrEqual(390)
    await close()
  })
})
