const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const FIRST_PRINTABLE = 0x20
const ESCAPED_UNIT = 0x75

/** `\u` aside: `"`, `\`, `/`, b, f, n, r, t. */
const isSimpleEscape = (byte: number): boolean =>
  byte === QUOTE ||
  byte === BACKSLASH ||
  byte === 0x2f ||
  byte === 0x62 ||
  byte === 0x66 ||
  byte === 0x6e ||
  byte === 0x72 ||
  byte === 0x74

const isHex = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66)

const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

const isSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

/** Index after the string whose opening quote is before `from`; -1 when it is none. */
const afterString = (bytes: Uint8Array, from: number): number => {
  const { length } = bytes
  let index = from
  while (index < length) {
    const byte = bytes[index++] ?? 0
    if (byte === QUOTE) return index
    if (byte < FIRST_PRINTABLE) return -1
    if (byte !== BACKSLASH) continue
    if (index >= length) return -1
    const escaped = bytes[index++] ?? 0
    if (isSimpleEscape(escaped)) continue
    if (escaped !== ESCAPED_UNIT || index + 4 > length) return -1
    for (let digit = 0; digit < 4; digit += 1) if (!isHex(bytes[index++] ?? 0)) return -1
  }
  return -1
}

const afterDigits = (bytes: Uint8Array, from: number): number => {
  const { length } = bytes
  let index = from
  while (index < length && isDigit(bytes[index] ?? 0)) index += 1
  return index === from ? -1 : index
}

/** Index after the number that begins at `from`; -1 when it is none. */
const afterNumber = (bytes: Uint8Array, from: number): number => {
  let index = bytes[from] === 0x2d ? from + 1 : from
  if (bytes[index] === 0x30) index += 1
  else index = afterDigits(bytes, index)
  if (index === -1) return -1
  if (bytes[index] === 0x2e) index = afterDigits(bytes, index + 1)
  if (index === -1) return -1
  const exponent = bytes[index]
  if (exponent !== 0x65 && exponent !== 0x45) return index
  const sign = bytes[index + 1]
  return afterDigits(bytes, sign === 0x2b || sign === 0x2d ? index + 2 : index + 1)
}

const WORDS = ['true', 'false', 'null'].map((word) => Buffer.from(word))

const afterWord = (bytes: Uint8Array, from: number): number => {
  for (const word of WORDS) {
    if (bytes[from] !== word[0]) continue
    for (let index = 1; index < word.byteLength; index += 1) if (bytes[from + index] !== word[index]) return -1
    return from + word.byteLength
  }
  return -1
}

/**
 * True when the bytes are surely one JSON object (RFC 8259) nested at most `maxDepth` deep. False means "ask the parser":
 * a byte order mark, for one, is tolerated there. One pass that makes nothing, because the door needs to know only that a
 * payload can be read: parsing it costs three times as much, and its pieces would be thrown away.
 */
export const isSurelyJsonObject = (bytes: Uint8Array, maxDepth: number): boolean => {
  const { length } = bytes
  /** 1 for an object, 0 for an array, by depth. */
  const containers = new Uint8Array(maxDepth + 1)
  let depth = 0
  let index = 0
  /** What may come next: a value, a key, or what follows a value. `first` allows the container to be empty. */
  let expected: 'value' | 'key' | 'separator' = 'value'
  let first = false
  while (index < length) {
    const byte = bytes[index] ?? 0
    if (isSpace(byte)) {
      index += 1
    } else if (expected === 'separator') {
      index += 1
      if (byte === COMMA) {
        expected = containers[depth] === 1 ? 'key' : 'value'
      } else {
        if (byte !== (containers[depth] === 1 ? CLOSE_OBJECT : CLOSE_ARRAY)) return false
        depth -= 1
        if (depth === 0) return isBlankFrom(bytes, index)
      }
    } else if (expected === 'key') {
      if (byte === CLOSE_OBJECT && first) {
        expected = 'separator'
      } else {
        if (byte !== QUOTE) return false
        index = afterString(bytes, index + 1)
        if (index === -1) return false
        while (index < length && isSpace(bytes[index] ?? 0)) index += 1
        if (bytes[index] !== COLON) return false
        index += 1
        expected = 'value'
      }
      first = false
    } else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) {
      depth += 1
      if (depth > maxDepth) return false
      containers[depth] = byte === OPEN_OBJECT ? 1 : 0
      expected = byte === OPEN_OBJECT ? 'key' : 'value'
      first = true
      index += 1
    } else if (depth === 0) {
      return false
    } else if (byte === CLOSE_ARRAY && first) {
      if (containers[depth] !== 0) return false
      expected = 'separator'
      first = false
    } else {
      if (byte === QUOTE) index = afterString(bytes, index + 1)
      else if (byte === 0x2d || isDigit(byte)) index = afterNumber(bytes, index)
      else index = afterWord(bytes, index)
      if (index === -1) return false
      expected = 'separator'
      first = false
    }
    if (depth === 1 && containers[1] !== 1) return false
  }
  return false
}

const isBlankFrom = (bytes: Uint8Array, from: number): boolean => {
  for (let index = from; index < bytes.byteLength; index += 1) if (!isSpace(bytes[index] ?? 0)) return false
  return true
}
