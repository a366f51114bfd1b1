import { guard } from '@firsthand/browser/parts'
import { FULL_SNAPSHOT, type RecordedEvent, SOURCE, sourceOf } from '../events.ts'
import type { Settings } from '../options.ts'
import { type Attributes, createAttributeMasker, FIELDS, type MaskCss, maskText, maskValue } from './mask-attributes.ts'
import type { Rules } from './rules.ts'
import { createSheetAttributes, type SheetAttributes } from './sheet-attributes.ts'

interface SerializedNode {
  readonly id: number
  readonly type: number
  readonly tagName?: string
  readonly attributes?: Attributes
  readonly childNodes?: readonly SerializedNode[]
  textContent?: string
}

interface Mutation {
  texts: { id: number; value: string | null }[]
  attributes: { id: number; attributes: Attributes }[]
  adds: { node: SerializedNode }[]
}

/** What sources 8, 13 and 15 say of style sheets that scripts make and change. */
interface SheetChange {
  adds?: { rule: string }[]
  replace?: unknown
  replaceSync?: unknown
  readonly set?: { readonly property: string; value: unknown }
  readonly styles?: readonly { readonly rules: readonly { rule: string }[] }[]
}

const maskSheet = (change: SheetChange, css: MaskCss): void => {
  const rules = [...(change.adds ?? []), ...(change.styles ?? []).flatMap(({ rules: added }) => added)]
  // Pages may hand over anything that can be turned into text.
  for (const one of rules) one.rule = typeof one.rule === 'string' ? css(one.rule) : ''
  for (const name of ['replace', 'replaceSync'] as const) {
    const text = change[name]
    if (typeof text === 'string') change[name] = css(text)
  }
  const { set } = change
  if (set && typeof set.value === 'string') set.value = maskValue(set.property, set.value, css)
}

interface FontChange {
  fontSource?: unknown
  /** The source is the font itself, in numbers. */
  readonly buffer?: boolean
}

const maskFont = (font: FontChange, css: MaskCss): void => {
  if (font.buffer !== true && typeof font.fontSource === 'string')
    font.fontSource = maskValue('src', font.fontSource, css)
}

export interface Masker {
  /** Masks the event where it is. False: nothing of it may be sent. */
  mask(event: RecordedEvent): boolean
  /** An attribute as it is told where text is masked. */
  maskedAttribute(name: string, value: string, element: Element): string
}

interface InputChange {
  readonly id: number
  text: string
}

const maskInput = (data: InputChange, element: Element | null, rules: Rules): boolean => {
  if (element === null || rules.isIgnored(element) || rules.isBlocked(element)) return false
  if (rules.isMasked(rules.said(element), true) || rules.isSecret(element)) data.text = maskText(data.text)
  return true
}

const learnAttributes = ({ style, _cssText: sheet }: Attributes, sheets: SheetAttributes): void => {
  for (const text of [style, sheet]) if (typeof text === 'string') sheets.learn(text)
}

/** Sheets may stand behind what they show and select, so all are read before anything is masked. */
const learnTree = (root: SerializedNode, sheets: SheetAttributes, nodeOf: (id: number) => Node | null): void => {
  const open = [root]
  for (let node = open.pop(); node; node = open.pop()) {
    const live = nodeOf(node.id)
    if (node.attributes) learnAttributes(node.attributes, sheets)
    if (node.textContent && isStyle(live?.parentNode)) sheets.learn(node.textContent)
    const scope = live?.nodeType === 9 ? (live as Document) : (live as Partial<Element> | null)?.shadowRoot
    guard(() => scope?.adoptedStyleSheets.forEach(sheets.learnSheet))
    for (const child of node.childNodes ?? []) open.push(child)
  }
}

/**
 * The last look at what rrweb has recorded, by the page as it is now: rules that were set later count as well, and what was
 * added to an element counts as it does.
 */
export const createMasker = (
  settings: Settings,
  rules: Rules,
  nodeOf: (id: number) => Node | null,
  onCanvas: (id: number) => void,
): Masker => {
  const sheets = createSheetAttributes()
  const { css, mask: maskAttributes, masked } = createAttributeMasker(settings, rules, sheets)
  const readCss: MaskCss = (text) => {
    sheets.learn(text)
    return css(text)
  }
  const elementOf = (id: number): Element | null => {
    const node = nodeOf(id)
    return node?.nodeType === 1 ? (node as Element) : above(node)
  }

  /** Of the event that is looked at: nothing changes meanwhile, and most elements stand in others that were asked for. */
  let plain = new Map<Element, boolean>()
  const isPlain = (element: Element | null): boolean => rules.isPlain(element, plain)
  const said = (element: Element | null): boolean | undefined => (isPlain(element) ? undefined : rules.said(element))
  const isBlocked = (element: Element | null): boolean => !isPlain(element) && rules.isBlocked(element)

  const maskTree = (root: SerializedNode): void => {
    // What stands around it has the say, until something inside says otherwise.
    const open = [{ node: root, told: said(above(nodeOf(root.id))), isCss: isStyle(nodeOf(root.id)?.parentNode) }]
    for (let next = open.pop(); next; next = open.pop()) {
      const { node, isCss } = next
      const live = nodeOf(node.id)
      const element = live?.nodeType === 1 ? (live as Element) : null
      // A frame's page says nothing by itself: what is around the frame counts.
      const told = (element && rules.saidHere(element)) ?? next.told
      if (node.tagName === 'canvas') onCanvas(node.id)
      if (node.attributes) {
        maskAttributes(node.attributes, element, told)
        if (isUndrawnBox(node.attributes, element)) node.attributes['style'] = 'display:none'
      }
      if (node.textContent) {
        if (isCss) node.textContent = css(node.textContent)
        else if (rules.isMasked(told, isOption(live?.parentNode))) node.textContent = maskText(node.textContent)
      }
      for (const child of node.childNodes ?? []) open.push({ node: child, told, isCss: isStyle(live) })
    }
  }

  const maskAll = (roots: readonly SerializedNode[]): void => {
    for (const root of roots) learnTree(root, sheets, nodeOf)
    for (const root of roots) maskTree(root)
  }

  const maskMutation = (data: Mutation): boolean => {
    const isShown = (id: number): boolean => !isBlocked(elementOf(id))
    // An element that is blocked itself is a box, which may be told; what is in it may not.
    data.adds = data.adds.filter(({ node }) => {
      const live = nodeOf(node.id)
      return !isBlocked(above(live))
    })
    for (const { attributes } of data.attributes) learnAttributes(attributes, sheets)
    for (const { id, value } of data.texts) if (value !== null && isStyle(elementOf(id))) sheets.learn(value)
    maskAll(data.adds.map(({ node }) => node))
    data.texts = data.texts.filter(({ id }) => isShown(id))
    for (const text of data.texts) {
      if (text.value === null) continue
      const element = elementOf(text.id)
      if (isStyle(element)) text.value = css(text.value)
      else if (rules.isMasked(said(element), isOption(element))) text.value = maskText(text.value)
    }
    data.attributes = data.attributes.filter(({ id }) => isShown(id))
    for (const { id, attributes } of data.attributes) {
      const element = elementOf(id)
      maskAttributes(attributes, element, said(element))
    }
    return true
  }

  return {
    maskedAttribute: (name, value, element) => masked(name, value, element) ?? value,
    mask: (event) => {
      plain = new Map()
      if (event.type === FULL_SNAPSHOT) maskAll([(event.data as { node: SerializedNode }).node])
      const { data } = event
      switch (sourceOf(event)) {
        case SOURCE.mutation:
          return maskMutation(data as Mutation)
        case SOURCE.input:
          return maskInput(data as InputChange, elementOf((data as InputChange).id), rules)
        case SOURCE.rule:
        case SOURCE.declaration:
        case SOURCE.adopted:
          maskSheet(data as SheetChange, readCss)
          return true
        case SOURCE.font:
          maskFont(data as FontChange, css)
          return true
        default:
          return true
      }
    },
  }
}

/** What is blocked, and others do not stand around, as around an image that has not come yet. */
const isUndrawnBox = ({ rr_width: width, rr_height: height }: Attributes, element: Element | null): boolean => {
  if (width !== '0px' || height !== '0px' || element === null) return false
  const { display, position } = element.ownerDocument.defaultView?.getComputedStyle(element) ?? {}
  return display === 'none' || position === 'absolute' || position === 'fixed'
}

const isStyle = (node: Node | null | undefined): boolean => node?.nodeName === 'STYLE'
const isOption = (node: Node | null | undefined): boolean => FIELDS.has(node?.nodeName ?? '')
/** Text that stands in a shadow root itself has no element above it, but the root has a host; and a page in a page its frame. */
const above = (node: Node | null): Element | null =>
  node?.nodeType === 9
    ? ((node as Document).defaultView?.frameElement ?? null)
    : (node?.parentElement ?? (node?.parentNode as Partial<ShadowRoot> | null)?.host ?? null)
