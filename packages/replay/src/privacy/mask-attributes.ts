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

export interface AttributeMasker {
  /** Masks what a sheet says, and learns which attributes it shows. */
  readonly css: MaskCss
  /** How many names of attributes sheets show, as far as sheets were seen. */
  readonly shown: () => number
  /** Masks them where they are. */
  mask(attributes: Attributes, element: Element | null, told: boolean | undefined): void
}

/** @param rules of the page as it is now */
export const createAttributeMasker = (settings: Settings, rules: Rules): AttributeMasker => {
  const read: ReadonlySet<string> = new Set([...READ, ...settings.maskAttributes])
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

  return {
    css,
    shown: () => shown.size,
    mask: (attributes, element, told) => {
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
    },
  }
}
