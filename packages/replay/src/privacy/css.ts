/** What a style sheet says in words, pictures that are in it, and what its addresses must not say. */

import { withoutSecrets } from './address.ts'

const ESCAPE = String.raw`\\(?:([\da-f]{1,6})(?:\r\n|\s)?|\r\n|[^])?`
const INNER = ESCAPE.replace('([', '(?:[')
/** As browsers read it: comments, strings (which end with their line), names with what makes functions of them, and marks. */
const TOKEN = [
  String.raw`\/\*[^]*?(?:\*\/|$)`,
  String.raw`"(?:[^"\\\n\r\f]|${INNER})*"?`,
  String.raw`'(?:[^'\\\n\r\f]|${INNER})*'?`,
  String.raw`@?(?:[\w\u0080-\uffff-]|${INNER})+\(?`,
  '[;{})=]',
].join('|')
/** An address without quotes, from its bracket on. */
const BARE = /\s*(?!["'\s])(?:[^)\\]|\\[^])*\)?/y
const ESCAPES = new RegExp(ESCAPE, 'gi')
/** One character, as it is written in a string: `a`, `\"`, `\201C `. */
const CHARACTER = new RegExp(`${ESCAPE}|[^]`, 'giu')

/** Strings of these show nothing, and pages look wrong without them: names of fonts and of areas, addresses of sheets. */
const HARMLESS =
  /^(?:(?:font|grid)(?:-.+)?|src|syntax|@(?:charset|import|namespace|font-.+)|--(?:.+-)?font(?:-(?:family|sans|serif|mono|monospace|body|heading|display))*)$/i
const ADDRESSES = /^(?:url|src|(?:-webkit-)?image-set)\($/i
const PICTURE = /^data:(?!font|application)/i
const NO_PICTURE = '"data:,"'

/** Without both of these no address says more than where it leads. */
const MAY_HAVE_ADDRESS = /(?:url|src|image-set)\(|@import|\\/i
const MAY_HAVE_SECRET = /[=@\\]/
/** Ends a string or an address, or is an escape. */
const UNSAFE = /["'()\\\s]/g

const LAST_CODE = 0x10ffff

/** Without escapes. */
const plain = (written: string): string =>
  written.replace(ESCAPES, (all, hex: string | undefined) =>
    hex === undefined ? all.slice(1).trim() : String.fromCodePoint(Math.min(Number.parseInt(hex, 16), LAST_CODE)),
  )

const isPicture = (address: string): boolean => PICTURE.test(plain(address).replaceAll(/[^!-\uffff]/g, ''))

/** Signs of fonts that are made of pictures are no words. */
const isPrivateUse = (code: number): boolean => (code >= 0xe000 && code <= 0xf8ff) || code >= 0xf0000

/** Undefined: there was none. What is written out instead of an address may have anything in it. */
const withoutItsSecrets = (written: string): string | undefined => {
  const known = plain(written)
  if (/^\s*data:/i.test(known)) return undefined
  const safe = withoutSecrets(known)
  return safe === known
    ? undefined
    : safe.replaceAll(UNSAFE, (one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`)
}

const maskWords = (said: string): string =>
  said.replace(CHARACTER, (character, hex: string | undefined) => {
    const code = hex === undefined ? (character.codePointAt(0) ?? 0) : Number.parseInt(hex, 16)
    return isPrivateUse(code) || /\s/.test(character.charAt(0)) ? character : '*'
  })

/**
 * Masks every string but those that are known to show nothing: which properties show theirs is not for a list.
 * Addresses keep no secrets in any case.
 *
 * @param media pictures that are written into the sheet go as well
 */
export const maskCss = (css: string, words: boolean, media: boolean): string => {
  // Most sheets that scripts make have none of it.
  const isPlain = (!words && !media) || !/["'\\]|data:/i.test(css)
  if (isPlain && !(MAY_HAVE_SECRET.test(css) && MAY_HAVE_ADDRESS.test(css))) return css
  const tokens = new RegExp(TOKEN, 'gi')
  let masked = ''
  let kept = 0
  /** The name that a declaration or a rule begins with is yet to come; its strings show nothing; the next is an address; it is one of a selector. */
  let [isBegin, isHarmless, isAddress, isCompared] = [true, false, false, false]
  const replace = (from: number, text: string): void => {
    masked += css.slice(kept, from) + text
    kept = tokens.lastIndex
  }
  for (let found = tokens.exec(css); found; found = tokens.exec(css)) {
    const [token] = found
    const mark = token.charAt(0)
    if (mark === '/') continue
    if (mark === '"' || mark === "'") {
      const isClosed = token.length > 1 && token.endsWith(mark)
      const said = token.slice(1, isClosed ? -1 : undefined)
      if (media && isPicture(said)) replace(found.index, NO_PICTURE)
      else if (isAddress) {
        const safe = withoutItsSecrets(said)
        if (safe !== undefined) replace(found.index, mark + safe + (isClosed ? mark : ''))
      } else if (words && !isHarmless && !isCompared)
        replace(found.index, mark + maskWords(said) + (isClosed ? mark : ''))
    } else if (/[;{}]/.test(mark)) {
      isBegin = true
      isHarmless = false
      isAddress = false
    } else if (mark === ')') isAddress = false
    else if (mark !== '=') {
      const name = isBegin || token.endsWith('(') ? plain(token) : ''
      if (isBegin) {
        isHarmless = HARMLESS.test(name)
        isAddress = /^@import$/i.test(name)
      }
      isBegin = false
      if (token.endsWith('(')) isAddress = ADDRESSES.test(name)
      BARE.lastIndex = tokens.lastIndex
      const bare = /^url\($/i.test(name) ? BARE.exec(css)?.[0] : undefined
      if (bare !== undefined) {
        tokens.lastIndex = BARE.lastIndex
        isAddress = false
        const isClosed = bare.endsWith(')')
        const safe = withoutItsSecrets(isClosed ? bare.slice(0, -1) : bare)
        if (media && isPicture(bare)) replace(found.index, `url(${NO_PICTURE})`)
        else if (safe !== undefined) replace(found.index, `${token}${safe}${isClosed ? ')' : ''}`)
      }
    }
    isCompared = mark === '='
  }
  return masked + css.slice(kept)
}
