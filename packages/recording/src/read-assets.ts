import { assetAddress, baseOf } from './asset-address.ts'
import { MAX_LEFT_OUT } from './bounds.ts'
import { NO_BOUNDS, rewriteCss } from './css.ts'
import { EventType, NodeType, Source, type RecordedEvent } from './events.ts'
import { fieldsOf, isFields, listOf, textOf, type Fields } from './fields.ts'
import { takeImports } from './read-sheet.ts'
import { isSheetLink } from './sheet-links.ts'
import { candidateOf, isPlaceholder } from './srcset.ts'

/** Which pictures, fonts and style sheets a page names that were not recorded with it. */

/** Addresses of one segment. */
export interface NamedAddresses {
  readonly addresses: readonly string[]
  readonly leftOut: readonly string[]
}

export interface AssetBounds {
  /** Of one address; longer ones are left out. */
  readonly characters: number
  readonly addresses: number
  /** Whether somebody wants it. What nobody wants does not count. */
  readonly allows: (url: string) => boolean
}

/** Without one of these, also escaped, CSS names nothing. */
const NAMES_SOMETHING = /url|image-set|@import|\\/i
/** Of an element that came earlier only its number is known: what looks like a picture is taken for one. */
const PICTURE_FILE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|ico)(?:[?#]|$)/i

/** Instead of a secret that the recorder left out: without it nothing, or something else, is there. */
const FILTERED = /%(?:25)*5BFiltered%(?:25)*5D/i

/** The attribute that an element is shown from; the same as the rewriting looks at. */
const sourcesOf = (tag: string): readonly string[] => {
  if (tag === 'img' || tag === 'input') return ['src']
  if (tag === 'video') return ['poster']
  return tag.endsWith('image') ? ['href', 'xlink:href'] : []
}

/** A node that is still to be read. */
interface Opened {
  readonly node: unknown
  /** Its text is CSS. */
  readonly isStyle: boolean
}

class Reading {
  readonly found = new Set<string>()
  readonly leftOut = new Set<string>()
  readonly #bounds: AssetBounds
  readonly #tags = new Map<unknown, string>()
  #page: string | null = null

  constructor(bounds: AssetBounds) {
    this.#bounds = bounds
  }

  event({ data, type }: RecordedEvent): void {
    if (!isFields(data)) return
    if (type === EventType.Meta) this.#page = baseOf(textOf(data['href']))
    else if (type === EventType.FullSnapshot) this.#nodes([{ node: data['node'], isStyle: false }])
    else if (type === EventType.IncrementalSnapshot) this.#incremental(data)
  }

  #incremental(data: Fields): void {
    switch (data['source']) {
      case Source.Mutation:
        for (const { node, parentId } of listOf(data['adds']).map(fieldsOf)) {
          this.#nodes([{ node, isStyle: this.#tags.get(parentId) === 'style' }])
        }
        for (const { value } of listOf(data['texts']).map(fieldsOf)) this.#css(value)
        for (const { attributes, id } of listOf(data['attributes']).map(fieldsOf)) {
          if (isFields(attributes)) this.#attributes(this.#tags.get(id) ?? null, attributes)
        }
        break
      case Source.StyleSheetRule:
        for (const { rule } of listOf(data['adds']).map(fieldsOf)) this.#css(rule)
        this.#css(data['replace'])
        this.#css(data['replaceSync'])
        break
      case Source.StyleDeclaration:
        this.#css(fieldsOf(data['set'])['value'])
        break
      case Source.AdoptedStyleSheet:
        for (const { rules } of listOf(data['styles']).map(fieldsOf)) {
          for (const { rule } of listOf(rules).map(fieldsOf)) this.#css(rule)
        }
        break
      case Source.Font:
        if (data['buffer'] !== true) this.#css(data['fontSource'])
        break
      default:
    }
  }

  #nodes(open: Opened[]): void {
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      const { isStyle, node } = one
      if (!isFields(node)) continue
      if (node['type'] === NodeType.Text && (isStyle || node['isStyle'] === true)) this.#css(node['textContent'])
      const tag = node['type'] === NodeType.Element ? textOf(node['tagName']).toLowerCase() : null
      if (tag !== null) {
        this.#tags.set(node['id'], tag)
        this.#attributes(tag, fieldsOf(node['attributes']))
      }
      for (const child of listOf(node['childNodes'])) open.push({ node: child, isStyle: tag === 'style' })
    }
  }

  /** @param tag null for an element that came earlier */
  #attributes(tag: string | null, attributes: Fields): void {
    this.#css(attributes['_cssText'])
    this.#css(attributes['style'])
    if (isFields(attributes['style'])) {
      for (const set of Object.values(attributes['style'])) this.#css(Array.isArray(set) ? set[0] : set)
    }
    const { src, srcset } = attributes
    // One of them is enough, and the same as is drawn.
    const candidate = typeof srcset === 'string' && isPlaceholder(src) ? candidateOf(srcset) : null
    if (tag === null) {
      for (const named of [textOf(src), candidate ?? '']) if (PICTURE_FILE.test(named)) this.#add(named)
      return
    }
    for (const name of sourcesOf(tag)) this.#add(textOf(attributes[name]))
    if (tag === 'img' && candidate !== null) this.#add(candidate)
    if (isSheetLink(tag, attributes) && attributes['_cssText'] === undefined) this.#add(textOf(attributes['href']))
  }

  #css(value: unknown): void {
    if (typeof value !== 'string' || !NAMES_SOMETHING.test(value)) return
    const { imports, rest } = takeImports(value)
    for (const { address } of imports) this.#add(address)
    rewriteCss(rest, NO_BOUNDS, (address) => {
      this.#add(address)
      return null
    })
  }

  #add(address: string): void {
    const { addresses, allows, characters } = this.#bounds
    const url = assetAddress(address, this.#page)
    if (url === null || this.found.has(url) || FILTERED.test(url) || !allows(url)) return
    if (url.length <= characters && this.found.size < addresses) this.found.add(url)
    else if (this.leftOut.size < MAX_LEFT_OUT) this.leftOut.add(url)
  }
}

/**
 * Addresses of one segment from which something is shown, each once, without fragments.
 *
 * @param events in the order of their times
 * @returns the addresses, and others for which there was no room, as far as they are counted
 */
export const readAssetAddresses = (events: readonly RecordedEvent[], bounds: AssetBounds): NamedAddresses => {
  const reading = new Reading(bounds)
  for (const event of events) reading.event(event)
  return { addresses: [...reading.found], leftOut: [...reading.leftOut] }
}
