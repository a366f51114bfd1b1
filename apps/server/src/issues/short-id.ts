/** Crockford's base 32: no I, L, O, U, so that ids can be read aloud. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** `web` and 132 → `WEB-44`; the number is the issue's own inside its project. */
export const formatShortId = (projectSlug: string, number: number): string => {
  let digits = ''
  for (let rest = number; rest > 0; rest = Math.floor(rest / 32)) digits = DIGITS.charAt(rest % 32) + digits
  return `${projectSlug.toUpperCase()}-${digits === '' ? '0' : digits}`
}

export interface ShortId {
  /** Lower case. */
  readonly projectSlug: string
  readonly number: number
}

/** Null when the text cannot be a short id. Case does not matter. */
export const parseShortId = (text: string): ShortId | null => {
  const at = text.lastIndexOf('-')
  const digits = text.slice(at + 1).toUpperCase()
  if (at < 1 || digits === '' || digits.length > 8) return null
  let number = 0
  for (const digit of digits) {
    const value = DIGITS.indexOf(digit)
    if (value === -1) return null
    number = number * 32 + value
  }
  return { projectSlug: text.slice(0, at).toLowerCase(), number }
}
