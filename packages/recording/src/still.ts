import { EventType, NodeType, Source, type RecordedEvent } from './events.ts'
import { fieldsOf, isFields, listOf, textOf, type Fields } from './fields.ts'
import { rewriteEvents, type KeptAssets } from './rewrite.ts'

/** How much of a page a still holds; characters are those of its HTML. */
export interface StillBounds {
  readonly nodes: number
  readonly characters: number
}

/** A recorded page at a moment, as HTML without anything that moves, fetches or runs. */
export interface Still {
  readonly html: string
  /** Of the window, in CSS pixels; 0 for unknown. */
  readonly width: number
  readonly height: number
}

/** Nothing is drawn twice: a list has many of them. */
const SHEET = `*,*::before,*::after{animation:none!important;transition:none!important;caret-color:transparent!important}
html{overflow:hidden!important}`

const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Browsers read what is in them as one text, or make a page or a player of each: an empty box stands in. */
const BOXES = new Set(['audio', 'canvas', 'iframe', 'video'])
const RAW = new Set(['noembed', 'noframes', 'plaintext', 'xmp'])
const HTML_NAME = /^[a-z][a-z0-9.-]*$/i

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const escapeValue = (text: string): string => escapeText(text).replaceAll('"', '&quot;')
/** In CSS a slash may be escaped anywhere; the element would end otherwise. */
const escapeSheet = (css: string): string => css.replaceAll('</', String.raw`<\/`)

const numberOf = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** What the events after a snapshot say of one node. */
interface Noted {
  style: string
  sheet: string
  picture: string | null
  input: { readonly text: string; readonly isChecked: boolean } | null
}

const declaration = ([property, value]: readonly [string, unknown]): string => {
  if (typeof value === 'string') return `${property}:${value};`
  return Array.isArray(value) && value[1] === 'important' ? `${property}:${textOf(value[0])}!important;` : ''
}

const rulesOf = (entries: unknown): string =>
  listOf(entries)
    .map((entry) => (isFields(entry) ? textOf(entry['rule']) : ''))
    .join('\n')

/** The last picture that was painted on a canvas, as recorders send it: an encoded image that is drawn over all of it. */
const pictureOf = (data: Fields): string | null => {
  const json = listOf(data['commands'])
  for (const command of json.toReversed()) {
    if (!isFields(command) || command['property'] !== 'drawImage') continue
    const [source] = listOf(command['args'])
    const blob = isFields(source) ? listOf(source['args'])[0] : null
    const part = isFields(blob) ? listOf(blob['data'])[0] : null
    const base64 = isFields(part) ? textOf(part['base64']) : ''
    const type = isFields(blob) ? textOf(blob['type']) : ''
    if (/^image\/(?:webp|png|jpeg)$/.test(type) && /^[A-Za-z0-9+/]+={0,2}$/.test(base64)) {
      return `data:${type};base64,${base64}`
    }
  }
  return null
}

class Notes {
  readonly #byNode = new Map<number, Noted>()
  /** Sheets that scripts made, by their numbers. */
  readonly #sheets = new Map<number, string>()

  constructor(events: readonly RecordedEvent[]) {
    for (const { type, data } of events) {
      if (type === EventType.IncrementalSnapshot && isFields(data)) this.#read(data)
    }
  }

  find(id: unknown): Noted | undefined {
    return typeof id === 'number' ? this.#byNode.get(id) : undefined
  }

  outline(id: unknown, width: number): void {
    this.#of(id).style +=
      `outline:${width}px solid #b8730a!important;outline-offset:${Math.round(width / 3)}px!important;`
  }

  #of(id: unknown): Noted {
    const key = numberOf(id)
    const known = this.#byNode.get(key) ?? { style: '', sheet: '', picture: null, input: null }
    this.#byNode.set(key, known)
    return known
  }

  #read(data: Fields): void {
    const { id } = data
    switch (data['source']) {
      case Source.Mutation:
        for (const entry of listOf(data['attributes'])) {
          const style = isFields(entry) && isFields(entry['attributes']) ? entry['attributes']['style'] : null
          if (isFields(entry) && isFields(style)) {
            this.#of(entry['id']).style += Object.entries(style).map(declaration).join('')
          }
        }
        break
      case Source.Input:
        this.#of(id).input = { text: textOf(data['text']), isChecked: data['isChecked'] === true }
        break
      case Source.StyleSheetRule:
        if (id !== undefined) this.#of(id).sheet += `${rulesOf(data['adds'])}\n`
        break
      case Source.AdoptedStyleSheet:
        this.#adopt(data)
        break
      case Source.CanvasMutation:
        this.#of(id).picture = pictureOf(data) ?? this.#of(id).picture
        break
      default:
    }
  }

  #adopt(data: Fields): void {
    for (const entry of listOf(data['styles'])) {
      if (isFields(entry)) this.#sheets.set(numberOf(entry['styleId']), rulesOf(entry['rules']))
    }
    const used = listOf(data['styleIds']).map((styleId) => this.#sheets.get(numberOf(styleId)) ?? '')
    if (used.length > 0) this.#of(data['id']).sheet = used.join('\n')
  }
}

/** An element as it is opened, and what ends it. */
interface Opened {
  readonly start: string
  /** Stands in it before its children. */
  readonly inside: string
  readonly end: string
  readonly hasChildren: boolean
}

const attribute = (name: string, value: unknown): string => {
  if (value === true) return ` ${name}`
  return typeof value === 'string' || typeof value === 'number' ? ` ${name}="${escapeValue(String(value))}"` : ''
}

/** Of what was not recorded only the place is known. */
const blockedStyle = (attributes: Fields): string => {
  const { rr_width: width, rr_height: height } = attributes
  return typeof width === 'string' && typeof height === 'string'
    ? `;width:${width};height:${height};background:#e5e3dd`
    : ''
}

const styleOf = (attributes: Fields, noted: Noted | undefined): string =>
  [textOf(attributes['style']), noted?.style ?? '', blockedStyle(attributes)].filter((part) => part !== '').join(';')

const LEFT_OUT = new Set(['_cssText', 'style', 'value', 'checked', 'loading', 'tabindex'])

const plainAttributes = (attributes: Fields): string =>
  Object.entries(attributes)
    .filter(([name]) => !LEFT_OUT.has(name) && !name.startsWith('rr_'))
    .map(([name, value]) => attribute(name, value))
    .join('')

const fieldAttributes = (attributes: Fields, noted: Noted | undefined): string => {
  const isChecked = noted?.input?.isChecked ?? attributes['checked'] === true
  return attribute('value', noted?.input?.text ?? attributes['value']) + (isChecked ? ' checked' : '')
}

/** A box in the place of an element, or the picture that is known of it. */
const openBox = (attributes: Fields, noted: Noted | undefined, style: string): Opened => {
  const picture = noted?.picture ?? attributes['rr_dataURL'] ?? attributes['poster']
  const others = plainAttributes({ ...attributes, poster: undefined, controls: undefined }) + style
  return typeof picture === 'string'
    ? { start: `<img alt=""${attribute('src', picture)}${others}>`, inside: '', end: '', hasChildren: false }
    : { start: `<canvas${others}>`, inside: '', end: '</canvas>', hasChildren: false }
}

const openElement = (node: Fields, notes: Notes): Opened => {
  const name = textOf(node['tagName'])
  const attributes = fieldsOf(node['attributes'])
  const noted = notes.find(node['id'])
  const style = attribute('style', styleOf(attributes, noted) || null)
  const isSvg = node['isSVG'] === true
  if (isSvg) {
    return {
      start: `<${name}${plainAttributes(attributes)}${style}>`,
      inside: '',
      end: `</${name}>`,
      hasChildren: true,
    }
  }
  if (BOXES.has(name)) return openBox(attributes, noted, style)
  if (name === 'style') {
    const sheet = `${textOf(attributes['_cssText'])}${sheetIn(node)}\n${noted?.sheet ?? ''}`
    const start = `<style${plainAttributes(attributes)}>`
    return { start, inside: escapeSheet(sheet), end: '</style>', hasChildren: false }
  }
  if (name === 'textarea') {
    const text = noted?.input?.text ?? attributes['value']
    const start = `<textarea${plainAttributes(attributes)}${style}>`
    return { start, inside: escapeText(textOf(text)), end: '</textarea>', hasChildren: text === undefined }
  }
  const picture = name === 'img' ? attribute('src', attributes['rr_dataURL']) : ''
  const opens = name === 'dialog' && attributes['rr_open_mode'] !== undefined ? ' open' : ''
  // An image of its own comes first: the first of two attributes of a name counts.
  const start = `${picture}${plainAttributes(attributes)}${fieldAttributes(attributes, noted)}${opens}${style}`
  const tag = RAW.has(name) || !HTML_NAME.test(name) ? 'div' : name
  const isVoid = VOID.has(tag)
  return {
    start: `<${tag}${start}>`,
    inside: tag === 'head' ? `<style>${SHEET}</style>` : '',
    end: isVoid ? '' : `</${tag}>`,
    hasChildren: !isVoid,
  }
}

const sheetIn = (node: Fields): string =>
  listOf(node['childNodes'])
    .map((child) => (isFields(child) ? textOf(child['textContent']) : ''))
    .join('')

interface Level {
  readonly children: readonly unknown[]
  readonly end: string
  readonly isShadow: boolean
  index: number
}

/** Writes nodes in the order of the page, as many as there is room for; what is open is closed. */
class Writer {
  readonly #parts: string[] = []
  readonly #notes: Notes
  #nodes: number
  #characters: number

  constructor(notes: Notes, bounds: StillBounds) {
    this.#notes = notes
    this.#nodes = bounds.nodes
    this.#characters = bounds.characters
  }

  write(document: Fields): string {
    const levels: Level[] = [{ children: listOf(document['childNodes']), end: '', isShadow: false, index: 0 }]
    for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
      const child = level.children[level.index++]
      if (child === undefined || this.#nodes <= 0) {
        this.#parts.push(level.end)
        levels.pop()
      } else if (isFields(child) && (child['isShadow'] === true) === level.isShadow) {
        levels.push(...this.#node(child).toReversed())
      }
    }
    return this.#parts.join('')
  }

  #take(text: string): boolean {
    if (text.length > this.#characters) return false
    this.#characters -= text.length
    this.#parts.push(text)
    return true
  }

  /** @returns what comes next, in its order */
  #node(node: Fields): Level[] {
    this.#nodes -= 1
    if (node['type'] === NodeType.Text) this.#take(escapeText(textOf(node['textContent'])))
    if (node['type'] === NodeType.DocumentType) this.#take('<!DOCTYPE html>')
    return node['type'] === NodeType.Element ? this.#element(node) : []
  }

  #element(node: Fields): Level[] {
    const { start, inside, end, hasChildren } = openElement(node, this.#notes)
    // Without its content and its end it would stay open: all of it, or nothing.
    if (!this.#take(start)) return []
    if (inside !== '') this.#take(inside)
    const children = hasChildren ? listOf(node['childNodes']) : []
    const light: Level = { children, end, isShadow: false, index: 0 }
    if (node['isShadowHost'] !== true) return [light]
    this.#take('<template shadowrootmode="open">')
    this.#adopted(node)
    return [{ children, end: '</template>', isShadow: true, index: 0 }, light]
  }

  #adopted(node: Fields): void {
    const sheet = this.#notes.find(node['id'])?.sheet ?? ''
    if (sheet !== '') this.#take(`<style>${escapeSheet(sheet)}</style>`)
  }
}

/** Their text is none of the page. */
const UNREAD = new Set(['head', 'noscript', 'script', 'style', 'template'])
const READ_ATTRIBUTES = ['alt', 'aria-label', 'placeholder', 'title', 'value'] as const

/** What stands in a node, so many levels below it. */
const textIn = (node: unknown, levels: number): string => {
  if (!isFields(node)) return ''
  if (node['type'] === NodeType.Text) return textOf(node['textContent'])
  if (node['type'] !== NodeType.Element || UNREAD.has(textOf(node['tagName']))) return ''
  const attributes = fieldsOf(node['attributes'])
  const said = READ_ATTRIBUTES.map((name) => textOf(attributes[name])).join('\n')
  if (levels === 0) return said
  return (
    said +
    listOf(node['childNodes'])
      .map((child) => textIn(child, levels - 1))
      .join('')
  )
}

const asSearched = (text: string): string => text.replaceAll(/\s+/g, ' ').toLowerCase()

/** Words in one line may be in elements that stand in it. */
const LINE_LEVELS = 3

/**
 * The first element of a page in which words stand, as near to them as can be; null where they do not stand.
 *
 * @param words as they are searched
 * @param nodes so many are looked at
 */
const elementWith = (document: Fields, words: string, nodes: number): Fields | null => {
  const has = (node: unknown, levels: number): boolean => asSearched(textIn(node, levels)).includes(words)
  for (const levels of [1, LINE_LEVELS]) {
    const waiting: unknown[] = [document]
    for (let looked = 0; looked < nodes && waiting.length > 0; looked += 1) {
      const node = waiting.pop()
      if (!isFields(node) || UNREAD.has(textOf(node['tagName']))) continue
      const children = listOf(node['childNodes'])
      if (node['type'] === NodeType.Element && has(node, levels)) {
        const nearer = children.find(
          (child) => isFields(child) && child['type'] === NodeType.Element && has(child, levels),
        )
        return isFields(nearer) ? nearer : node
      }
      for (const child of children.toReversed()) waiting.push(child)
    }
  }
  return null
}

/** Of the outline, in so many parts of the window: a list shows it far smaller. */
const OUTLINE_PART = 64

/** What scripts gave the document itself, behind everything in its head. */
const documentSheet = (document: Fields, notes: Notes): string => {
  const sheet = notes.find(document['id'])?.sheet ?? ''
  return sheet === '' ? '' : `<style>${escapeSheet(sheet)}</style>`
}

/** A page that was scrolled is moved up: nothing can scroll it without a script. */
const scrolled = (data: Fields): string => {
  const { top, left } = fieldsOf(data['initialOffset'])
  const [x, y] = [numberOf(left), numberOf(top)]
  return x === 0 && y === 0
    ? ''
    : `<style>body{position:relative!important;top:${-y}px!important;left:${-x}px!important}</style>`
}

/**
 * A page as it is shown small beside many others. It is written from what was rewritten for a player, and bounded: of a
 * long page it has the beginning. Documents of frames are left out.
 *
 * @param keyFrame of a page, as `PageState` writes it
 * @param words in whatever case: the element in which they stand is outlined; '' for none
 * @param kept of its pictures and style sheets
 * @returns null when there is no page
 */
export const writeStill = (
  keyFrame: readonly RecordedEvent[],
  bounds: StillBounds,
  words = '',
  kept?: KeptAssets,
): Still | null => {
  const { events } = rewriteEvents(keyFrame, kept)
  const meta = events.find(({ type }) => type === EventType.Meta)?.data
  const snapshot = events.find(({ type }) => type === EventType.FullSnapshot)?.data
  const document = isFields(snapshot) ? snapshot['node'] : null
  if (!isFields(snapshot) || !isFields(document)) return null
  const notes = new Notes(events)
  const { width, height } = fieldsOf(meta)
  const meant = words.trim() === '' ? null : elementWith(document, asSearched(words.trim()), bounds.nodes)
  if (meant !== null) notes.outline(meant['id'], Math.max(4, Math.round(numberOf(width) / OUTLINE_PART)))
  const html = new Writer(notes, bounds).write(document)
  return {
    html: `${html}${documentSheet(document, notes)}${scrolled(snapshot)}`,
    width: numberOf(width),
    height: numberOf(height),
  }
}
