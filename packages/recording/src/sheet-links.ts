import { isFields, type Fields } from './fields.ts'
import type { PageNode } from './page-tree.ts'

const OF_SHEET_LINKS = new Set(['rel', 'as', 'href'])

/**
 * A link to a sheet is shown as a style element, and behaves like one from then on: its text comes with it, or with a
 * change when it was loaded.
 */
export const isSheetLink = (tag: string, attributes: unknown): boolean => {
  if (tag !== 'link' || !isFields(attributes)) return false
  const { rel, _cssText: sheet } = attributes
  return typeof sheet === 'string' || (typeof rel === 'string' && /\bstylesheet\b/i.test(rel))
}

/** Attributes without those that say where a sheet is fetched from. */
export const withoutAddress = (attributes: Fields): Fields =>
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !OF_SHEET_LINKS.has(name.toLowerCase())))

/**
 * The same as a page is remembered: it shows no more of a sheet whose text did not come, but where it was is known, so that
 * what was kept of it can be shown.
 */
export const withoutLink = (attributes: Fields): Fields =>
  Object.fromEntries(
    Object.entries(attributes).filter(([name]) => {
      const lower = name.toLowerCase()
      return !OF_SHEET_LINKS.has(lower) || (lower === 'href' && attributes['_cssText'] === undefined)
    }),
  )

/** Texts that a sheet is spread over when they change. */
const MAX_TEXTS = 1000

/** Whether the sheet of an element can be given as a whole, as it is for links and empty style elements. */
export const takesSheet = ({ light, tag }: PageNode): boolean => tag === 'style' && light.count <= MAX_TEXTS
