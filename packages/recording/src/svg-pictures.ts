/** References to parts of itself that a picture may have: with so many, what is drawn stays within a hundred times. */
const MAX_REFERENCES = 24

/** Attributes and functions that refer, what may change or hide them, and entities, which grow the same way. */
const REFERENCES = /href|url\s*\(|&#|\\|<(?:[\w-]+:)?(?:animate|set)\b/gi
const ENTITY = /<!ENTITY/i

/** Whether a picture is about as large as it is written: its references to references do not double over and over. */
export const isModestSvg = (text: string): boolean => {
  // Texts of two bytes to a character read the same without their zeros.
  const read = text.replaceAll('\0', '')
  if (ENTITY.test(read)) return false
  let references = 0
  for (const [found] of read.matchAll(REFERENCES)) if (found !== '' && ++references > MAX_REFERENCES) return false
  return true
}

/** The text of a data address of an SVG; null for one that cannot be read. */
export const svgOf = (address: string): string | null => {
  const comma = address.indexOf(',')
  const body = address.slice(comma + 1)
  try {
    const plain = body.replace(/%[\da-f]{2}/gi, (escaped) => String.fromCharCode(Number.parseInt(escaped.slice(1), 16)))
    return /;base64$/i.test(address.slice(0, comma).trimEnd()) ? atob(plain) : plain
  } catch {
    return null
  }
}
