import { childrenOf, type PageNode, type PageTree } from './page-tree.ts'

/** Elements with columns inside one another. A browser takes several times as long for each: for forty, for ever. */
export const MAX_NESTED = 2
/** Rules that may give elements columns: the whole page is looked at for each. */
const MAX_RULES = 64

/** Steps through pages. */
const MAX_WORK = 20_000_000

/** Characters that a name in a selector has; those of other languages, and escaped ones, as well. */
const NAME = /^(?:[\w\u0080-\uFFFF-]|\\[^\da-f\n])+/i
const TAG = /^[a-z][\w-]*$/i

/** What stands in front of a selector: it begins where the rule before it ended. */
const withoutComments = (selector: string): string => {
  let from = 0
  for (;;) {
    while (/\s/.test(selector.charAt(from))) from++
    if (!selector.startsWith('/*', from)) return selector.slice(from).trimEnd()
    const end = selector.indexOf('*/', from + 2)
    from = end === -1 ? selector.length : end + 2
  }
}

/** The last compounds of the selectors in a list, without what stands in parentheses and brackets. */
const lastCompounds = (list: string): string[] => {
  const compounds: string[] = []
  let compound = ''
  let depth = 0
  let isOver = false
  for (let at = 0; at < list.length; at++) {
    const character = list.charAt(at)
    if (character === '(' || character === '[') depth++
    else if (character === ')' || character === ']') depth--
    else if (depth > 0) continue
    else if (character === ',') {
      compounds.push(compound)
      compound = ''
      isOver = false
    } else if (/[\s>+~]/.test(character)) isOver = true
    else {
      if (isOver) compound = ''
      isOver = false
      compound += character
      if (character === '\\') compound += list.charAt(++at)
    }
  }
  return [...compounds, compound]
}

/** A class, id or tag that whatever the compound applies to has. */
const keyOfCompound = (compound: string): string | null => {
  // They apply to something inside.
  if (/::(?:part|slotted)/i.test(compound)) return null
  for (const mark of ['.', '#']) {
    const at = compound.indexOf(mark)
    const name = at <= 0 || compound.charAt(at - 1) !== '\\' ? NAME.exec(compound.slice(at + 1)) : null
    if (at !== -1 && name !== null) return `${mark}${name[0].replaceAll('\\', '').toLowerCase()}`
  }
  const [tag = ''] = compound.split(':', 1)
  // These are moments of an animation.
  return TAG.test(tag) && !/^(?:from|to)$/i.test(tag) ? tag.toLowerCase() : null
}

/** Classes, ids and tags of which whatever a selector applies to has one. Null where that cannot be told. */
export const keysOf = (given: string): readonly string[] | null => {
  const selector = withoutComments(given)
  // Comments and strings in it, other namespaces, and characters escaped by number are not understood.
  if (selector.startsWith('@') || /\/\*|["'|]|\\[\da-f\n]/i.test(selector)) return null
  const keys = lastCompounds(selector).map(keyOfCompound)
  return keys.every((key) => key !== null) ? keys : null
}

/** Classes, id and tag of an element as keys. */
const keysOfElement = (tag: string, attributes: Readonly<Record<string, unknown>>): string[] => {
  const keys = [tag]
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value !== 'string') continue
    if (name.toLowerCase() === 'id') keys.push(`#${value.toLowerCase()}`)
    if (name.toLowerCase() !== 'class') continue
    for (const one of value.toLowerCase().split(/[\t\n\f\r ]+/)) keys.push(`.${one}`)
  }
  return keys
}

/**
 * Which elements of a page may have columns, so that few are inside one another whatever rules apply. It only counts up:
 * what had columns once is counted as if it had them still.
 */
export class ColumnNesting {
  readonly #tree: PageTree
  /** Of rules that give columns. */
  readonly #ruled = new Set<string>()
  /** Keys of elements that have a class or an id. */
  readonly #keys = new Map<PageNode, readonly string[]>()
  /** Those that may have columns, and those that may not. */
  readonly #with = new Set<PageNode>()
  readonly #without = new Set<PageNode>()
  #asked = 0
  #work = 0

  constructor(tree: PageTree) {
    this.#tree = tree
  }

  /** A page begins. */
  clear(): void {
    this.#ruled.clear()
    this.#keys.clear()
    this.#with.clear()
    this.#without.clear()
    this.#asked = 0
    this.#work = 0
  }

  /** Steps that were taken. */
  get work(): number {
    return this.#work
  }

  /** A rule that gives columns to what its selector applies to. @returns whether it may */
  mayRule(selector: string | null): boolean {
    const keys = selector === null ? null : keysOf(selector)
    return keys !== null && keys.every((key) => this.#ruled.has(key) || this.#addRule(key))
  }

  /**
   * Attributes that an element has from now on.
   *
   * @returns whether it may have columns; false only if it would
   */
  note(node: PageNode, attributes: Readonly<Record<string, unknown>>, hasColumns: boolean): boolean {
    if (this.#without.has(node)) return false
    const keys = keysOfElement(node.tag, attributes)
    if (keys.length > 1) this.#keys.set(node, keys)
    if (this.#with.has(node) || !(hasColumns || keys.some((key) => this.#ruled.has(key)))) return true
    if (this.#above(node) + 1 + this.#below(node) > MAX_NESTED) {
      this.#without.add(node)
      return false
    }
    this.#with.add(node)
    return true
  }

  #above(node: PageNode): number {
    let above = 0
    if (this.#with.size === 0) return above
    for (let one = node.parent; one !== null; one = one.parent) {
      this.#work++
      if (this.#with.has(one)) above++
    }
    return above
  }

  /** How many are inside one another in an element. An element that comes has nothing in it yet. */
  #below(node: PageNode, isRuled: (node: PageNode) => boolean = () => false): number {
    let deepest = 0
    const open = [{ one: node, nested: 0 }]
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const child of childrenOf(next.one)) {
        const nested = next.nested + (this.#with.has(child) || isRuled(child) ? 1 : 0)
        deepest = Math.max(deepest, nested)
        if (++this.#work > MAX_WORK || deepest > MAX_NESTED) return MAX_NESTED + 1
        open.push({ one: child, nested })
      }
    }
    return deepest
  }

  #addRule(key: string): boolean {
    if (++this.#asked > MAX_RULES) return false
    const { document } = this.#tree
    const ruled: PageNode[] = []
    const isRuled = (node: PageNode): boolean => {
      if (this.#without.has(node) || !(this.#keys.get(node)?.includes(key) ?? node.tag === key)) return false
      ruled.push(node)
      return true
    }
    if (document !== null && this.#below(document, isRuled) > MAX_NESTED) return false
    for (const node of ruled) this.#with.add(node)
    this.#ruled.add(key)
    return true
  }
}
