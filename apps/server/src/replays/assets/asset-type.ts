import { isModestSvg } from '@firsthand/recording'
import { STYLE_SHEET } from '../asset.ts'

/** What of an answer may be kept: its bytes come from a stranger. Pure. */

/** What a browser may take for one of these, whatever else it says of itself. */
type Family = 'image' | 'font' | 'sheet'

const latin1 = (bytes: Uint8Array, from: number, to: number): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', from, to)

const startsWith = (text: string) => (bytes: Uint8Array) => latin1(bytes, 0, text.length) === text

interface Form {
  readonly type: string
  readonly family: Family
  readonly begins: (bytes: Uint8Array) => boolean
}

const AVIF_BRANDS = new Set(['avif', 'avis'])

const FORMS: readonly Form[] = [
  { type: 'image/png', family: 'image', begins: startsWith('\x89PNG\r\n\x1a\n') },
  { type: 'image/jpeg', family: 'image', begins: startsWith('\xff\xd8\xff') },
  { type: 'image/gif', family: 'image', begins: startsWith('GIF8') },
  {
    type: 'image/webp',
    family: 'image',
    begins: (bytes) => startsWith('RIFF')(bytes) && latin1(bytes, 8, 12) === 'WEBP',
  },
  {
    type: 'image/avif',
    family: 'image',
    begins: (bytes) => latin1(bytes, 4, 8) === 'ftyp' && AVIF_BRANDS.has(latin1(bytes, 8, 12)),
  },
  { type: 'image/bmp', family: 'image', begins: startsWith('BM') },
  { type: 'image/x-icon', family: 'image', begins: startsWith('\0\0\x01\0') },
  { type: 'font/woff2', family: 'font', begins: startsWith('wOF2') },
  { type: 'font/woff', family: 'font', begins: startsWith('wOFF') },
  { type: 'font/otf', family: 'font', begins: startsWith('OTTO') },
  { type: 'font/ttf', family: 'font', begins: startsWith('\0\x01\0\0') },
  { type: 'font/ttf', family: 'font', begins: startsWith('true') },
]

/** What its sender calls it. Fonts are often sent as anything. */
const familyOf = (contentType: string): Family | 'svg' | 'bytes' | null => {
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  if (type === 'image/svg+xml') return 'svg'
  if (type === STYLE_SHEET) return 'sheet'
  if (/^image\/[\w.+-]+$/.test(type)) return 'image'
  if (/^(?:font\/[\w.+-]+|application\/(?:x-)?font-[\w.+-]+|application\/vnd\.ms-opentype)$/.test(type)) return 'font'
  return type === 'application/octet-stream' ? 'bytes' : null
}

/** Null for what is no UTF-8. */
export const textOf = (bytes: Uint8Array): string | null => {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}

/** An SVG says that it is one within so many characters. */
const SVG_HEAD_CHARS = 10_000
/** What may stand before its element: how it begins and ends, and what is in between. */
const BEFORE_SVG = [
  { begin: '<!--', end: '-->', most: 5000, never: null },
  { begin: '<?xml', end: '?>', most: 500, never: '>' },
  // With declarations of its own it is not kept.
  { begin: '<!doctype svg', end: '>', most: 500, never: '[' },
] as const

/** Walks forward only: a pattern with these as alternatives can be made to try all ways to divide a text. */
const beginsAsSvg = (text: string): boolean => {
  const head = text.slice(0, SVG_HEAD_CHARS).toLowerCase()
  for (let at = 0; ;) {
    while (/\s/.test(head.charAt(at))) at++
    const before = BEFORE_SVG.find(({ begin }) => head.startsWith(begin, at))
    if (before === undefined) return head.startsWith('<svg', at) && /[\s>]/.test(head.charAt(at + 4))
    const start = at + before.begin.length
    const end = head.indexOf(before.end, start)
    if (end === -1 || end - start > before.most) return false
    if (before.never !== null && head.slice(start, end).includes(before.never)) return false
    at = end + before.end.length
  }
}

const isSvg = (text: string): boolean => beginsAsSvg(text) && isModestSvg(text)
/** A page that says what went wrong is often sent as whatever was asked for. */
const isSheet = (text: string): boolean => !text.includes('\0') && !/^\s*</.test(text)

/**
 * The type of what came, by its first bytes; what they say must be what the sender says. Null for what is not kept: of
 * another type, none of what it is called, or an SVG that would grow without end where it is drawn.
 */
export const assetType = (contentType: string, bytes: Uint8Array): string | null => {
  const said = familyOf(contentType)
  if (said === null || bytes.byteLength === 0) return null
  if (said === 'svg' || said === 'sheet') {
    const text = textOf(bytes)
    if (text === null) return null
    if (said === 'svg') return isSvg(text) ? 'image/svg+xml' : null
    return isSheet(text) ? STYLE_SHEET : null
  }
  const form = FORMS.find(({ begins }) => begins(bytes))
  if (form === undefined) return null
  const agrees = said === form.family || (said === 'bytes' && form.family === 'font')
  return agrees ? form.type : null
}
