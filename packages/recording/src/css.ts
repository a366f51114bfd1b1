import { harmlessUrl, NOTHING } from './urls.ts'

/** Blocks and parentheses inside one another. What lies deeper is cut off: parsers of browsers go down by recursion. */
const MAX_NESTING = 64
/** The name that whatever may fetch or run gets. No browser knows it. */
const REFUSED = 'fh-refused'
/** Where the address of a link stands after the rewriting, so that rules for links keep applying (`attributes.ts`). */
export const HREF_ATTRIBUTE = 'data-fh-href'

/** Functions whose first argument is an address, also without quotation marks. */
const URL_FUNCTIONS = new Set(['url', 'url-prefix', 'domain'])
/** Functions that take an address as a string, or run something. */
const REFUSED_FUNCTIONS = new Set(['src', 'image', '-moz-image-set', 'expression', 'url-pattern'])
/** Several addresses of one picture, from which a browser chooses. */
const IMAGE_SETS = new Set(['image-set', '-webkit-image-set'])
const REFUSED_PROPERTIES = new Set(['-moz-binding', 'behavior', '-ms-behavior'])
/** Make an element lay out what is in it in columns, which browsers do several times over, for each such element inside. */
const COLUMN_PROPERTIES = new Set(
  ['columns', 'column-count', 'column-width'].flatMap((name) => [name, `-webkit-${name}`, `-moz-${name}`]),
)

/** What CSS may do that makes a page larger than it is written, asked for each time. */
export interface CssBounds {
  /** Whether it may refer to an element of the page by its id. */
  mayRefer(id: string): boolean
  /** Whether elements may have columns. Null where their selector is not known. */
  mayHaveColumns(selector: string | null): boolean
}

/** Of a text that stands for itself. */
export const NO_BOUNDS: CssBounds = { mayRefer: () => true, mayHaveColumns: () => true }

/** What is written in the place of an address, fit for double quotation marks; null for nothing at all. */
export type WriteUrl = (address: string) => string | null

export const isColumnProperty = (name: string): boolean => COLUMN_PROPERTIES.has(name.toLowerCase())

const LINK_CLASSES = new Set(['link', 'any-link', '-webkit-any-link', '-moz-any-link'])
/** Without any of these there is no function, rule, string, escape or selector of links in a text. */
const PLAIN = /^[^\\(@"'/{}[\]<]*$/

/** Lists of what is drawn one over the other; a variable may become any of them. */
const LAYERED = /^(?:-(?:webkit|moz)-)?(?:(?:box|text)-shadow|(?:backdrop-)?filter|(?:background|mask)(?:-image)?)$|^--/
/** Of one list. Browsers draw each over all that is below, blurred as far as it says. */
const MAX_LAYERS = 64
/** Functions of one layer; filters have no others, and each is drawn over what the one before it made. */
const MAX_FUNCTIONS = 12
const FUNCTIONS_PER_LAYER = 3

/** Without one of these there is no name of a property with bounds, unless it is escaped. */
const BOUNDED = /column|shadow|filter|background|mask|--/i

const SLASH = 0x2f
const STAR = 0x2a
const BACKSLASH = 0x5c
const OPEN = 0x28
const CLOSE = 0x29
const DOUBLE_QUOTE = 0x22
const SINGLE_QUOTE = 0x27

/** Looks at a value from an index on, up to where it ends. */
const readLayers = (css: string, from: number): { readonly end: number; readonly isTooMany: boolean } => {
  let depth = 0
  let commas = 0
  let functions = 0
  let at = from
  for (; at < css.length; at++) {
    const code = css.charCodeAt(at)
    if (code === BACKSLASH) at++
    else if (code === OPEN) functions += depth++ === 0 ? 1 : 0
    else if (code === CLOSE) depth = Math.max(0, depth - 1)
    else if (code === 0x2c) commas += depth === 0 ? 1 : 0
    else if (code === 0x7b || code === 0x7d || (code === 0x3b && depth === 0)) break
  }
  const layers = commas + 1
  return { end: at, isTooMany: layers > MAX_LAYERS || functions > MAX_FUNCTIONS + layers * FUNCTIONS_PER_LAYER }
}

/** Whether a property is a list that a browser would draw for too long. */
export const isTooLayered = (property: string, value: string): boolean =>
  LAYERED.test(property.toLowerCase()) && readLayers(value, 0).isTooMany

const isNewline = (code: number): boolean => code === 0x0a || code === 0x0d || code === 0x0c
const isBlank = (code: number): boolean => code === 0x20 || code === 0x09 || isNewline(code)
const isHex = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)
/**
 * Letters, digits, hyphen and underscore. A character beyond ASCII ends a name here, whatever a browser thinks of it: at
 * worst more is taken for a function than is one.
 */
const isNamePart = (code: number): boolean =>
  ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a) || (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x5f

interface Block {
  /** Its selector, or what it is instead. */
  readonly from: number
  readonly to: number
  mayHaveColumns: boolean | null
}

/** One text of CSS on its way through `rewriteCss`: what is read, and what of it was replaced so far. */
class CssScan {
  readonly css: string
  at = 0
  depth = 0
  changed = 0
  readonly bounds: CssBounds
  readonly writeUrl: WriteUrl
  /** Blocks that are open, from outside to inside. */
  readonly #blocks: Block[] = []
  /** Where the rule or declaration began that is being read. */
  #from = 0
  /** Up to there, values were looked at. */
  #looked = 0
  #written = ''
  #copied = 0

  constructor(css: string, depth: number, bounds: CssBounds, writeUrl: WriteUrl) {
    this.css = css
    this.depth = depth
    this.bounds = bounds
    this.writeUrl = writeUrl
  }

  openBlock(): void {
    this.#blocks.push({ from: this.#from, to: this.at, mayHaveColumns: null })
    this.#from = this.at + 1
  }

  closeBlock(): void {
    this.#blocks.pop()
    this.#from = this.at + 1
  }

  endDeclaration(): void {
    this.#from = this.at + 1
  }

  /** Whether the value behind a name has too many layers. Each value is looked at once, whatever is in it. */
  isTooLayered(): boolean {
    if (this.at < this.#looked) return false
    const { end, isTooMany } = readLayers(this.css, this.at)
    this.#looked = end
    return isTooMany
  }

  /** Whether what the innermost block is about may have columns. */
  mayHaveColumns(): boolean {
    const block = this.#blocks.at(-1)
    if (block === undefined) return this.bounds.mayHaveColumns(null)
    block.mayHaveColumns ??= this.bounds.mayHaveColumns(this.css.slice(block.from, block.to))
    return block.mayHaveColumns
  }

  code(index = this.at): number {
    // NaN behind the end, which no comparison holds for.
    return this.css.charCodeAt(index)
  }

  /** Puts a text in the place of what stands from an index up to `at`. */
  replace(from: number, text: string): void {
    this.#written += this.css.slice(this.#copied, from) + text
    this.#copied = this.at
  }

  /** Cuts off what stands from an index to the end. */
  cut(from: number): void {
    this.at = this.css.length
    this.replace(from, '')
  }

  finish(): string {
    return this.#copied === 0 ? this.css : this.#written + this.css.slice(this.#copied)
  }
}

/** The character that a backslash at `at` stands for. Moves behind it. */
const readEscape = (scan: CssScan): string => {
  const start = ++scan.at
  while (scan.at < start + 6 && isHex(scan.code())) scan.at++
  if (scan.at === start) {
    const character = scan.css.charAt(scan.at)
    scan.at++
    return character
  }
  const point = Number.parseInt(scan.css.slice(start, scan.at), 16)
  if (scan.code() === 0x0d && scan.code(scan.at + 1) === 0x0a) scan.at += 2
  else if (isBlank(scan.code())) scan.at++
  return point === 0 || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)
    ? '\uFFFD'
    : String.fromCodePoint(point)
}

/** A name as a browser understands it: escapes resolved, in lower case. Empty where none begins. */
const readName = (scan: CssScan): string => {
  let name = ''
  for (;;) {
    const start = scan.at
    while (isNamePart(scan.code())) scan.at++
    name += scan.css.slice(start, scan.at)
    if (scan.code() !== BACKSLASH) break
    if (scan.at + 1 >= scan.css.length) {
      // It would take the first character of a text that follows into the name.
      scan.cut(scan.at)
      break
    }
    if (isNewline(scan.code(scan.at + 1))) break
    name += readEscape(scan)
  }
  return name.toLowerCase()
}

interface CssString {
  readonly text: string
  /** `dangling` ends with a backslash that the end of the text cuts from what it stands before. */
  readonly end: 'closed' | 'line' | 'open' | 'dangling'
}

/** Moves behind a string. One that is not closed ends with its line. */
const readString = (scan: CssScan): CssString => {
  const quote = scan.code()
  let text = ''
  let start = ++scan.at
  for (;;) {
    const code = scan.code()
    if (scan.at >= scan.css.length || code === quote || isNewline(code)) break
    if (code !== BACKSLASH) {
      scan.at++
      continue
    }
    text += scan.css.slice(start, scan.at)
    if (scan.at + 1 >= scan.css.length) {
      scan.at++
      return { text, end: 'dangling' }
    }
    if (isNewline(scan.code(scan.at + 1))) {
      scan.at += scan.code(scan.at + 1) === 0x0d && scan.code(scan.at + 2) === 0x0a ? 3 : 2
    } else text += readEscape(scan)
    start = scan.at
  }
  text += scan.css.slice(start, scan.at)
  if (scan.at >= scan.css.length) return { text, end: 'open' }
  if (scan.code() !== quote) return { text, end: 'line' }
  scan.at++
  return { text, end: 'closed' }
}

/** Moves behind a comment at `at`. Returns whether it was closed. */
const skipComment = (scan: CssScan): boolean => {
  const end = scan.css.indexOf('*/', scan.at + 2)
  scan.at = end === -1 ? scan.css.length : end + 2
  return end !== -1
}

const skipBlanks = (scan: CssScan): void => {
  while (isBlank(scan.code())) scan.at++
}

/** Moves behind the parenthesis that closes the one that `at` stands in. */
const skipArguments = (scan: CssScan): void => {
  for (let open = 1; open > 0 && scan.at < scan.css.length;) {
    const code = scan.code()
    if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) readString(scan)
    else if (code === BACKSLASH) scan.at += 2
    else if (code === SLASH && scan.code(scan.at + 1) === STAR) skipComment(scan)
    else {
      if (code === OPEN) open++
      if (code === CLOSE) open--
      scan.at++
    }
  }
  scan.at = Math.min(scan.at, scan.css.length)
}

/** An address without quotation marks, up to and with the closing parenthesis. */
const readBareUrl = (scan: CssScan): string => {
  let text = ''
  let start = scan.at
  while (scan.at < scan.css.length && scan.code() !== CLOSE) {
    if (scan.code() !== BACKSLASH || scan.at + 1 >= scan.css.length) {
      scan.at++
      continue
    }
    text += scan.css.slice(start, scan.at)
    text += readEscape(scan)
    start = scan.at
  }
  text += scan.css.slice(start, scan.at)
  scan.at = Math.min(scan.at + 1, scan.css.length)
  return text.trim()
}

/** Writes a function with an address again, in one form, with the address only if nothing is fetched for it. */
const rewriteUrl = (scan: CssScan, start: number): void => {
  scan.at++
  skipBlanks(scan)
  const quoted = scan.code() === DOUBLE_QUOTE || scan.code() === SINGLE_QUOTE
  const address = quoted ? readString(scan).text : readBareUrl(scan)
  if (quoted) skipArguments(scan)
  const isUnknown = address.startsWith('#') && !scan.bounds.mayRefer(address.slice(1))
  const harmless = isUnknown ? null : scan.writeUrl(address)
  if (harmless === null) scan.changed++
  scan.replace(start, `url("${harmless ?? NOTHING}")`)
}

const URL_BEGINS = /url\(/iy

/** The address that a set of images begins with, as a string or in `url()`. Moves behind it. Null for anything else. */
const readFirstImage = (scan: CssScan): string | null => {
  skipBlanks(scan)
  const isString = (): boolean => scan.code() === DOUBLE_QUOTE || scan.code() === SINGLE_QUOTE
  if (isString()) return readString(scan).text
  URL_BEGINS.lastIndex = scan.at
  if (!URL_BEGINS.test(scan.css)) return null
  scan.at += 'url('.length
  skipBlanks(scan)
  if (!isString()) return readBareUrl(scan)
  const { text } = readString(scan)
  skipArguments(scan)
  return text
}

/** Writes the first of several images in the place of all. Where it cannot be shown, the declaration before this one holds. */
const rewriteImageSet = (scan: CssScan, start: number): void => {
  const open = scan.at++
  const address = readFirstImage(scan)
  const harmless = address === null || address.startsWith('#') ? null : scan.writeUrl(address)
  if (harmless === null) {
    scan.at = open
    scan.replace(start, REFUSED)
    scan.changed++
    return
  }
  skipArguments(scan)
  scan.replace(start, `url("${harmless}")`)
}

/** Whether what stands before an index begins a declaration. */
const beginsDeclaration = (css: string, start: number): boolean => {
  let before = start - 1
  while (before >= 0 && isBlank(css.charCodeAt(before))) before--
  return before < 0 || ';{}/'.includes(css.charAt(before))
}

/** Whether a name is that of a property which may not be there. */
const isRefused = (scan: CssScan, name: string, start: number): boolean => {
  const [hasColumns, isLayered] = [COLUMN_PROPERTIES.has(name), LAYERED.test(name)]
  if (!(REFUSED_PROPERTIES.has(name) || hasColumns || isLayered) || !beginsDeclaration(scan.css, start)) return false
  if (hasColumns) return !scan.mayHaveColumns()
  return !isLayered || scan.isTooLayered()
}

const rewriteName = (scan: CssScan, start: number): void => {
  const name = readName(scan)
  if (scan.code() === OPEN) {
    if (URL_FUNCTIONS.has(name)) rewriteUrl(scan, start)
    else if (IMAGE_SETS.has(name)) rewriteImageSet(scan, start)
    else if (REFUSED_FUNCTIONS.has(name)) {
      scan.replace(start, REFUSED)
      scan.changed++
    }
    return
  }
  const before = scan.css.charAt(start - 1)
  if (isRefused(scan, name, start)) {
    scan.replace(start, REFUSED)
    scan.changed++
  } else if (before === ':' && LINK_CLASSES.has(name) && scan.css.charAt(start - 2) !== ':') {
    scan.replace(start - 1, `[${HREF_ATTRIBUTE}]`)
  } else if (before === '[' && name === 'href') scan.replace(start, HREF_ATTRIBUTE)
}

const rewriteAtRule = (scan: CssScan): void => {
  const start = scan.at++
  if (readName(scan) !== 'import') return
  scan.replace(start, `@${REFUSED}`)
  scan.changed++
}

/** What one character begins. Always moves on. */
const rewriteNext = (scan: CssScan): void => {
  const code = scan.code()
  const start = scan.at
  if (isNamePart(code) || (code === BACKSLASH && !isNewline(scan.code(start + 1)))) rewriteName(scan, start)
  else if (code === 0x40) rewriteAtRule(scan)
  // A browser reads it as one token: its hyphens belong to no name.
  else if (scan.css.startsWith('<!--', start)) scan.at += 4
  else if (code === DOUBLE_QUOTE || code === SINGLE_QUOTE) rewriteString(scan)
  else if (code === SLASH && scan.code(start + 1) === STAR) {
    if (!skipComment(scan)) scan.replace(start, '')
  } else if (code === OPEN || code === 0x7b || code === 0x5b) {
    if (++scan.depth > MAX_NESTING) {
      scan.cut(start)
      scan.changed++
    } else {
      if (code === 0x7b) scan.openBlock()
      scan.at++
    }
  } else {
    if (code === 0x7d) scan.closeBlock()
    if (code === 0x3b) scan.endDeclaration()
    if (code === CLOSE || code === 0x7d || code === 0x5d) scan.depth = Math.max(0, scan.depth - 1)
    scan.at++
  }
}

/** Copies a string. One that the text ends in is closed: it must not go on in the next text. */
const rewriteString = (scan: CssScan): void => {
  const start = scan.at
  const { end } = readString(scan)
  if (end === 'closed' || end === 'line') return
  const written = scan.css.slice(start, end === 'dangling' ? -1 : undefined)
  scan.replace(start, written + scan.css.charAt(start))
}

export interface RewrittenCss {
  readonly text: string
  /** How much in it could have fetched or run. */
  readonly changed: number
  /** Blocks that are still open where it ends. */
  readonly depth: number
}

const rewriteFrom = (css: string, depth: number, bounds: CssBounds, writeUrl: WriteUrl): RewrittenCss => {
  if (PLAIN.test(css) && !BOUNDED.test(css)) return { text: css, changed: 0, depth }
  const scan = new CssScan(css, depth, bounds, writeUrl)
  while (scan.at < css.length) rewriteNext(scan)
  // Where it is ever written as HTML, it cannot end its element.
  return { text: scan.finish().replaceAll('</', '<\\/'), changed: scan.changed, depth: scan.depth }
}

/**
 * CSS of any kind (a sheet, a rule, declarations, a value) as one that looks the same and cannot fetch or run anything.
 * It is read as a browser reads it: comments, strings, escapes. Linear in the text.
 */
export const rewriteCss = (css: string, bounds = NO_BOUNDS, writeUrl: WriteUrl = harmlessUrl): RewrittenCss =>
  rewriteFrom(css, 0, bounds, writeUrl)

/** What rrweb writes between the parts of a sheet that stood in several text nodes. It cuts the sheet there again. */
export const SPLIT = '/* rr_split */'

/**
 * The text of a style element, or a part of one: a browser joins the parts, so nothing that one of them begins may go on
 * in the next.
 *
 * @param depth how many blocks may be open where it begins
 */
export const rewriteSheet = (
  css: string,
  depth: number,
  bounds = NO_BOUNDS,
  writeUrl: WriteUrl = harmlessUrl,
): RewrittenCss => {
  let changed = 0
  let open = depth
  const parts = css.split(SPLIT).map((part) => {
    const rewritten = rewriteFrom(part, open, bounds, writeUrl)
    changed += rewritten.changed
    open = rewritten.depth
    return rewritten.text === '' || rewritten.text.endsWith('}') ? rewritten.text : `${rewritten.text}/**/`
  })
  return { text: parts.join(SPLIT), changed, depth: open }
}
