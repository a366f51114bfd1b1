import { NodeType } from './events.ts'
import { fieldsOf, textOf } from './fields.ts'
import type { PageNode } from './page-tree.ts'

/** When there is something to be seen on a page: applications draw themselves some time after their page came. */

/**
 * From the first page of a replay on the first thing to be seen is looked for in this time: there its player opens, and that
 * is what lists show of it. Milliseconds.
 */
export const FIRST_SIGHT_MS = 30_000
/** In such steps. */
export const FIRST_SIGHT_STEP_MS = 100

/** Elements that are seen without any text. Of one that only holds others nobody sees anything. */
export const SEEN_TAGS: readonly string[] =
  'img svg canvas video object embed iframe input textarea select button hr'.split(' ')

const SEEN: ReadonlySet<string> = new Set(SEEN_TAGS)
/** Nothing in them is shown. */
const UNSEEN: ReadonlySet<string> = new Set(['head', 'noscript', 'script', 'style', 'template', 'title'])
const DISPLAY_NONE = /(?:^|;)\s*display\s*:\s*none/i
/** Pages that count their visitors have images of one pixel. */
const POINT = /^[01](?:px)?$/

const isHidden = ({ data, tag }: PageNode): boolean => {
  if (UNSEEN.has(tag)) return true
  const { hidden, height, style, type, width } = fieldsOf(data['attributes'])
  return (
    (hidden !== undefined && hidden !== null && hidden !== false) ||
    (tag === 'input' && type === 'hidden') ||
    POINT.test(String(width)) ||
    POINT.test(String(height)) ||
    DISPLAY_NONE.test(textOf(style))
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
export const showsSomething = (document: PageNode | null): boolean => {
  if (document === null) return false
  for (let node: PageNode | null = document; node !== null;) {
    const hidden: boolean = node.type === NodeType.Element && isHidden(node)
    if (!hidden && isSeen(node)) return true
    node = nextOf(node, document, !hidden)
  }
  return false
}
