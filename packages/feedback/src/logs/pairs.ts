import { FILTERED, SECRET } from '../send/scrub-url.ts'

/** Beside those that no address may show: what a console says as well. */
const MORE_NAMES = /cookie|(?:access|private|encryption|signing)[-_]?key|card[-_]?(?:no|num)|cv[vc]2?$|(?:^|[._-])pin$/i
const CAMEL_PIN = /[a-z]Pin$/
export const isSecretName = (name: string): boolean =>
  SECRET.test(name) || MORE_NAMES.test(name) || CAMEL_PIN.test(name)

/** Their values may have gaps: nobody can say where they end within the line. */
const LONG_NAMES = /authorization$|cookie2?$|pass(?:word|phrase|wd|code)?$|pwd$/i
/** `Token abc`: the first word only says how the next is to be read. */
const SCHEME = /^(?:bearer|basic|digest|token|api-?key|negotiate)[ \t]/i

const NAME_CHARS = 64
/** Quotes, backslashes and blanks between a name and its sign. */
const GAP_CHARS = 16

/**
 * A text without the values of secret names: `password: x`, `"token":"x"`, `\"token\":\"x\"`, `api_key=[...]`. What has
 * another name is read on within. Looks at each character a bounded number of times.
 */
export const maskPairs = (text: string): string => {
  const signs = /[:=]/g
  let masked = ''
  let kept = 0
  for (let sign = signs.exec(text); sign !== null; sign = signs.exec(text)) {
    const { name, before } = nameBefore(text, sign.index)
    // Of an address its host, with its port.
    if (before === '/' || !isSecretName(name)) continue
    const isQuery = before === '?' || before === '&'
    const start = isQuery ? sign.index + 1 : past(text, sign.index, /[^\s:=>]/g)
    const end = isQuery ? past(text, start, /[\s&;#"'`<>]/g) : valueEnd(text, start, LONG_NAMES.test(name))
    if (end > start) {
      masked += text.slice(kept, start) + FILTERED
      kept = end
    }
    signs.lastIndex = Math.max(end, sign.index + 1)
  }
  return masked + text.slice(kept)
}

const isWithin = (set: RegExp, text: string, at: number): boolean => set.test(text.charAt(at))

/** The word before a sign, and the character before the word. */
const nameBefore = (text: string, sign: number): { readonly name: string; readonly before: string } => {
  let end = sign
  while (end > 0 && sign - end < GAP_CHARS && isWithin(/[\s"'`\\]/, text, end - 1)) end -= 1
  let start = end
  while (start > 0 && end - start < NAME_CHARS && isWithin(/[\w.-]/, text, start - 1)) start -= 1
  return { name: text.slice(start, end), before: text.charAt(start - 1) }
}

/** Where the first such character is from there on, or the end. */
const past = (text: string, from: number, stop: RegExp): number => {
  stop.lastIndex = from
  return stop.exec(text)?.index ?? text.length
}

const valueEnd = (text: string, start: number, isLong: boolean): number => {
  const opening = /^(\\*)["'`]/.exec(text.slice(start, start + GAP_CHARS))
  if (opening !== null) return quotedEnd(text, start + (opening[1]?.length ?? 0))
  if (isWithin(/[[{(]/, text, start)) return bracketEnd(text, start)
  if (isLong || SCHEME.test(text.slice(start, start + GAP_CHARS))) return past(text, start, /[\r\n]/g)
  return past(text, start, /[\s,;&}\])]/g)
}

const backslashesBefore = (text: string, at: number): number => {
  let first = at
  while (first > 0 && text[first - 1] === '\\') first -= 1
  return at - first
}

/** Behind the same quote with no more backslashes before it, or the end. JSON within JSON has one and three. */
const quotedEnd = (text: string, quote: number): number => {
  const mark = text.charAt(quote)
  const escapes = backslashesBefore(text, quote)
  for (let at = text.indexOf(mark, quote + 1); at >= 0; at = text.indexOf(mark, at + 1)) {
    const own = backslashesBefore(text, at)
    if (own <= escapes || (escapes === 0 && own % 2 === 0)) return at + 1
  }
  return text.length
}

/** Behind the bracket that closes it, or the end. */
const bracketEnd = (text: string, start: number): number => {
  let depth = 0
  for (let at = start; at < text.length;) {
    if (isWithin(/["'`]/, text, at)) {
      at = quotedEnd(text, at)
      continue
    }
    if (isWithin(/[[{(]/, text, at)) depth += 1
    else if (isWithin(/[\]})]/, text, at)) depth -= 1
    at += 1
    if (depth === 0) return at
  }
  return text.length
}
