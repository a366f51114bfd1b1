import { until } from '../lib/until.ts'
import { findShown } from './in-page.ts'

/** What the main paths need of a browser. Each call waits for its element, as long as `until` does. */
export interface EnginePage {
  open(url: string): Promise<void>
  /** @param label what it is called, exactly: `aria-label`, else its text */
  click(css: string, label?: string): Promise<void>
  /** Clicks it, then types. */
  type(css: string, text: string): Promise<void>
  /** Presses keys, for whoever has the focus. */
  press(keys: string): Promise<void>
  /** The text of the first that is shown; null when there is none now. */
  textOf(css: string, label?: string): Promise<string | null>
  /** @param expression its value is JSON, or a promise of it */
  evaluate<Value>(expression: string): Promise<Value>
}

/** A browser with one page, and a profile of its own. */
export interface Engine {
  readonly page: EnginePage
  /** Errors and violations of policies; null when the driver of the browser tells none. */
  readonly complaints: readonly string[] | null
  /** Ends all of its processes. */
  end(): Promise<void>
}

/** What a browser is asked to do. Finding, waiting and trying again is the same for all of them (`pageOf`). */
export interface Driver<Handle> {
  open(url: string): Promise<void>
  /** The element that the expression names, or null. */
  find(expression: string): Promise<Handle | null>
  click(handle: Handle): Promise<void>
  press(keys: string): Promise<void>
  evaluate<Value>(expression: string): Promise<Value>
  /** Whether a click failed because the element or the page went away, or something moved over it, since it was found. */
  isMissed(error: unknown): boolean
}

const call = (css: string, label: string): string =>
  `(${String(findShown)})(${JSON.stringify([css, label]).slice(1, -1)})`

export const pageOf = <Handle>(driver: Driver<Handle>): EnginePage => {
  const click = (css: string, label = ''): Promise<true> =>
    until(`${css} ${label} to be clicked`, async () => {
      try {
        const handle = await driver.find(call(css, label))
        if (handle === null) return null
        await driver.click(handle)
        return true
      } catch (error) {
        if (driver.isMissed(error)) return null
        throw error
      }
    })
  return {
    open: (url) => driver.open(url),
    click: async (css, label) => {
      await click(css, label)
    },
    type: async (css, text) => {
      await click(css)
      await driver.press(text)
    },
    press: (keys) => driver.press(keys),
    textOf: (css, label = '') => driver.evaluate(`${call(css, label)}?.textContent ?? null`),
    evaluate: (expression) => driver.evaluate(expression),
  }
}
