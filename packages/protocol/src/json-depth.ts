const QUOTE = 0x22
const BACKSLASH = 0x5c
/** `[` and `{`, `]` and `}` differ in one bit only. */
const BRACKET_BIT = 0x20
const OPEN = 0x7b
const CLOSE = 0x7d

/**
 * True when arrays and objects are nested at most `max` deep. One pass over the bytes, strings are skipped; whether the
 * bytes are JSON at all is left to the parser. Call it before `JSON.parse`, because everything that walks a value of
 * unbounded depth overflows the stack (protocol.md check 103).
 */
export const jsonDepthWithin = (bytes: Uint8Array, max: number): boolean => {
  const { length } = bytes
  if (length <= max) return true
  let depth = 0
  let index = 0
  while (index < length) {
    const byte = bytes[index++]
    if (byte === undefined) break
    if (byte === QUOTE) {
      let inside = bytes[index++]
      while (inside !== QUOTE && inside !== undefined) {
        if (inside === BACKSLASH) index++
        inside = bytes[index++]
      }
    } else if (byte >= 0x5b) {
      const bracket = byte | BRACKET_BIT
      if (bracket === OPEN) {
        if (++depth > max) return false
      } else if (bracket === CLOSE) {
        depth--
      }
    }
  }
  return true
}

/**
 * Where the array or object ends that begins at `start`: the index behind its last bracket, or -1 when the bytes end
 * before. Right for JSON; for anything else the answer is some index, and parsing what it bounds will fail.
 */
export const jsonValueEnd = (bytes: Uint8Array, start: number): number => {
  const { length } = bytes
  let depth = 0
  let index = start
  while (index < length) {
    const byte = bytes[index++]
    if (byte === undefined) break
    if (byte === QUOTE) {
      let inside = bytes[index++]
      while (inside !== QUOTE && inside !== undefined) {
        if (inside === BACKSLASH) index++
        inside = bytes[index++]
      }
    } else if (byte >= 0x5b) {
      const bracket = byte | BRACKET_BIT
      if (bracket === OPEN) depth++
      else if (bracket === CLOSE && --depth === 0) return index
    }
  }
  return -1
}
