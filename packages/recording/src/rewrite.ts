import { baseOf } from './asset-address.ts'
import { rewriteAttributes, takeSheet, takeText, type Budget } from './attributes.ts'
import { ColumnNesting } from './column-nesting.ts'
import { rewriteSheet, type CssBounds } from './css.ts'
import { ElementFacts } from './element-facts.ts'
import { EventType, NodeType, Source, type RecordedEvent } from './events.ts'
import { fieldsOf, isFields, listOf, type Fields } from './fields.ts'
import { comesWhole, isWhole, PageTree, readAdd, type Add, type PageNode } from './page-tree.ts'
import { rewriteIncremental } from './rewrite-data.ts'
import {
  boundAttributes,
  PLACEHOLDER,
  rewriteBelow,
  rewriteNode,
  rewritePage,
  rewriteText,
  type Rewriting,
} from './rewrite-nodes.ts'
import { takesSheet } from './sheet-links.ts'
import { SvgReferences } from './svg-references.ts'
import { MAX_SIDE, MAX_TEXT } from './bounds.ts'
import { harmlessUrl } from './urls.ts'

const sizeOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 ? Math.min(Math.round(value), MAX_SIDE) : 0

/** The position of a page that was scrolled. */
const offsetOf = (value: unknown): { readonly top: number; readonly left: number } => {
  const { top, left } = fieldsOf(value)
  const pixels = (given: unknown): number => (typeof given === 'number' && Math.abs(given) <= 1e9 ? given : 0)
  return { top: pixels(top), left: pixels(left) }
}

interface Removal {
  readonly parentId: number
  readonly id: number
  readonly isShadow?: true
}

/** Takes a node out of the page and says so as a player understands it. */
const removalOf = (node: PageNode, tree: PageTree): Removal | null => {
  const { parent } = node
  // The document of a frame goes with its frame, or when another one comes.
  if (parent === null || node.type === NodeType.Document) return null
  tree.remove(node)
  return { parentId: parent.id, id: node.id, ...(node.isShadow ? { isShadow: true } : {}) }
}

/**
 * What has to go before nodes are added: what a mutation removes; what it adds again without having removed it; the
 * element or doctype of a document that gets another one.
 */
const removalsOf = (recorded: Fields, adds: readonly Add[], { tree, budget }: Rewriting): Removal[] => {
  const removals: Removal[] = []
  const remove = (node: PageNode | null): void => {
    const removal = node === null ? null : removalOf(node, tree)
    if (removal === null) budget.changed++
    else removals.push(removal)
  }
  for (const entry of listOf(recorded['removes'])) remove(isFields(entry) ? tree.get(entry['id']) : null)
  for (const { node, parentId } of adds) {
    const same = tree.get(node['id'])
    if (same !== null) remove(same)
    const parent = tree.get(parentId)
    if (parent?.type !== NodeType.Document) continue
    for (let child = parent.light.first; child !== null; child = child.next) {
      if (child.type === node['type'] && child.type !== NodeType.Comment) remove(child)
    }
  }
  return removals
}

const rewriteAdds = (adds: readonly Add[], rewriting: Rewriting): unknown[] => {
  const { tree, budget } = rewriting
  const written: unknown[] = []
  const orphans = tree.eachInOrder(adds, (add, parent) => {
    if (add.node['type'] === NodeType.Document) return rewriteFrame(add, parent, rewriting, written)
    const placed = rewriteNode(add.node, rewriting, parent, add)
    if (placed === null) return null
    written.push({ parentId: parent.id, nextId: placed.next?.id ?? null, node: placed.data })
    return placed
  })
  budget.changed += orphans
  return written
}

/** The document of a frame, which comes whole. */
const rewriteFrame = (add: Add, parent: PageNode, rewriting: Rewriting, written: unknown[]): PageNode | null => {
  if (!comesWhole(add.node, parent, rewriting.tree)) {
    rewriting.budget.changed++
    return null
  }
  const before = parent.light.first
  if (parent.tag === 'iframe' && before !== null) rewriting.tree.remove(before)
  const placed = rewriteNode(add.node, rewriting, parent, add)
  if (placed === null) return null
  rewriteBelow(add.node, placed, rewriting)
  if (!isWhole(placed)) {
    rewriting.tree.remove(placed)
    rewriting.budget.changed++
    return null
  }
  written.push({ parentId: parent.id, nextId: null, node: placed.data })
  return placed
}

const rewriteTexts = (recorded: Fields, { tree, budget }: Rewriting): unknown[] => {
  const written: unknown[] = []
  for (const entry of listOf(recorded['texts'])) {
    const node = isFields(entry) ? tree.get(entry['id']) : null
    const value = isFields(entry) ? entry['value'] : null
    if (node === null || node.parent === null || (node.type !== NodeType.Text && node.type !== NodeType.Comment)) {
      budget.changed++
      continue
    }
    const given = typeof value === 'string' ? value : ''
    // Comments of HTML are not read as CSS.
    const { text, openBlocks } =
      node.type === NodeType.Text
        ? rewriteText(given, node.parent, budget)
        : { text: takeText(budget, given), openBlocks: 0 }
    node.parent.openBlocks = Math.max(node.parent.openBlocks, openBlocks)
    written.push({ id: node.id, value: text })
  }
  return written
}

const rewriteChanges = (recorded: Fields, rewriting: Rewriting): unknown[] => {
  const { tree, budget } = rewriting
  const changes: unknown[] = []
  for (const entry of listOf(recorded['attributes'])) {
    const node = isFields(entry) ? tree.get(entry['id']) : null
    const given = isFields(entry) ? entry['attributes'] : null
    if (node?.type !== NodeType.Element || node.tag === PLACEHOLDER || !isFields(given)) {
      budget.changed++
      continue
    }
    const isSvg = node.data['isSVG'] === true
    const facts = new ElementFacts()
    const written = rewriteAttributes(given, { tag: node.tag, isSvg, bounds: facts }, budget)
    const attributes: Record<string, unknown> = { ...boundAttributes(node, written, facts, true, rewriting) }
    const sheet = given['_cssText']
    if (typeof sheet === 'string' && takesSheet(node)) {
      const rewritten = rewriteSheet(takeSheet(budget, sheet), 0, budget.sheets, budget.writeUrl)
      budget.changed += rewritten.changed
      node.openBlocks = Math.max(node.openBlocks, rewritten.depth)
      attributes['_cssText'] = rewritten.text
    }
    changes.push({ id: node.id, attributes })
  }
  return changes
}

const rewriteMutation = (recorded: Fields, rewriting: Rewriting): Fields => {
  const adds: Add[] = []
  for (const entry of listOf(recorded['adds'])) {
    const add = isFields(entry) ? readAdd(entry) : null
    if (add === null) rewriting.budget.changed++
    else adds.push(add)
  }
  const removes = removalsOf(recorded, adds, rewriting)
  return {
    source: Source.Mutation,
    removes,
    adds: rewriteAdds(adds, rewriting),
    texts: rewriteTexts(recorded, rewriting),
    attributes: rewriteChanges(recorded, rewriting),
    ...(recorded['isAttachIframe'] === true ? { isAttachIframe: true } : {}),
  }
}

/** What a player gets of one event. Null for one that shows nothing, or that it would fail on. */
const rewriteData = (event: RecordedEvent, rewriting: Rewriting): unknown => {
  const { budget, tree } = rewriting
  const data = isFields(event.data) ? event.data : {}
  switch (event.type) {
    case EventType.DomContentLoaded:
    case EventType.Load:
      return {}
    case EventType.Meta: {
      const href = typeof data['href'] === 'string' ? takeText(budget, data['href']) : ''
      budget.page = baseOf(href)
      return { href, width: sizeOf(data['width']), height: sizeOf(data['height']) }
    }
    case EventType.FullSnapshot: {
      const node = rewritePage(data['node'], rewriting)
      return node === null ? null : { node, initialOffset: offsetOf(data['initialOffset']) }
    }
    case EventType.IncrementalSnapshot:
      return data['source'] === Source.Mutation
        ? rewriteMutation(data, rewriting)
        : rewriteIncremental(data, tree, budget)
    case EventType.Custom:
      return event.data
    default:
      return null
  }
}

/** What was kept of the pictures, fonts and style sheets of a page, by the addresses that stand in it. */
export interface KeptAssets {
  /** A data address of a picture or font. It is judged as one that was recorded. @param page by which it is resolved */
  shown(address: string, page: string | null): string | null
  /** The same of one of the pictures in a `srcset`. */
  shownOf(srcset: string, page: string | null): string | null
  /** Text of a sheet with whole addresses. It is rewritten as one that was recorded. */
  sheet(address: string, page: string | null): string | null
  /** Text of a recorded sheet with the sheets that it imports in their places; as it is where none of them was kept. */
  withImports(css: string, page: string | null): string
}

/** For whoever has some of it. */
export const NOTHING_KEPT: KeptAssets = {
  shown: () => null,
  shownOf: () => null,
  sheet: () => null,
  withImports: (css) => css,
}

/**
 * Events as they may be given to a player: nothing in them can fetch, run, navigate or take the focus, nothing in them
 * makes a player fail, and they mean the same otherwise. Addresses and scripts of the page are gone; a link keeps its
 * address in `data-fh-href`.
 *
 * What a mutation changes has to be there, so the events begin with a snapshot of the page, as each chunk does.
 *
 * @returns the events, and how many things were left out or written differently
 */
export const rewriteEvents = (
  events: readonly RecordedEvent[],
  kept = NOTHING_KEPT,
): { readonly events: RecordedEvent[]; readonly changed: number } => {
  const tree = new PageTree()
  const references = new SvgReferences()
  const columns = new ColumnNesting(tree)
  const sheets: CssBounds = {
    mayRefer: (id) => references.referFromSheet(id),
    mayHaveColumns: (selector) => columns.mayRule(selector),
  }
  const shown = (address: string): string => kept.shown(address, budget.page) ?? address
  const budget: Budget = {
    changed: 0,
    text: MAX_TEXT,
    page: null,
    sheets,
    shown,
    shownOf: (srcset) => kept.shownOf(srcset, budget.page),
    sheetOf: (address) => kept.sheet(address, budget.page),
    withImports: (css) => kept.withImports(css, budget.page),
    writeUrl: (address) => harmlessUrl(shown(address)),
  }
  const rewriting: Rewriting = { tree, budget, references, columns }
  const written: RecordedEvent[] = []
  for (const event of events) {
    budget.text = MAX_TEXT
    const data = rewriteData(event, rewriting)
    if (data === null) budget.changed++
    else written.push({ type: event.type, timestamp: event.timestamp, data })
  }
  return { events: written, changed: budget.changed }
}
