import type { Json } from './event-view.ts'

/** What was cut out of a value or scrubbed in it, as one reads it. */
export interface RemarkView {
  /** The place below the value, such as `items.3`; empty for the value itself. */
  readonly place: string
  readonly text: string
}

/** Remarks drawn at one value; a large object may have hundreds. */
export const REMARKS_OF_VALUE = 5

/** The part of a tree of remarks below a key. */
export function metaBelow(meta: Json | undefined, ...path: readonly (string | number)[]): Json | undefined {
  let node = meta
  for (const key of path) node = isNode(node) && Object.hasOwn(node, key) ? node[String(key)] : undefined
  return node
}

/** All remarks about a value and what is in it, from `_meta` of an event answer. */
export function readRemarks(meta: Json | undefined, value: Json | undefined, place = ''): readonly RemarkView[] {
  if (!isNode(meta)) return []
  const own = textOf(meta[''], value)
  const found: RemarkView[] = own === '' ? [] : [{ place, text: own }]
  for (const [key, below] of Object.entries(meta)) {
    if (key === '') continue
    const part = typeof value === 'object' && value !== null ? (value as { [key: string]: Json })[key] : undefined
    found.push(...readRemarks(below, part, place === '' ? key : `${place}.${key}`))
  }
  return found
}

function isNode(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(remark: Json | undefined, value: Json | undefined): string {
  if (!isNode(remark)) return ''
  const { rem, len } = remark
  const rules = Array.isArray(rem) ? rem.map((one: Json) => (Array.isArray(one) ? one[0] : null)) : []
  const texts = rules.flatMap((rule: Json | undefined) => {
    if (typeof rule !== 'string') return []
    if (rule.startsWith('!')) return [cutText(rule, typeof len === 'number' ? len : null, value)]
    return [`scrubbed by ${rule === 'strip-fields' ? 'the project’s own fields' : `rule ${rule.replace(/:\w+$/, '')}`}`]
  })
  if (texts.length === 0 && Array.isArray(remark['err'])) texts.push('could not be read')
  return [...new Set(texts)].join(', ')
}

function cutText(rule: string, length: number | null, value: Json | undefined): string {
  if (rule !== '!limit') return 'left out by the SDK'
  if (length === null) return 'cut'
  if (typeof value === 'string') {
    return `${Math.max(0, length - value.length).toLocaleString('en')} of ${length.toLocaleString('en')} characters cut`
  }
  const left = typeof value === 'object' && value !== null ? Object.keys(value).length : 0
  const word = Array.isArray(value) ? 'entries' : 'keys'
  return `${Math.max(0, length - left).toLocaleString('en')} of ${length.toLocaleString('en')} ${word} cut`
}
