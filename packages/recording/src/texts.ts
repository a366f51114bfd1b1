import { EventType, NodeType, Source, type RecordedEvent } from './events.ts'
import { fieldsOf, isFields, listOf, textOf, type Fields } from './fields.ts'

/** What stood on a page: where somebody remembers words, and looks for the visit that showed them. */

export interface ShownText {
  /** In lower case, white space as single blanks. */
  readonly text: string
  /** In the case in which it stood there; '' where that is the same. */
  readonly written: string
  /** When it first stood there, as its event says. */
  readonly at: number
}

export interface TextBounds {
  /** Of one text; the rest of it is left out. */
  readonly characters: number
  readonly texts: number
  /** Of all texts. */
  readonly allCharacters: number
}

/** Their text is none of the page. */
const UNREAD_TAGS: ReadonlySet<string> = new Set(['script', 'style', 'noscript', 'template', 'head'])

/** Elements that stand in a line with the text around them; what is in any other is a text of its own. */
const INLINE_TAGS: ReadonlySet<string> = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark nobr q rp rt ruby s samp slot small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)

const READ_ATTRIBUTES = ['alt', 'aria-label', 'title', 'placeholder'] as const

/** Types of inputs whose value nobody sees as text. */
const UNSEEN_VALUES: ReadonlySet<unknown> = new Set([
  'hidden',
  'password',
  'checkbox',
  'radio',
  'file',
  'range',
  'color',
  'image',
])

/** Nothing but what masks write, and blanks. */
const MASKED = /^[*•\s]*$/
const DISPLAY_NONE = /(?:^|;)\s*display\s*:\s*none/i
/** What recorders write for the text of a script. */
const SCRIPT = 'SCRIPT_PLACEHOLDER'
/** A rule of a style sheet. */
const CSS_RULE = /\{[^{}:]*:[^{}]*\}/

/** Texts, each once, as far as they fit. */
class Collected {
  readonly #found = new Map<string, Omit<ShownText, 'text'>>()
  readonly #bounds: TextBounds
  #characters = 0
  leftOut = 0

  constructor(bounds: TextBounds) {
    this.#bounds = bounds
  }

  add(found: string, at: number): void {
    const { allCharacters, characters, texts } = this.#bounds
    // Twice as much: white space may be half of it.
    const raw = found.slice(0, 2 * characters)
    if (MASKED.test(raw)) return
    const shown = raw.replaceAll(/\s+/g, ' ').trim()
    const text = shown.toLowerCase().slice(0, characters).toWellFormed()
    if (this.#found.has(text)) return
    if (this.#found.size >= texts || this.#characters + text.length > allCharacters) {
      this.leftOut += 1
      return
    }
    this.#characters += text.length
    const written = shown.slice(0, characters).toWellFormed()
    this.#found.set(text, { written: written === text ? '' : written, at })
  }

  all(): ShownText[] {
    return Array.from(this.#found, ([text, { at, written }]) => ({ text, written, at }))
  }
}

/** A node that is still to be read; null ends a line of text. */
type Step = { readonly node: Fields; readonly isUnseen: boolean; readonly isLone: boolean } | null

const tagOf = (node: Fields): string => textOf(node['tagName']).toLowerCase()
const attributesOf = (node: Fields): Fields => fieldsOf(node['attributes'])
const entriesOf = (value: unknown): readonly Fields[] => listOf(value).filter(isFields)

const isHidden = (tag: string, attributes: Fields): boolean =>
  UNREAD_TAGS.has(tag) ||
  attributes['hidden'] !== undefined ||
  attributes['aria-hidden'] === 'true' ||
  (tag === 'dialog' && attributes['open'] === undefined) ||
  DISPLAY_NONE.test(textOf(attributes['style']).slice(0, 2000))

/** Of one series of events: what is hidden now is known of nodes that came in it. */
class Reading {
  readonly #texts: Collected
  readonly #unseen = new Set<unknown>()
  /** What was typed last, by node: each key is an event. */
  readonly #typed = new Map<number, { readonly text: string; readonly at: number }>()
  /** As much of a line as is kept. */
  readonly #lineCharacters: number

  constructor(texts: Collected, bounds: TextBounds) {
    this.#texts = texts
    this.#lineCharacters = 2 * bounds.characters
  }

  snapshot({ data, timestamp }: RecordedEvent): void {
    this.#unseen.clear()
    this.#takeTyped()
    if (isFields(data) && isFields(data['node'])) {
      this.#walk([{ node: data['node'], isUnseen: false, isLone: false }], new Map(), timestamp)
    }
  }

  incremental({ data, timestamp }: RecordedEvent): void {
    if (!isFields(data)) return
    if (data['source'] === Source.Mutation) this.#mutation(data, timestamp)
    else if (data['source'] === Source.Input) this.#input(data, timestamp)
  }

  end(): void {
    this.#takeTyped()
  }

  #takeTyped(): void {
    for (const { text, at } of this.#typed.values()) this.#texts.add(text, at)
    this.#typed.clear()
  }

  /** A box that is ticked has a value, too, which nobody sees. */
  #input({ id, isChecked, text }: Fields, at: number): void {
    if (typeof id !== 'number' || this.#unseen.has(id) || isChecked === true) return
    this.#typed.set(id, { text: textOf(text), at })
  }

  #mutation({ adds, attributes, texts }: Fields, at: number): void {
    const { below, roots } = arrange(entriesOf(adds))
    const steps = roots.flatMap((line): Step[] => [
      ...line.map(({ node, parentId }) => ({ node, isUnseen: this.#unseen.has(parentId), isLone: true })),
      null,
    ])
    this.#walk(steps.reverse(), below, at)
    for (const { id, value } of entriesOf(texts)) if (!this.#unseen.has(id)) this.#lone(textOf(value), at)
    for (const { attributes: changed, id } of entriesOf(attributes)) {
      if (isFields(changed) && !this.#unseen.has(id)) this.#attributes('', changed, at)
    }
  }

  /** A text whose element came before: it may be one of those that nobody sees. */
  #lone(text: string, at: number): void {
    if (text !== SCRIPT && !CSS_RULE.test(text.slice(0, this.#lineCharacters))) this.#texts.add(text, at)
  }

  #attributes(tag: string, attributes: Fields, at: number): void {
    for (const name of READ_ATTRIBUTES) {
      const value = attributes[name]
      if (typeof value === 'string') this.#texts.add(value, at)
    }
    const isSeen = tag === 'textarea' || (tag === 'input' && !UNSEEN_VALUES.has(attributes['type']))
    if (isSeen) this.#texts.add(textOf(attributes['value']), at)
  }

  /**
   * @param steps the last one is read first
   * @param below nodes that came apart from their parents, by these
   */
  #walk(steps: Step[], below: Below, at: number): void {
    let line = ''
    const endLine = (): void => {
      if (line !== '') this.#texts.add(line, at)
      line = ''
    }
    const write = (text: string): void => {
      if (line.length < this.#lineCharacters) line += text.slice(0, this.#lineCharacters)
    }
    while (steps.length > 0) {
      const step = steps.pop() ?? null
      if (step === null) endLine()
      else if (step.node['type'] === NodeType.Text) {
        if (step.isUnseen) this.#unseen.add(step.node['id'])
        else write(readableOf(step))
      } else if (step.node['type'] === NodeType.Element && tagOf(step.node) === 'br') write(' ')
      else if (step.node['type'] !== NodeType.Comment) this.#element(step, steps, { below, at, endLine })
    }
    endLine()
  }

  #element(
    { isUnseen, node }: NonNullable<Step>,
    steps: Step[],
    { at, below, endLine }: { below: Below; at: number; endLine: () => void },
  ): void {
    const tag = tagOf(node)
    const attributes = attributesOf(node)
    const isGone = isUnseen || isHidden(tag, attributes)
    if (isGone) this.#unseen.add(node['id'])
    else this.#attributes(tag, attributes, at)
    const isClosed = tag === 'details' && attributes['open'] === undefined
    const children = [...entriesOf(node['childNodes']), ...takeBelow(below, node['id'])]
    const isBlock = !INLINE_TAGS.has(tag)
    if (isBlock) {
      endLine()
      steps.push(null)
    }
    for (const child of children.reverse()) {
      steps.push({ node: child, isUnseen: isGone || (isClosed && tagOf(child) !== 'summary'), isLone: false })
    }
  }
}

/** Once: ids may be there twice, or in a ring. */
const takeBelow = (below: Below, id: unknown): readonly Fields[] => {
  const added = below.get(id) ?? []
  below.delete(id)
  return added.map(({ node }) => node)
}

const readableOf = ({ isLone, node }: NonNullable<Step>): string => {
  const text = textOf(node['textContent'])
  if (node['isStyle'] === true || text === SCRIPT) return ''
  return isLone && CSS_RULE.test(text.slice(0, 2000)) ? '' : text
}

interface Added {
  readonly parentId: unknown
  readonly node: Fields
}

type Below = Map<unknown, readonly Added[]>

/**
 * Nodes of a mutation come one by one, each with its parent and the sibling behind it.
 *
 * @returns children of nodes that came in it, in their order, and the lines of those that came below others
 */
const arrange = (adds: readonly Fields[]): { readonly below: Below; readonly roots: readonly (readonly Added[])[] } => {
  const byParent = new Map<unknown, Fields[]>()
  const ids = new Set<unknown>()
  for (const add of adds) {
    if (!isFields(add['node'])) continue
    ids.add(add['node']['id'])
    const others = byParent.get(add['parentId'])
    if (others === undefined) byParent.set(add['parentId'], [add])
    else others.push(add)
  }
  const below: Below = new Map()
  const roots: (readonly Added[])[] = []
  // What is its own ancestor is reached from no other, and read by nobody.
  for (const [parentId, children] of byParent) {
    const lines = linesOf(children).map((line) => line.map((node) => ({ parentId, node })))
    if (ids.has(parentId)) below.set(parentId, lines.flat())
    else roots.push(...lines)
  }
  return { below, roots }
}

/** Children of one node in rows of neighbours. */
const linesOf = (adds: readonly Fields[]): Fields[][] => {
  const [{ node: only } = {}] = adds
  if (adds.length === 1) return isFields(only) ? [[only]] : []
  const nodes = new Map<unknown, Fields>()
  const before = new Map<unknown, Fields>()
  for (const { nextId, node } of adds) {
    if (!isFields(node)) continue
    nodes.set(node['id'], node)
    if (typeof nextId === 'number') before.set(nextId, node)
  }
  const left = new Set(nodes.keys())
  const lines: Fields[][] = []
  for (const { nextId, node } of adds) {
    if (!isFields(node) || nodes.has(nextId)) continue
    const line: Fields[] = []
    for (let one: Fields | undefined = node; one !== undefined; one = before.get(one['id'])) {
      if (!left.delete(one['id'])) break
      line.push(one)
    }
    lines.push(line.reverse())
  }
  // Two that claim the same neighbour, and rings.
  for (const id of left) lines.push([nodes.get(id) ?? {}])
  return lines
}

/**
 * The texts of one segment, each once, with the moment at which it came. Texts in one line are one, also over elements that
 * stand in it. Whether something can be seen is an estimate: style sheets are not looked at, and of nodes that came in
 * earlier segments nothing is known; what is hidden when it comes is left out, also when it is shown later.
 *
 * @param events in the order of their times
 * @returns the texts, and how many more there were
 */
export const readTexts = (
  events: readonly RecordedEvent[],
  bounds: TextBounds,
): { readonly texts: readonly ShownText[]; readonly leftOut: number } => {
  const texts = new Collected(bounds)
  const reading = new Reading(texts, bounds)
  for (const event of events) {
    if (event.type === EventType.FullSnapshot) reading.snapshot(event)
    else if (event.type === EventType.IncrementalSnapshot) reading.incremental(event)
  }
  reading.end()
  return { texts: texts.all(), leftOut: texts.leftOut }
}
