import { NodeType } from '../events.ts'
import { childrenOf, type PageNode } from '../page-tree.ts'
import { attributeOf, elementsBelow, hides, isElement, isMasked, normal, Work } from './element.ts'
import { labelTextsOf, MAX_NAME, mayBe, mayHold, nameOf, textsOf, type Labels, type Searched } from './name.ts'
import { roleOf } from './role.ts'
import { cssString, pattern, quoted } from './writer.ts'

/** Source of an expression that finds one element of a page. */
export interface Located {
  readonly code: string
  /** The next way to find it. */
  readonly otherwise: string | null
  /** Ways to find it as Chrome's Recorder writes them; none for an element of a frame. */
  readonly selectors: readonly string[]
}

/** One way to find an element: as source of a test, and as a selector of Chrome's Recorder where that has one. */
interface Way {
  readonly code: string
  readonly selector: string | null
}

/** Of the accessibility tree; its signs have no escape. */
const byAria = (name: string, role: string | null): string | null =>
  /[[\]"\\]/.test(name) ? null : `aria/${name}${role === null ? '' : `[role="${role}"]`}`

/** Of larger pages only paths are said. */
const MAX_ELEMENTS = 20_000
/** Nodes that are visited for all locators of one test, and as many for all its paths. */
const MAX_WORK = 3_000_000
/** Ancestors from which an element is counted. */
const MAX_ANCESTORS = 12

/** Text of a test: what people see is short. */
const MAX_TEXT = 60

/** What is left to be spent on looking for elements. Paths are said when nothing else can be found any more. */
export interface Budget {
  readonly search: Work
  readonly paths: Work
}

export const newBudget = (nodes = MAX_WORK): Budget => ({ search: new Work(nodes), paths: new Work(nodes) })

/** One document, as it is searched. */
class Scope implements Searched {
  readonly work: Work
  /** Null when there are too many. */
  readonly elements: readonly PageNode[] | null
  readonly #hidden = new Map<PageNode, boolean>()
  #labels: Labels | null = null
  #texts: ReadonlyMap<PageNode, string> | null = null

  constructor(top: PageNode, work: Work) {
    this.work = work
    this.elements = work.isDone ? null : elementsBelow(top, MAX_ELEMENTS, work)
  }

  get labels(): Labels {
    this.#labels ??= readLabels(this.elements ?? [])
    return this.#labels
  }

  get texts(): ReadonlyMap<PageNode, string> {
    this.#texts ??= textsOf(this.elements ?? [], this.work)
    return this.#texts
  }

  isHidden(node: PageNode): boolean {
    const asked: PageNode[] = []
    let isHidden = false
    for (let one: PageNode | null = node; one !== null && one.type !== NodeType.Document; one = one.parent) {
      this.work.visit()
      const known = this.#hidden.get(one)
      isHidden = known ?? (isElement(one) && hides(one))
      if (known !== undefined) break
      asked.push(one)
      if (isHidden) break
    }
    for (const one of asked) this.#hidden.set(one, isHidden)
    return isHidden
  }

  /** Whether it is the only one. */
  isOnly(node: PageNode, isMeant: (node: PageNode) => boolean): boolean {
    if (this.elements === null) return false
    let found = 0
    for (const one of this.elements) {
      this.work.visit()
      const isOne = isMeant(one)
      // What it says of the others would be a guess.
      if (this.work.isDone) return false
      if (!isOne) continue
      found += 1
      if (found > 1 || one !== node) return false
    }
    return found === 1
  }
}

const readLabels = (elements: readonly PageNode[]): Labels => {
  const byId = new Map<string, PageNode>()
  const labelsFor = new Map<string, PageNode[]>()
  for (const node of elements) {
    const id = attributeOf(node, 'id')
    if (id !== null && !byId.has(id)) byId.set(id, node)
    const target = node.tag === 'label' ? attributeOf(node, 'for') : null
    if (target === null) continue
    const others = labelsFor.get(target)
    if (others === undefined) labelsFor.set(target, [node])
    else others.push(node)
  }
  return { byId, labelsFor }
}

const TEST_IDS = ['data-test-id', 'data-test', 'data-cy']

const byTestId = function* (node: PageNode, scope: Scope): Generator<Way> {
  const id = attributeOf(node, 'data-testid')
  if (id !== null && id !== '' && !isMasked(id) && scope.isOnly(node, (one) => attributeOf(one, 'data-testid') === id))
    yield { code: `getByTestId(${quoted(id)})`, selector: `[data-testid=${cssString(id)}]` }
  for (const name of TEST_IDS) {
    const value = attributeOf(node, name)
    if (value === null || value === '' || isMasked(value)) continue
    const selector = `[${name}=${cssString(value)}]`
    if (scope.isOnly(node, (one) => attributeOf(one, name) === value))
      yield { code: `locator(${quoted(selector)})`, selector }
  }
}

const byRole = function* (node: PageNode, scope: Scope): Generator<Way> {
  const role = roleOf(node)
  if (role === null || scope.isHidden(node)) return
  const name = nameOf(node, scope)
  const text = name.join(' ')
  if (name.length === 0 || text.length > MAX_NAME || isMasked(text)) return
  const written = (name.length === 1 ? quoted(text) : pattern(name)).trim()
  const isMeant = (one: PageNode): boolean => roleOf(one) === role && !scope.isHidden(one)
  const selector = name.length === 1 ? byAria(text.trim(), role) : null
  if (scope.isOnly(node, (one) => isMeant(one) && mayHold(nameOf(one, scope), name)))
    yield { code: `getByRole(${quoted(role)}, { name: ${written} })`, selector }
  else if (name.length === 1 && scope.isOnly(node, (one) => isMeant(one) && mayBe(nameOf(one, scope), name)))
    yield { code: `getByRole(${quoted(role)}, { name: ${written}, exact: true })`, selector }
}

const byLabel = function* (node: PageNode, scope: Scope): Generator<Way> {
  const [label = ''] = labelTextsOf(node, scope)
  if (label === '' || label.length > MAX_NAME || isMasked(label)) return
  if (scope.isOnly(node, (one) => labelTextsOf(one, scope).some((other) => mayHold([other], [label]))))
    yield { code: `getByLabel(${quoted(label)})`, selector: byAria(label.trim(), null) }
}

const byPlaceholder = function* (node: PageNode, scope: Scope): Generator<Way> {
  const placeholder = normal(attributeOf(node, 'placeholder') ?? '')
  if (placeholder === '' || placeholder.length > MAX_NAME || isMasked(placeholder)) return
  const isMeant = (one: PageNode): boolean => mayHold([attributeOf(one, 'placeholder') ?? ''], [placeholder])
  const selector = `[placeholder=${cssString(attributeOf(node, 'placeholder') ?? '')}]`
  if (scope.isOnly(node, isMeant)) yield { code: `getByPlaceholder(${quoted(placeholder)})`, selector }
}

const byText = function* (node: PageNode, scope: Scope): Generator<Way> {
  const text = normal(scope.texts.get(node) ?? '')
  if (text === '' || text.length > MAX_TEXT || isMasked(text)) return
  const says = (one: PageNode): boolean => {
    scope.work.visit()
    return normal(scope.texts.get(one) ?? '') === text
  }
  // Of those that say it, the innermost are found.
  const isFound = (one: PageNode): boolean => says(one) && !Array.from(childrenOf(one)).some(says)
  if (scope.isOnly(node, isFound))
    yield { code: `getByText(${quoted(text)}, { exact: true })`, selector: `text/${text}` }
}

/** Made by a program, and another one with the next build or the next visit. */
const GENERATED = /\d|^:|:$|[0-9a-f]{8}|^radix-|^headlessui-|^react-aria/i

const byId = function* (node: PageNode, scope: Scope): Generator<Way> {
  const id = attributeOf(node, 'id')
  if (id === null || GENERATED.test(id) || isMasked(id) || !/^[\w-]+$/.test(id)) return
  if (scope.isOnly(node, (one) => attributeOf(one, 'id') === id))
    yield { code: `locator(${quoted(`#${id}`)})`, selector: `#${id}` }
}

const byRoleAlone = function* (node: PageNode, scope: Scope): Generator<Way> {
  const role = roleOf(node)
  if (role === null || scope.isHidden(node)) return
  if (scope.isOnly(node, (one) => roleOf(one) === role))
    yield { code: `getByRole(${quoted(role)})`, selector: byAria('', role) }
}

const SAFE_TAG = /^[a-z][a-z0-9-]*$/

/** From the nearest ancestor that can be found by itself. */
const byAncestor = function* (node: PageNode, scope: Scope): Generator<Way> {
  if (!SAFE_TAG.test(node.tag)) return
  let ancestor = node.parent
  for (let up = 0; up < MAX_ANCESTORS && ancestor !== null && isElement(ancestor); up += 1) {
    const [found] = [...byTestId(ancestor, scope), ...byId(ancestor, scope)]
    if (found !== undefined) {
      const below = (elementsBelow(ancestor, MAX_ELEMENTS, scope.work) ?? []).filter(({ tag }) => tag === node.tag)
      const index = below.indexOf(node)
      // Elements in shadow roots stand in another order for browsers than here.
      const isPlain = below.every((one) => !isInShadowOf(one, ancestor, scope.work))
      const code = `${found.code}.locator(${quoted(node.tag)})`
      if (below.length === 1) yield { code, selector: isPlain ? `${found.selector} ${node.tag}` : null }
      else if (index >= 0 && isPlain) yield { code: `${code}.nth(${index})`, selector: null }
      return
    }
    ancestor = ancestor.parent
  }
}

const isInShadowOf = (node: PageNode, ancestor: PageNode | null, work: Work): boolean => {
  for (let one: PageNode | null = node; one !== null && one !== ancestor; one = one.parent) {
    work.visit()
    if (one.isShadow) return true
  }
  return false
}

/** Every element from the document down. */
const byPath = function* (node: PageNode, work: Work): Generator<Way> {
  const path: string[] = []
  for (let one: PageNode | null = node; one !== null && one.type !== NodeType.Document; one = one.parent) {
    if (one.parent === null || !SAFE_TAG.test(one.tag)) return
    const place = placeOf(one, one.parent, work)
    if (place === null || work.isDone) return
    path.unshift(place)
  }
  const selector = path.join(' > ')
  yield { code: `locator(${quoted(selector)})`, selector: isInShadowOf(node, null, work) ? null : selector }
}

const placeOf = (node: PageNode, parent: PageNode, work: Work): string | null => {
  let same = 0
  let place = 0
  let elsewhere = 0
  for (const child of childrenOf(parent)) {
    work.visit()
    if (child.tag !== node.tag || !isElement(child)) continue
    if (child.isShadow !== node.isShadow) elsewhere += 1
    else same += 1
    if (child === node) place = same
  }
  // A path goes into shadow roots as well and cannot say which of the two is meant.
  if (elsewhere > 0) return null
  return same === 1 ? node.tag : `${node.tag}:nth-of-type(${place})`
}

const ways = function* (node: PageNode, scope: Scope, paths: Work): Generator<Way> {
  yield* byTestId(node, scope)
  yield* byRole(node, scope)
  yield* byLabel(node, scope)
  yield* byPlaceholder(node, scope)
  yield* byText(node, scope)
  yield* byId(node, scope)
  yield* byRoleAlone(node, scope)
  yield* byAncestor(node, scope)
  yield* byPath(node, paths)
}

/** Searches a page as it is at one moment. */
export class Finder {
  readonly #scopes = new Map<PageNode, Scope>()
  readonly #document: PageNode
  readonly #budget: Budget

  constructor(document: PageNode, budget: Budget) {
    this.#document = document
    this.#budget = budget
  }

  #scopeOf(document: PageNode): Scope {
    const known = this.#scopes.get(document)
    if (known !== undefined) return known
    const scope = new Scope(document, this.#budget.search)
    this.#scopes.set(document, scope)
    return scope
  }

  /** An expression that finds this element and no other. Null where there is none, which styles or shadow roots may cause. */
  find(node: PageNode): Located | null {
    const root = node.root
    if (root === null) return null
    const base = this.#baseOf(root)
    if (base === null) return null
    const [first, second] = take(ways(node, this.#scopeOf(root), this.#budget.paths), 2)
    if (first === undefined) return null
    return {
      code: `${base}.${first.code}`,
      otherwise: second === undefined ? null : `${base}.${second.code}`,
      selectors: root === this.#document ? [first, second].flatMap((one) => one?.selector ?? []) : [],
    }
  }

  /** What stands before: the page, or a frame in it. */
  #baseOf(root: PageNode): string | null {
    if (root === this.#document) return 'page'
    const frame = root.parent === null ? null : this.find(root.parent)
    return frame === null ? null : `${frame.code}.contentFrame()`
  }
}

const take = (from: Generator<Way>, most: number): Way[] => {
  const taken: Way[] = []
  for (const one of from) {
    taken.push(one)
    if (taken.length === most) break
  }
  return taken
}
