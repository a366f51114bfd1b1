import { EventType, NodeType, Source } from './events.ts'
import type { Fields } from './fields.ts'
import type { Extra, Extras, ScriptSheet } from './page-extras.ts'
import { isWhole, type PageNode, type PageTree } from './page-tree.ts'

/** What is known of a page beside its nodes. */
export interface PageFacts {
  readonly href: string
  readonly width: number
  readonly height: number
  readonly top: number
  readonly left: number
}

/** An event as JSON. */
export interface WrittenEvent {
  readonly type: number
  readonly json: string
}

/** JSON that grows. As one string it is put together once, with the chunk that it stands in. */
interface Json {
  text: string
}

/** The frame of a document, and the document. */
interface Frame {
  readonly parentId: number
  readonly node: Json
}

interface Written {
  /** Of the page. */
  readonly node: Json
  /** Outer ones before those in them. */
  readonly frames: readonly Frame[]
  /** All nodes in their order, with what happened to them, if anything did. */
  readonly extras: readonly (readonly [PageNode, Extra])[]
}

const hasChildren = ({ type }: PageNode): boolean => type === NodeType.Document || type === NodeType.Element

/** Of what has children up to the first of them, else whole. Most nodes are the same as when they were last written. */
const jsonOf = (node: PageNode): string => {
  if (node.json !== null) return node.json
  const json = JSON.stringify(node.data)
  node.json = hasChildren(node) ? `${json.slice(0, -1)},"childNodes":[` : json
  return node.json
}

const firstOf = ({ light, shadow }: PageNode): PageNode | null => light.first ?? shadow.first
const nextOf = ({ isShadow, next, parent }: PageNode): PageNode | null =>
  next ?? (isShadow ? null : (parent?.shadow.first ?? null))

/** Documents of frames are written for themselves: players take them in no other way. */
const writeNodes = (document: PageNode, extras: Extras): Written => {
  const frames: Frame[] = []
  const noted: (readonly [PageNode, Extra])[] = []
  const levels: { next: PageNode | null; readonly into: Json; isEmpty: boolean }[] = []
  const write = (node: PageNode, into: Json): void => {
    const extra = extras.find(node)
    if (extra !== undefined) noted.push([node, extra])
    into.text += jsonOf(node)
    if (hasChildren(node)) levels.push({ next: firstOf(node), into, isEmpty: true })
  }
  const page: Json = { text: '' }
  write(document, page)
  for (let level = levels.at(-1); level !== undefined; level = levels.at(-1)) {
    const child = level.next
    if (child === null) {
      level.into.text += ']}'
      levels.pop()
      continue
    }
    level.next = nextOf(child)
    if (child.type === NodeType.Document) {
      // Its page was taken away, and players are given none without.
      if (!isWhole(child)) continue
      const node: Json = { text: '' }
      frames.push({ parentId: child.parent?.id ?? 0, node })
      write(child, node)
      continue
    }
    if (!level.isEmpty) level.into.text += ','
    level.isEmpty = false
    write(child, level.into)
  }
  return { node: page, frames, extras: noted }
}

const mutation = (changes: Fields): Fields => ({
  source: Source.Mutation,
  adds: [],
  removes: [],
  texts: [],
  attributes: [],
  ...changes,
})

const frameOf = ({ parentId, node }: Frame): string =>
  `{"source":${Source.Mutation},"adds":[{"parentId":${parentId},"nextId":null,"node":${node.text}}],"removes":[],"texts":[],"attributes":[],"isAttachIframe":true}`

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
  const seen = extras.flatMap(([, { canvas, media }]) => [canvas?.data ?? null, media].filter((one) => one !== null))
  // Last: until everything else is there, nothing may be large enough to be scrolled.
  const scrolls = extras.flatMap(([{ id }, { scroll }]) =>
    scroll === null ? [] : [{ source: Source.Scroll, id, ...scroll }],
  )
  return [...inputs, ...seen, ...scrolls]
}

/** See `PageState.keyFrame`. */
export const writeKeyFrame = (tree: PageTree, extras: Extras, facts: PageFacts, at: number): WrittenEvent[] => {
  const { document } = tree
  if (document === null) return []
  const written = writeNodes(document, extras)
  const { href, width, height, top, left } = facts
  const event = (type: number, json: string): WrittenEvent => ({
    type,
    json: `{"type":${type},"timestamp":${at},"data":${json}}`,
  })
  const offset = JSON.stringify({ top, left })
  const further = [
    ...stylesOf(written),
    ...extras.fonts,
    ...adoptedOf(extras, written),
    ...written.extras.flatMap(([, { sheet }]) => sheet?.list ?? []),
    ...visitorsOf(written),
  ]
  return [
    event(EventType.Meta, JSON.stringify({ href, width, height })),
    event(EventType.FullSnapshot, `{"node":${written.node.text},"initialOffset":${offset}}`),
    ...written.frames.map((frame) => event(EventType.IncrementalSnapshot, frameOf(frame))),
    ...further.map((data) => event(EventType.IncrementalSnapshot, JSON.stringify(data))),
  ]
}
