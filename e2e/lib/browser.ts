import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Debian's Chromium, or the one that `npm test` found. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: process.env['FIRSTHAND_TEST_CHROMIUM'] ?? '/usr/bin/chromium', args: FLAGS })

/** What must not happen on any page: uncaught errors, Content-Security-Policy violations, console errors. */
export interface Complaints {
  readonly list: string[]
}

/**
 * A page in a context of its own, which notes every complaint of the browser.
 *
 * @param ignore messages that the test provokes
 */
export const openPage = async (
  browser: Browser,
  options: BrowserContextOptions = {},
  ignore: readonly RegExp[] = [],
): Promise<{ page: Page; complaints: Complaints; close(): Promise<void> }> => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  const list: string[] = []
  const note = (text: string): void => {
    if (!ignore.some((pattern) => pattern.test(text))) list.push(text)
  }
  page.on('pageerror', (error) => note(`pageerror: ${error.message}`))
  page.on('console', (message) => {
    if (message.type() === 'error') note(`console: ${message.text()} (${message.location().url})`)
  })
  return { page, complaints: { list }, close: () => context.close() }
}
