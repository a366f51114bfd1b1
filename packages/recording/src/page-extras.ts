import { NodeType, Source } from './events.ts'
import { isFields, type Fields } from './fields.ts'
import type { StyleChange } from './page-nodes.ts'
import type { PageNode, PageTree } from './page-tree.ts'
import { SheetChanges } from './sheet-changes.ts'

/** Of a page; more are not remembered. */
const MAX_SHEETS = 10_000
const MAX_FONTS = 500
const MAX_ADOPTED = 1000
/** Characters that an id in a list takes, about. */
const WEIGHT_OF_ID = 8
/** The same of what is remembered of a video. */
const WEIGHT_OF_MEDIA = 200

/** The picture of a canvas. Its weight is measured once: events that say nothing may come over and over. */
interface Picture {
  readonly data: Fields
  readonly weight: number
}

/** What happened to a node that neither it nor its attributes say. */
export interface Extra {
  scroll: { readonly x: number; readonly y: number } | null
  input: { readonly text: string; readonly isChecked: boolean } | null
  /** Changes of its inline style, by property, in the order in which they were last made. */
  readonly style: Map<string, StyleChange>
  /** Of the sheet of a style element. */
  sheet: SheetChanges | null
  /** Sheets that scripts made and the document or shadow root of this node uses. */
  adopted: readonly number[]
  /** The last picture of a canvas. */
  canvas: Picture | null
  /** What a video last did, as data of an event. */
  media: Fields | null
}

/** A sheet that a script made. */
export interface ScriptSheet {
  /** The node in whose window it was made. */
  host: number
  readonly styleId: number
  readonly rules: readonly unknown[]
  readonly weight: number
  readonly changes: SheetChanges
}

/** Characters that something takes when it is written; null for what cannot be, as it is nested too deeply. */
export const weigh = (data: unknown): number | null => {
  try {
    return JSON.stringify(data).length
  } catch {
    return null
  }
}

const weightOfStyle = (property: string, change: StyleChange): number =>
  property.length + (typeof change === 'string' ? change.length : change === false ? 5 : change[0].length + 9)

const isStyleId = (value: unknown): value is number => typeof value === 'number' && Number.isInteger(value) && value > 0

/** Only documents and shadow roots, which are told by their hosts, have sheets of scripts. */
const adopts = ({ data, type }: PageNode): boolean => type === NodeType.Document || data['isShadowHost'] === true

/** A picture, not only a part of a drawing. */
const isWholePicture = ({ commands }: Fields): boolean =>
  Array.isArray(commands) && commands.some((one) => isFields(one) && one['property'] === 'drawImage')

const PLAY_OR_PAUSE = new Set<unknown>([0, 1])

const MEDIA_NUMBERS = ['currentTime', 'volume', 'playbackRate']
const MEDIA_FLAGS = ['muted', 'loop']

/** What recorders write of a video, and nothing else: events add to it over and over, so it must not grow. */
const mediaOf = (data: Fields): Fields => ({
  source: Source.MediaInteraction,
  ...pick(data, ['id', 'type', ...MEDIA_NUMBERS], 'number'),
  ...pick(data, MEDIA_FLAGS, 'boolean'),
})

const pick = (data: Fields, names: readonly string[], type: 'number' | 'boolean'): Fields =>
  Object.fromEntries(names.flatMap((name) => (typeof data[name] === type ? [[name, data[name]]] : [])))

/** What belongs to the nodes of a page, and to the page, beside its tree. */
export class Extras {
  readonly #extras = new Map<PageNode, Extra>()
  readonly #sheets = new Map<number, ScriptSheet>()
  /** Ids of the sheets that were made in the window of a node, by the node's. */
  readonly #sheetsOf = new Map<number, Set<number>>()
  readonly #fonts = new Map<string, Fields>()

  get sheets(): ReadonlyMap<number, ScriptSheet> {
    return this.#sheets
  }

  get fonts(): Iterable<Fields> {
    return this.#fonts.values()
  }

  find(node: PageNode): Extra | undefined {
    return this.#extras.get(node)
  }

  of(node: PageNode): Extra {
    let extra = this.#extras.get(node)
    if (extra === undefined) {
      extra = {
        scroll: null,
        input: null,
        style: new Map(),
        sheet: null,
        adopted: [],
        canvas: null,
        media: null,
      }
      this.#extras.set(node, extra)
    }
    return extra
  }

  /** @returns how much was remembered */
  forget(node: PageNode, tree: PageTree): number {
    const extra = this.#extras.get(node)
    if (extra === undefined) return 0
    // Others may use them further on. The page's own document is always there to have them.
    if (tree.document !== null) {
      for (const styleId of this.#sheetsOf.get(node.id) ?? []) this.#host(styleId, tree.document)
    }
    this.#sheetsOf.delete(node.id)
    const freed = this.forgetSheetOf(node) + this.forgetStyleOf(node)
    this.#extras.delete(node)
    const { adopted, canvas, input, media } = extra
    return (
      freed +
      (input?.text.length ?? 0) +
      (canvas?.weight ?? 0) +
      (media === null ? 0 : WEIGHT_OF_MEDIA) +
      adopted.length * WEIGHT_OF_ID
    )
  }

  #host(styleId: number, document: PageNode): void {
    const sheet = this.#sheets.get(styleId)
    if (sheet === undefined || sheet.host === document.id) return
    this.#sheetsOf.get(sheet.host)?.delete(styleId)
    sheet.host = document.id
    this.#own(sheet)
    // Only nodes with something beside the tree are asked for their sheets.
    this.of(document)
  }

  #own({ host, styleId }: ScriptSheet): void {
    const own = this.#sheetsOf.get(host)
    if (own === undefined) this.#sheetsOf.set(host, new Set([styleId]))
    else own.add(styleId)
  }

  /** @returns how much was remembered */
  forgetSheetOf(node: PageNode): number {
    const extra = this.#extras.get(node)
    const freed = extra?.sheet?.clear() ?? 0
    if (extra !== undefined) extra.sheet = null
    return freed
  }

  /** @returns how much was remembered */
  forgetStyleOf(node: PageNode): number {
    const style = this.#extras.get(node)?.style
    let freed = 0
    for (const [property, change] of style ?? []) freed += weightOfStyle(property, change)
    style?.clear()
    return freed
  }

  /** @returns how much more than before is remembered */
  setStyle(node: PageNode, changes: readonly (readonly [string, StyleChange])[]): number {
    const { style } = this.of(node)
    let more = 0
    for (const [property, change] of changes) {
      const before = style.get(property)
      if (before !== undefined) more -= weightOfStyle(property, before)
      // The last one made has the last word, also where one property stands for several.
      style.delete(property)
      style.set(property, change)
      more += weightOfStyle(property, change)
    }
    return more
  }

  /**
   * An incremental event that is no mutation.
   *
   * @param room characters that may still be remembered
   * @returns how many more are
   */
  note(data: Fields, node: PageNode | null, room: number): number {
    switch (data['source']) {
      case Source.Input:
        return node === null ? 0 : this.#noteInput(node, data, room)
      case Source.Font:
        return this.#noteFont(data, room)
      case Source.CanvasMutation:
        return node === null || !isWholePicture(data) ? 0 : this.#noteCanvas(node, data, room)
      case Source.MediaInteraction:
        return node === null ? 0 : this.#noteMedia(node, data, room)
      case Source.AdoptedStyleSheet:
        return node === null || !adopts(node) ? 0 : this.#noteAdopted(node, data, room)
      case Source.StyleSheetRule:
      case Source.StyleDeclaration:
        return this.#noteRules(node, data, room)
      default:
        return 0
    }
  }

  #noteInput(node: PageNode, { text, isChecked }: Fields, room: number): number {
    const extra = this.of(node)
    const before = extra.input?.text.length ?? 0
    const value = typeof text === 'string' ? text : ''
    if (value.length - before > room) return 0
    extra.input = { text: value, isChecked: isChecked === true }
    return value.length - before
  }

  #noteFont(data: Fields, room: number): number {
    const weight = weigh(data)
    if (weight === null || weight > room || this.#fonts.size >= MAX_FONTS) return 0
    const key = JSON.stringify(data)
    if (this.#fonts.has(key)) return 0
    this.#fonts.set(key, data)
    return weight
  }

  #noteCanvas(node: PageNode, data: Fields, room: number): number {
    const extra = this.of(node)
    const weight = weigh(data)
    const before = extra.canvas?.weight ?? 0
    if (weight === null || weight - before > room) return 0
    extra.canvas = { data, weight }
    return weight - before
  }

  #noteMedia(node: PageNode, data: Fields, room: number): number {
    const extra = this.of(node)
    const more = extra.media === null ? WEIGHT_OF_MEDIA : 0
    if (more > room) return 0
    const before = extra.media ?? {}
    const read = mediaOf(data)
    const type = PLAY_OR_PAUSE.has(read['type']) ? read['type'] : (before['type'] ?? read['type'])
    extra.media = { ...before, ...read, type }
    return more
  }

  #noteAdopted(node: PageNode, { styles, styleIds }: Fields, room: number): number {
    let more = 0
    const extra = this.of(node)
    for (const style of Array.isArray(styles) ? (styles as readonly unknown[]) : []) {
      if (!isFields(style) || !isStyleId(style['styleId'])) continue
      const rules = Array.isArray(style['rules']) ? (style['rules'] as readonly unknown[]) : []
      const weight = weigh(rules)
      const before = this.#sheets.get(style['styleId'])
      if (weight === null || more + weight > room || (before === undefined && this.#sheets.size >= MAX_SHEETS)) continue
      if (before !== undefined) {
        more -= before.weight + before.changes.clear()
        this.#sheetsOf.get(before.host)?.delete(before.styleId)
      }
      const { styleId } = style
      const sheet = { host: node.id, styleId, rules, weight, changes: new SheetChanges() }
      this.#sheets.set(styleId, sheet)
      this.#own(sheet)
      more += weight
    }
    const adopted = Array.isArray(styleIds) ? styleIds.filter(isStyleId).slice(0, MAX_ADOPTED) : []
    const moreIds = (adopted.length - extra.adopted.length) * WEIGHT_OF_ID
    if (more + moreIds > room) return more
    extra.adopted = adopted
    return more + moreIds
  }

  #noteRules(node: PageNode | null, data: Fields, room: number): number {
    const weight = weigh(data)
    if (weight === null || weight > room) return 0
    const { styleId } = data
    if (isStyleId(styleId)) return this.#sheets.get(styleId)?.changes.add(data, weight) ?? 0
    if (node === null || (node.tag !== 'style' && node.tag !== 'link')) return 0
    // Browsers refuse to replace the sheet of an element.
    if (typeof data['replace'] === 'string' || typeof data['replaceSync'] === 'string') {
      const { replace: _replace, replaceSync: _replaceSync, ...others } = data
      return this.#noteRules(node, others, room)
    }
    const extra = this.of(node)
    extra.sheet ??= new SheetChanges()
    return extra.sheet.add(data, weight)
  }
}
