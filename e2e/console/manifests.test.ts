import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../tools/harness/server.ts'
import { originOf, signIn, type SignedIn } from '../lib/account.ts'
import { launchBrowser, openPage } from '../lib/browser.ts'
import { until } from '../lib/until.ts'

/** A feature is one folder and one line: the toy of apps/console/test/toy, added to the list and nothing else. */

const consoleDir = join(import.meta.dirname, '..', '..', 'apps', 'console')
const LIST = 'export const features = ['

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/** The console with the toy in its list. */
const buildWithToy = async (outDir: string): Promise<void> => {
  await build({
    root: consoleDir,
    configFile: join(consoleDir, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true, sourcemap: false, minify: false },
    plugins: [
      {
        name: 'one-line-in-the-list',
        enforce: 'pre',
        transform: {
          filter: { id: join(consoleDir, 'src', 'features.ts') },
          handler: (code) => {
            if (!code.includes(LIST)) throw new Error(`features.ts has no line "${LIST}" any more.`)
            return `import { toy } from '../test/toy/manifest.ts'\n${code.replace(LIST, `${LIST}toy, `)}`
          },
        },
      },
    ],
  })
}

/** Everything that is not the API comes from the folder. */
const serveConsole = async (page: Page, folder: string): Promise<void> => {
  await page.route(
    ({ pathname }) => !pathname.startsWith('/api/'),
    (route) => {
      const { pathname } = new URL(route.request().url())
      const type = TYPES[extname(pathname)]
      const file = type === undefined ? 'index.html' : pathname.slice(1)
      return route.fulfill({ contentType: type ?? 'text/html', body: readFileSync(join(folder, file)) })
    },
  )
}

describe('a feature that is added by its manifest', () => {
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-toy-console-'))
  let server: RunningServer
  let browser: Browser
  let signedIn: SignedIn

  beforeAll(async () => {
    await buildWithToy(folder)
    ;[server, browser] = await Promise.all([startServer(), launchBrowser()])
    signedIn = await signIn(server)
  })
  afterAll(async () => {
    await browser.close()
    await server.stop()
    server.remove()
    rmSync(folder, { recursive: true, force: true })
  })

  it('has a tab in the settings of every project', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await serveConsole(page, folder)
    await page.goto(`${originOf(server)}/organizations/acme/settings/projects/shop`)
    const tabs = page.getByRole('tablist', { name: "Parts of the project's settings" })
    await tabs.getByRole('tab', { name: 'Toys' }).click()
    await page.getByText('shop of acme may have toys.').waitFor()
    expect(new URL(page.url()).search).toBe('?tab=toys')
    // What no feature declares is the first tab.
    await page.goto(`${originOf(server)}/organizations/acme/settings/projects/shop?tab=nothing`)
    await tabs.getByRole('tab', { name: 'General', selected: true }).waitFor()
    expect(complaints.list).toEqual([])
    await close()
  })

  it('has its route, its entry in the side bar, its shortcut and its command, and live messages refresh it', async () => {
    const { page, complaints, close } = await openPage(browser, signedIn)
    await serveConsole(page, folder)
    let toys = ['a tin frog']
    let asked = 0
    await page.route('**/api/0/toys/acme/', (route) => {
      asked += 1
      return route.fulfill({ json: toys })
    })
    // The first stream says nothing until the test wants it to; a later one (the browser connects again) stays silent.
    const message = Promise.withResolvers<string>()
    let streams = 0
    await page.route('**/live/', async (route) => {
      streams += 1
      if (streams > 1) return
      await route.fulfill({ contentType: 'text/event-stream', body: await message.promise })
    })

    // The toy is the first that calls itself home, so "/" leads to it.
    await page.goto(`${originOf(server)}/`)
    await page.getByRole('heading', { name: 'Toys' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/organizations/acme/toys')
    await page.getByText('a tin frog').waitFor()

    const navigation = page.getByRole('navigation', { name: 'Main' })
    await navigation.getByRole('link', { name: 'Receipts' }).click()
    await page.getByRole('heading', { name: 'Receipts' }).waitFor()
    await navigation.getByRole('link', { name: 'Toys' }).click()
    await page.getByRole('heading', { name: 'Toys' }).waitFor()

    await navigation.getByRole('link', { name: 'Receipts' }).click()
    await page.getByRole('heading', { name: 'Receipts' }).waitFor()
    // The second key counts only within about a second of the first, which a busy machine may miss.
    await until('the toys, by keys', async () => {
      await page.keyboard.press('g')
      await page.keyboard.press('y')
      return (await page.getByRole('heading', { name: 'Toys' }).isVisible()) ? true : null
    })

    await navigation.getByRole('link', { name: 'Receipts' }).click()
    await page.getByRole('heading', { name: 'Receipts' }).waitFor()
    await page.keyboard.press('Control+k')
    await page
      .getByRole('dialog', { name: 'Commands' })
      .getByPlaceholder(/^Find an issue/)
      .fill('wind up')
    await page.getByRole('option', { name: 'Wind up a toy' }).click()
    await page.getByRole('heading', { name: 'Toys' }).waitFor()

    const before = asked
    toys = ['a tin frog', 'a kite']
    message.resolve('event: toys\ndata: {}\n\n')
    await page.getByText('a kite').waitFor()
    await until('another request for the toys', () => Promise.resolve(asked > before ? true : null))
    expect(complaints.list).toEqual([])
    await close()
  })
})
