/**
 * Text from an event as it is safe to read. React escapes markup; what it leaves are characters that change how the rest
 * is shown without being seen: terminal escapes, bidirectional controls, zero-width and other control characters. They
 * become marks with a name, so that `gpj.exe` cannot pass for `exe.jpg`.
 */

export type TextPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'mark'; readonly label: string; readonly name: string }

const HIDDEN =
  /\u001b\[[0-9;?]{0,32}[ -/]{0,4}[@-~]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/g

const NAMES: ReadonlyMap<string, string> = new Map([
  ['\u001b', 'escape'],
  ['\u0000', 'null character'],
  ['\u00ad', 'soft hyphen'],
  ['\u061c', 'Arabic letter mark'],
  ['\u200b', 'zero-width space'],
  ['\u200e', 'left-to-right mark'],
  ['\u200f', 'right-to-left mark'],
  ['\u202a', 'left-to-right embedding'],
  ['\u202b', 'right-to-left embedding'],
  ['\u202c', 'end of direction change'],
  ['\u202d', 'left-to-right override'],
  ['\u202e', 'right-to-left override'],
  ['\u2066', 'left-to-right isolate'],
  ['\u2067', 'right-to-left isolate'],
  ['\u2068', 'first strong isolate'],
  ['\u2069', 'end of isolate'],
  ['\ufeff', 'byte order mark'],
])

export function textParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = []
  let from = 0
  for (const match of text.matchAll(HIDDEN)) {
    if (match.index > from) parts.push({ kind: 'text', text: text.slice(from, match.index) })
    parts.push(mark(match[0]))
    from = match.index + match[0].length
  }
  if (from < text.length) parts.push({ kind: 'text', text: text.slice(from) })
  return parts
}

/** The same as plain text, for places that take no elements: titles, the clipboard, Markdown. */
export function plainVisible(text: string): string {
  return textParts(text)
    .map((part) => (part.kind === 'text' ? part.text : `[${part.label}]`))
    .join('')
}

function mark(hidden: string): TextPart {
  if (hidden.length > 1) return { kind: 'mark', label: `ESC${hidden.slice(1)}`, name: 'terminal escape sequence' }
  const code = `U+${(hidden.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
  return { kind: 'mark', label: hidden === '\u001b' ? 'ESC' : code, name: NAMES.get(hidden) ?? 'control character' }
}

/** Addresses that may be followed from an event. Everything else, `javascript:` above all, stays text. */
export function safeLink(address: string): string | null {
  if (!/^https?:\/\/[^\s]+$/i.test(address)) return null
  try {
    const url = new URL(address)
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null
  } catch {
    // Text that only looks like an address stays text.
    return null
  }
}
