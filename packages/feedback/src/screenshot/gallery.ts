import { button, element, fill, icon, ICONS } from '../editor/dom.ts'
import type { Edit, History } from '../editor/edit.ts'
import type { Editor } from '../editor/index.ts'
import type { Picture, PictureHost, PictureSource } from './contract.ts'
import { canvasEncoder, encodeWithin, newCanvas } from './encode.ts'
import { MAXIMUM_PICTURES } from './limits.ts'
import { buildParts, type ControlActions, type ControlParts } from './parts.ts'
import { sniffImage } from './sniff.ts'

/** A picture that is being edited. `sent` is what the last finished encoding made; `isDirty` says that the edit went on since. */
interface Item {
  readonly id: string
  readonly source: PictureSource
  readonly original: HTMLCanvasElement
  readonly history: History<Edit>
  readonly thumbnail: HTMLCanvasElement
  sent: Picture | null
  isDirty: boolean
  work: Promise<void>
}

/** A chunk of its own: most reports have no picture. */
const loadEditor = () => import('../editor/index.ts')
type EditorModule = Awaited<ReturnType<typeof loadEditor>>

const THUMBNAIL = { width: 128, height: 88 }
const CURRENT_THUMB = '.thumb[aria-current=true]'

/** The pictures of a report: which there are, which one is open in the editor, and the bytes of each. */
export class Gallery {
  readonly host: PictureHost
  readonly parts: ControlParts
  isDestroyed = false
  readonly #items: Item[] = []
  #current: Item | null = null
  #editor: Editor | null = null
  #editing: EditorModule | null = null
  #isAdding = false

  constructor(host: PictureHost, actions: ControlActions) {
    this.host = host
    this.parts = buildParts(host.texts, actions)
    this.draw()
  }

  get free(): number {
    return MAXIMUM_PICTURES - this.#items.length
  }

  get hasCurrent(): boolean {
    return this.#current !== null
  }

  /** Shown below the pictures, and said to screen readers. */
  tell(text: string): void {
    const { note } = this.parts
    note.textContent = text
    note.hidden = false
    this.host.announce(text)
  }

  draw(): void {
    const { strip, ways, hint } = this.parts
    const isEmpty = this.#items.length === 0
    const isFull = this.free <= 0
    strip.hidden = isEmpty
    ways.element.hidden = hint.hidden = isFull || (!isEmpty && !this.#isAdding)
    // With one picture the stage shows it already.
    const thumbs = this.#items.length > 1 ? this.#items.map((item, index) => this.#thumbOf(item, index)) : []
    strip.replaceChildren(...thumbs, ...(isFull ? [] : [element('li', {}, this.#anotherButton())]))
  }

  #anotherButton(): HTMLButtonElement {
    const { strip, ways } = this.parts
    const { texts } = this.host
    const another = button({ class: 'another', 'aria-expanded': String(this.#isAdding) }, texts.addAnother, () => {
      this.#isAdding = !this.#isAdding
      this.draw()
      if (this.#isAdding) ways.focus()
      else strip.querySelector<HTMLElement>('.another')?.focus()
    })
    another.prepend(icon(ICONS.plus))
    return another
  }

  #thumbOf(item: Item, index: number): HTMLLIElement {
    const { texts } = this.host
    const isCurrent = String(item === this.#current)
    const show = button(
      { class: 'thumb', 'aria-label': this.#labelOf(item, index), 'aria-current': isCurrent },
      item.thumbnail,
      () => {
        this.#open(item)
        this.parts.strip.querySelector<HTMLElement>(CURRENT_THUMB)?.focus()
      },
    )
    const label = `${texts.removeScreenshotButtonLabel} ${index + 1}`
    const drop = button({ class: 'drop', 'aria-label': label }, icon(ICONS.close), () => this.#remove(item))
    return element('li', {}, show, drop)
  }

  #labelOf({ sent, original }: Item, index: number): string {
    const { width, height } = sent ?? original
    return fill(this.host.texts.picture, { number: index + 1, width, height })
  }

  #open(item: Item | null): void {
    const { texts, announce } = this.host
    this.#editor?.destroy()
    this.#editor = null
    this.#current = item
    if (item !== null && this.#editing !== null) {
      this.#editor = this.#editing.createEditor({
        texts,
        source: item.original,
        history: item.history,
        number: this.#items.indexOf(item) + 1,
        announce,
        onChange: () => this.#encode(item),
        onRemove: () => this.#remove(item),
      })
      this.parts.stage.replaceChildren(this.#editor.element)
    }
    this.draw()
  }

  #remove(item: Item): void {
    const { strip, ways } = this.parts
    const index = this.#items.indexOf(item)
    if (index === -1) return
    this.#items.splice(index, 1)
    if (item === this.#current) this.#open(this.#items[Math.min(index, this.#items.length - 1)] ?? null)
    else this.draw()
    if (this.#items.length === 0) ways.focus()
    else strip.querySelector<HTMLElement>(`${CURRENT_THUMB}, .another`)?.focus()
    this.host.announce(this.host.texts.pictureRemoved)
    this.host.onChange()
  }

  /**
   * Adds a picture and opens it. The editor must be loaded.
   *
   * @param isLarge in the large view, where it is marked
   */
  put(original: HTMLCanvasElement, source: PictureSource, isLarge: boolean, id = newId()): void {
    if (this.#editing === null) return
    const { width, height } = original
    const item: Item = {
      id,
      source,
      original,
      history: this.#editing.newHistory(original),
      thumbnail: newCanvas(THUMBNAIL).canvas,
      sent: null,
      isDirty: false,
      work: Promise.resolve(),
    }
    item.thumbnail.setAttribute('aria-hidden', 'true')
    this.#items.push(item)
    this.#isAdding = false
    this.parts.note.hidden = true
    this.#open(item)
    this.#encode(item)
    if (isLarge) this.#editor?.enlarge()
    this.#editor?.say(fill(this.host.texts.pictureAdded, { width, height }))
  }

  /** Encodings of one picture follow one another, and the last edit wins. */
  #encode(item: Item): void {
    if (item.isDirty) return
    item.isDirty = true
    item.work = item.work.then(async () => {
      item.isDirty = false
      const { renderEdit } = this.#editing ?? (await loadEditor())
      const canvas = renderEdit(item.original, item.history.now)
      drawThumbnail(item.thumbnail, canvas)
      try {
        const blob = await encodeWithin(canvasEncoder(canvas))
        const { width, height } = await sizeOf(blob, canvas)
        item.sent = { id: item.id, blob, filename: '', type: blob.type, width, height, source: item.source }
      } catch {
        // An older encoding would still show what has been hidden since.
        item.sent = null
        this.tell(this.host.texts.broken)
      }
      if (this.isDestroyed || !this.#items.includes(item)) return
      if (this.#items.length > 1) this.#refreshLabels()
      this.host.onChange()
    })
  }

  #refreshLabels(): void {
    const thumbs = this.parts.strip.querySelectorAll('.thumb')
    for (const [index, item] of this.#items.entries())
      thumbs[index]?.setAttribute('aria-label', this.#labelOf(item, index))
  }

  /** False when its code did not come: that is said. */
  async loadEditor(): Promise<boolean> {
    try {
      this.#editing ??= await loadEditor()
    } catch {
      this.tell(this.host.texts.toolsNotLoaded)
    }
    return this.#editing !== null
  }

  /** What is sent, in order. */
  pictures(): readonly Picture[] {
    return this.#items
      .map(({ sent }) => sent)
      .filter((picture) => picture !== null)
      .map((picture, index) => ({ ...picture, filename: filenameOf(picture.type, index) }))
  }

  /** Waits until the last edit of each picture is encoded. */
  async ready(): Promise<void> {
    while (this.#items.some(({ isDirty }) => isDirty)) await Promise.all(this.#items.map(({ work }) => work))
    await Promise.all(this.#items.map(({ work }) => work))
  }

  handleEscape(): boolean {
    return this.parts.ways.closeMenu() || (this.#editor?.handleEscape() ?? false)
  }

  destroy(): void {
    this.isDestroyed = true
    this.#editor?.destroy()
    this.parts.control.remove()
  }
}

const newId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('')

const filenameOf = (type: string, index: number): string => {
  const end = type === 'image/webp' ? 'webp' : type === 'image/jpeg' ? 'jpg' : 'png'
  return `screenshot${index === 0 ? '' : `-${index + 1}`}.${end}`
}

/** The encoder may have had to make the picture smaller to keep it under the limit of bytes. */
const sizeOf = async (blob: Blob, canvas: HTMLCanvasElement): Promise<{ width: number; height: number }> =>
  sniffImage(new Uint8Array(await blob.arrayBuffer())) ?? canvas

const drawThumbnail = (thumbnail: HTMLCanvasElement, canvas: HTMLCanvasElement): void => {
  const context = thumbnail.getContext('2d')
  if (context === null) return
  const scale = Math.max(thumbnail.width / canvas.width, thumbnail.height / canvas.height)
  const width = canvas.width * scale
  const height = canvas.height * scale
  context.imageSmoothingQuality = 'high'
  context.drawImage(canvas, (thumbnail.width - width) / 2, (thumbnail.height - height) / 2, width, height)
}
