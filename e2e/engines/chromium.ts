import type { ElementHandle } from 'playwright-core'
import { openPage } from '../lib/browser.ts'
import { joinBrowser } from '../lib/shared.ts'
import { type Engine, pageOf } from './engine.ts'
import { sayViolations } from './in-page.ts'

/** The browser of the worker, with a page of its own. */
export const openChromium = async (): Promise<Engine> => {
  const { page, complaints, close } = await openPage(await joinBrowser(), { reducedMotion: 'reduce' })
  await page.addInitScript(sayViolations)
  return {
    page: pageOf<ElementHandle<Element>>({
      open: async (url) => {
        await page.goto(url)
      },
      find: async (expression) => (await page.evaluateHandle<Element | null>(expression)).asElement(),
      click: (handle) => handle.click(),
      press: (keys) => page.keyboard.type(keys),
      evaluate: (expression) => page.evaluate(expression),
      isMissed: (error) => error instanceof Error && /not attached|detached|context was destroyed/.test(error.message),
    }),
    complaints: complaints.list,
    end: close,
  }
}
