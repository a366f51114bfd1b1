/** Bodies as they are read: without colours of terminals, JSON with its structure. */

const COLOUR = /\u001b\[[0-9;:]{0,40}m/g

/** `ESC[31m` and the like say nothing here; other control characters stay, to be drawn as marks. */
export function withoutColours(text: string): string {
  return text.includes('\u001b') ? text.replace(COLOUR, '') : text
}

/** In a row: one line, however many there are. */
export function oneLine(text: string): string {
  return withoutColours(text).replaceAll(/\s*\n\s*/g, ' ⏎ ')
}

/** A longer text is shown whole only when it is asked for. */
export const FOLDED_CHARS = 2000
/** Above this, JSON is not taken apart. */
const JSON_CHARS = 200_000

/** A body that is JSON, with its structure; null for any other. */
export function prettyJson(body: string): string | null {
  const first = body.trimStart()[0]
  if ((first !== '{' && first !== '[') || body.length > JSON_CHARS) return null
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    // It only looks like JSON.
    return null
  }
}

/** The beginning of a text, up to the end of a line where there is one near. */
export function folded(text: string): string {
  if (text.length <= FOLDED_CHARS) return text
  const begin = text.slice(0, FOLDED_CHARS)
  const end = begin.lastIndexOf('\n')
  return (end > FOLDED_CHARS / 2 ? begin.slice(0, end) : begin).toWellFormed()
}
