import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type axe from 'axe-core'
import type { Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** Every document has to read it, and the package's own entry is twice as long. */
const SOURCE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * What axe finds wrong in a page: all of its rules unless some are named, in the whole page unless one element is. Only
 * violations are put together; describing everything that holds as well would take longer than looking. Pages with frames
 * of their own are none of this: axe looks into those that it is in.
 */
export const axeViolations = async (
  page: Page,
  wanted: { readonly rules?: readonly string[]; readonly within?: string } = {},
): Promise<Result[]> => {
  // Once for each document: it is half a megabyte.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(SOURCE)
  const options: RunOptions = { resultTypes: ['violations'] }
  if (wanted.rules !== undefined) options.runOnly = { type: 'rule', values: [...wanted.rules] }
  const all = await page.evaluate(
    ({ within, run }) => {
      const { axe: inPage } = globalThis as unknown as { axe: typeof axe }
      return inPage.run(within ?? document, run)
    },
    { within: wanted.within, run: options },
  )
  return all.violations
}
