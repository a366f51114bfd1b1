import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER } from '../../tools/harness/server.ts'
import { type Firsthand, freshFolder, startFirsthand } from '../faults/lib/firsthand.ts'
import { originOf, setUpAnother, type SignedIn, signIn } from '../lib/account.ts'
import { launchBrowser, openPage } from '../lib/browser.ts'
import { eventually } from '../lib/eventually.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { until } from '../lib/until.ts'
import { frameOf } from './pages/frame.ts'
import { streamOf } from './pages/stream.ts'

/** The last one: a server that is asked while it starts. */
const NETWORK = [
  /ERR_CONNECTION_REFUSED/,
  // Requests that were on their way when the server ended, by how far they had come.
  /ERR_CONNECTION_RESET/,
  /ERR_CONNECTION_CLOSED/,
  /ERR_EMPTY_RESPONSE/,
  /ServerUnreachableError/,
  /status of 401/,
  /ERR_INCOMPLETE_CHUNKED_ENCODING/,
  /status of 503/,
  // React's own note of an answer that a page could do nothing with.
  /ApiError: (?:The ledger|A part)/,
]

/** Addresses of the console's own files that are asked for and not there yet. */
const codeUnderWay = (page: Page): ReadonlySet<string> => {
  const underWay = new Set<string>()
  page.on('request', (request) => {
    if (request.url().includes('/assets/')) underWay.add(request.url())
  })
  page.on('requestfinished', (request) => underWay.delete(request.url()))
  return underWay
}

describe('the console while the server is away', () => {
  let server: Firsthand
  let browser: Browser
  let signedIn: SignedIn
  let origin: string

  beforeAll(async () => {
    ;[server, browser] = await Promise.all([startFirsthand({ dataDir: freshFolder() }), launchBrowser()])
    origin = originOf(server)
    const account = await setUpAnother(server, { ...OWNER, organization: 'acme', project: 'shop' })
    await sendEvents(
      account.dsn,
      ['FirstError', 'SecondError'].map((type) => errorEvent(type, 'of two', { in: type })),
    )
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await browser.close()
    await server.end('SIGTERM')
    rmSync(server.dataDir, { recursive: true, force: true })
  })

  it('says so, keeps what it shows, and goes on by itself', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, NETWORK)
    const stream = streamOf(page, 'acme', origin)
    const frame = frameOf(page)
    // What is fetched behind the first page: the palette opens while nobody answers.
    const palette = page.waitForEvent('requestfinished', (request) => request.url().includes('CommandList'))
    const code = codeUnderWay(page)
    await stream.open()
    // Both: the second event may be digested before the first.
    for (const title of ['FirstError', 'SecondError']) await stream.row(title).waitFor()
    await palette
    await eventually(() => [...code]).toEqual([])
    await server.end('SIGTERM')
    const banner = page.getByText('The server cannot be reached.')
    await banner.waitFor()

    await stream.select('SecondError')
    await page.keyboard.press('e')
    await frame.message('The change failed')
    await stream.row('SecondError').waitFor()
    await eventually(() => stream.rows.count()).toBe(2)

    await page.keyboard.press('Control+k')
    await page.getByRole('dialog', { name: 'Commands' }).waitFor()
    await page.keyboard.press('Escape')

    await frame.navigation.getByRole('link', { name: 'Settings' }).click()
    await page.getByText('This page opens by itself as soon as it answers.').waitFor()

    server = await startFirsthand({ dataDir: server.dataDir, port: server.port })
    await page.getByRole('heading', { level: 1, name: 'Organisation' }).waitFor()
    await banner.waitFor({ state: 'detached' })
    expect(complaints.list).toEqual([])
    await close()
  })

  it('says what the server says when it cannot answer, and opens by itself once it can', async () => {
    const ledger = join(server.dataDir, 'ledger.sqlite')
    const away = join(server.dataDir, 'away')
    const session = `${origin}/api/0/auth/session/`
    const answers = (status: number) =>
      until(`an answer ${status}`, async () => ((await fetch(session)).status === status ? true : null))
    const { page, complaints, close } = await openPage(browser, signedIn, NETWORK)
    renameSync(ledger, away)
    await answers(503)
    const stream = streamOf(page, 'acme', origin)
    await page.goto(`${origin}/organizations/acme/issues`)
    const heading = page.getByRole('heading', { level: 1, name: 'The server cannot answer' })
    await heading.waitFor()
    await page.getByText('Whoever runs the server has to put it back').waitFor()
    await eventually(() => page.getByText('Application error').count()).toBe(0)

    renameSync(away, ledger)
    await stream.row('SecondError').waitFor()
    await heading.waitFor({ state: 'detached' })
    expect(complaints.list).toEqual([])
    await close()
  })

  it('leaves it to the reader to try again when only this page cannot be answered', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, NETWORK)
    const stream = streamOf(page, 'acme', origin)
    await stream.open()
    await page.route(/\/issues\/\d+\/(?:\?|$)/, (route) =>
      route.fulfill({ status: 503, json: { detail: 'A part of `events` is damaged.' } }),
    )
    await stream.row('SecondError').getByRole('link').click()
    await page.getByRole('heading', { level: 1, name: 'The issue could not be loaded' }).waitFor()
    await page.getByRole('link', { name: 'Back to issues' }).waitFor()
    await page.getByRole('main').getByRole('code').getByText('events').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByRole('heading', { level: 1, name: 'SecondError' }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('an ended session leads to the log-in, which says why, and back', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, NETWORK)
    const stream = streamOf(page, 'acme', origin)
    await stream.open('is:unresolved FirstError')
    await stream.row('FirstError').waitFor()
    // Selected first: without its cookie the page may go to the log-in by itself, with the next
    // live message that makes it read the list again.
    await stream.select('FirstError')
    await page.context().clearCookies()
    await page.keyboard.press('e')
    await page.waitForURL(/\/login/)
    await page.getByRole('main').getByText('Your session has ended.').waitFor()
    await page.getByLabel('E-mail').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await stream.row('FirstError').waitFor()
    await eventually(() => new URL(page.url()).searchParams.get('query')).toBe('is:unresolved FirstError')
    expect(complaints.list).toEqual([])
    await close()
  })
})
