import type { PictureOptions } from './contract.ts'
import { canvasOf } from './encode.ts'
import { FIRST_FRAME_MS } from './limits.ts'
import { createMasking, maskedElements } from './mask.ts'

/** Newer than TypeScript's DOM library: the page's own tab first, no switching of what is shared, no whole monitors. */
interface TabCaptureOptions extends DisplayMediaStreamOptions {
  readonly preferCurrentTab: boolean
  readonly selfBrowserSurface: 'include'
  readonly surfaceSwitching: 'exclude'
  readonly monitorTypeSurfaces: 'exclude'
}

interface PolicyAware {
  readonly permissionsPolicy?: { allowsFeature(name: string): boolean }
  readonly featurePolicy?: { allowsFeature(name: string): boolean }
}

/** Is it worth offering? Not on phones (they have none), not on plain http, not in a frame whose policy forbids it. */
export const canCapture = (): boolean => {
  if (!isSecureContext || typeof navigator.mediaDevices?.getDisplayMedia !== 'function') return false
  if ((navigator as { userAgentData?: { mobile?: boolean } }).userAgentData?.mobile === true) return false
  const { permissionsPolicy, featurePolicy } = document as PolicyAware
  return (permissionsPolicy ?? featurePolicy)?.allowsFeature('display-capture') ?? true
}

/** `refused`: the visitor, or the browser in their name, said no · `ended`: allowed, but no picture came. */
export type CaptureFailure = 'refused' | 'ended'

/** The page is drawn by other threads than its script's, a few frames later: after so many, what is on the screen has the covers. */
const FRAMES_TO_DRAW = 4
/** Of a browser that does not say when it took a frame: after so many, one was taken since the covers were drawn. */
const FRAMES_TO_WAIT = 2
/** A still picture sends no new frames and a hidden page draws none, so time counts as well. */
const FRAME_MS = 120
const TRIES = 3

/**
 * One frame of the tab, window or screen that the visitor chooses. Masked elements are covered on the page itself
 * while the frame is taken, and the frame counts only when none of them moved meanwhile.
 */
export const captureScreen = async (
  options: PictureOptions,
  hideWidget: () => () => void,
): Promise<HTMLCanvasElement | CaptureFailure> => {
  const request: TabCaptureOptions = {
    video: { width: innerWidth * devicePixelRatio, height: innerHeight * devicePixelRatio },
    audio: false,
    preferCurrentTab: true,
    selfBrowserSurface: 'include',
    surfaceSwitching: 'exclude',
    monitorTypeSurfaces: 'exclude',
  }
  let stream: MediaStream
  try {
    stream = await navigator.mediaDevices.getDisplayMedia(request)
  } catch {
    return 'refused'
  }
  const showWidget = hideWidget()
  const covers = coverMasked(options)
  const video = document.createElement('video')
  try {
    video.muted = true
    video.playsInline = true
    return await within(FIRST_FRAME_MS, takeFrame(video, stream, covers))
  } catch {
    return 'ended'
  } finally {
    for (const track of stream.getTracks()) track.stop()
    video.srcObject = null
    covers.remove()
    showWidget()
  }
}

const takeFrame = async (video: HTMLVideoElement, stream: MediaStream, covers: Covers): Promise<HTMLCanvasElement> => {
  const [track] = stream.getVideoTracks()
  if (track === undefined || track.readyState === 'ended') throw new Error('no track')
  const ended = new Promise<never>((_, reject) => {
    track.addEventListener('ended', () => reject(new Error('track ended')))
  })
  const frame = (async () => {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      covers.place()
      for (let count = 0; count < FRAMES_TO_DRAW; count++) await nextDrawing()
      await frameSince(performance.now(), video, stream)
      if (video.videoWidth < 2 || video.videoHeight < 2) continue
      const canvas = canvasOf(video, { width: video.videoWidth, height: video.videoHeight })
      if (covers.stillFit()) return canvas
    }
    throw new Error('no usable frame')
  })()
  return Promise.race([frame, ended])
}

const nextDrawing = (): Promise<unknown> =>
  Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), after(FRAME_MS)])

/**
 * Waits until `video` shows what was taken at `since` or later. A busy machine hands out frames long after it took
 * them, so counting them proves nothing where the browser says when that was.
 */
const frameSince = async (since: number, video: HTMLVideoElement, stream: MediaStream): Promise<void> => {
  // Whoever begins to watch gets a frame of now, also of a tab that stands still.
  video.srcObject = null
  video.srcObject = stream
  const first = nextFrame(video)
  await video.play()
  let taken = await first
  while (taken !== undefined && taken < since) taken = await nextFrame(video)
  if (taken !== undefined) return
  for (let count = 1; count < FRAMES_TO_WAIT; count++) await Promise.race([nextFrame(video), after(FRAME_MS)])
}

/** When the next frame was taken, on the clock of `performance.now()`; `undefined` where the browser does not say. */
const nextFrame = (video: HTMLVideoElement): Promise<number | undefined> =>
  'requestVideoFrameCallback' in video
    ? new Promise((resolve) => video.requestVideoFrameCallback((_, { captureTime }) => resolve(captureTime)))
    : after(FRAME_MS)

const after = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

const within = <Value>(ms: number, work: Promise<Value>): Promise<Value> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('too late')), ms)
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })

interface Covers {
  place(): void
  /** Is everything masked still where it was covered? */
  stillFit(): boolean
  remove(): void
}

/** Opaque boxes over everything masked, in the top layer, above the page's own dialogs. */
const coverMasked = (options: PictureOptions): Covers => {
  const masking = createMasking(options)
  const layer = document.createElement('fh-covers')
  important(layer, {
    all: 'initial',
    display: 'block',
    position: 'fixed',
    inset: '0',
    border: '0',
    padding: '0',
    margin: '0',
    width: '100vw',
    height: '100vh',
    background: 'transparent',
    overflow: 'visible',
    'z-index': '2147483647',
    'pointer-events': 'none',
  })
  if ('popover' in layer) layer.popover = 'manual'
  document.documentElement.append(layer)
  layer.showPopover?.()
  let placed = ''
  const boxes = (): readonly DOMRect[] => maskedElements(masking).flatMap(visibleRects)
  const textOf = (rects: readonly DOMRect[]): string =>
    rects.map((r) => `${r.x},${r.y},${r.width},${r.height}`).join(';')
  return {
    place: () => {
      const rects = boxes()
      placed = textOf(rects)
      layer.replaceChildren(...rects.map(coverOf))
    },
    stillFit: () => textOf(boxes()) === placed,
    remove: () => layer.remove(),
  }
}

const coverOf = ({ x, y, width, height }: DOMRect): HTMLElement => {
  const cover = document.createElement('fh-cover')
  important(cover, {
    all: 'initial',
    display: 'block',
    position: 'fixed',
    left: `${x - 1}px`,
    top: `${y - 1}px`,
    width: `${width + 2}px`,
    height: `${height + 2}px`,
    background: '#8a877f',
  })
  return cover
}

const important = (element: HTMLElement, styles: Readonly<Record<string, string>>): void => {
  for (const [name, value] of Object.entries(styles)) element.style.setProperty(name, value, 'important')
}

/** Boxes in the coordinates of this page's window, for elements in frames of the same origin as well. */
const visibleRects = (element: Element): DOMRect[] => {
  const rects = [...element.getClientRects(), ...textRects(element)].filter(
    ({ width, height }) => width > 0 && height > 0,
  )
  let x = 0
  let y = 0
  for (let frame = frameOf(element); frame !== null; frame = frameOf(frame)) {
    const box = frame.getBoundingClientRect()
    x += box.x + frame.clientLeft
    y += box.y + frame.clientTop
  }
  return rects.map((rect) => new DOMRect(rect.x + x, rect.y + y, rect.width, rect.height))
}

/** Text may stand out of the box that it belongs to. */
const textRects = (element: Element): DOMRect[] => {
  const range = element.ownerDocument.createRange()
  return [...element.childNodes].flatMap((node) => {
    if (node.nodeType !== Node.TEXT_NODE) return []
    range.selectNodeContents(node)
    return [...range.getClientRects()]
  })
}

const frameOf = (element: Element): Element | null =>
  element.ownerDocument === document ? null : (element.ownerDocument.defaultView?.frameElement ?? null)
