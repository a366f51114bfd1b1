import type { ReplayPlayback } from '@firsthand/contract'
import { useEffect, useRef, useState } from 'react'

import { isBlankPage } from './blank-page.ts'
import { createPlayer, type Player, type Stretch } from './engine.ts'
import type { Film } from './film.ts'
import { NO_CHUNKS, NO_PICTURE } from './no-picture.ts'
import type { ReplayPicture } from './picture.ts'
import { cached, type ChunkSource } from './source.ts'
import { screenClock } from './use-player.ts'

export interface Size {
  readonly width: number
  readonly height: number
}

/** A replay that is open on the screen. */
export interface OpenedReplay {
  readonly player: Player
  /** Where it is drawn, as soon as it is there, a document or for a film an element; or why it never will be. */
  readonly stageReady: (stage: Document | HTMLElement | Error) => void
  /** Of the recorded window. */
  readonly size: Size
  /** Null until it draws. */
  readonly picture: ReplayPicture | null
  /** Why nothing is to be seen at this moment; null where something is. */
  readonly blank: string | null
}

/** Of a page whose size nobody noted. */
const USUAL: Size = { width: 1280, height: 800 }

/** Loads what plays videos; they may become more. */
export type OpenFilm = () => Promise<(videos: ReplayPlayback['videos']) => Film>

/** What there is to be seen of a replay: a page that is drawn, what a phone filmed of its screen, or nothing. */
export type PictureKind = 'page' | 'film' | 'none'

export const kindOf = ({ hasPicture, videos }: Pick<ReplayPlayback, 'hasPicture' | 'videos'>): PictureKind =>
  hasPicture ? 'page' : videos.length > 0 ? 'film' : 'none'

const stretchOf = (playback: ReplayPlayback): Stretch => ({
  to: playback.finishedAt,
  idle: playback.idle,
  runs: !playback.complete,
})

/** What draws, with what it draws: code that is loaded when it is needed. */
interface Drawing {
  readonly source: ChunkSource
  readonly code: Promise<unknown>
  readonly picture: (stage: Promise<Document | HTMLElement>) => Promise<ReplayPicture | typeof NO_PICTURE>
  /** More came. */
  readonly grow: (playback: ReplayPlayback) => void
}

interface Told {
  readonly size: (width: number, height: number) => void
  readonly problem: (sentence: string | null) => void
  /** Code that draws did not come. */
  readonly failed: (error: unknown) => void
}

const nothing = (): void => undefined

function pageDrawing(source: ChunkSource, told: Told): Drawing {
  const code = import('./picture.ts')
  return {
    source: cached(source),
    code,
    async picture(stage) {
      const [{ createPicture }, page] = await Promise.all([code, stage])
      return createPicture(page as Document, told, source.kept)
    },
    grow: nothing,
  }
}

function filmDrawing(openFilm: OpenFilm, playback: ReplayPlayback, told: Told): Drawing {
  let { videos } = playback
  let film: Film | null = null
  const made = openFilm().then((createFilm) => {
    film = createFilm(videos)
    return film
  })
  return {
    source: {
      chunks: async (signal) => (await made).source.chunks(signal),
      chunk: async (number, signal) => (await made).source.chunk(number, signal),
    },
    code: made,
    async picture(stage) {
      const [opened, root] = await Promise.all([made, stage])
      return opened.open(root as HTMLElement, told)
    },
    grow(more) {
      ;({ videos } = more)
      film?.setVideos(videos)
    },
  }
}

const NO_DRAWING: Drawing = {
  source: NO_CHUNKS,
  code: Promise.resolve(),
  picture: () => Promise.resolve(NO_PICTURE),
  grow: nothing,
}

/**
 * Opens a replay for as long as its screen is there, which is that of one replay. What of it comes meanwhile is added.
 *
 * @param source, openFilm the same as long as the replay is
 * @param at null for where there is first something to be seen
 * @returns null for a moment; what is thrown says why the code that draws, which is large, did not come
 */
export function useReplay(
  source: ChunkSource,
  playback: ReplayPlayback,
  at: number | null,
  openFilm: OpenFilm,
): OpenedReplay | null {
  type Opened = Pick<OpenedReplay, 'player' | 'stageReady'> & Pick<Drawing, 'grow'>
  const [opened, setOpened] = useState<Opened | null>(null)
  const [size, setSize] = useState(() => sizeOf(playback))
  const [picture, setPicture] = useState<ReplayPicture | null>(null)
  const [blank, setBlank] = useState<string | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [start] = useState(at)
  const latest = useRef(playback)
  const kind = kindOf(playback)
  useEffect(() => {
    latest.current = playback
    opened?.grow(playback)
    opened?.player.grow(stretchOf(playback))
  }, [opened, playback])
  useEffect(() => {
    const leave = new AbortController()
    const open = (): void => {
      if (leave.signal.aborted) return
      const known = latest.current
      const { promise: stage, resolve, reject } = Promise.withResolvers<Document | HTMLElement>()
      const told: Told = {
        size: (width, height) => setSize({ width, height }),
        problem: setBlank,
        failed: setProblem,
      }
      // The code that draws, the page it draws in and what it draws come at the same time.
      const drawing =
        kind === 'page' ? pageDrawing(source, told) : kind === 'film' ? filmDrawing(openFilm, known, told) : NO_DRAWING
      drawing.code.catch(setProblem)
      const drawn = drawing.picture(stage)
      let seen: ReplayPicture | null = null
      drawn.then(
        (made) => {
          if (leave.signal.aborted || made === NO_PICTURE) return
          seen = made as ReplayPicture
          setPicture(seen)
        },
        // Told by the player.
        nothing,
      )
      const player = createPlayer({
        source: drawing.source,
        picture: drawn,
        clock: screenClock,
        from: known.startedAt,
        ...stretchOf(known),
        at: start,
        isBlank: () => isBlankPage(seen?.page() ?? null),
        speed: 1,
        skipsIdle: true,
      })
      leave.signal.addEventListener('abort', player.destroy)
      // Nobody looks, and frames do not come: it would jump when somebody does again.
      const hidden = (): void => {
        if (document.visibilityState === 'hidden') player.pause()
      }
      document.addEventListener('visibilitychange', hidden, { signal: leave.signal })
      const stageReady: OpenedReplay['stageReady'] = (ready) =>
        ready instanceof Error ? reject(ready) : resolve(ready)
      setOpened({ player, stageReady, grow: drawing.grow })
    }
    // Opening sets state. In a microtask, React need not draw again while the effect still runs.
    queueMicrotask(open)
    return () => leave.abort()
  }, [source, openFilm, kind, start])
  if (problem !== null) throw problem
  return opened === null ? null : { player: opened.player, stageReady: opened.stageReady, size, picture, blank }
}

function sizeOf({ pages, videos }: ReplayPlayback): Size {
  const known = [...videos, ...pages].find(({ width, height }) => width > 0 && height > 0)
  return known === undefined ? USUAL : { width: known.width, height: known.height }
}
