/**
 * Pictures of canvases, in a part of its own. Nothing of the page is changed: a canvas is read right after the page has drawn it,
 * and the browser encodes the picture off the main thread. So there is no worker, which a policy of the page could forbid.
 */
import type { RecordedEvent } from '../events.ts'
import { canvasEvent } from './event.ts'
import { createPace, isDue, isNew, isNothing, isWorthIt, newWatched, type Watched } from './pace.ts'
import { boundsOf, fit } from './size.ts'

const THUMBNAIL = 64
const TYPE = 'image/webp'
/** Bytes of one picture: a browser without WebP makes pictures that are far too large. */
const MAX_PICTURE = 1_000_000

export interface CanvasSettings {
  readonly fps: number
  /** Of WebP, 0 – 1. */
  readonly quality: number
  /** Largest picture; at most, and without it, the largest there is. */
  readonly maxSize: readonly [number, number] | undefined
}

export interface Canvases {
  /** Numbers of the nodes that are canvases now. */
  readonly ids: ReadonlySet<number>
  nodeOf(id: number): Node | null
  isBlocked(element: Element): boolean
  emit(event: RecordedEvent): void
  /** What somebody should know who looks for a canvas. */
  note(category: string, data: object): void
}

interface Seen extends Watched {
  readonly canvas: HTMLCanvasElement
  isOnScreen: boolean
  /** It cannot be read, and nobody tries again. */
  isClosed: boolean
  /**
   * Its picture stays until the page draws: what is empty was wiped. Of others (WebGL) the browser takes it away once it is shown.
   * Undefined until it shows something: one that has no context yet must not get one from us.
   */
  isFlat: boolean | undefined
}

type Context = OffscreenCanvasRenderingContext2D

/** This part needs nothing of the SDK: what both need would be one more file to load before the SDK starts. */
const attempt = <Value>(work: () => Value, otherwise: Value): Value => {
  try {
    return work()
  } catch {
    return otherwise
  }
}

const scratch = (width: number, height: number, isRead: boolean): Context => {
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: isRead })
  if (context === null) throw new Error('no canvas to draw on')
  return context
}
const newThumbnails = (): Context => scratch(THUMBNAIL, THUMBNAIL, true)

/** A hash of what it shows, and whether it shows anything: not one colourless surface. */
const look = (context: Context, canvas: HTMLCanvasElement, isExact: boolean): { hash: number; isEmpty: boolean } => {
  // Nothing of what was there before.
  context.globalCompositeOperation = 'copy'
  context.imageSmoothingQuality = isExact ? 'high' : 'low'
  context.drawImage(canvas, 0, 0, THUMBNAIL, THUMBNAIL)
  const pixels = new Uint32Array(context.getImageData(0, 0, THUMBNAIL, THUMBNAIL).data.buffer)
  const [first = 0] = pixels
  let hash = 0
  let isEven = true
  for (const pixel of pixels) {
    hash = (Math.imul(hash, 31) + pixel) | 0
    isEven &&= pixel === first
  }
  return { hash, isEmpty: isEven && (first & 0xff_ff_ff) === 0 }
}

const base64Of = (blob: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve((reader.result as string).replace(/^[^,]*,/, '')))
    reader.addEventListener('error', () => reject(new Error('a picture that cannot be read')))
    reader.readAsDataURL(blob)
  })

const isShown = (canvas: HTMLCanvasElement): boolean =>
  canvas.isConnected &&
  canvas.width > 0 &&
  canvas.height > 0 &&
  (typeof canvas.checkVisibility !== 'function' || canvas.checkVisibility({ visibilityProperty: true }))

// long: canvases and what is known of each belong together; when and how large a picture is stands in files of its own.
export const recordCanvases = (given: Canvases, { fps, quality, maxSize }: CanvasSettings): (() => void) => {
  const seen = new Map<number, Seen>()
  const pace = createPace(fps)
  const bounds = boundsOf(maxSize)
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries)
      for (const one of seen.values()) if (one.canvas === target) one.isOnScreen = isIntersecting
  })
  let thumbnails = newThumbnails()
  const drawing = scratch(1, 1, false)
  let isOn = true
  let timer: ReturnType<typeof setTimeout> | undefined
  let frame = 0

  const forget = (id: number): void => {
    const one = seen.get(id)
    if (one) observer.unobserve(one.canvas)
    seen.delete(id)
  }
  const find = (): void => {
    for (const id of seen.keys()) if (given.nodeOf(id) !== seen.get(id)?.canvas) forget(id)
    for (const id of given.ids) {
      const node = given.nodeOf(id)
      if (seen.has(id) || node?.nodeName !== 'CANVAS') continue
      const canvas = node as HTMLCanvasElement
      seen.set(id, { ...newWatched(), canvas, isOnScreen: false, isClosed: false, isFlat: undefined })
      observer.observe(canvas)
    }
  }

  const make = async (id: number, one: Seen, at: number): Promise<void> => {
    const { width, height } = one.canvas
    const size = fit(width, height, bounds)
    Object.assign(drawing.canvas, size)
    drawing.globalCompositeOperation = 'copy'
    drawing.imageSmoothingQuality = 'medium'
    drawing.drawImage(one.canvas, 0, 0, size.width, size.height)
    const blob = await drawing.canvas.convertToBlob({ type: TYPE, quality })
    const base64 = await base64Of(blob)
    if (!isOn || seen.get(id) !== one || given.nodeOf(id) !== one.canvas) return
    if (blob.size > MAX_PICTURE || !isNew(one, base64)) return
    pace.sent(base64.length, at)
    given.emit(canvasEvent(id, { width, height, base64, type: blob.type }, at))
  }

  /** Somebody else's picture was drawn on it, or it is drawn somewhere else. */
  const close = (id: number, one: Seen, error: unknown): void => {
    one.isClosed = true
    // It has become as unreadable as what was drawn on it.
    thumbnails = newThumbnails()
    const reason = error instanceof Error || error instanceof DOMException ? error.name : 'unknown'
    given.note('replay.canvas-not-recorded', { nodeId: id, reason })
  }

  const take = (id: number, one: Seen): void => {
    const { canvas } = one
    if (one.isClosed || one.isBusy || !one.isOnScreen || !isShown(canvas) || given.isBlocked(canvas)) return
    const at = Date.now()
    let found: ReturnType<typeof look>
    try {
      found = look(thumbnails, canvas, false)
      if (found.isEmpty && one.isFlat === undefined && isDue(one, at)) {
        // A few thin lines are nothing at first sight.
        found = look(thumbnails, canvas, true)
        if (found.isEmpty) isNothing(one, at)
      }
    } catch (error) {
      return close(id, one, error)
    }
    if (!found.isEmpty) one.isFlat ??= attempt(() => canvas.getContext('2d') !== null, false)
    if ((found.isEmpty && one.isFlat !== true) || !isWorthIt(one, found.hash, at)) return
    Object.assign(one, { isBusy: true, madeAt: at, thumbnail: found.hash })
    make(id, one, at)
      .catch((error: unknown) => close(id, one, error))
      .finally(() => {
        one.isBusy = false
      })
  }

  const tick = (): void => {
    if (document.hidden) return
    find()
    const began = performance.now()
    // Those that had to wait come first.
    const all = [...seen].sort(([, one], [, other]) => one.madeAt - other.madeAt)
    for (const [id, one] of all) if (!pace.isFull(Date.now())) take(id, one)
    const ended = performance.now()
    if (pace.worked(ended - began, ended)) given.note('replay.canvas-slowed', { intervalMs: pace.intervalMs })
  }
  /** From a task of its own, so that the page's drawing of the same frame comes before. */
  const wait = (): void => {
    timer = setTimeout(() => {
      frame = requestAnimationFrame(() => {
        attempt(tick, undefined)
        if (isOn) wait()
      })
    }, pace.intervalMs)
  }
  wait()
  return () => {
    isOn = false
    clearTimeout(timer)
    cancelAnimationFrame(frame)
    observer.disconnect()
    seen.clear()
  }
}
