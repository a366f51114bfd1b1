import { FILTERED, SECRET } from '../send/scrub-url.ts'
import { LINE_CHARS } from './ring.ts'

/** Longer texts are cut before they are looked at: patterns over megabytes would hold the page up. */
const READ_CHARS = 4 * LINE_CHARS

/** Address of a request without what was filled into it: no user, no password, no values of its query, no fragment. */
export const maskUrl = (address: string): string => {
  const [, before = '', query = ''] = /^([^?#]*)(\?[^#]*)?/s.exec(address.slice(0, READ_CHARS)) ?? []
  const names = query.replace(/=[^&;]*/g, '=')
  return (before.replace(/\/\/[^/@]*@/, '//') + names).slice(0, LINE_CHARS)
}

const URLS = /\b(?:https?|wss?|ftp):\/\/[^\s"'<>`]+/gi
/** `Bearer abc`, `Basic abc`: the word stays. */
const CREDENTIALS = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{6,}/gi
/** Header, claims and signature of a token. */
const TOKENS = /\beyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g
/** As long as the number of a card, with or without gaps. */
const CARDS = /\b(?:\d[ -]?){12,18}\d\b/g
/** By its check digit: a time in milliseconds is as long. */
const isCard = (number: string): boolean => {
  const digits = number.replace(/\D/g, '').split('').reverse().map(Number)
  const sum = digits.reduce(
    (total, digit, at) => total + (at % 2 === 0 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2),
    0,
  )
  return sum % 10 === 0
}
/** `password: x`, `"token":"x"`, `api_key=x`. */
const PAIRS = /(["']?)([\w.-]{2,64})\1(\s*[:=]\s*)("[^"]*"?|'[^']*'?|[^\s,;&}\])]+)/g

/** A text without what looks like a secret, and not longer than a line. */
export const maskText = (text: string): string =>
  text
    .slice(0, READ_CHARS)
    .replace(URLS, maskUrl)
    .replace(CREDENTIALS, `$1 ${FILTERED}`)
    .replace(TOKENS, FILTERED)
    .replace(PAIRS, (whole, quote: string, name: string, between: string) =>
      SECRET.test(name) ? `${quote}${name}${quote}${between}${FILTERED}` : whole,
    )
    .replace(CARDS, (number) => (isCard(number) ? FILTERED : number))
    .slice(0, LINE_CHARS)
