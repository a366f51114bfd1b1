import { isFields, type Fields } from './events.ts'

const OF_SHEET_LINKS = ['rel', 'as', 'href']

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
  Object.fromEntries(Object.entries(attributes).filter(([name]) => !OF_SHEET_LINKS.includes(name.toLowerCase())))
