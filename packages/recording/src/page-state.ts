import { MAX_ADDRESS, MAX_OF_DOCUMENT, MAX_PAGE_TEXT, MAX_SIDE } from './bounds.ts'
import { EventType, NodeType, Source, type RecordedEvent } from './events.ts'
import { fieldsOf, isFields, listOf, textOf, type Fields } from './fields.ts'
import { SPLIT } from './css.ts'
import { Extras, weigh } from './page-extras.ts'
import { changeAttributes, readNode, weightOf, type StyleChange } from './page-nodes.ts'
import { takesSheet } from './sheet-links.ts'
import { changeData, comesWhole, isWhole, PageTree, readAdd, type Add, type PageNode } from './page-tree.ts'
import { writeKeyFrame, type PageFacts, type WrittenEvent } from './write-key-frame.ts'

const sizeOf = (value: unknown): number =>
  typeof value === 'number' && value >= 0 ? Math.min(Math.round(value), MAX_SIDE) : 0

const pixelsOf = (value: unknown): number => (typeof value === 'number' && Math.abs(value) <= 1e9 ? value : 0)

/** A document has few children: what looks at all of them for every change takes no time. */
const isFull = (parent: PageNode): boolean => {
  if (parent.type !== NodeType.Document) return false
  let children = 0
  for (let child = parent.light.first; child !== null; child = child.next) children++
  return children >= MAX_OF_DOCUMENT
}

/**
 * A recorded page at a moment: what `apply` was given so far. Nothing in it is safe to be shown; whoever shows it rewrites
 * it before. It is bounded, and whatever a recording says of nodes that are not there, or are there twice, or would be
 * their own ancestors, is left out.
 */
export class PageState {
  #tree = new PageTree()
  #extras = new Extras()
  #facts: PageFacts = { href: '', width: 0, height: 0, top: 0, left: 0 }
  /** Characters of everything that is remembered. */
  #held = 0

  /** Whether there is anything to be seen: a document with its element. */
  get hasPage(): boolean {
    const { document } = this.#tree
    return document !== null && isWhole(document)
  }

  get nodes(): number {
    return this.#tree.size
  }

  get document(): PageNode | null {
    return this.#tree.document
  }

  /** The node with a recorded id. */
  node(id: unknown): PageNode | null {
    return this.#tree.get(id)
  }

  /** What scripts did to the inline style of an element, by property. */
  styleChangesOf(node: PageNode): ReadonlyMap<string, StyleChange> | undefined {
    return this.#extras.find(node)?.style
  }

  /** @returns whether another page begins with it */
  apply({ type, data }: RecordedEvent): boolean {
    if (!isFields(data)) return false
    if (type === EventType.FullSnapshot) return this.#begin(data)
    if (type === EventType.Meta) {
      const { href, width, height } = data
      const address = typeof href === 'string' && href.length <= MAX_ADDRESS ? href : ''
      this.#facts = { ...this.#facts, href: address, width: sizeOf(width), height: sizeOf(height) }
    } else if (type === EventType.IncrementalSnapshot && this.#tree.document !== null) this.#change(data)
    return false
  }

  /**
   * Events from which the page stands as it is now, all of the same moment: its size, the whole of it, and what scripts and
   * its visitor did to it that no snapshot says. Empty as long as there is no page.
   */
  keyFrame(at: number): RecordedEvent[] {
    return this.writeKeyFrame(at).map(({ json }) => JSON.parse(json) as RecordedEvent)
  }

  /** The same as JSON. Nodes that have not changed since the last one are not written again. */
  writeKeyFrame(at: number): WrittenEvent[] {
    return this.hasPage ? writeKeyFrame(this.#tree, this.#extras, this.#facts, at) : []
  }

  #begin({ node, initialOffset }: Fields): boolean {
    if (!isFields(node)) return false
    const before = { tree: this.#tree, extras: this.#extras, held: this.#held }
    this.#tree = new PageTree()
    this.#extras = new Extras()
    this.#held = 0
    const read = readNode(node, null, false)
    const document = read?.type === NodeType.Document ? this.#tree.begin(read) : null
    if (document !== null) this.#fill(node, document)
    if (document === null || !isWhole(document)) {
      this.#tree = before.tree
      this.#extras = before.extras
      this.#held = before.held
      return false
    }
    const { top, left } = fieldsOf(initialOffset)
    this.#facts = { ...this.#facts, top: pixelsOf(top), left: pixelsOf(left) }
    return true
  }

  #change(data: Fields): void {
    const node = this.#tree.get(data['id'])
    switch (data['source']) {
      case Source.Mutation:
        return this.#mutate(data)
      case Source.ViewportResize:
        this.#facts = { ...this.#facts, width: sizeOf(data['width']), height: sizeOf(data['height']) }
        return undefined
      case Source.Scroll:
        return this.#scroll(node, { x: pixelsOf(data['x']), y: pixelsOf(data['y']) })
      default:
        this.#held += this.#extras.note(data, node, MAX_PAGE_TEXT - this.#held)
        return undefined
    }
  }

  #scroll(node: PageNode | null, position: { readonly x: number; readonly y: number }): void {
    if (node === null) return
    if (node === this.#tree.document) this.#facts = { ...this.#facts, left: position.x, top: position.y }
    else this.#extras.of(node).scroll = position
  }

  /** Puts a node into the tree if there is room. */
  #place(recorded: Fields, parent: PageNode, add: Add | null): PageNode | null {
    const node = isFull(parent) ? null : readNode(recorded, parent, add !== null)
    if (node === null) return null
    const weight = weightOf(node.data)
    if (this.#held + weight > MAX_PAGE_TEXT) return null
    const before = add === null ? null : this.#tree.placeOf(add, parent, node.isShadow)
    const placed = this.#tree.insert(node, parent, before)
    if (placed === null) return null
    this.#held += weight
    if (placed.isShadow && parent.data['isShadowHost'] !== true)
      changeData(parent, { ...parent.data, isShadowHost: true })
    return placed
  }

  /** Everything below a recorded node, which is in the tree already. */
  #fill(recorded: Fields, top: PageNode): void {
    const open = [{ children: listOf(recorded['childNodes']), index: 0, parent: top }]
    for (let level = open.at(-1); level !== undefined; level = open.at(-1)) {
      if (level.index >= level.children.length) {
        open.pop()
        continue
      }
      const child = level.children[level.index++]
      const placed = isFields(child) ? this.#place(child, level.parent, null) : null
      if (placed === null || !isFields(child)) continue
      open.push({ children: listOf(child['childNodes']), index: 0, parent: placed })
    }
  }

  #remove(node: PageNode | null): void {
    if (node === null || node.parent === null) return
    if (node.parent.tag === 'style') this.#openSheet(node.parent)
    for (const gone of this.#tree.remove(node)) {
      this.#held -= weightOf(gone.data) + this.#extras.forget(gone, this.#tree)
    }
  }

  #mutate(data: Fields): void {
    const adds = listOf(data['adds']).flatMap((entry) => (isFields(entry) ? (readAdd(entry) ?? []) : []))
    for (const entry of listOf(data['removes'])) {
      const node = isFields(entry) ? this.#tree.get(entry['id']) : null
      // The document of a frame goes with its frame, or when another one comes.
      if (node?.type !== NodeType.Document) this.#remove(node)
    }
    for (const { node, parentId } of adds) {
      const same = this.#tree.get(node['id'])
      if (same?.type !== NodeType.Document) this.#remove(same)
      this.#removeSameOf(this.#tree.get(parentId), node['type'])
    }
    this.#tree.eachInOrder(adds, (add, parent) => this.#add(add, parent))
    for (const entry of listOf(data['texts'])) if (isFields(entry)) this.#setText(entry)
    for (const entry of listOf(data['attributes'])) if (isFields(entry)) this.#setAttributes(entry)
  }

  /** A document has one element and one doctype. */
  #removeSameOf(parent: PageNode | null, type: unknown): void {
    if (parent?.type !== NodeType.Document || type === NodeType.Comment) return
    for (let child = parent.light.first; child !== null; child = child.next) {
      if (child.type === type) this.#remove(child)
    }
  }

  #add(add: Add, parent: PageNode): PageNode | null {
    // Of what cannot stand there nothing changes.
    const isPossible = () => this.#tree.get(add.node['id']) === null && readNode(add.node, parent, true) !== null
    if (parent.tag === 'style' && isPossible()) this.#openSheet(parent)
    const isDocument = add.node['type'] === NodeType.Document
    if (isDocument && !comesWhole(add.node, parent, this.#tree)) return null
    if (isDocument && parent.tag === 'iframe') this.#remove(parent.light.first)
    const placed = this.#place(add.node, parent, add)
    // Other nodes come one by one.
    if (placed === null || !isDocument) return placed
    this.#fill(add.node, placed)
    if (isWhole(placed)) return placed
    // A player is not given what has no page.
    this.#remove(placed)
    return null
  }

  /**
   * While nobody changes it, the text of a sheet stands in an attribute. It goes into the text nodes, which are about to
   * change; scripts' changes of it are undone then.
   */
  #openSheet(style: PageNode): void {
    this.#held -= this.#extras.forgetSheetOf(style)
    const attributes = isFields(style.data['attributes']) ? style.data['attributes'] : {}
    const sheet = attributes['_cssText']
    if (typeof sheet !== 'string') return
    this.#held += changeAttributes(style, { _cssText: null }, MAX_PAGE_TEXT)
    const texts: PageNode[] = []
    for (let child = style.light.first; child !== null; child = child.next) {
      if (child.type === NodeType.Text) texts.push(child)
    }
    const parts = sheet.split(SPLIT)
    for (const [index, text] of texts.entries()) {
      const part = index === texts.length - 1 ? parts.slice(index).join('') : (parts[index] ?? '')
      if (text.data['textContent'] !== part) this.#setData(text, { ...text.data, textContent: part })
    }
  }

  /** As far as there is room. */
  #setData(node: PageNode, data: Fields): void {
    const more = weightOf(data) - weightOf(node.data)
    if (this.#held + more > MAX_PAGE_TEXT) return
    this.#held += more
    changeData(node, data)
  }

  #setText({ id, value }: Fields): void {
    const node = this.#tree.get(id)
    if (node?.type !== NodeType.Text && node?.type !== NodeType.Comment) return
    if (node.parent?.tag === 'style') this.#openSheet(node.parent)
    this.#setData(node, { ...node.data, textContent: textOf(value) })
  }

  #setAttributes({ id, attributes }: Fields): void {
    const node = this.#tree.get(id)
    if (node?.type !== NodeType.Element || !isFields(attributes)) return
    const { _cssText: sheet, ...others } = attributes
    // Players leave a sheet alone that is to go, and know none of other elements.
    const hasSheet = typeof sheet === 'string' && takesSheet(node)
    if (hasSheet) this.#held -= this.#extras.forgetSheetOf(node)
    const style = attributes['style']
    if (isFields(style)) this.#setStyle(node, style)
    else if (style !== undefined) this.#held -= this.#extras.forgetStyleOf(node)
    this.#held += changeAttributes(node, hasSheet ? attributes : others, MAX_PAGE_TEXT - this.#held)
  }

  #setStyle(node: PageNode, style: Fields): void {
    const weight = weigh(style)
    if (weight === null || this.#held + weight > MAX_PAGE_TEXT) return
    const changes: [string, StyleChange][] = []
    for (const [property, value] of Object.entries(style)) {
      if (value === false || typeof value === 'string') changes.push([property, value])
      else if (Array.isArray(value)) changes.push([property, [textOf(value[0]), textOf(value[1])]])
    }
    this.#held += this.#extras.setStyle(node, changes)
  }
}
