import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER } from '../../tools/harness/server.ts'
import { type Firsthand, freshFolder, startFirsthand } from '../faults/lib/firsthand.ts'
import { originOf, setUpAnother, type SignedIn, signIn } from '../lib/account.ts'
import { openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { closePages, joinBrowser } from '../lib/shared.ts'
import { until } from '../lib/until.ts'
import { frameOf } from './pages/frame.ts'
import { issuePageOf } from './pages/issue.ts'
import { type Stream, streamOf } from './pages/stream.ts'

/** specification.md 1, the last two rows: each sentence has its test here. */

const ISSUES = 8
/** What one prefetched issue asks for. */
const ISSUE_CALLS = /\/api\/0\/organizations\/acme\/issues\/(\d+)\//

const LATEST_EVENT = /\/issues\/\d+\/events\/latest\//

/** Holds every request that matches until it is released. */
const holdRequests = async (page: Page, pattern: RegExp) => {
  const held: { readonly route: Route; readonly url: string }[] = []
  await page.route(pattern, (route) => {
    held.push({ route, url: route.request().url() })
  })
  return {
    urls: (): readonly string[] => held.map(({ url }) => url),
    release: async (which: (url: string) => boolean = () => true): Promise<void> => {
      for (const entry of held.filter(({ url }) => which(url))) {
        held.splice(held.indexOf(entry), 1)
        await entry.route.continue()
      }
    },
    end: async (): Promise<void> => {
      await page.unroute(pattern)
      // A page that was left has called off its requests.
      for (const { route } of held.splice(0)) await route.continue().catch(() => undefined)
    },
  }
}

/** One more request of the page has come back: what it asked for earlier has been seen. */
const settle = (page: Page): Promise<unknown> =>
  page.evaluate(async () => (await fetch('/favicon.svg', { cache: 'no-store' })).status)

describe('navigation in the console', () => {
  let server: Firsthand
  let browser: Browser
  let signedIn: SignedIn
  let origin: string

  const visit = async (ignore: readonly RegExp[] = []) => {
    const opened = await openPage(browser, signedIn, ignore)
    const stream: Stream = streamOf(opened.page, 'acme', origin)
    return { ...opened, stream, frame: frameOf(opened.page), issues: issuePageOf(opened.page, 'acme', origin) }
  }

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startFirsthand({ dataDir: freshFolder() }), joinBrowser()])
    origin = originOf(server)
    const account = await setUpAnother(server, { ...OWNER, organization: 'acme', project: 'shop' })
    await sendEvents(
      account.dsn,
      Array.from({ length: ISSUES }, (_, index) =>
        errorEvent(`Kind${index}Error`, 'one of eight', { in: `place${index}` }),
      ),
    )
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await closePages(browser)
    await server.end('SIGTERM')
    rmSync(server.dataDir, { recursive: true, force: true })
  })

  it('at most 5 prefetches at a time', async () => {
    const { page, complaints, stream, close } = await visit()
    await stream.open()
    await stream.rows.nth(ISSUES - 1).waitFor()
    const held = await holdRequests(page, ISSUE_CALLS)
    const underWay = (): ReadonlySet<string> => new Set(held.urls().map((url) => ISSUE_CALLS.exec(url)?.[1] ?? ''))

    // A touch prefetches a link at once: all eight are asked for within one moment.
    await stream.rows.getByRole('link').evaluateAll((links) => {
      for (const link of links) link.dispatchEvent(new Event('touchstart', { bubbles: true }))
    })
    const seen = new Set<string>()
    let most = 0
    await until('eight prefetches', async () => {
      await settle(page)
      const now = underWay()
      for (const id of now) seen.add(id)
      most = Math.max(most, now.size)
      if (seen.size === ISSUES) return true
      if (now.size >= 5) await held.release((url) => ISSUE_CALLS.exec(url)?.[1] === [...now][0])
      return null
    })
    expect(most).toBe(5)
    await held.end()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('prefetched data of dynamic pages lives 3600 s: shown at once, revalidated behind', async () => {
    const { page, complaints, stream, issues, close } = await visit()
    await page.clock.install()
    await page.route('**/live/', (route) => route.abort())
    await stream.open()
    const row = stream.row('Kind3Error')
    const answered = page.waitForEvent('requestfinished', (request) => LATEST_EVENT.test(request.url()))
    await row.getByRole('link').focus()
    await answered
    await settle(page)

    await page.clock.fastForward(3590_000)
    const held = await holdRequests(page, ISSUE_CALLS)
    await page.keyboard.press('Enter')
    await issues.heading.filter({ hasText: 'Kind3Error' }).waitFor()
    await issues.bar.waitFor()
    await until('the question for newer data', () => Promise.resolve(held.urls().length > 0 ? true : null))
    await held.end()
    expect(complaints.list.filter((text) => !text.includes('ERR_FAILED'))).toEqual([])
    await close()
  })

  it('prefetched data is forgotten after 3600 s', async () => {
    const { page, stream, issues, close } = await visit()
    await page.clock.install()
    await page.route('**/live/', (route) => route.abort())
    await stream.open()
    const answered = page.waitForEvent('requestfinished', (request) => LATEST_EVENT.test(request.url()))
    await stream.row('Kind4Error').getByRole('link').focus()
    await answered
    await settle(page)

    await page.clock.fastForward(3601_000)
    const held = await holdRequests(page, ISSUE_CALLS)
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/issues\/\d+/)
    await until('the question for the data', () => Promise.resolve(held.urls().length > 0 ? true : null))
    await eventually(() => issues.bar.count()).toBe(0)
    await held.end()
    await issues.bar.waitFor()
    await close()
  })

  it('a route that does not load within 3800 ms falls back to a full page load', async () => {
    const { page, complaints, stream, frame, close } = await visit()
    await stream.open()
    await stream.rows.nth(ISSUES - 1).waitFor()
    let documents = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest()) documents += 1
    })
    await page.clock.install()
    await page.clock.pauseAt(Date.now() + 60_000)
    // The code of the settings never comes, until the address is opened as a document.
    const waiting: Route[] = []
    await page.route('**/assets/**', async (route) => {
      if (documents > 0) await route.continue()
      else waiting.push(route)
    })
    await frame.navigation.getByRole('link', { name: 'Settings' }).click()
    await until('the request for the code', () => Promise.resolve(waiting.length > 0 ? true : null))
    await page.clock.runFor(3799)
    await settle(page)
    expect(documents).toBe(0)
    await page.clock.runFor(1)
    await until('the document', () => Promise.resolve(documents > 0 ? true : null))
    await page.clock.resume()
    await page.getByRole('heading', { level: 1, name: 'Organisation' }).waitFor()
    expect(documents).toBe(1)
    expect(new URL(page.url()).pathname).toContain('/organizations/acme/settings')
    // A page that was left has called off its requests.
    for (const route of waiting) await route.abort().catch(() => undefined)
    expect(complaints.list).toEqual([])
    await close()
  })

  it('Application error: a client-side exception has occurred', async () => {
    const { page, stream, frame, close } = await visit()
    await stream.open()
    await stream.rows.nth(ISSUES - 1).waitFor()
    // Code that was broken on its way: whatever is loaded next throws as soon as it is drawn.
    await page.route('**/assets/*.js', (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: 'const torn = () => { throw new Error("torn") }; export { torn as SettingsLayout, torn as OrganizationSettings }',
      }),
    )
    await frame.navigation.getByRole('link', { name: 'Settings' }).click()
    const heading = page.getByRole('heading', { name: /^Application error: / })
    await heading.waitFor()
    await eventually(() => heading.innerText()).toBe(
      'Application error: a client-side exception has occurred while loading 127.0.0.1 (see the browser console for more information).',
    )
    await eventually(() => page.getByText('Digest:').count()).toBe(0)
    await close()
  })

  it('the server-side wording, without a digest when there is none', async () => {
    const { page, close } = await visit()
    await page.route('**/api/0/projects/acme/shop/', (route) =>
      route.fulfill({
        status: 500,
        contentType: 'application/json',
        body: JSON.stringify({ detail: 'A proxy in between failed.' }),
      }),
    )
    await page.goto(`${origin}/organizations/acme/settings/projects/shop`)
    const heading = page.getByRole('heading', { name: /^Application error: / })
    await heading.waitFor()
    await eventually(() => heading.innerText()).toBe(
      'Application error: a server-side exception has occurred while loading 127.0.0.1 (see the server logs for more information).',
    )
    await eventually(() => page.getByText('Digest:').count()).toBe(0)
    await close()
  })

  /** A store that really fails: a table is gone while the server runs. */
  const withoutActivity = async (work: () => Promise<void>): Promise<void> => {
    const ledger = new DatabaseSync(join(server.dataDir, 'ledger.sqlite'), { timeout: 30_000 })
    ledger.exec('ALTER TABLE issue_activity RENAME TO issue_activity_gone')
    try {
      await work()
    } finally {
      ledger.exec('ALTER TABLE issue_activity_gone RENAME TO issue_activity')
      ledger.close()
    }
  }
  /** The line of the log that the digest on the page leads to. */
  const logLine = async (page: Page): Promise<string> => {
    const digest = await page.getByText('Digest:').locator('code').innerText()
    expect(digest).toMatch(/^[0-9a-f]{12}$/)
    return until('the digest in the log', () =>
      Promise.resolve(
        `${server.stdout()}${server.stderr()}`.split('\n').find((entry) => entry.includes(`digest=${digest}`)) ?? null,
      ),
    )
  }
  const FAILURE = /request failed.*issue_activity/
  const SERVER_FAILED = [/status of 500/, /Something went wrong in the server/]

  it("the server-side wording with Digest: …, which finds the event in Firsthand's own log", async () => {
    const { page, stream, close } = await visit(SERVER_FAILED)
    await stream.open()
    const link = await stream.row('Kind0Error').getByRole('link').getAttribute('href')
    const failing = `${origin}/api/0${new URL(link ?? '', origin).pathname}/`
    const pattern = '**/api/0/projects/acme/shop/'
    // A page that is nothing without its one answer is given the one that fails.
    await page.route(pattern, (route) => route.continue({ url: failing }))
    await withoutActivity(async () => {
      await page.goto(`${origin}/organizations/acme/settings/projects/shop`)
      await page.getByRole('heading', { name: /^Application error: a server-side exception has occurred/ }).waitFor()
      expect(await logLine(page)).toMatch(FAILURE)
    })
    await page.unroute(pattern)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'shop' }).waitFor()
    await close()
  })

  it('an issue that the server cannot read is said in its place, as in the list: the way back stays, and it opens again', async () => {
    const { page, stream, frame, close } = await visit(SERVER_FAILED)
    await stream.open()
    const link = await stream.row('Kind0Error').getByRole('link').getAttribute('href')
    await withoutActivity(async () => {
      await page.goto(new URL(link ?? '', origin).href)
      await page.getByRole('heading', { level: 1, name: 'The issue could not be loaded' }).waitFor()
      await eventually(() => page.getByText('Application error').count()).toBe(0)
      await eventually(() => frame.navigation.getByRole('link', { name: 'Issues' }).isVisible()).toBe(true)
      await page.getByRole('link', { name: 'Back to issues' }).waitFor()
      expect(await logLine(page)).toMatch(FAILURE)
    })
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'Kind0Error' }).waitFor()
    await close()
  })
})
