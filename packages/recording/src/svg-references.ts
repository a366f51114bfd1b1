import { childrenOf, type PageNode } from './page-tree.ts'

/** Nodes that all references of a page may stand for together: a browser draws each as if it were in the page. */
export const MAX_EXPANDED = 30_000
/** Of these, what references inside of one element with an id stand for: browsers take longest for those. */
export const MAX_NESTED_EXPANDED = 500
/** Doublings that rules of sheets may lead to, as any element may follow them: each multiplies what the last one shows. */
const MAX_DOUBLINGS = 8
/** Steps from nodes to what they stand in, and along references. */
const MAX_WORK = 20_000_000

/** What stands in these is read, not drawn. */
const DRAWS_NOTHING = new Set(['lineargradient', 'radialgradient', 'stop'])

/** An id, for all elements that ever had it. */
interface Name {
  readonly id: string
  /** Nodes that a reference to it stands for, at most. */
  cost: number
  readonly targets: Target[]
  /** Elements with an id in which something refers to it, once for each reference. */
  readonly users: Target[]
  /** References to it from anywhere. */
  uses: number
  isInSheet: boolean
  /** What of its cost is so for references in it, at most. */
  nested: number
}

/** An element of an SVG with an id. */
interface Target {
  readonly name: Name
  readonly refersTo: Set<Name>
  cost: number
  /** What of it is so for references in it. */
  nested: number
}

/** An id as a browser looks for it: addresses may escape it. */
const plain = (id: string): string => {
  const text = id.replace(/[\t\n\r]/g, '')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const doublingsOf = ({ cost }: Name): number => Math.log2(Math.max(1, cost - 1))

/** What nobody refers to may hold as many references as it likes: a drawing as a whole often has an id. */
const isReferredTo = ({ isInSheet, uses }: Name): boolean => uses > 0 || isInSheet

const isTooNested = (targets: readonly Target[], more: number): boolean =>
  targets.some(({ name, nested }) => isReferredTo(name) && nested + more > MAX_NESTED_EXPANDED)

const nest = (target: Target, nodes: number): void => {
  target.nested += nodes
  target.name.nested = Math.max(target.name.nested, target.nested)
}

/**
 * What references inside of SVGs (`use`, masks, clip paths, markers, fills) stand for, over all of a page: references to
 * references double with each step, and a few hundred characters would take a browser for ever. It only counts up: what a
 * page loses is counted as if it were still there, so that each node and reference is looked at once.
 */
export class SvgReferences {
  readonly #names = new Map<string, Name>()
  readonly #targets = new Map<PageNode, Target[]>()
  /** What elements refer to, and how often. */
  readonly #references = new Map<PageNode, Map<Name, number>>()
  #expanded = 0
  #doublings = 0
  #isFull = false
  #work = 0

  /** Nodes that its references stand for, at most. */
  get expanded(): number {
    return this.#expanded
  }

  /** Steps that were taken. */
  get work(): number {
    return this.#work
  }

  /** A page begins. */
  clear(): void {
    this.#names.clear()
    this.#targets.clear()
    this.#references.clear()
    this.#expanded = 0
    this.#doublings = 0
    this.#isFull = false
    this.#work = 0
  }

  /** A node that is about to stand in a parent. @returns whether it may */
  grow(parent: PageNode, tag: string): boolean {
    if (this.#targets.size === 0) return true
    const above = this.#above(parent)
    if (above.length === 0 || tag.startsWith('fe') || DRAWS_NOTHING.has(tag)) return true
    if (!this.#isFull) for (const target of above) this.#raise(target, 1)
    return !this.#isFull
  }

  /** An id that an element of an SVG has from now on. @returns whether it may have it */
  define(node: PageNode, given: string): boolean {
    if (DRAWS_NOTHING.has(node.tag)) return true
    const id = plain(given)
    const known = this.#targets.get(node) ?? []
    if (known.some(({ name }) => name.id === id)) return true
    if (this.#isFull) return false
    const name = this.#name(id)
    const target: Target = { name, refersTo: new Set(), cost: 0, nested: 0 }
    this.#targets.set(node, [...known, target])
    name.targets.push(target)
    const below = [node]
    for (let one = below.pop(); one !== undefined && !this.#isFull; one = below.pop()) {
      this.#raise(target, 1)
      for (const [referred, times] of this.#references.get(one) ?? []) {
        if (this.#leadsTo(referred, [target]) || isTooNested([target], times * referred.cost)) return false
        for (let time = 0; time < times; time++) this.#use(target, referred)
      }
      for (const child of childrenOf(one)) below.push(child)
    }
    return !this.#isFull
  }

  /** What an element refers to from now on, each as often as it does. @returns whether it may */
  refer(node: PageNode, ids: readonly string[]): boolean {
    if (ids.length === 0) return true
    const now = new Map<Name, number>()
    for (const id of ids) {
      const name = this.#name(plain(id))
      now.set(name, (now.get(name) ?? 0) + 1)
    }
    const before = this.#references.get(node) ?? new Map<Name, number>()
    const above = this.#above(node)
    for (const [name, times] of now) {
      const more = times - (before.get(name) ?? 0)
      if (more <= 0) continue
      if (this.#isFull || name.nested > MAX_NESTED_EXPANDED || isTooNested(above, more * name.cost)) return false
      if (this.#leadsTo(name, above)) return false
      before.set(name, times)
      name.uses += more
      this.#expanded += more * name.cost
      for (let time = 0; time < more; time++) for (const target of above) this.#use(target, name)
    }
    this.#references.set(node, before)
    this.#check()
    return !this.#isFull
  }

  #use(target: Target, name: Name): void {
    this.#work++
    if (this.#isFull) return
    name.users.push(target)
    target.refersTo.add(name)
    nest(target, name.cost)
    this.#raise(target, name.cost)
  }

  /** A reference in a rule, which any element may follow. @returns whether the rule may have it */
  referFromSheet(id: string): boolean {
    const name = this.#name(plain(id))
    if (name.isInSheet) return true
    const doublings = doublingsOf(name)
    if (this.#isFull || name.nested > MAX_NESTED_EXPANDED || this.#doublings + doublings > MAX_DOUBLINGS) return false
    name.isInSheet = true
    this.#doublings += doublings
    return true
  }

  #name(id: string): Name {
    let name = this.#names.get(id)
    if (name === undefined) {
      name = { id, cost: 0, targets: [], users: [], uses: 0, isInSheet: false, nested: 0 }
      this.#names.set(id, name)
    }
    return name
  }

  /** Elements with an id that a node stands in, itself too. */
  #above(inner: PageNode): Target[] {
    const above: Target[] = []
    for (let node: PageNode | null = inner; node !== null; node = node.parent) {
      this.#work++
      for (const target of this.#targets.get(node) ?? []) above.push(target)
    }
    this.#check()
    return above
  }

  /** Whether a name stands for something that refers back to it: it would never end. */
  #leadsTo(name: Name, above: readonly Target[]): boolean {
    if (above.length === 0) return false
    const ends = new Set(above.map((target) => target.name))
    const seen = new Set([name])
    for (const one of seen) {
      if (ends.has(one)) return true
      for (const { refersTo } of one.targets) {
        this.#work += refersTo.size + 1
        for (const next of refersTo) seen.add(next)
      }
      this.#check()
      if (this.#isFull) return true
    }
    return false
  }

  /** An element has more nodes in it, and so has whatever stands for it. */
  #raise(first: Target, nodes: number): void {
    const raised = [{ target: first, nodes }]
    for (let one = raised.pop(); one !== undefined && !this.#isFull; one = raised.pop()) {
      const { target } = one
      const { name } = target
      this.#work++
      target.cost += one.nodes
      const more = target.cost - name.cost
      if (more <= 0) continue
      if (name.isInSheet) this.#doublings -= doublingsOf(name)
      name.cost = target.cost
      if (name.isInSheet) this.#doublings += doublingsOf(name)
      this.#expanded += more * name.uses
      for (const user of name.users) {
        nest(user, more)
        if (isTooNested([user], 0)) this.#isFull = true
        raised.push({ target: user, nodes: more })
      }
      this.#work += name.users.length
      this.#check()
    }
  }

  #check(): void {
    if (this.#expanded > MAX_EXPANDED || this.#doublings > MAX_DOUBLINGS || this.#work > MAX_WORK) this.#isFull = true
  }
}
