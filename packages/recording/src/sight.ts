import { NodeType } from './events.ts'
import { fieldsOf, textOf } from './fields.ts'
import type { PageState } from './page-state.ts'
import type { PageNode } from './page-tree.ts'

/** When there is something to be seen on a page: applications draw themselves some time after their page came. */

/**
 * From the first page of a replay on the first thing to be seen is looked for in this time: there its player opens, and that
 * is what lists show of it. Milliseconds.
 */
export const FIRST_SIGHT_MS = 30_000
/** In such steps. */
export const FIRST_SIGHT_STEP_MS = 100

type Sighted = Pick<PageState, 'document' | 'styleChangesOf'>

/** Elements that are seen without any text. Of one that only holds others nobody sees anything. */
export const SEEN_TAGS: readonly string[] =
  'img svg canvas video object embed iframe input textarea select button hr'.split(' ')

const SEEN: ReadonlySet<string> = new Set(SEEN_TAGS)
/** Nothing in them is shown. */
const UNSEEN: ReadonlySet<string> = new Set(['head', 'noscript', 'script', 'style', 'template', 'title'])
/** Pages that count their visitors have images of one pixel. */
const POINT = /^(?:[01](?:\.0+)?|0?\.\d+)(?:px)?$/
const TRANSPARENT = /^(?:0?\.0+|0)%?$/
const CUT_OFF = /^(?:hidden|clip)/

type StyleOf = (property: string) => string

/** Inline styles as they are now, property by property. */
const inlineStyle = (page: Sighted, node: PageNode): StyleOf => {
  const written = new Map<string, string>()
  for (const declaration of textOf(fieldsOf(node.data['attributes'])['style']).split(';')) {
    const colon = declaration.indexOf(':')
    const value = declaration.slice(colon + 1).replace(/!\s*important\s*$/i, '')
    if (colon > 0) written.set(declaration.slice(0, colon).trim().toLowerCase(), value.trim().toLowerCase())
  }
  const changes = page.styleChangesOf(node)
  return (property) => {
    const change = changes?.get(property)
    if (change === undefined) return written.get(property) ?? ''
    return change === false ? '' : (typeof change === 'string' ? change : change[0]).trim().toLowerCase()
  }
}

const isPoint = (...sizes: readonly unknown[]): boolean =>
  sizes.some((size) => POINT.test(typeof size === 'number' ? String(size) : textOf(size)))

/** A box that holds others may be smaller than they are: they are seen unless it cuts them off. */
const hasNoRoom = ({ data, tag }: PageNode, styleOf: StyleOf): boolean => {
  const { height, rr_height: boxHeight, rr_width: boxWidth, width } = fieldsOf(data['attributes'])
  if (isPoint(boxWidth, boxHeight)) return true
  const isSmall = isPoint(styleOf('width'), styleOf('height'))
  return SEEN.has(tag) ? isSmall || isPoint(width, height) : isSmall && CUT_OFF.test(styleOf('overflow'))
}

const isHidden = (page: Sighted, node: PageNode): boolean => {
  if (UNSEEN.has(node.tag)) return true
  const { hidden, type } = fieldsOf(node.data['attributes'])
  const styleOf = inlineStyle(page, node)
  return (
    (hidden !== undefined && hidden !== null && hidden !== false) ||
    (node.tag === 'input' && type === 'hidden') ||
    styleOf('display') === 'none' ||
    styleOf('visibility') === 'hidden' ||
    TRANSPARENT.test(styleOf('opacity')) ||
    hasNoRoom(node, styleOf)
  )
}

const isSeen = ({ data, tag, type }: PageNode): boolean =>
  type === NodeType.Text ? textOf(data['textContent']).trim() !== '' : SEEN.has(tag)

/** The node after one in the order of the page, without what is in it where that is not shown. */
const nextOf = (node: PageNode, top: PageNode, goesIn: boolean): PageNode | null => {
  const inside = goesIn ? (node.shadow.first ?? node.light.first) : null
  if (inside !== null) return inside
  for (let at: PageNode | null = node; at !== null && at !== top; at = at.parent) {
    if (at.next !== null) return at.next
    if (at.isShadow && at.parent?.light.first != null) return at.parent.light.first
  }
  return null
}

/**
 * Whether something is to be seen of a page, as far as that is known without drawing it: what its style sheets hide counts
 * as seen.
 */
export const showsSomething = (page: Sighted): boolean => {
  const { document } = page
  if (document === null) return false
  for (let node: PageNode | null = document; node !== null;) {
    const hidden: boolean = node.type === NodeType.Element && isHidden(page, node)
    if (!hidden && isSeen(node)) return true
    node = nextOf(node, document, !hidden)
  }
  return false
}
