import { rmSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { OWNER } from '../../tools/harness/server.ts'
import { type Firsthand, freshFolder, startFirsthand } from '../faults/lib/firsthand.ts'
import { originOf, setUpAnother, type SignedIn, signIn } from '../lib/account.ts'
import { launchBrowser, openPage } from '../lib/browser.ts'
import { errorEvent, sendEvents } from '../lib/send.ts'
import { frameOf } from './pages/frame.ts'
import { streamOf } from './pages/stream.ts'

/** The last one: a server that is asked while it starts. */
const NETWORK = [
  /ERR_CONNECTION_REFUSED/,
  /ServerUnreachableError/,
  /status of 401/,
  /ERR_INCOMPLETE_CHUNKED_ENCODING/,
  /status of 503/,
]

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
    signedIn = await signIn(browser, server)
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
    const palette = page.waitForResponse((response) => response.url().includes('CommandList'))
    await stream.open()
    await stream.row('SecondError').waitFor()
    await palette
    await server.end('SIGTERM')
    const banner = page.getByText('The server cannot be reached.')
    await banner.waitFor()

    await stream.select('SecondError')
    await page.keyboard.press('e')
    await frame.message('The change did not work')
    await stream.row('SecondError').waitFor()
    expect(await stream.rows.count()).toBe(2)

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

  it('an ended session leads to the log-in, which says why, and back', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn, NETWORK)
    const stream = streamOf(page, 'acme', origin)
    await stream.open('is:unresolved FirstError')
    await stream.row('FirstError').waitFor()
    await page.context().clearCookies()
    await stream.select('FirstError')
    await page.keyboard.press('e')
    await page.waitForURL(/\/login/)
    await page.getByRole('main').getByText('Your session has ended.').waitFor()
    await page.getByLabel('E-mail').fill(OWNER.email)
    await page.getByLabel('Password', { exact: true }).fill(OWNER.password)
    await page.getByRole('button', { name: 'Log in' }).click()
    await stream.row('FirstError').waitFor()
    expect(new URL(page.url()).searchParams.get('query')).toBe('is:unresolved FirstError')
    expect(complaints.list).toEqual([])
    await close()
  })
})
