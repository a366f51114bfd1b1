import { HREF_ATTRIBUTE, isColumnProperty, isTooLayered, rewriteCss, type CssBounds, type WriteUrl } from './css.ts'
import { isFields, textOf, type Fields } from './fields.ts'
import { isPlaceholder } from './srcset.ts'
import { isPicture, isRaster, linkText, MISSING_PICTURE, NO_PICTURE } from './urls.ts'

/** Names that `setAttribute` takes, without those that an object has of itself. */
const NAME = /^(?!__proto__$)[A-Za-z_][\w.:-]{0,199}$/

/** Fetch, navigate, take the focus, or change how other addresses are read. */
const REFUSED = new Set([
  'accesskey',
  'action',
  'archive',
  'attributionsrc',
  'autofocus',
  'autoplay',
  'background',
  'base',
  'browsingtopics',
  'cite',
  'classid',
  'code',
  'codebase',
  'contenteditable',
  'csp',
  'data',
  'datasrc',
  'download',
  'dynsrc',
  'formaction',
  'formtarget',
  'http-equiv',
  'icon',
  'imagesrcset',
  'is',
  'longdesc',
  'lowsrc',
  'manifest',
  'ping',
  'profile',
  'sandbox',
  'sharedstoragewritable',
  'srcdoc',
  'srcset',
  'target',
])

/** Attributes of SVG whose values are CSS. */
const CSS_VALUES = new Set([
  'by',
  'clip-path',
  'color-profile',
  'cursor',
  'fill',
  'filter',
  'from',
  'marker',
  'marker-end',
  'marker-mid',
  'marker-start',
  'mask',
  'stroke',
  'style',
  'to',
  'values',
])
/** What `animate` and `set` may change. Addresses and handlers are not in it, and neither is anything that comes later. */
const ANIMATED =
  /^(?:accumulate|alignment-baseline|amplitude|azimuth|baseFrequency|bias|clip-path|clip-rule|color|c[xy]|d|d[xy]|diffuseConstant|display|divisor|edgeMode|elevation|exponent|fill|fill-opacity|fill-rule|flood-color|flood-opacity|font-size|fr|f[xy]|gradientTransform|gradientUnits|height|intercept|k[1-4]|lighting-color|limitingConeAngle|letter-spacing|mask|markerHeight|markerWidth|offset|opacity|order|orient|overflow|pathLength|patternTransform|points|r|ref[XY]|r[xy]|rotate|scale|seed|slope|specularConstant|specularExponent|startOffset|stdDeviation|stop-color|stop-opacity|stroke|stroke-dasharray|stroke-dashoffset|stroke-linecap|stroke-linejoin|stroke-miterlimit|stroke-opacity|stroke-width|surfaceScale|tableValues|targetX|targetY|textLength|transform|viewBox|visibility|width|word-spacing|x|x[12]|y|y[12]|z)$/

/** What filters do around each point of a picture, so often that a browser never ends. */
const FILTER_WORK: Readonly<Record<string, number>> = { numoctaves: 16, radius: 64 }

/** Whether a number of a filter is beyond what it takes to look like anything. */
const isEndless = (name: string, value: string, { isSvg, tag }: Element): boolean => {
  const most = FILTER_WORK[name]
  return (
    isSvg && tag.startsWith('fe') && most !== undefined && value.split(/[\s,]+/, 4).some((one) => Number(one) > most)
  )
}

const LINKS = new Set(['a', 'area'])
const MEDIA = new Set(['audio', 'video'])
const SIZE = /^-?\d{1,7}(?:\.\d{1,20})?(?:px|%|em|rem|vw|vh)?$/

/** What of a rewriting is counted and bounded over one event. */
export interface Budget {
  /** Things that were left out or written differently, because they could have fetched, run or done harm. */
  changed: number
  /** Characters that may still come. */
  text: number
  /** Address of the page, by which others are resolved. */
  page: string | null
  /** Of what rules of sheets do. */
  readonly sheets: CssBounds
  /** What is shown from an address: a data address of what was kept of it, or itself. */
  readonly shown: (address: string) => string
  /** The same of one of the pictures in a `srcset`, if it was kept. */
  readonly shownOf: (srcset: string) => string | null
  /** A recorded sheet with those that it imports, as far as they were kept. */
  readonly withImports: (css: string) => string
  /** Text of a sheet that a link leads to, if it was kept. */
  readonly sheetOf: (address: string) => string | null
  /** Of CSS. */
  readonly writeUrl: WriteUrl
}

/** A text if it still fits. */
export const takeText = (budget: Budget, text: string): string => {
  if (text.length <= budget.text) {
    budget.text -= text.length
    return text
  }
  budget.changed++
  return ''
}

/** Text of a sheet that was recorded, with those that it imports where there is room for them. */
export const takeSheet = (budget: Budget, css: string): string => {
  const whole = budget.withImports(css)
  return takeText(budget, whole.length <= budget.text ? whole : css)
}

export const takeCss = (budget: Budget, css: string, bounds = budget.sheets): string => {
  const { text, changed } = rewriteCss(takeText(budget, css), bounds, budget.writeUrl)
  budget.changed += changed
  return text
}

export type AttributeValue = string | number | boolean | null | Readonly<Record<string, unknown>>

type Written = Map<string, AttributeValue>

interface Element {
  /** In lower case. */
  readonly tag: string
  readonly isSvg: boolean
  /** Of what its attributes do. */
  readonly bounds: CssBounds
}

/** They change others than those they stand in. */
const ANIMATIONS = new Set(['animate', 'animatecolor', 'animatemotion', 'animatetransform', 'set'])
const NO_REFERENCES: CssBounds = { mayRefer: () => false, mayHaveColumns: () => false }

/** What a property that others inherit refers to, any element may refer to. */
const boundsOf = (css: string, { tag, isSvg, bounds }: Element, budget: Budget): CssBounds => {
  if (isSvg && ANIMATIONS.has(tag)) return NO_REFERENCES
  return css.includes('--') || css.includes('\\') ? { ...bounds, mayRefer: budget.sheets.mayRefer } : bounds
}

const isBetween = (value: unknown, least: number, most: number): value is number =>
  typeof value === 'number' && value >= least && value <= most

/** What rrweb writes of an element that no attribute says. Undefined for what it would fail on. */
const readSpecial = (name: string, value: unknown, element: Element): AttributeValue | undefined => {
  const isMedia = MEDIA.has(element.tag) && !element.isSvg
  const ofMedia = (holds: boolean): AttributeValue | undefined =>
    isMedia && holds ? (value as AttributeValue) : undefined
  switch (name) {
    case 'rr_width':
    case 'rr_height':
      return typeof value === 'string' && SIZE.test(value) ? value : undefined
    case 'rr_scrollLeft':
    case 'rr_scrollTop':
      return isBetween(value, -1e9, 1e9) ? value : undefined
    case 'rr_dataURL':
      return typeof value === 'string' && !element.isSvg && ['canvas', 'img'].includes(element.tag) && isRaster(value)
        ? value
        : undefined
    case 'rr_open_mode':
      return element.tag === 'dialog' && (value === 'modal' || value === 'non-modal') ? value : undefined
    case 'rr_mediaState':
      return ofMedia(value === 'played' || value === 'paused')
    case 'rr_mediaCurrentTime':
      return ofMedia(isBetween(value, 0, 1e7))
    case 'rr_mediaPlaybackRate':
      return ofMedia(isBetween(value, 0.0625, 16))
    case 'rr_mediaVolume':
      return ofMedia(isBetween(value, 0, 1))
    case 'rr_mediaMuted':
    case 'rr_mediaLoop':
      return ofMedia(typeof value === 'boolean')
    default:
      return undefined
  }
}

/** An address that something is shown from: kept if a browser has it already. */
const writeSource = (name: string, value: string, element: Element, written: Written, budget: Budget): void => {
  const { tag } = element
  const shows =
    name === 'poster' ? tag === 'video' : name === 'src' ? tag === 'img' || tag === 'input' : tag.endsWith('image')
  const shown = shows ? budget.shown(value) : ''
  if (isPicture(shown)) written.set(name, shown === value ? takeText(budget, value) : shown)
  else {
    budget.changed++
    if (name === 'src' && tag === 'img') written.set(name, MISSING_PICTURE)
  }
}

const writeHref = (name: string, value: string, element: Element, written: Written, budget: Budget): void => {
  if (element.isSvg && !LINKS.has(element.tag)) {
    const part = /^\s*#/.test(value) ? value.trim().slice(1) : null
    if (part !== null && element.bounds.mayRefer(part)) written.set(name, takeText(budget, value))
    else if (part !== null) budget.changed++
    else writeSource(name, value, element, written, budget)
    return
  }
  budget.changed++
  const text = LINKS.has(element.tag) ? linkText(value, budget.page) : null
  if (text !== null) written.set(HREF_ATTRIBUTE, takeText(budget, text))
}

const isHref = (name: string): boolean => /(?:^|:)href$/i.test(name)

/**
 * What was written before may be written again, e.g. on its way into a file and then by the player in it. Whoever made it up
 * gets no more than by the address itself, which has the say where both are there.
 */
const writeLink = (value: string, attributes: Fields, element: Element, written: Written, budget: Budget): void => {
  const isLink = LINKS.has(element.tag) && !Object.keys(attributes).some(isHref)
  const text = isLink ? linkText(value, null) : null
  if (text !== value) budget.changed++
  if (text !== null) written.set(HREF_ATTRIBUTE, takeText(budget, text))
}

const writeText = (name: string, value: string, element: Element, written: Written, budget: Budget): void => {
  const lower = name.toLowerCase()
  // A prefix means something in a few places only, and nothing good in any of them.
  const local = lower.slice(lower.lastIndexOf(':') + 1)
  if (local === 'href') writeHref(name, value, element, written, budget)
  else if (local === 'src' || local === 'poster') writeSource(lower, value, element, written, budget)
  else if (lower.startsWith('on') || local.startsWith('on') || REFUSED.has(local)) budget.changed++
  else if (local === 'attributename' && !ANIMATED.test(value.trim())) budget.changed++
  else if (isEndless(local, value, element)) budget.changed++
  else if (CSS_VALUES.has(local)) written.set(name, takeCss(budget, value, boundsOf(value, element, budget)))
  else written.set(name, takeText(budget, value))
}

/** The style of an element as rrweb writes its changes: by property, false for one that went. */
const writeStyle = (value: Fields, element: Element, written: Written, budget: Budget): void => {
  const style: [string, unknown][] = []
  for (const [property, set] of Object.entries(value)) {
    const bounds = boundsOf(property, element, budget)
    const isRefused =
      (isColumnProperty(property) && !bounds.mayHaveColumns(null)) ||
      isTooLayered(property, String(Array.isArray(set) ? set[0] : set))
    if (isRefused || !/^-{0,2}[A-Za-z][\w-]{0,199}$/.test(property)) budget.changed++
    else if (set === false) style.push([property, false])
    else if (typeof set === 'string') style.push([property, takeCss(budget, set, bounds)])
    else if (Array.isArray(set) && typeof set[0] === 'string') {
      style.push([property, [takeCss(budget, set[0], bounds), set[1] === 'important' ? 'important' : '']])
    } else budget.changed++
  }
  written.set('style', Object.fromEntries(style))
}

/**
 * Attributes of an element, of a snapshot or of a mutation, without what could fetch, run, navigate or take the focus.
 * The sheet of a style element (`_cssText`) is left to the caller.
 */
export const rewriteAttributes = (
  attributes: Fields,
  element: Element,
  budget: Budget,
): Record<string, AttributeValue> => {
  const written: Written = new Map()
  for (const [name, value] of Object.entries(attributes)) {
    if (name === '_cssText') continue
    if (name === HREF_ATTRIBUTE && typeof value === 'string') writeLink(value, attributes, element, written, budget)
    else if (!NAME.test(name) || (name.toLowerCase() === HREF_ATTRIBUTE && value !== null)) budget.changed++
    else if (name.startsWith('rr_')) {
      const special = readSpecial(name, value, element)
      if (special === undefined) budget.changed++
      else written.set(name, typeof special === 'string' ? takeText(budget, special) : special)
    } else if (typeof value === 'string') writeText(name, value, element, written, budget)
    else if (value === null) writeRemoval(name, written)
    else if (name === 'style' && isFields(value)) writeStyle(value, element, written, budget)
    else if ((typeof value === 'number' || typeof value === 'boolean') && !isRefusedFlag(name)) written.set(name, value)
    else budget.changed++
  }
  if (element.tag === 'img' && !element.isSvg) writeCandidate(attributes, written, budget)
  writeBox(attributes, element, written)
  return Object.fromEntries(written)
}

/** An image without an address that shows something is shown from one of the others that it has. */
const writeCandidate = ({ src, srcset }: Fields, written: Written, budget: Budget): void => {
  const shows = typeof src === 'string' && written.get('src') !== MISSING_PICTURE && !isPlaceholder(src)
  const shown = typeof srcset === 'string' && !shows ? budget.shownOf(srcset) : null
  if (shown !== null && isPicture(shown)) written.set('src', shown)
}

/**
 * Of what was not recorded only the outer size is known, with its borders. Its class says where it stands; its colours and
 * what else a sheet tells by it, such as words before it, were not to be told.
 */
const BOX = [
  'box-sizing:border-box',
  'content-visibility:hidden',
  'background:#e5e3dd',
  'border-color:#e5e3dd',
  'border-image:none',
  'box-shadow:none',
  'outline:none',
  'list-style:none',
  'text-decoration:none',
  'color:transparent',
]
  .map((declaration) => `${declaration}!important`)
  .join(';')
/** Only what shows a picture has a size where it stands in a line, and nothing that a sheet says before and behind it. */
const IN_LINE = `content:url("${NO_PICTURE}")!important;vertical-align:text-bottom!important;${BOX}`
const INLINE_TAGS = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark output q s samp small span strike strong sub sup time tt u var'.split(
    ' ',
  ),
)
const NO_SIZE = /^0(?:\.0+)?px$/
const NOT_DRAWN = 'display:none!important'

const writeBox = ({ rr_width: width, rr_height: height }: Fields, { isSvg, tag }: Element, written: Written): void => {
  if (typeof width !== 'string' || typeof height !== 'string') return
  const isImage = tag === 'img' && !isSvg
  // An image may not have come yet, and others stand around its place. What else had no size was hidden.
  if (!isImage && NO_SIZE.test(width) && NO_SIZE.test(height)) {
    written.set('style', NOT_DRAWN)
    return
  }
  const box = !isSvg && (INLINE_TAGS.has(tag) || tag.includes('-')) ? IN_LINE : BOX
  const own = textOf(written.get('style'))
  // What is on its way through a file was written once already.
  if (!own.endsWith(box)) written.set('style', own === '' ? box : `${own};${box}`)
}

const writeRemoval = (name: string, written: Written): void => {
  written.set(name, null)
  if (name === 'href') written.set(HREF_ATTRIBUTE, null)
}

/** Attributes that do something by being there. */
const isRefusedFlag = (name: string): boolean => {
  const lower = name.toLowerCase()
  return lower.startsWith('on') || REFUSED.has(lower.slice(lower.lastIndexOf(':') + 1))
}
