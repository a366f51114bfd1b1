import type { ReplayPlayback } from '@firsthand/contract'
import type { Touch } from '@firsthand/recording'

import { drawTouches, touchesAt } from './draw-touches.ts'
import type { ReplayPicture } from './picture.ts'
import type { Chunk, ChunkSource } from './source.ts'

export type Video = ReplayPlayback['videos'][number]

/** Where the videos of a phone's screen come from. */
export interface FilmSource {
  videoUrl(segmentId: number): string
  /** Fingers on the screen while it was recorded. */
  touches(video: Video, signal: AbortSignal): Promise<readonly Touch[]>
}

/** What plays of one segment. */
interface Reel {
  readonly video: Video
  readonly element: HTMLVideoElement
  readonly touches: readonly Touch[]
  /** Why it cannot be seen; null when it can. */
  readonly problem: string | null
}

/** Segments that are held: as many as the player keeps in one picture. The browser ends what is behind them. */
const REELS = 16
/** Some browsers load nothing before it is played: then it is shown as soon as it comes. */
const READY_MS = 10_000
/** A picture that is further off than this, in seconds of the recording for each of the reader's, is put right. */
const DRIFT_SECONDS = 0.3
/** Browsers draw the picture before a moment when they are asked for its very end. */
const LAST_FRAME_SECONDS = 0.05

/** The phone's screen as a picture of the player, with the segments that it plays. One video is loaded per segment. */
export interface Film {
  readonly source: ChunkSource
  /** More of it came. */
  setVideos(videos: readonly Video[]): void
  open(root: HTMLElement, told: FilmTold): ReplayPicture
}

interface FilmTold {
  readonly size: (width: number, height: number) => void
  /** Why nothing is to be seen at this moment; null where something is. */
  readonly problem: (sentence: string | null) => void
}

function give(element: HTMLVideoElement): void {
  element.pause()
  element.removeAttribute('src')
  element.load()
  element.remove()
}

/** Resolves when its first picture is there, or will not come: why then, null otherwise. @throws what the server answered */
async function loaded(element: HTMLVideoElement, url: string, signal: AbortSignal): Promise<string | null> {
  const { promise, resolve } = Promise.withResolvers<'there' | 'failed'>()
  const end = AbortSignal.any([signal, AbortSignal.timeout(READY_MS)])
  const once = { once: true, signal: end }
  element.addEventListener('loadeddata', () => resolve('there'), once)
  element.addEventListener('error', () => resolve('failed'), once)
  end.addEventListener('abort', () => resolve('there'), { once: true })
  element.src = url
  if ((await promise) === 'there' || signal.aborted) return null
  const cannot = 'This browser cannot play how the phone recorded this part. Chrome, Edge and Safari play more formats.'
  // Bytes of the page's own are there.
  if (url.startsWith('blob:')) return cannot
  // The element does not say whether there was none, or one that it cannot play.
  const answer = await fetch(url, { signal, credentials: 'same-origin', headers: { range: 'bytes=0-0' } })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`The video of this moment did not come: the server answered ${answer.status}.`)
  return cannot
}

function makeElement(): HTMLVideoElement {
  const element = document.createElement('video')
  element.muted = true
  element.playsInline = true
  element.preload = 'auto'
  element.disablePictureInPicture = true
  element.tabIndex = -1
  Object.assign(element.style, { position: 'absolute', inset: '0', width: '100%', height: '100%', objectFit: 'fill' })
  return element
}

// long: one state, which the source and the picture share
export function createFilm(from: FilmSource, first: readonly Video[]): Film {
  let videos = first
  const reels = new Map<number, Reel>()
  /** The reel that is shown is never let go. */
  let current: Reel | null = null

  const keep = (number: number, reel: Reel): void => {
    reels.delete(number)
    reels.set(number, reel)
    for (const [oldest, old] of reels) {
      if (reels.size <= REELS) break
      if (old === current || oldest === number) continue
      reels.delete(oldest)
      give(old.element)
    }
  }

  const load = async (number: number, signal: AbortSignal): Promise<Reel> => {
    const video = videos.find(({ segmentId }) => segmentId === number)
    if (video === undefined) throw new Error('This replay has no such video.')
    const known = reels.get(number)
    if (known !== undefined && known.video.to === video.to) return known
    const element = makeElement()
    try {
      const [touches, problem] = await Promise.all([
        from.touches(video, signal),
        loaded(element, from.videoUrl(number), signal),
      ])
      signal.throwIfAborted()
      return { video, element, touches, problem }
    } catch (error) {
      give(element)
      throw error
    }
  }

  return {
    source: {
      chunks: () =>
        Promise.resolve({
          chunks: videos.map((video): Chunk => ({ number: video.segmentId, from: video.from, to: video.to })),
          preparing: false,
        }),
      async chunk(number, signal) {
        keep(number, await load(number, signal))
        return String(number)
      },
    },
    setVideos: (more) => void (videos = more),
    open(root, told) {
      const canvas = document.createElement('canvas')
      Object.assign(canvas.style, { position: 'absolute', inset: '0', width: '100%', height: '100%' })
      root.append(canvas)
      let drawn: number[] = []
      let trail = true
      let frame = 0

      const reelAt = (at: number): Reel | null => {
        const known = drawn.flatMap((number) => reels.get(number) ?? [])
        return known.findLast(({ video }) => video.from <= at) ?? known[0] ?? null
      }
      const use = (reel: Reel): void => {
        if (current === reel) return
        const before = current?.element
        current = reel
        root.prepend(reel.element)
        before?.pause()
        before?.remove()
        const { videoHeight, videoWidth } = reel.element
        const { height = videoHeight, width = videoWidth } = reel.video.width > 0 ? reel.video : {}
        if (width > 0 && height > 0) told.size(width, height)
        told.problem(reel.problem)
      }
      const touch = (at: number): void => {
        const context = canvas.getContext('2d')
        if (current === null || context === null) return
        const { clientWidth: width, clientHeight: height } = root
        const ratio = window.devicePixelRatio
        canvas.width = Math.round(width * ratio)
        canvas.height = Math.round(height * ratio)
        const scale = canvas.width / (current.video.width || current.element.videoWidth || 1)
        drawTouches(context, touchesAt(current.touches, at), { scale, hasTrail: trail })
      }
      /** @param speed null while it stands */
      const place = (at: number, speed: number | null): void => {
        const reel = reelAt(at)
        if (reel === null) return
        use(reel)
        const { element, video } = reel
        const { duration } = element
        const end = Number.isFinite(duration) ? Math.max(0, duration - LAST_FRAME_SECONDS) : Infinity
        const wanted = Math.min(end, Math.max(0, (at - video.from) / 1000))
        const off = Math.abs(element.currentTime - wanted)
        if (speed === null || wanted === end) {
          element.pause()
          if (off > 0.001) element.currentTime = wanted
        } else {
          if (element.playbackRate !== speed) element.playbackRate = speed
          if (off > DRIFT_SECONDS * Math.max(1, speed)) element.currentTime = wanted
          // It is refused while the page is hidden; then nobody looks.
          if (element.paused) element.play().catch(() => undefined)
        }
        touch(at)
      }
      const stop = (): void => {
        cancelAnimationFrame(frame)
        frame = 0
      }
      const stand = (at: number): void => {
        stop()
        place(at, null)
      }

      return {
        show(number, at) {
          drawn = [Number(number)]
          stand(at)
        },
        add: (number) => void drawn.push(Number(number)),
        go: stand,
        play(at, speed) {
          stop()
          const begun = performance.now()
          const run = (): void => {
            place(at + (performance.now() - begun) * speed, speed)
            frame = requestAnimationFrame(run)
          }
          run()
        },
        pause() {
          stop()
          current?.element.pause()
        },
        placeOf: () => null,
        page: () => null,
        hasTrail: () => trail,
        setTrail: (shows) => void (trail = shows),
        destroy() {
          stop()
          for (const { element } of reels.values()) give(element)
          reels.clear()
          canvas.remove()
        },
      }
    },
  }
}
