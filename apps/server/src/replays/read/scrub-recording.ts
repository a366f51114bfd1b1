import { isFields, EventType, NodeType, Source, type Fields } from '@firsthand/recording'
import type { ProjectSettings } from '../../accounts/settings.ts'
import { scrubBag, scrubbingRules, type ScrubbingRules } from '../../event/index.ts'

type Mutable = { [name: string]: unknown }
type Clean = (text: string) => string

const FILTERED = '[Filtered]'

/** Attributes with addresses; into the last one recorders put that of a frame from another site. */
const URLS: ReadonlySet<string> = new Set(
  'href src srcset action formaction poster data cite ping background manifest longdesc xlink:href imagesrcset rr_src'.split(
    ' ',
  ),
)
/** A picture that a recorder took of an element, as a `data:` address. */
const PICTURE = 'rr_dataURL'

/** The page of a frame as it was written, also what is blocked in it. It is recorded as a page, and players show that. */
const PAGE = 'srcdoc'

/** Attributes that page and browser speak to each other with, and nobody writes into. */
const UNREAD: ReadonlySet<string> = new Set(
  'class id type role for rel d points viewbox transform width height xmlns integrity nonce tabindex media sizes'.split(
    ' ',
  ),
)

const CSS_URL = /url\(\s*(["']?)([^"')\s]+)\1/gi

/** Scrubs one recording. */
class Scrubber {
  hasChanged = false
  readonly #rules: ScrubbingRules
  readonly #url: Clean
  readonly #text: Clean

  constructor(rules: ScrubbingRules) {
    this.#rules = {
      ...rules,
      // It is asked for the name of a rule whenever that rule changed something.
      ruleFor: (key, before) => {
        this.hasChanged = true
        return rules.ruleFor(key, before)
      },
    }
    this.#url = (url) => (url.startsWith('data:') || url.startsWith('blob:') ? url : rules.url(url))
    this.#text = rules.text
  }

  event({ data, type }: Fields): void {
    if (!isFields(data)) return
    if (type === EventType.Meta) this.#set(data, 'href', this.#url)
    else if (type === EventType.FullSnapshot) this.#page([data['node']])
    else if (type === EventType.IncrementalSnapshot) this.#incremental(data)
    else if (type === EventType.Custom) this.#custom(data)
    else if (type === EventType.Plugin && isContainer(data['payload'])) scrubBag(this.#rules, data['payload'])
  }

  #set(holder: Fields, name: string, clean: Clean): void {
    const after = this.#changed(holder[name], clean)
    if (after !== null) (holder as Mutable)[name] = after
  }

  #setFirst(list: unknown[], clean: Clean): void {
    const after = this.#changed(list[0], clean)
    if (after !== null) list[0] = after
  }

  /** A text that has to be another one; null for what may stay as it is. */
  #changed(before: unknown, clean: Clean): string | null {
    if (typeof before !== 'string' || before === '') return null
    const after = clean(before)
    if (after === before) return null
    this.hasChanged = true
    return after
  }

  readonly #css: Clean = (css) =>
    // Only what follows a question mark can name a secret.
    css.includes('?') && css.includes('(')
      ? css.replaceAll(CSS_URL, (whole, _quote, url: string) => whole.replace(url, () => this.#url(url)))
      : css

  /** Text that is added to a style sheet, or changed in it, does not say so: it may be either. */
  readonly #prose: Clean = (text) => this.#css(this.#text(text))

  /** Nodes and all below them, however deep. */
  #page(nodes: readonly unknown[]): void {
    const waiting = nodes.map((node) => ({ node, isStyle: false }))
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
      const { isStyle, node } = one
      if (!isFields(node)) continue
      if (node['type'] !== NodeType.Element) {
        this.#set(node, 'textContent', isStyle || node['isStyle'] === true ? this.#css : this.#prose)
      }
      if (isFields(node['attributes'])) this.#attributes(node['attributes'])
      const isStyleHere = node['tagName'] === 'style'
      for (const child of listOf(node['childNodes'])) waiting.push({ node: child, isStyle: isStyleHere })
    }
  }

  #attributes(attributes: Fields): void {
    for (const name of Object.keys(attributes)) {
      const value = attributes[name]
      if (name.toLowerCase() === PAGE) this.#leaveOut(attributes, name)
      else if (isFields(value)) this.#declarations(value)
      else if (name === 'style' || name === '_cssText') this.#set(attributes, name, this.#css)
      else if (URLS.has(name.toLowerCase())) this.#set(attributes, name, this.#url)
      else if (this.#isNamed(attributes, name)) this.#set(attributes, name, () => FILTERED)
      else if (!UNREAD.has(name.toLowerCase()) && name !== PICTURE) this.#set(attributes, name, this.#text)
    }
  }

  #leaveOut(holder: Fields, name: string): void {
    Reflect.deleteProperty(holder, name)
    this.hasChanged = true
  }

  /** Values by their properties; one with a priority is a list of both. */
  #declarations(style: Fields): void {
    for (const property of Object.keys(style)) {
      const value = style[property]
      if (Array.isArray(value)) this.#setFirst(value, this.#css)
      else this.#set(style, property, this.#css)
    }
  }

  /** What a field or a `meta` element holds is judged by the name of this, what scripts keep in an element by its own. */
  #isNamed({ id, name: field }: Fields, name: string): boolean {
    const named = name === 'value' || name === 'content' ? [field, id] : name.startsWith('data-') ? [name] : []
    return named.some((one) => typeof one === 'string' && this.#rules.kindOf(one) === 'sensitive')
  }

  #incremental(data: Fields): void {
    switch (data['source']) {
      case Source.Mutation:
        this.#page(objectsOf(data['adds']).map(({ node }) => node))
        for (const one of objectsOf(data['texts'])) this.#set(one, 'value', this.#prose)
        for (const { attributes } of objectsOf(data['attributes'])) {
          if (isFields(attributes)) this.#attributes(attributes)
        }
        break
      case Source.Input:
        this.#set(data, 'text', this.#text)
        break
      case Source.StyleSheetRule:
        this.#rulesOf(data)
        for (const name of ['replace', 'replaceSync']) this.#set(data, name, this.#css)
        break
      case Source.StyleDeclaration:
        if (isFields(data['set'])) this.#set(data['set'], 'value', this.#css)
        break
      case Source.AdoptedStyleSheet:
        for (const sheet of objectsOf(data['styles']))
          for (const one of objectsOf(sheet['rules'])) this.#set(one, 'rule', this.#css)
        break
      case Source.Font:
        this.#set(data, 'fontSource', this.#css)
        break
      case Source.CanvasMutation:
        for (const command of [data, ...objectsOf(data['commands'])]) this.#command(command)
        break
      default:
    }
  }

  #rulesOf(data: Fields): void {
    for (const one of objectsOf(data['adds'])) this.#set(one, 'rule', this.#css)
  }

  /** What is written on a canvas. */
  #command({ args, property }: Fields): void {
    if ((property !== 'fillText' && property !== 'strokeText') || !Array.isArray(args)) return
    this.#setFirst(args, this.#text)
  }

  /** What an SDK notes beside the picture: as breadcrumbs and spans of events, but for the names of elements. */
  #custom({ payload, tag }: Fields): void {
    if (!isFields(payload)) return
    const { category, data } = payload
    if (tag === 'performanceSpan') this.#set(payload, 'description', this.#url)
    else if (tag !== 'breadcrumb') {
      scrubBag(this.#rules, payload)
      return
    } else if (typeof category === 'string' && category.startsWith('ui.')) {
      this.#set(payload, 'message', this.#text)
      if (isFields(data)) this.#element(data)
      return
    } else this.#set(payload, 'message', this.#rules.value)
    if (isContainer(data)) scrubBag(this.#rules, data)
  }

  #element(data: Fields): void {
    for (const name of ['url', 'route']) this.#set(data, name, this.#url)
    const { node } = data
    if (!isFields(node)) return
    this.#set(node, 'textContent', this.#text)
    if (isFields(node['attributes'])) this.#attributes(node['attributes'])
  }
}

const isContainer = (value: unknown): value is object => typeof value === 'object' && value !== null
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : [])
const objectsOf = (value: unknown): readonly Fields[] => listOf(value).filter(isFields)

/**
 * Scrubs what was recorded in place, by the rules of events: addresses, what stood on pages and in fields, what the page
 * wrote to its console, bodies and headers of requests. Each text is judged by itself; values of fields by their names where
 * both are recorded together, else by what they look like.
 *
 * @param entries of one segment, as it was sent
 * @returns whether anything was changed
 */
export const scrubRecording = (entries: readonly unknown[], settings: Pick<ProjectSettings, 'scrubbing'>): boolean => {
  const rules = scrubbingRules(settings)
  if (rules === null) return false
  const scrubber = new Scrubber(rules)
  for (const entry of entries) if (isFields(entry)) scrubber.event(entry)
  return scrubber.hasChanged
}
