import { existsSync } from 'node:fs'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { noteOpenPage } from './open-pages.ts'

/**
 * The last `--disable-features` counts, so this repeats what Playwright disables (`disabledFeatures` in its
 * chromiumSwitches.ts). The three of the address bar are ours: Chromium draws its suggestions with two web pages of its own
 * in every new window, which took more processor time than the page under test. The last one is ours too: after each page
 * Chromium starts a process for a page that may be opened next.
 */
const DISABLED_FEATURES = [
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'WebUIOmniboxFullPopup',
]

/** Of every Chromium that tests and measurements start. */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--disable-features=${DISABLED_FEATURES.join(',')}`,
]

/** Debian's Chromium, or the one that `npm test` found. */
export const WHOLE_CHROMIUM = process.env['FIRSTHAND_TEST_CHROMIUM'] ?? '/usr/bin/chromium'

/** The same without windows, where there is one: pages cost a third less. */
export const HEADLESS_SHELL = ['FIRSTHAND_TEST_HEADLESS_SHELL', 'FIRSTHAND_TEST_CHROMIUM']
  .map((name) => process.env[name])
  .concat('/usr/bin/chromium-headless-shell')
  .find((path) => path !== undefined && existsSync(path))

/**
 * @param options.keepsPages pages that one goes back to are as they were left, as in a browser that no program drives
 */
export const launchBrowser = (options: { readonly keepsPages?: boolean } = {}): Promise<Browser> =>
  chromium.launch({
    executablePath: options.keepsPages === true ? WHOLE_CHROMIUM : (HEADLESS_SHELL ?? WHOLE_CHROMIUM),
    args: FLAGS,
    ...(options.keepsPages === true && { ignoreDefaultArgs: ['--disable-back-forward-cache'] }),
  })

/** For one action of a page: it ends when it is done; a busy machine may need longer than the 30 s of the library. */
const ACTION_MS = 60_000

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
  context.setDefaultTimeout(ACTION_MS)
  const page = await context.newPage()
  noteOpenPage(page)
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
