import type { Fields } from '@firsthand/recording'

export const cut = (text: string, characters: number): string =>
  (text.length > characters ? text.slice(0, characters) : text).toWellFormed()

/** A text; numbers and truths are written as text, anything else is ''. */
export const textIn = (fields: Fields, name: string, characters: number): string => {
  const value = fields[name]
  if (typeof value === 'string') return cut(value, characters)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

export const numberIn = (fields: Fields, name: string): number | null => {
  const value = fields[name]
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}
