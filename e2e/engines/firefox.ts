import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { type ElementHandle, launch } from 'puppeteer-core'
import { inject } from 'vitest'
import { engineProgram } from '../../tools/engines.mjs'
import { type Engine, pageOf } from './engine.ts'
import { sayViolations } from './in-page.ts'
import { endGroup, note } from './processes.ts'

const PATIENCE_MS = 60_000

/** Firefox without a window, driven by WebDriver BiDi. */
export const openFirefox = async (): Promise<Engine> => {
  const home = mkdtempSync(join(inject('sharedFolder'), 'firefox-'))
  const browser = await launch({
    browser: 'firefox',
    executablePath: engineProgram('firefox'),
    headless: true,
    userDataDir: join(home, 'profile'),
    env: { ...process.env, HOME: home, XDG_CONFIG_HOME: home, XDG_CACHE_HOME: home, MOZ_CRASHREPORTER_DISABLE: '1' },
    defaultViewport: { width: 1440, height: 900 },
    timeout: PATIENCE_MS,
    protocolTimeout: PATIENCE_MS,
    extraPrefsFirefox: { 'ui.prefersReducedMotion': 1 },
  })
  const program = browser.process()
  if (program === null) throw new Error('Firefox runs without a process')
  note(program)
  const page = await browser.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(`pageerror: ${String(error)}`))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`)
  })
  await page.evaluateOnNewDocument(sayViolations)
  return {
    page: pageOf<ElementHandle>({
      open: async (url) => {
        await page.goto(url)
      },
      find: async (expression) => (await page.evaluateHandle(expression)).asElement() as ElementHandle | null,
      click: (handle) => handle.click(),
      press: (keys) => page.keyboard.type(keys),
      evaluate: (expression) => page.evaluate(expression) as never,
      isMissed: (error) =>
        error instanceof Error &&
        /not clickable|detached|no such (?:node|frame)|stale|context was destroyed/i.test(error.message),
    }),
    complaints,
    end: () => endGroup(program),
  }
}
