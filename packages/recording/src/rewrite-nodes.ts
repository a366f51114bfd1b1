import { rewriteAttributes, takeSheet, takeText, type AttributeValue, type Budget } from './attributes.ts'
import { MAX_OF_DOCUMENT } from './bounds.ts'
import type { ColumnNesting } from './column-nesting.ts'
import { rewriteSheet } from './css.ts'
import { ElementFacts, withOneColumn, withoutReferences } from './element-facts.ts'
import { NodeType } from './events.ts'
import { fieldsOf, isFields, listOf, textOf, type Fields } from './fields.ts'
import { canHost, CUSTOM_ELEMENT, standsInShadow } from './shadow-roots.ts'
import { isWhole, type Add, type NewNode, type PageNode, type PageTree } from './page-tree.ts'
import { isSheetLink, withoutAddress } from './sheet-links.ts'
import type { SvgReferences } from './svg-references.ts'

/** An element that says nothing and shows nothing, in the place of one that may not be. */
export const PLACEHOLDER = 'fh-removed'

/** Run, fetch, hold a document of their own, or ask for something. */
const REFUSED = new Set([
  'applet',
  'base',
  'discard',
  'embed',
  'fencedframe',
  'frame',
  'geolocation',
  'handler',
  'listener',
  'link',
  'meta',
  'noscript',
  'object',
  'permission',
  'portal',
  'script',
  'template',
  'usermedia',
  'webview',
])

const TAG = /^[A-Za-z][\w.:-]{0,99}$/
const SVG_TAG = /^[A-Za-z][\w.-]{0,99}$/
const DOCTYPE = /^[A-Za-z]{1,40}$/

/** A node as it is written: what it holds of its own, and its children, which the caller fills in. */
export interface WrittenNode extends Record<string, unknown> {
  readonly type: number
  readonly id: number
  childNodes?: WrittenNode[]
}

const isId = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0

interface Rewritten extends NewNode {
  readonly data: WrittenNode
  /** Blocks of CSS that its text leaves open. */
  readonly openBlocks: number
}

const isStyle = (parent: PageNode): boolean => parent.tag === 'style'

/** Text as its parent reads it: in a style element it is CSS. */
export const rewriteText = (
  text: string,
  parent: PageNode,
  budget: Budget,
): { readonly text: string; readonly openBlocks: number } => {
  if (!isStyle(parent)) return { text: takeText(budget, text), openBlocks: 0 }
  // Imports count at the beginning of a sheet; what stands before this text leaves none.
  const taken = parent.light.first === null ? takeSheet(budget, text) : takeText(budget, text)
  const sheet = rewriteSheet(taken, parent.openBlocks, budget.sheets, budget.writeUrl)
  budget.changed += sheet.changed
  return { text: sheet.text, openBlocks: sheet.depth }
}

const rewriteElement = (
  node: Fields,
  id: number,
  isShadow: boolean,
  facts: ElementFacts,
  budget: Budget,
): Rewritten => {
  const attributes = fieldsOf(node['attributes'])
  const name = textOf(node['tagName'])
  const isSheet = isSheetLink(name.toLowerCase(), attributes)
  const isSvg = node['isSVG'] === true && !isSheet
  const tag = isSheet ? 'style' : name.toLowerCase()
  // Pages that we wrote have style elements with the address of a link.
  const sheet = attributes['_cssText'] ?? (tag === 'style' ? budget.sheetOf(textOf(attributes['href'])) : null)
  const hasSheet = typeof sheet === 'string'
  if (!(isSvg ? SVG_TAG : TAG).test(name) || REFUSED.has(tag) || (isSvg && tag === 'iframe')) {
    budget.changed++
    const data = { type: NodeType.Element, id, tagName: PLACEHOLDER, attributes: { hidden: '' }, childNodes: [] }
    return { id, type: NodeType.Element, tag: PLACEHOLDER, isShadow, data, openBlocks: 0 }
  }
  const written: Record<string, AttributeValue> = rewriteAttributes(
    isSheet ? withoutAddress(attributes) : attributes,
    { tag, isSvg, bounds: facts },
    budget,
  )
  if (isSheet && !hasSheet) budget.changed++
  let openBlocks = 0
  if (tag === 'style' && hasSheet) {
    const rewritten = rewriteSheet(takeSheet(budget, sheet), 0, budget.sheets, budget.writeUrl)
    written['_cssText'] = rewritten.text
    openBlocks = rewritten.depth
    budget.changed += rewritten.changed
  }
  const isHost = node['isShadowHost'] === true && canHost(tag, isSvg)
  const data: WrittenNode = {
    type: NodeType.Element,
    id,
    tagName: isSvg ? name : tag,
    attributes: written,
    childNodes: [],
    ...(isSvg ? { isSVG: true } : {}),
    ...(node['isCustom'] === true && CUSTOM_ELEMENT.test(tag) ? { isCustom: true } : {}),
    ...(node['needBlock'] === true ? { needBlock: true } : {}),
    ...(isHost ? { isShadowHost: true } : {}),
  }
  return { id, type: NodeType.Element, tag, isShadow, data, openBlocks }
}

const rewriteDocument = (node: Fields, id: number): Rewritten => {
  const data = {
    type: NodeType.Document,
    id,
    childNodes: [],
    ...(node['compatMode'] === 'BackCompat' ? { compatMode: 'BackCompat' } : {}),
  }
  return { id, type: NodeType.Document, tag: '', isShadow: false, data, openBlocks: 0 }
}

const rewriteOther = (
  node: Fields,
  id: number,
  parent: PageNode,
  isShadow: boolean,
  budget: Budget,
): Rewritten | null => {
  switch (node['type']) {
    case NodeType.DocumentType: {
      const given = textOf(node['name'])
      const name = DOCTYPE.test(given) ? given : 'html'
      const ids = { publicId: textOf(node['publicId']).slice(0, 200), systemId: textOf(node['systemId']).slice(0, 200) }
      const data = { type: NodeType.DocumentType, id, name, ...ids }
      return { id, type: NodeType.DocumentType, tag: '', isShadow: false, data, openBlocks: 0 }
    }
    case NodeType.Text: {
      const { text, openBlocks } = rewriteText(textOf(node['textContent']), parent, budget)
      const data = { type: NodeType.Text, id, textContent: text, ...(isStyle(parent) ? { isStyle: true } : {}) }
      return { id, type: NodeType.Text, tag: '', isShadow, data, openBlocks }
    }
    // A document of HTML has no CDATA: making one fails.
    case NodeType.CData:
    case NodeType.Comment: {
      const data = { type: NodeType.Comment, id, textContent: takeText(budget, textOf(node['textContent'])) }
      return { id, type: NodeType.Comment, tag: '', isShadow, data, openBlocks: 0 }
    }
    default:
      return null
  }
}

/** Whether a browser takes a child of this type at this place. */
const fits = (type: unknown, parent: PageNode): boolean => {
  if (parent.tag === PLACEHOLDER) return false
  if (parent.type === NodeType.Element) {
    return (parent.tag === 'iframe') === (type === NodeType.Document) && type !== NodeType.DocumentType
  }
  if (parent.type !== NodeType.Document || type === NodeType.Document || type === NodeType.Text) return false
  let children = 0
  for (let child = parent.light.first; child !== null; child = child.next) {
    if (++children >= MAX_OF_DOCUMENT || (child.type === type && type !== NodeType.Comment)) return false
  }
  return true
}

/** A page as it is rewritten: what is in it so far, and what may still come. */
export interface Rewriting {
  readonly tree: PageTree
  readonly budget: Budget
  /** What the page becomes when it is drawn, which must not be much more than is written. */
  readonly references: SvgReferences
  readonly columns: ColumnNesting
}

/** A node without its children, and put into the tree at its place. Null if there is none for it. */
export const rewriteNode = (
  node: Fields,
  rewriting: Rewriting,
  parent: PageNode,
  /** Null in a snapshot, where children come in their order. */
  add: Add | null,
): PageNode | null => {
  const { tree, budget } = rewriting
  const { id, type } = node
  // Asked first, so that nothing is spent on what cannot be placed. The document of a frame comes in a mutation only.
  const isPossible =
    isId(id) && tree.get(id) === null && fits(type, parent) && (type !== NodeType.Document || add !== null)
  if (!isPossible) {
    budget.changed++
    return null
  }
  const isShadow = standsInShadow(node, parent, add !== null)
  const facts = new ElementFacts()
  const rewritten =
    type === NodeType.Element
      ? rewriteElement(node, id, isShadow, facts, budget)
      : type === NodeType.Document
        ? rewriteDocument(node, id)
        : rewriteOther(node, id, parent, isShadow, budget)
  const before = add === null ? null : tree.placeOf(add, parent, isShadow)
  const mayGrow = rewritten !== null && rewriting.references.grow(parent, rewritten.tag)
  const placed = mayGrow ? tree.insert(rewritten, parent, before) : null
  if (rewritten === null || placed === null) {
    budget.changed++
    return null
  }
  if (rewritten.type === NodeType.Text) parent.openBlocks = Math.max(parent.openBlocks, rewritten.openBlocks)
  else placed.openBlocks = rewritten.openBlocks
  if (placed.type === NodeType.Element) bound(placed, rewritten.data, facts, rewriting)
  if (placed.isShadow) rewritten.data['isShadow'] = true
  if (placed.root !== null && placed.root !== tree.document) rewritten.data['rootId'] = placed.root.id
  return placed
}

/** Takes from an element what would make the page much larger than it is written. */
const bound = (node: PageNode, data: WrittenNode, facts: ElementFacts, rewriting: Rewriting): void => {
  const given = data['attributes']
  if (!isFields(given) || node.tag === PLACEHOLDER) return
  data['attributes'] = boundAttributes(node, given, facts, false, rewriting)
}

/** The same for attributes that it has from now on. */
export const boundAttributes = (
  node: PageNode,
  given: Fields,
  facts: ElementFacts,
  isChange: boolean,
  { references, columns, budget }: Rewriting,
): Fields => {
  const isSvg = node.data['isSVG'] === true
  let attributes = given
  const id = attributes['id']
  const hasName = isSvg && typeof id === 'string'
  const mayName = !hasName || references.define(node, id)
  const mayRefer = references.refer(node, facts.parts)
  if (!mayName || !mayRefer) {
    budget.changed++
    attributes = withoutReferences(attributes)
  }
  if (columns.note(node, attributes, facts.hasColumns)) return attributes
  budget.changed++
  return withOneColumn(attributes, isChange)
}

/** Everything below a recorded node, which is in the tree already. */
export const rewriteBelow = (recorded: Fields, top: PageNode, rewriting: Rewriting): void => {
  const open = [{ children: listOf(recorded['childNodes']), index: 0, parent: top }]
  for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
    const child = level.children[level.index++]
    if (child === undefined) {
      open.pop()
      continue
    }
    if (!isFields(child)) {
      rewriting.budget.changed++
      continue
    }
    const placed = rewriteNode(child, rewriting, level.parent, null)
    if (placed === null) continue
    const written = level.parent.data as WrittenNode
    written.childNodes?.push(placed.data as WrittenNode)
    if (placed.type === NodeType.Element || placed.type === NodeType.Document) {
      open.push({ children: listOf(child['childNodes']), index: 0, parent: placed })
    }
  }
}

/** The document of a page with everything in it, as the tree has it from now on. Null for what is no page. */
export const rewritePage = (recorded: unknown, rewriting: Rewriting): WrittenNode | null => {
  const { tree } = rewriting
  tree.clear()
  rewriting.references.clear()
  rewriting.columns.clear()
  if (!isFields(recorded) || recorded['type'] !== NodeType.Document || !isId(recorded['id'])) return null
  const document = tree.begin(rewriteDocument(recorded, recorded['id']))
  rewriteBelow(recorded, document, rewriting)
  if (isWhole(document)) return document.data as WrittenNode
  tree.clear()
  return null
}
