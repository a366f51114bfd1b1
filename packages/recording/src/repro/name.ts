import { NodeType } from '../events.ts'
import { childrenOf, type PageNode } from '../page-tree.ts'
import { attributeOf, closest, isCode, isElement, normal, open, squeezed, textIn, type Work } from './element.ts'
import { inputTypeOf, isNamedByContent, roleOf } from './role.ts'

/** Names and texts of elements, as Playwright computes them, on what was recorded. */

/** Texts of a name in their order. Whether there is space between them depends on styles, which are not known. */
export type NameParts = readonly string[]

/** Characters of a name or a text that a test says; longer ones are not looked at. */
export const MAX_NAME = 100
/** Nodes that one name is made of. */
const MAX_NAME_NODES = 500

export interface Labels {
  /** Elements by their ids, of one document. */
  readonly byId: ReadonlyMap<string, PageNode>
  /** Labels by the ids that they are for. */
  readonly labelsFor: ReadonlyMap<string, readonly PageNode[]>
}

/** The document in which names are looked for. */
export interface Searched {
  readonly labels: Labels
  readonly work: Work
  /** Left out by screen readers, and by what looks for roles. */
  isHidden(node: PageNode): boolean
}

const partsOf = (text: string | null): NameParts => {
  const said = normal(text ?? '')
  return said === '' ? [] : [said]
}

/** Neighbouring texts of one element are one text. */
const contentParts = (top: PageNode, except: PageNode | null, page: Searched): NameParts => {
  const { work } = page
  const parts: string[] = []
  const waiting = [top]
  let run = ''
  let visited = 0
  const endRun = (): void => {
    work.read(run)
    parts.push(...partsOf(run))
    run = ''
  }
  work.visit()
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    visited += 1
    if (visited > MAX_NAME_NODES || work.isDone) return []
    if (node.type === NodeType.Text) {
      run += textIn(node)
      continue
    }
    endRun()
    if (node !== top) {
      if (!isElement(node) || node === except || page.isHidden(node)) continue
      const own = attributeOf(node, 'aria-label') ?? (node.tag === 'img' ? attributeOf(node, 'alt') : null)
      if (own !== null) {
        work.read(own)
        parts.push(...partsOf(own))
        continue
      }
    }
    open(node, waiting, work)
  }
  endRun()
  return parts
}

/** Those that belong to a field. */
const labelsOf = (node: PageNode, { labels, work }: Searched): readonly PageNode[] => {
  const id = attributeOf(node, 'id')
  const named = id === null ? [] : (labels.labelsFor.get(id) ?? [])
  const around = node.parent === null ? null : closest(node.parent, ({ tag }) => tag === 'label', work)
  work.visit(named.length)
  return around === null || named.includes(around) || attributeOf(around, 'for') !== null ? named : [...named, around]
}

const FIELDS: ReadonlySet<string> = new Set(['button', 'input', 'meter', 'output', 'progress', 'select', 'textarea'])

/** Elements that `aria-labelledby` names. */
const namersOf = (node: PageNode, { labels, work }: Searched): readonly PageNode[] => {
  const ids = attributeOf(node, 'aria-labelledby') ?? ''
  work.read(ids)
  return ids.split(/\s+/).flatMap((id) => labels.byId.get(id) ?? [])
}

const BUTTON_NAMES: Readonly<Record<string, string>> = { submit: 'Submit', reset: 'Reset', image: 'Submit' }
const WITH_PLACEHOLDER: ReadonlySet<string> = new Set(['text', 'password', 'search', 'tel', 'email', 'url'])

const fieldName = (node: PageNode, page: Searched): NameParts => {
  const type = node.tag === 'input' ? inputTypeOf(node) : ''
  const title = attributeOf(node, 'title')
  if (type === 'button' || type === 'submit' || type === 'reset') {
    const value = partsOf(attributeOf(node, 'value'))
    return value.length > 0 ? value : partsOf(BUTTON_NAMES[type] ?? title)
  }
  const named = labelsOf(node, page).flatMap((label) => contentParts(label, node, page))
  if (named.length > 0) return named
  if (type === 'image') return partsOf(attributeOf(node, 'alt') ?? title ?? BUTTON_NAMES['image'] ?? null)
  const takesPlaceholder = node.tag === 'textarea' || (node.tag === 'input' && WITH_PLACEHOLDER.has(type))
  return partsOf(title ?? (takesPlaceholder ? attributeOf(node, 'placeholder') : null))
}

/** The accessible name. Empty for none. */
export const nameOf = (node: PageNode, page: Searched): NameParts => {
  const namers = namersOf(node, page)
  if (namers.length > 0) {
    return namers.flatMap((one) => {
      const own = partsOf(attributeOf(one, 'aria-label'))
      return own.length > 0 ? own : contentParts(one, null, page)
    })
  }
  const said = partsOf(attributeOf(node, 'aria-label'))
  if (said.length > 0) return said
  if (node.tag === 'input' || node.tag === 'select' || node.tag === 'textarea') return fieldName(node, page)
  if (node.tag === 'img') return partsOf(attributeOf(node, 'alt') ?? attributeOf(node, 'title'))
  if (isNamedByContent(roleOf(node))) {
    const content = contentParts(node, null, page)
    if (content.length > 0) return content
  }
  return partsOf(attributeOf(node, 'title'))
}

/** Texts by which `getByLabel` finds an element, each by itself. */
export const labelTextsOf = (node: PageNode, page: Searched): readonly string[] => {
  const namers = namersOf(node, page)
  if (namers.length > 0) return namers.map((one) => wholeText(one, page.work))
  const said = attributeOf(node, 'aria-label')
  if (said !== null && said.trim() !== '') return [normal(said)]
  if (!FIELDS.has(node.tag) || (node.tag === 'input' && inputTypeOf(node) === 'hidden')) return []
  return labelsOf(node, page).map((label) => wholeText(label, page.work))
}

/** Everything that stands in an element, as `getByLabel` and `getByText` read it; cut off where it is too long for both. */
const wholeText = (top: PageNode, work: Work): string => {
  let text = ''
  const waiting = [top]
  work.visit()
  for (let node = waiting.pop(); node !== undefined && text.length <= MAX_NAME * 2; node = waiting.pop()) {
    if (work.isDone) return ''
    if (node.type === NodeType.Text) text += textIn(node)
    else if (isElement(node) && !isCode(node)) open(node, waiting, work)
  }
  work.read(text)
  return normal(text)
}

/** Texts by which `getByText` finds elements; those without one, or with a longer one, are left out. */
export const textsOf = (elements: readonly PageNode[], work: Work): ReadonlyMap<PageNode, string> => {
  const texts = new Map<PageNode, string>()
  // Children stand behind their parents.
  for (const node of elements.toReversed()) {
    if (isCode(node)) continue
    const text = ownText(node, texts, work)
    if (text !== null) texts.set(node, text)
  }
  return texts
}

const BUTTONS: ReadonlySet<string> = new Set(['button', 'submit', 'reset'])

/** Null for one that is too long. */
const ownText = (node: PageNode, texts: ReadonlyMap<PageNode, string>, work: Work): string | null => {
  if (node.tag === 'input') return BUTTONS.has(inputTypeOf(node)) ? (attributeOf(node, 'value') ?? '') : ''
  let text = ''
  for (const child of childrenOf(node)) {
    work.visit()
    if (child.type === NodeType.Text) text += textIn(child)
    else if (isElement(child) && !isCode(child)) {
      const below = texts.get(child)
      if (below === undefined) return null
      text += below
    }
    if (text.length > MAX_NAME * 4) return null
  }
  return text
}

/** Whether a name may hold another one, in any case and however its parts are set apart. */
export const mayHold = (name: NameParts, held: NameParts): boolean =>
  squeezed(name.join(''))
    .toLowerCase()
    .includes(squeezed(held.join('')).toLowerCase())

/** Whether it may be the other one. */
export const mayBe = (name: NameParts, other: NameParts): boolean =>
  squeezed(name.join('')) === squeezed(other.join(''))
