import { MAX_DEPTH, MAX_NODES } from './bounds.ts'
import { NodeType } from './events.ts'
import { isFields, type Fields } from './fields.ts'

/** Children of one node in their order. Those of a shadow root are a list of their own. */
interface Children {
  first: PageNode | null
  last: PageNode | null
  count: number
}

/** A node of a recorded page, at its place. */
export interface PageNode {
  readonly id: number
  /** One of `NodeType`. */
  readonly type: number
  /** In lower case; empty for what is no element. */
  readonly tag: string
  /** Stands in its parent's shadow root. */
  readonly isShadow: boolean
  /** Steps to the document of the page, through frames as well. */
  readonly depth: number
  /** The document that it stands in; null for the document of the page. */
  readonly root: PageNode | null
  readonly parent: PageNode | null
  previous: PageNode | null
  next: PageNode | null
  readonly light: Children
  readonly shadow: Children
  /** What was recorded of it, without its children; changed by `changeData` and `changeAttributes` alone. */
  readonly data: Fields
  /** The same as JSON, if it was written since it was changed. */
  json: string | null
  /** Blocks of CSS that the text in a style element leaves open. */
  openBlocks: number
}

export interface NewNode {
  readonly id: number
  readonly type: number
  readonly tag: string
  readonly isShadow: boolean
  readonly data: Fields
}

/** Where a node of a mutation goes, as it was recorded. */
export interface Add {
  readonly parentId: number
  readonly previousId: number | null
  readonly nextId: number | null
  readonly node: Fields
}

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' && value > 0 ? value : null)

export const readAdd = (value: Fields): Add | null => {
  const { parentId, previousId, nextId, node } = value
  if (typeof parentId !== 'number' || typeof node !== 'object' || node === null || Array.isArray(node)) return null
  return { parentId, previousId: numberOrNull(previousId), nextId: numberOrNull(nextId), node: node as Fields }
}

/**
 * The nodes of a recorded page by id, and their order. An id is there once; a parent is always there; nothing is its own
 * ancestor; depth and number of nodes have their bounds. Every operation takes as long as what it touches is large.
 */
export class PageTree {
  readonly #nodes = new Map<number, PageNode>()
  #document: PageNode | null = null

  get document(): PageNode | null {
    return this.#document
  }

  get size(): number {
    return this.#nodes.size
  }

  get(id: unknown): PageNode | null {
    return typeof id === 'number' ? (this.#nodes.get(id) ?? null) : null
  }

  /** Forgets everything and begins with a document. */
  begin(document: NewNode): PageNode {
    this.#nodes.clear()
    this.#document = makeNode(document, null)
    this.#nodes.set(document.id, this.#document)
    return this.#document
  }

  clear(): void {
    this.#nodes.clear()
    this.#document = null
  }

  /** Puts a node below a parent, before another child or at the end. Null if the id is taken or a bound is reached. */
  insert(added: NewNode, parent: PageNode, before: PageNode | null): PageNode | null {
    if (this.#nodes.has(added.id) || this.#nodes.size >= MAX_NODES || parent.depth + 1 >= MAX_DEPTH) return null
    const node = makeNode(added, parent)
    const list = added.isShadow ? parent.shadow : parent.light
    const next = before !== null && before.parent === parent && before.isShadow === added.isShadow ? before : null
    node.next = next
    node.previous = next === null ? list.last : next.previous
    if (node.previous === null) list.first = node
    else node.previous.next = node
    if (next === null) list.last = node
    else next.previous = node
    list.count++
    this.#nodes.set(node.id, node)
    return node
  }

  /** Takes a node out with everything below it. @returns all that went */
  remove(node: PageNode): readonly PageNode[] {
    if (node.parent === null) return []
    const list = node.isShadow ? node.parent.shadow : node.parent.light
    if (node.previous === null) list.first = node.next
    else node.previous.next = node.next
    if (node.next === null) list.last = node.previous
    else node.next.previous = node.previous
    list.count--
    const gone: PageNode[] = []
    const below = [node]
    for (let one = below.pop(); one !== undefined; one = below.pop()) {
      this.#nodes.delete(one.id)
      gone.push(one)
      for (let child = one.light.first; child !== null; child = child.next) below.push(child)
      for (let child = one.shadow.first; child !== null; child = child.next) below.push(child)
    }
    return gone
  }

  /** The child before which a node of a mutation goes, null for the end. */
  placeOf(add: Add, parent: PageNode, isShadow: boolean): PageNode | null {
    const isSibling = (node: PageNode | null): node is PageNode =>
      node !== null && node.parent === parent && node.isShadow === isShadow
    const previous = this.get(add.previousId)
    if (isSibling(previous) && previous.next !== null) return previous.next
    const next = this.get(add.nextId)
    return isSibling(next) ? next : null
  }

  /**
   * Hands over the nodes of a mutation, each when its parent and the sibling behind it are there, as far as they ever are.
   * What is without a parent at the end is left out.
   *
   * @returns how many were left out
   */
  eachInOrder(adds: readonly Add[], place: (add: Add, parent: PageNode) => PageNode | null): number {
    const waiting = new Map<number, Add[]>()
    let left = adds.length
    const wait = (id: number, add: Add): void => {
      const others = waiting.get(id)
      if (others === undefined) waiting.set(id, [add])
      else others.push(add)
    }
    const placeAll = (first: Add, isLast: boolean): void => {
      const ready = [first]
      for (let add = ready.pop(); add !== undefined; add = ready.pop()) {
        const parent = this.get(add.parentId)
        const misses = !isLast && add.nextId !== null && this.get(add.nextId) === null
        if (parent === null) wait(add.parentId, add)
        else if (misses) wait(add.nextId ?? 0, add)
        else {
          left--
          const placed = place(add, parent)
          if (placed !== null) for (const one of takeAll(waiting, placed.id).reverse()) ready.push(one)
        }
      }
    }
    for (const add of adds) placeAll(add, false)
    // What waits for a sibling that never comes goes to the end of its parent.
    for (const id of Array.from(waiting.keys())) {
      for (const add of takeAll(waiting, id)) placeAll(add, true)
    }
    return left
  }
}

const takeAll = (waiting: Map<number, Add[]>, id: number): Add[] => {
  const adds = waiting.get(id) ?? []
  waiting.delete(id)
  return adds
}

const makeNode = (added: NewNode, parent: PageNode | null): PageNode => ({
  id: added.id,
  type: added.type,
  tag: added.tag,
  isShadow: added.isShadow,
  depth: parent === null ? 0 : parent.depth + 1,
  root: parent === null || parent.type === NodeType.Document ? parent : parent.root,
  parent,
  previous: null,
  next: null,
  light: { first: null, last: null, count: 0 },
  shadow: { first: null, last: null, count: 0 },
  data: added.data,
  json: null,
  openBlocks: 0,
})

/** What is known of a node from now on. */
export const changeData = (node: PageNode, data: Fields): void => {
  ;(node as { data: Fields }).data = data
  node.json = null
}

/** Light children, then those in the shadow root, as a recorder writes them. */
export const childrenOf = function* (node: PageNode): Generator<PageNode> {
  for (let child = node.light.first; child !== null; child = child.next) yield child
  for (let child = node.shadow.first; child !== null; child = child.next) yield child
}

/** Whether a document has the element that players look for. */
export const isWhole = (document: PageNode): boolean => {
  for (let child = document.light.first; child !== null; child = child.next) {
    if (child.tag === 'html') return true
  }
  return false
}

const isWithin = (node: PageNode, top: PageNode): boolean => {
  for (let at: PageNode | null = node; at !== null; at = at.parent) if (at === top) return true
  return false
}

/**
 * Whether the document of a frame has an element that can be placed, once what the frame has before it is gone. A document
 * without is refused before anything goes: players are not told of it, and keep what they have.
 */
export const comesWhole = ({ id, childNodes }: Fields, frame: PageNode, tree: PageTree): boolean => {
  const before = frame.light.first
  const taken = new Set<unknown>()
  const isFree = (one: unknown): boolean => {
    const same = tree.get(one)
    const isNew = !taken.has(one) && (same === null || (before !== null && isWithin(same, before)))
    taken.add(one)
    return isNew
  }
  if (!isFree(id) || !Array.isArray(childNodes)) return false
  return childNodes.some((child) => isFields(child) && child['tagName'] === 'html' && isFree(child['id']))
}
