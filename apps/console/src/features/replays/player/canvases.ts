import { EventType, isFields, type RecordedEvent, Source } from '@firsthand/recording'

/** What a canvas showed, as an address, and how large the canvas is. */
export interface CanvasPicture {
  readonly url: string
  readonly width: number
  readonly height: number
}

/** The numbers of a canvas that nobody gave a size. */
const [WIDTH, HEIGHT] = [300, 150]

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** The picture of an event whose data were rewritten: a whole one, drawn as large as the canvas is. */
export function pictureOf(data: unknown): CanvasPicture | null {
  const commands = isFields(data) && data['source'] === Source.CanvasMutation ? listOf(data['commands']) : []
  const drawn = commands.findLast((command) => isFields(command) && command['property'] === 'drawImage')
  const [bitmap, , , width, height] = listOf(isFields(drawn) ? drawn['args'] : null)
  const [blob] = listOf(isFields(bitmap) ? bitmap['args'] : null)
  const [bytes] = listOf(isFields(blob) ? blob['data'] : null)
  if (!isFields(blob) || !isFields(bytes) || typeof width !== 'number' || typeof height !== 'number') return null
  if (!(width > 0) || !(height > 0)) return null
  return { url: `data:${String(blob['type'])};base64,${String(bytes['base64'])}`, width, height }
}

/** Nothing, as large as the canvas is. */
function blank(canvas: Element): string {
  const sideOf = (name: string, usual: number): number => {
    const side = Number.parseInt(canvas.getAttribute(name) ?? '', 10)
    return side >= 0 ? side : usual
  }
  const [width, height] = [sideOf('width', WIDTH), sideOf('height', HEIGHT)]
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='${width}' height='${height}'/>`
  return `url("data:image/svg+xml,${encodeURIComponent(svg)}")`
}

/**
 * Shows an image in the place of an element, which keeps its name and attributes for the sheets of its page. An animation
 * does it, because changes of the recorded styles do not undo that, and it does not stand in the page's HTML.
 */
function showInPlace(element: Element, content: string): void {
  element.animate({ content: [content, content] }, { duration: 0, fill: 'both' })
}

/**
 * What canvases showed. A canvas is drawn on by scripts alone, and a page that allows none lays it out like a `span`: so an
 * image stands in its place.
 */
export function createCanvases() {
  let pictures = new Map<number, CanvasPicture>()
  /** Those whose picture is being decoded. */
  const busy = new Set<Element>()

  /** Shown once it is decoded, so that there is never nothing between two pictures. The last one of many is enough. */
  const draw = async (canvas: Element, id: number): Promise<void> => {
    if (busy.has(canvas)) return
    busy.add(canvas)
    // A seek applies all pictures up to a moment at once: what follows comes after it.
    await Promise.resolve()
    for (let shown: CanvasPicture | null = null; ;) {
      const next = pictures.get(id) ?? null
      if (next === null || next === shown || !canvas.isConnected) break
      shown = next
      const image = canvas.ownerDocument.createElement('img')
      image.src = shown.url
      const isReadable = await image.decode().then(
        () => true,
        () => false,
      )
      // Recorders make large pictures smaller; the page was laid out for the canvas.
      const density = image.naturalWidth / shown.width
      if (isReadable) showInPlace(canvas, `image-set(url("${shown.url}") ${density}x)`)
    }
    busy.delete(canvas)
  }

  return {
    /** A node was built. */
    built(node: Node, id: number, attributes: Readonly<Record<string, unknown>>): void {
      const canvas = node as Element
      showInPlace(canvas, blank(canvas))
      const { rr_dataURL: url, width, height } = attributes
      if (typeof url === 'string' && !pictures.has(id)) {
        pictures.set(id, { url, width: Number(width) || WIDTH, height: Number(height) || HEIGHT })
      }
      void draw(canvas, id)
    },

    /** An event was applied. */
    applied({ type, data }: RecordedEvent, nodeOf: (id: number) => Node | null): void {
      // The nodes of another page have the same numbers.
      if (type === EventType.Meta) pictures = new Map()
      if (type !== EventType.IncrementalSnapshot || !isFields(data) || typeof data['id'] !== 'number') return
      const picture = pictureOf(data)
      const canvas = nodeOf(data['id'])
      if (picture === null || canvas === null) return
      pictures.set(data['id'], picture)
      void draw(canvas as Element, data['id'])
    },
  }
}

export type Canvases = ReturnType<typeof createCanvases>
