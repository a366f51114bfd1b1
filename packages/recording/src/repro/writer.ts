/** Writing of source code that holds recorded text, which is hostile: nothing in it may end its string or its line. */

/** Ends of lines for JavaScript, controls, halves of pairs, and signs that make text read in another order than it stands. */
const UNSAFE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escaped = (sign: string): string => NAMED[sign] ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`

/** A string, in double quotes where these need no escaping. */
export const quoted = (text: string): string => {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'"
  return `${quote}${text.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`).replaceAll(UNSAFE, escaped)}${quote}`
}

/** What may stand behind two slashes. */
export const commented = (text: string): string => text.replaceAll(UNSAFE, ' ')

/** A regular expression that means its parts, with or without space between them. */
export const pattern = (parts: readonly string[]): string =>
  `new RegExp(${quoted(parts.map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}/]/g, String.raw`\$&`)).join(String.raw`\s*`))})`

/** For a CSS selector. */
export const cssString = (text: string): string =>
  `"${text.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll(/\p{Cc}/gu, (sign) => `\\${sign.charCodeAt(0).toString(16)} `)}"`

export const cut = (text: string, characters: number): string =>
  text.length <= characters ? text : `${text.slice(0, characters - 1)}…`
