import { NodeType } from '../events.ts'
import { isFields } from '../fields.ts'
import { childrenOf, type PageNode } from '../page-tree.ts'

/** What is asked of the elements of a recorded page. */

/** Characters that are read in the time of a visit. */
const CHARS_OF_VISIT = 64

/** Nodes that may still be visited. Pages decide how many that are for each question, so all are counted. */
export class Work {
  #left: number

  constructor(nodes: number) {
    this.#left = nodes
  }

  visit(nodes = 1): void {
    this.#left -= nodes
  }

  read(text: string): void {
    this.#left -= Math.floor(text.length / CHARS_OF_VISIT)
  }

  /** What was found out is incomplete from now on. */
  get isDone(): boolean {
    return this.#left <= 0
  }
}

export const attributeOf = (node: PageNode, name: string): string | null => {
  const attributes = node.data['attributes']
  if (!isFields(attributes) || !Object.hasOwn(attributes, name)) return null
  const value = attributes[name]
  if (typeof value === 'string') return value
  if (typeof value === 'number') return String(value)
  return value === true ? '' : null
}

export const isElement = (node: PageNode): boolean => node.type === NodeType.Element

export const textIn = (node: PageNode): string => {
  const text = node.data['textContent']
  return typeof text === 'string' ? text : ''
}

export const squeezed = (text: string): string => text.replaceAll(/\s+/g, '')

export const normal = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

/** What servers write in the place of what a project's rules take out; in addresses it is encoded. */
export const isFiltered = (text: string): boolean =>
  /(?:\[|%5B)(?:Filtered|creditcard|email|iban|ip|pemkey|user)(?:\]|%5D)/i.test(text)

/** Recorders write asterisks or dots in the place of what people may not read. */
export const isMasked = (text: string): boolean =>
  /[*•]{2,}/.test(text) || (/[*•]/.test(text) && /^[\s*•]*$/.test(text)) || isFiltered(text)

/** The nearest of a node and its ancestors in the same document. */
export const closest = (node: PageNode, isWanted: (node: PageNode) => boolean, work?: Work): PageNode | null => {
  for (let one: PageNode | null = node; one !== null && one.type !== NodeType.Document; one = one.parent) {
    work?.visit()
    if (isElement(one) && isWanted(one)) return one
  }
  return null
}

const NOT_SHOWN: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'head', 'title'])

/** Of what nobody reads. */
export const isCode = (node: PageNode): boolean => NOT_SHOWN.has(node.tag)

const INLINE_HIDING = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i

/** As far as the page itself says so, without its style sheets. */
export const hides = (node: PageNode): boolean => {
  if (isCode(node) || attributeOf(node, 'hidden') !== null) return true
  if (attributeOf(node, 'aria-hidden') === 'true') return true
  if (INLINE_HIDING.test(attributeOf(node, 'style') ?? '')) return true
  if (node.tag === 'dialog' && attributeOf(node, 'open') === null) return true
  const { parent } = node
  return parent?.tag === 'details' && attributeOf(parent, 'open') === null && node.tag !== 'summary'
}

/** Puts its children onto those that are to be visited, the first of them next. */
export const open = (node: PageNode, waiting: PageNode[], work: Work): void => {
  const children = Array.from(childrenOf(node))
  work.visit(children.length)
  for (const child of children.toReversed()) waiting.push(child)
}

/** Elements of one document, through open shadow roots and not into frames, in their order. Null for too many. */
export const elementsBelow = (top: PageNode, most: number, work: Work): PageNode[] | null => {
  const found: PageNode[] = []
  const waiting = [top]
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    if (node !== top && node.type === NodeType.Document) continue
    if (node !== top && isElement(node)) found.push(node)
    if (found.length > most || work.isDone) return null
    open(node, waiting, work)
  }
  return found
}
