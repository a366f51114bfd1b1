const ELLIPSIS = '...'

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff

/** The first `length` code units of a text, without splitting a surrogate pair (protocol.md check 106). */
export const head = (text: string, length: number): string => {
  if (text.length <= length) return text
  return text.slice(0, length > 0 && isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length)
}

/** A text over the limit is cut to limit − 3 and gets `...` (protocol.md 4.6). */
export const cut = (text: string, maxChars: number): string => {
  if (text.length <= maxChars) return text
  return maxChars <= ELLIPSIS.length ? '' : head(text, maxChars - ELLIPSIS.length) + ELLIPSIS
}
