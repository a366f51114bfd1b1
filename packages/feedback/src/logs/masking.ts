import { FILTERED } from '../send/scrub-url.ts'
import { maskPairs } from './pairs.ts'
import { LINE_CHARS } from './ring.ts'

/** Longer texts are cut before they are looked at: patterns over megabytes would hold the page up. */
const READ_CHARS = 4 * LINE_CHARS

/** Address of a request without what was filled into it: no user, no password, no values of its query, no fragment. */
export const maskUrl = (address: string): string => {
  const [, before = '', query = ''] = /^([^?#]*)(\?[^#]*)?/s.exec(address.slice(0, READ_CHARS)) ?? []
  const names = query.replace(/=[^&;]*/g, '=')
  return (before.replace(/\/\/[^/]*@/, '//') + names).slice(0, LINE_CHARS)
}

/** Of any scheme: those of databases have passwords. */
const URLS = /\b[a-z][a-z\d+.-]{1,20}:\/\/[^\s"'<>`]+/gi
/** `Bearer abc`, `Basic abc`: the word stays. */
const CREDENTIALS = /\b(Bearer|Basic|Digest)\s+[\w.~+/=-]{6,}/gi
/** Header, claims and signature of a token. */
const TOKENS = /(^|[^\w-])eyJ[\w-]{5,}\.[\w-]+\.[\w-]*/g
/** Keys that are known by how they begin: of clouds, of payments, of code hosts, of chats. */
const KEYS =
  /(^|[^A-Za-z\d])(?:(?:AKIA|ASIA)[A-Z\d]{12,}|(?:sk|rk|pk|whsec)[-_](?:live_|test_|proj-|ant-)?[\w-]{16,}|gh[pousr]_\w{16,}|github_pat_\w{16,}|glpat-[\w-]{16,}|xox[a-z]-[\w-]{8,}|xapp-[\w-]{8,}|AIza[\w-]{30,}|npm_\w{30,}|SG\.[\w-]{16,}\.[\w-]+)/g
const PRIVATE_KEYS = /-----BEGIN [A-Z ]{0,30}PRIVATE KEY-----[^-]*(?:-----END [A-Z ]{0,30}-----)?/g
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
/** A text without what looks like a secret, and not longer than a line. */
export const maskText = (text: string): string =>
  maskPairs(
    text
      .slice(0, READ_CHARS)
      .replace(URLS, maskUrl)
      .replace(CREDENTIALS, `$1 ${FILTERED}`)
      .replace(TOKENS, `$1${FILTERED}`)
      .replace(KEYS, `$1${FILTERED}`)
      .replace(PRIVATE_KEYS, FILTERED),
  )
    .replace(CARDS, (number) => (isCard(number) ? FILTERED : number))
    .slice(0, LINE_CHARS)
