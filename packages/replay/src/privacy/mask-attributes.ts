import type { Settings } from '../options.ts'
import { withoutSearch, withoutSecrets } from './address.ts'
import { maskCss } from './css.ts'
import type { Rules } from './rules.ts'
import type { SheetAttributes } from './sheet-attributes.ts'

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
 * Names of `data-` attributes, and of any of custom elements, that say which part of a page it is, in one word. Whatever else has
 * a letter in it may be words that a script, a sheet or the element shows.
 */
const PART =
  /^(?:data-)?(?:id|component-id|automation-id|testid|e2e|(?:test|react|cy|qa|pw)(?:[-_]?(?:id|root|class|element|helmet))?|(?:fh|sentry|rr|radix|headlessui|svelte|astro|v)(?:[-_].*)?)$/
/** … that say how something looks, in one word or a few short ones. */
const LOOKS = new RegExp(
  String.raw`^(?:data-)?(?:\w+-)*(?:${[
    'active|align|alignment|appearance|checked|closed|collapsible|color|column|component|controller|cols|density|design|dir',
    'direction|disabled|dismiss|element|expanded|for|hidden|icon|index|is|kind|lang|layout|level|loading|mode|open|orientation',
    'parent|part|placement|position|radius|readonly|required|role|row|rows|scale|scheme|scope|selected|shape|side|size|slot',
    'state|status|style|tabindex|target|theme|toggle|tone|type|variant|width|height',
  ].join('|')})$`,
)
const ONE_WORD = /^[\w#.:-]{0,64}$/
const SHORT_WORDS = /^[a-z\d][\w-]{0,15}(?: [a-z\d][\w-]{0,15}){1,3}$/
/** They tell nothing of anybody, whatever the attribute is called. */
const CLOSED =
  /^(?:true|false|mixed|yes|no|on|off|none|auto|null|undefined|default|open|opened|closed|(?:in)?active|enabled|disabled|visible|hidden|left|right|top|bottom|start|end|center|middle|horizontal|vertical|ltr|rtl|x*[sl]|sm|md|lg|x+l|small|medium|large|light|dark|asc|desc)$/
/** A count or a share. Longer ones may be what somebody reads of somebody. */
const SHORT_NUMBER = /^-?\d{1,4}(?:\.\d{1,3})?$/
/** A page of its own, which is recorded as one: there it counts what is blocked and masked. */
const PAGE = 'srcdoc'
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
export const FIELDS: ReadonlySet<string> = new Set(['INPUT', 'TEXTAREA', 'SELECT', 'OPTION'])
/** Addresses that are said instead of opened. */
const SAID = /^\s*(?:mailto|tel|sms|data|javascript):/i
/** They say all themselves, and lead nowhere. */
const WRITTEN_OUT = /^\s*(?:data|javascript):/i
/** Of links all that no browser opens by itself: messages to be sent stand in them. */
const SAID_BY_APPS = /^\s*(?!https?:|blob:|file:|about:)[a-z][a-z\d+.-]*:/i
/** And pages that take a message along, as `https://wa.me/?text=`. */
const TAKES_MESSAGE = /^[^#]*[?&](?:text|body|message|msg|subject|su|quote)=/i

export type Attributes = Record<string, unknown>

export type MaskCss = (css: string) => string

/** A value is told by the name of its property. */
export const maskValue = (property: string, value: string, css: MaskCss): string =>
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

export const maskText = (text: string): string => text.replaceAll(/\S/g, '*')

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

/** Whether its name and value alone say that nobody reads it. */
const isPlain = (name: string, value: string, element: Element | null): boolean => {
  const isData = name.startsWith('data-')
  if (isData && SHOWN.test(name)) return false
  if (!isData && (!element?.localName.includes('-') || STYLED.test(name) || ADDRESSES.has(name))) return true
  if (!LETTER.test(value) || CLOSED.test(value)) return true
  const isLook = LOOKS.test(name)
  return ((isLook || PART.test(name)) && ONE_WORD.test(value)) || (isLook && SHORT_WORDS.test(value))
}

export interface AttributeMasker {
  readonly css: MaskCss
  /** As it is told where text is masked. Undefined: it is nothing that people read. */
  masked(name: string, value: string, element: Element | null): string | undefined
  /** Masks them where they are. */
  mask(attributes: Attributes, element: Element | null, told: boolean | undefined): void
}

/**
 * @param rules of the page as it is now
 * @param sheets as far as they were seen
 */
export const createAttributeMasker = (settings: Settings, rules: Rules, sheets: SheetAttributes): AttributeMasker => {
  const read: ReadonlySet<string> = new Set([...READ, ...settings.maskAttributes])
  const css = (text: string): string => maskCss(text, settings.maskAllText, settings.blockAllMedia)
  /** Words that a sheet has itself stay, so that it finds what it found. */
  const maskUnselected = (name: string, value: string): string =>
    sheets.isSelected(name, value)
      ? value
      : value.replaceAll(/\S+/g, (word) => (sheets.isSelected(name, word) ? word : maskText(word)))

  const masked = (name: string, value: string, element: Element | null): string | undefined => {
    if (read.has(name) || (element === null && SHOWN_BY_CUSTOM.has(name))) return maskText(value)
    // The name of a field says which it is, whatever a sheet shows of links.
    if (sheets.isShown(name) && !(name === 'name' && FIELDS.has(element?.tagName ?? ''))) {
      return CLOSED.test(value) || SHORT_NUMBER.test(value) ? value : maskUnselected(name, value)
    }
    return isPlain(name, value, element) ? undefined : maskUnselected(name, value)
  }

  return {
    css,
    masked,
    mask: (attributes, element, told) => {
      const isField = element !== null && FIELDS.has(element.tagName)
      const isHidden = rules.isMasked(told, isField) || (isField && rules.isSecret(element))
      for (const [name, value] of Object.entries(attributes)) {
        if (name === 'style' && typeof value === 'object' && value !== null) {
          maskStyle(value as Attributes, (text) => {
            sheets.learn(text)
            return css(text)
          })
          continue
        }
        if (name === PAGE) delete attributes[name]
        if (typeof value !== 'string' || name === PAGE) continue
        if (name === 'style' || name === '_cssText') {
          attributes[name] = css(value)
          continue
        }
        const said = masked(name, value, element)
        if (said !== undefined) attributes[name] = isHidden ? said : value
        else if (isMessage(element, name, value) && (isHidden || settings.blockAllMedia)) attributes[name] = '#'
        else if (ADDRESSES.has(name) && !WRITTEN_OUT.test(value))
          attributes[name] = isHidden && isOpened(element, name) ? withoutSearch(value) : withoutSecrets(value)
      }
    },
  }
}
