import { FULL_SNAPSHOT, type RecordedEvent, SOURCE, sourceOf } from '../events.ts'
import type { Settings } from '../options.ts'
import { withoutSearch, withoutSecrets } from './address.ts'
import { maskCss } from './css.ts'
import type { Rules } from './rules.ts'

/** Attributes that people read or hear, and values of fields. */
export const READ = [
  'title',
  'placeholder',
  'alt',
  'value',
  'label',
  'content',
  'summary',
  'abbr',
  'datetime',
  'alttext',
  'download',
  'srcdoc',
  'aria-label',
  'aria-braillelabel',
  'aria-brailleroledescription',
  'aria-description',
  'aria-placeholder',
  'aria-roledescription',
  'aria-valuetext',
]
/** Those that scripts and style sheets (`content: attr(data-title)`) show, by the names that they go by. */
const SHOWN = /^data-.*(?:title|tip|hint|label|content|text|placeholder|balloon)$/
/**
 * Names of `data-` attributes, and of any of custom elements, that say how something looks, or which part it is, if they say it
 * in one word. Whatever else has a letter in it may be words that a script, a sheet or the element shows.
 */
const LOOKS = new RegExp(
  `^(?:data-)?(?:${[
    'id|component-id|automation-id|testid|e2e|(?:fh|sentry|rr|test|react|radix|headlessui|svelte|astro|v|cy|qa|pw)(?:[-_].*)?',
    String.raw`(?:\w+-)*(?:${[
      'active|align|alignment|appearance|checked|closed|color|column|component|controller|cols|dir|direction|disabled|dismiss',
      'element|expanded|for|hidden|icon|index|is|kind|lang|layout|level|loading|mode|open|orientation|parent|part|placement',
      'position|readonly|required|role|row|rows|scheme|scope|selected|shape|side|size|slot|state|status|style|tabindex|target',
      'theme|toggle|tone|type|variant|width|height',
    ].join('|')})`,
  ].join('|')})$`,
)
const ONE_WORD = /^\S{0,100}$/
/** Lists of names that sheets go by. */
const STYLED = /^(?:class|part|exportparts|aria-.+|rr_.+)$/
/** An element that is gone may have been a custom one; of a page's body `text` is a colour. */
const SHOWN_BY_CUSTOM: ReadonlySet<string> = new Set(['text', 'heading'])
const LETTER = /\p{L}/u
/** Attributes of addresses. Where some of them lead, nothing is fetched for the picture. */
const OPENED = ['rr_src', 'action', 'formaction', 'data', 'cite', 'ping', 'longdesc']
const ADDRESSES: ReadonlySet<string> = new Set(
  ['href', 'xlink:href', 'src', 'srcset', 'imagesrcset', 'poster', 'background'].concat(OPENED),
)
/** `content: attr(data-initials)`: sheets say so of any name. What makes the page look as it does, or leads somewhere, stays. */
const SHOWN_BY_SHEET = /\battr\(\s*(?!(?:class|id|style|type|width|height|href|src|srcset|rel)\b(?!-))([\w-]+)/gi
export const FIELDS: ReadonlySet<string> = new Set(['INPUT', 'TEXTAREA', 'SELECT', 'OPTION'])
/** Addresses that are said instead of opened. */
const SAID = /^\s*(?:mailto|tel|sms|data|javascript):/i
/** Of links all that no browser opens by itself: messages to be sent stand in them. */
const SAID_BY_APPS = /^\s*(?!https?:|blob:|file:|about:)[a-z][a-z\d+.-]*:/i
/** And pages that take a message along, as `https://wa.me/?text=`. */
const TAKES_MESSAGE = /^[^#]*[?&](?:text|body|message|msg|subject|su|quote)=/i

type Attributes = Record<string, unknown>

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

type MaskCss = (css: string) => string

/** A value is told by the name of its property. */
const maskValue = (property: string, value: string, css: MaskCss): string =>
  css(`${property}:${value}`).slice(property.length + 1)

/** Declarations of an attribute that has changed: values, or pairs of a value and its priority. */
const maskStyle = (declarations: Attributes, css: MaskCss): void => {
  for (const [property, given] of Object.entries(declarations)) {
    const isPair = Array.isArray(given)
    const [text, ...priority] = isPair ? (given as unknown[]) : [given]
    if (typeof text !== 'string') continue
    const masked = maskValue(property, text, css)
    declarations[property] = isPair ? [masked, ...priority] : masked
  }
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

export const maskText = (text: string): string => text.replaceAll(/\S/g, '*')

export interface Masker {
  /** Masks the event where it is. False: nothing of it may be sent. */
  mask(event: RecordedEvent): boolean
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

/** Whether an address is a message to be sent, or takes one along. */
const isMessage = (element: Element | null, name: string, value: string): boolean => {
  if (SAID.test(value)) return true
  if (!name.endsWith('href')) return false
  // Sheets and pictures of SVG have addresses in `href` as well.
  const isLink = element === null || /^a(?:rea)?$/.test(element.localName)
  return SAID_BY_APPS.test(value) || (isLink && TAKES_MESSAGE.test(value))
}

/** Whether it leads somewhere, instead of to a part of the picture. */
const isOpened = (element: Element | null, name: string): boolean =>
  OPENED.includes(name) ||
  (name.endsWith('href') && (element === null || /^a(?:rea)?$|-/.test(element.localName))) ||
  (name === 'src' && (element === null || /^i?frame$|-/.test(element.localName)))

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
  const read: ReadonlySet<string> = new Set([...READ, ...settings.maskAttributes])
  const elementOf = (id: number): Element | null => {
    const node = nodeOf(id)
    return node?.nodeType === 1 ? (node as Element) : above(node)
  }
  /** Names of attributes that a sheet shows, as far as sheets were seen. */
  const shown = new Set<string>()
  const css = (text: string): string => {
    if (text.includes('attr('))
      for (const [, name] of text.matchAll(SHOWN_BY_SHEET)) if (name) shown.add(name.toLowerCase())
    return maskCss(text, settings.maskAllText, settings.blockAllMedia)
  }
  const isRead = (name: string, value: string, element: Element | null): boolean => {
    if (read.has(name) || shown.has(name) || (element === null && SHOWN_BY_CUSTOM.has(name))) return true
    const isData = name.startsWith('data-')
    if (isData && SHOWN.test(name)) return true
    if (!isData && (!element?.localName.includes('-') || STYLED.test(name) || ADDRESSES.has(name))) return false
    return LETTER.test(value) && !(LOOKS.test(name) && ONE_WORD.test(value))
  }

  /** Of the event that is looked at: nothing changes meanwhile, and most elements stand in others that were asked for. */
  let plain = new Map<Element, boolean>()
  const isPlain = (element: Element | null): boolean => rules.isPlain(element, plain)
  const said = (element: Element | null): boolean | undefined => (isPlain(element) ? undefined : rules.said(element))
  const isBlocked = (element: Element | null): boolean => !isPlain(element) && rules.isBlocked(element)

  const maskAttributes = (attributes: Attributes, element: Element | null, told: boolean | undefined): void => {
    if (attributes['rr_width'] !== undefined) delete attributes['class']
    const isField = element !== null && FIELDS.has(element.tagName)
    const isHidden = rules.isMasked(told, isField) || (isField && rules.isSecret(element))
    for (const [name, value] of Object.entries(attributes)) {
      if (name === 'style' && typeof value === 'object' && value !== null) {
        maskStyle(value as Attributes, css)
      } else if (typeof value !== 'string') continue
      else if (name === 'style' || name === '_cssText') attributes[name] = css(value)
      else if (isRead(name, value, element)) {
        if (isHidden) attributes[name] = maskText(value)
      } else if (isMessage(element, name, value)) attributes[name] = isHidden || settings.blockAllMedia ? '#' : value
      else if (ADDRESSES.has(name))
        attributes[name] = isHidden && isOpened(element, name) ? withoutSearch(value) : withoutSecrets(value)
    }
  }

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
      if (node.attributes) maskAttributes(node.attributes, element, told)
      if (node.textContent) {
        if (isCss) node.textContent = css(node.textContent)
        else if (rules.isMasked(told, isOption(live?.parentNode))) node.textContent = maskText(node.textContent)
      }
      for (const child of node.childNodes ?? []) open.push({ node: child, told, isCss: isStyle(live) })
    }
  }

  /** Sheets may stand behind what they show. */
  const maskAll = (roots: readonly SerializedNode[]): void => {
    const known = shown.size
    for (const root of roots) maskTree(root)
    if (shown.size > known) for (const root of roots) maskTree(root)
  }

  const maskMutation = (data: Mutation): boolean => {
    const isShown = (id: number): boolean => !isBlocked(elementOf(id))
    // An element that is blocked itself is a box, which may be told; what is in it may not.
    data.adds = data.adds.filter(({ node }) => {
      const live = nodeOf(node.id)
      return !isBlocked(above(live))
    })
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
          maskSheet(data as SheetChange, css)
          return true
        default:
          return true
      }
    },
  }
}

const isStyle = (node: Node | null | undefined): boolean => node?.nodeName === 'STYLE'
const isOption = (node: Node | null | undefined): boolean => FIELDS.has(node?.nodeName ?? '')
/** Text that stands in a shadow root itself has no element above it, but the root has a host; and a page in a page its frame. */
const above = (node: Node | null): Element | null =>
  node?.nodeType === 9
    ? ((node as Document).defaultView?.frameElement ?? null)
    : (node?.parentElement ?? (node?.parentNode as Partial<ShadowRoot> | null)?.host ?? null)
