import { EventType, isFields, NodeType, Source, type Fields, type RecordedEvent } from './events.ts'
import type { Extra, Extras, ScriptSheet } from './page-extras.ts'
import { childrenOf, type PageNode, type PageTree } from './page-tree.ts'

/** What is known of a page beside its nodes. */
export interface PageFacts {
  readonly href: string
  readonly width: number
  readonly height: number
  readonly top: number
  readonly left: number
}

interface WrittenNode extends Fields {
  readonly childNodes?: WrittenNode[]
}

/** The frame of a document, and the document. */
interface Frame {
  readonly parentId: number
  readonly node: WrittenNode
}

interface Written {
  /** Of the page. */
  readonly node: WrittenNode
  /** Outer ones before those in them. */
  readonly frames: readonly Frame[]
  /** All nodes in their order, with what happened to them, if anything did. */
  readonly extras: readonly (readonly [PageNode, Extra])[]
}

const open = ({ data, type }: PageNode): WrittenNode => {
  if (type === NodeType.Document) return { ...data, childNodes: [] }
  // The page goes on changing its own.
  const { attributes } = data
  return type === NodeType.Element && isFields(attributes)
    ? { ...data, attributes: { ...attributes }, childNodes: [] }
    : data
}

/** Documents of frames are written for themselves: players take them in no other way. */
const writeNodes = (document: PageNode, extras: Extras): Written => {
  const node = open(document)
  const frames: Frame[] = []
  const noted: (readonly [PageNode, Extra])[] = []
  const note = (one: PageNode): void => {
    const extra = extras.find(one)
    if (extra !== undefined) noted.push([one, extra])
  }
  note(document)
  const levels = [{ children: childrenOf(document), written: node }]
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const next = level.children.next()
    if (next.done === true) {
      levels.pop()
      continue
    }
    const child = next.value
    const written = open(child)
    note(child)
    if (child.type === NodeType.Document) frames.push({ parentId: child.parent?.id ?? 0, node: written })
    else level.written.childNodes?.push(written)
    if (written.childNodes !== undefined) levels.push({ children: childrenOf(child), written })
  }
  return { node, frames, extras: noted }
}

const mutation = (changes: Fields): Fields => ({
  source: Source.Mutation,
  adds: [],
  removes: [],
  texts: [],
  attributes: [],
  ...changes,
})

const frameOf = ({ parentId, node }: Frame): Fields =>
  mutation({ adds: [{ parentId, nextId: null, node }], isAttachIframe: true })

/** Sheets before those who use them, as one may use what another one had first. */
const adoptedOf = ({ sheets }: Extras, { extras }: Written): Fields[] => {
  const ofHost = Map.groupBy(
    Array.from(sheets.values()).toSorted((one, other) => one.styleId - other.styleId),
    ({ host }) => host,
  )
  const styleOf = ({ styleId, rules }: ScriptSheet): Fields => ({ styleId, rules })
  const made = extras.flatMap(([{ id }]) => {
    const styles = ofHost.get(id)?.map(styleOf)
    return styles === undefined ? [] : [{ source: Source.AdoptedStyleSheet, id, styles, styleIds: [] }]
  })
  const used = extras.flatMap(([{ id }, { adopted }]) =>
    adopted.length === 0 ? [] : [{ source: Source.AdoptedStyleSheet, id, styleIds: adopted }],
  )
  const changed = made.flatMap(({ styles }) => styles.flatMap(({ styleId }) => changesOf(sheets, styleId)))
  return [...made, ...used, ...changed]
}

const changesOf = (sheets: ReadonlyMap<number, ScriptSheet>, styleId: unknown): readonly Fields[] =>
  (typeof styleId === 'number' ? sheets.get(styleId)?.changes.list : undefined) ?? []

const stylesOf = ({ extras }: Written): Fields[] => {
  const attributes = extras.flatMap(([{ id }, { style }]) =>
    style.size === 0 ? [] : [{ id, attributes: { style: Object.fromEntries(style) } }],
  )
  return attributes.length === 0 ? [] : [mutation({ attributes })]
}

const visitorsOf = ({ extras }: Written): Fields[] => {
  const inputs = extras.flatMap(([{ id }, { input }]) =>
    input === null ? [] : [{ source: Source.Input, id, ...input }],
  )
  const seen = extras.flatMap(([, { canvas, media }]) => [canvas, media].filter((one) => one !== null))
  // Last: until everything else is there, nothing may be large enough to be scrolled.
  const scrolls = extras.flatMap(([{ id }, { scroll }]) =>
    scroll === null ? [] : [{ source: Source.Scroll, id, ...scroll }],
  )
  return [...inputs, ...seen, ...scrolls]
}

/** See `PageState.keyFrame`. */
export const writeKeyFrame = (tree: PageTree, extras: Extras, facts: PageFacts, at: number): RecordedEvent[] => {
  const { document } = tree
  if (document === null) return []
  const written = writeNodes(document, extras)
  const { href, width, height, top, left } = facts
  const further = [
    ...written.frames.map(frameOf),
    ...stylesOf(written),
    ...extras.fonts,
    ...adoptedOf(extras, written),
    ...written.extras.flatMap(([, { sheet }]) => sheet?.list ?? []),
    ...visitorsOf(written),
  ]
  return [
    { type: EventType.Meta, timestamp: at, data: { href, width, height } },
    { type: EventType.FullSnapshot, timestamp: at, data: { node: written.node, initialOffset: { top, left } } },
    ...further.map((data) => ({ type: EventType.IncrementalSnapshot, timestamp: at, data })),
  ]
}
