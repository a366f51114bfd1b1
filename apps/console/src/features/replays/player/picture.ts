import { changesOf, EventType, readEvents, type RecordedEvent, rewriteEvents } from '@firsthand/recording'
import { Replayer } from '@rrweb/replay'

import type { Canvases } from './canvases.ts'
import type { Picture } from './engine.ts'
import { withLastScrolls } from './last-scrolls.ts'
import type { ChunkSource } from './source.ts'

type Plugin = NonNullable<NonNullable<ConstructorParameters<typeof Replayer>[1]>['plugins']>[number]

/** Where something of the recorded page is, in its pixels. */
export interface Place {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

export interface ReplayPicture extends Picture {
  /** Where an element of the recording stands now; null when it is not there, or not to be seen. */
  placeOf(node: number): Place | null
  /** The recorded page as it is drawn now. It is hostile: it may be read, and nothing of it put anywhere. */
  page(): Element | null
  hasTrail(): boolean
  setTrail(shows: boolean): void
}

/** No event is last: the player would end by itself there, but more are added. */
const NEVER = { type: 5, timestamp: Number.MAX_SAFE_INTEGER, data: { tag: 'never', payload: {} } }

const TRAIL = { duration: 600, lineCap: 'round', lineWidth: 2, strokeStyle: '#0b6e69' } as const

const POINTER =
  "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 20 20'%3E%3Cpath d='M2 1l13 12-6 .6 3.400 6-2.700 1.300-3.200-6.200L2 18.500z' fill='%231c1b19' stroke='white' stroke-width='1.200'/%3E%3C/svg%3E\")"

/** Of the pointer and its trail, which stand in the frame around the recorded page. A pointer without a place is not shown. */
const STYLE = `
body { margin: 0; overflow: hidden }
.replayer-wrapper { position: absolute; inset: 0 }
.replayer-wrapper > iframe { border: 0; background: white; color-scheme: light }
.replayer-mouse { position: absolute; z-index: 2; width: 20px; height: 20px; background: ${POINTER} no-repeat; transition: left 50ms linear, top 50ms linear }
.replayer-mouse:not([style*='left']) { display: none }
.replayer-mouse::after { content: ''; position: absolute; left: -16px; top: -16px; width: 32px; height: 32px; border: 2px solid #b8730a; border-radius: 50%; opacity: 0 }
.replayer-mouse.active::after { animation: pressed 500ms ease-out }
.replayer-mouse.touch-device { background: none }
.replayer-mouse.touch-device.touch-active::after { opacity: 1 }
.replayer-mouse-tail { position: absolute; z-index: 1; pointer-events: none }
@keyframes pressed { from { opacity: 1; transform: scale(.3) } to { opacity: 0; transform: scale(1.2) } }
`

/** Told by rrweb of what it builds and applies. Few pages have canvases: what shows them is loaded with the first one. */
function canvasPlugin(failed: (error: unknown) => void): Plugin {
  let canvases: Canvases | null = null
  let waiting: ((loaded: Canvases) => void)[] | null = null
  const tell = (say: (loaded: Canvases) => void): void => {
    if (canvases === null) waiting?.push(say)
    else say(canvases)
  }
  const load = async (): Promise<void> => {
    const { createCanvases } = await import('./canvases.ts')
    canvases = createCanvases()
    for (const say of waiting ?? []) say(canvases)
    waiting = []
  }
  return {
    onBuild(node, { id, replayer }) {
      if (node.nodeName !== 'CANVAS') return
      if (waiting === null) {
        waiting = []
        load().catch(failed)
      }
      const meta = replayer.getMirror().getMeta(node as Node)
      const attributes = meta !== null && 'attributes' in meta ? meta.attributes : {}
      tell((loaded) => loaded.built(node as Node, id, attributes))
    },
    handler: (event, _, { replayer }) =>
      tell((loaded) => loaded.applied(event, (id) => replayer.getMirror().getNode(id))),
  }
}

type Size = { readonly width: number; readonly height: number }

/** The frame of the page and the trail over it. */
function fit({ iframe, wrapper }: Replayer, { height, width }: Size): void {
  for (const element of [iframe, ...wrapper.querySelectorAll('canvas')]) {
    element.setAttribute('width', String(width))
    element.setAttribute('height', String(height))
  }
}

/**
 * Draws recordings with rrweb, in a document that fetches nothing and runs nothing. The frame that it makes in there is
 * sandboxed as well; what canvases showed stands in their place, as drawing on them would need scripts to be allowed.
 */
export function createPicture(
  stage: Document,
  told: {
    readonly size: (width: number, height: number) => void
    /** What shows canvases did not come. */
    readonly failed: (error: unknown) => void
  },
  kept?: ChunkSource['kept'],
): ReplayPicture {
  /** Of hostile text: whatever could fetch or run is gone. */
  const decode = (chunk: string): RecordedEvent[] =>
    rewriteEvents(readEvents(JSON.parse(chunk)).events, kept?.()).events
  let replayer: Replayer | null = null
  /** Its times count from there. */
  let first = 0
  let trail = true
  /** rrweb draws at once all that lies before a moment. One millisecond more, and what happened at the moment is drawn, too. */
  const offsetOf = (at: number): number => Math.max(at, first) + 1 - first
  const style = stage.createElement('style')
  style.textContent = STYLE
  stage.head.append(style)

  return {
    show(chunk, at) {
      const decoded = decode(chunk)
      const before = replayer
      const start = decoded[0]?.timestamp
      if (start === undefined) throw new Error('This part of the recording is empty.')
      const events = withLastScrolls(decoded, Math.max(at, start))
      const next = new Replayer([...events, NEVER] as ConstructorParameters<typeof Replayer>[0], {
        root: stage.body,
        mouseTail: trail ? TRAIL : false,
        // It would take the keyboard away from the console.
        triggerFocus: false,
        // That one makes elements in the console's own document first.
        useVirtualDom: false,
        showWarning: false,
        plugins: [canvasPlugin(told.failed)],
      })
      first = start
      let drawn: Size | null = null
      // Of the first page rrweb tells the size once more when all is drawn: by then it may be another page.
      let tellsAgain = false
      next.on('resize', (given) => {
        const size = tellsAgain && drawn !== null ? drawn : (given as Size)
        if (size === given) drawn = size
        else fit(next, size)
        tellsAgain = false
        told.size(size.width, size.height)
      })
      next.pause(offsetOf(at))
      tellsAgain = events.some(({ type }) => type === EventType.Meta)
      before?.destroy()
      replayer = next
    },
    add(chunk) {
      for (const event of changesOf(decode(chunk))) replayer?.addEvent(event)
    },
    go: (at) => replayer?.pause(offsetOf(at)),
    play(at, speed) {
      replayer?.setConfig({ speed })
      replayer?.play(offsetOf(at))
    },
    pause: () => replayer?.pause(),
    placeOf(node) {
      const found = replayer?.getMirror().getNode(node) ?? null
      if (found === null || !('getBoundingClientRect' in found)) return null
      const { left, top, width, height } = (found as Element).getBoundingClientRect()
      return width === 0 || height === 0 ? null : { left, top, width, height }
    },
    page: () => replayer?.iframe.contentDocument?.documentElement ?? null,
    hasTrail: () => trail,
    setTrail(shows) {
      trail = shows
      replayer?.setConfig({ mouseTail: shows ? TRAIL : false })
    },
    destroy() {
      replayer?.destroy()
      replayer = null
      style.remove()
    },
  }
}
