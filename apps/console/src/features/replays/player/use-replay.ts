import type { ReplayPlayback } from '@firsthand/contract'
import { useEffect, useState } from 'react'

import { createPlayer, type Player } from './engine.ts'
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
  /** The document in which it is drawn, as soon as it is there; or why it never will be. */
  readonly stageReady: (stage: Document | Error) => void
  /** Of the recorded window. */
  readonly size: Size
  /** Null until it draws. */
  readonly picture: ReplayPicture | null
}

/** Of a page whose size nobody noted. */
const USUAL: Size = { width: 1280, height: 800 }

/**
 * Opens a replay for as long as its screen is there.
 *
 * @param source the same as long as the replay is
 * @returns null for a moment; what is thrown says why the code that draws, which is large, did not come
 */
export function useReplay(source: ChunkSource, playback: ReplayPlayback, at: number): OpenedReplay | null {
  const [opened, setOpened] = useState<Pick<OpenedReplay, 'player' | 'stageReady'> | null>(null)
  const [size, setSize] = useState(() => sizeOf(playback))
  const [picture, setPicture] = useState<ReplayPicture | null>(null)
  const [problem, setProblem] = useState<unknown>(null)
  const [start] = useState(at)
  useEffect(() => {
    const leave = new AbortController()
    const open = (): void => {
      if (leave.signal.aborted) return
      const { hasPicture, startedAt: from, finishedAt: to, idle } = playback
      const { promise: stage, resolve, reject } = Promise.withResolvers<Document>()
      // The code that draws, the page it draws in and what it draws come at the same time.
      const code = hasPicture ? import('./picture.ts') : null
      code?.catch(setProblem)
      const draw = async (): Promise<ReplayPicture | typeof NO_PICTURE> => {
        if (code === null) return NO_PICTURE
        const [{ createPicture }, page] = await Promise.all([code, stage])
        const drawn = createPicture(page, { size: (width, height) => setSize({ width, height }) })
        if (!leave.signal.aborted) setPicture(drawn)
        return drawn
      }
      const player = createPlayer({
        source: hasPicture ? cached(source) : NO_CHUNKS,
        picture: draw(),
        clock: screenClock,
        from,
        to,
        idle,
        at: start,
        speed: 1,
        skipsIdle: true,
      })
      leave.signal.addEventListener('abort', player.destroy)
      // Nobody looks, and frames do not come: it would jump when somebody does again.
      const hidden = (): void => {
        if (document.visibilityState === 'hidden') player.pause()
      }
      document.addEventListener('visibilitychange', hidden, { signal: leave.signal })
      setOpened({ player, stageReady: (ready) => (ready instanceof Error ? reject(ready) : resolve(ready)) })
    }
    // Not by the effect itself: the screen is drawn anew with what was opened.
    queueMicrotask(open)
    return () => leave.abort()
  }, [source, playback, start])
  if (problem !== null) throw problem
  return opened === null ? null : { ...opened, size, picture }
}

function sizeOf({ pages }: ReplayPlayback): Size {
  const known = pages.find(({ width, height }) => width > 0 && height > 0)
  return known === undefined ? USUAL : { width: known.width, height: known.height }
}
