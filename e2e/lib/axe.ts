import axe, { type Result, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

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
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source)
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
