import type { ReplayPlayback } from '@firsthand/contract'
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react'

import { type Axis, createAxis } from '../model/axis.ts'
import { readRows, type Rows } from '../model/rows.ts'
import type { OpenedReplay } from '../player/use-replay.ts'
import { type ReplayActs, useReplayKeys } from '../replay-keys.ts'
import { Controls } from './Controls.tsx'
import { Score } from './Score.tsx'
import { type RenderOver, SERVER_STILL, Stage, type StillPage } from './Stage.tsx'
import styles from './PlayedReplay.module.css'

/** A replay with its controls, its line of time and what happened, below a header. */
export function PlayedReplay({
  playback,
  opened,
  still = SERVER_STILL,
  linkTo,
  renderAside,
  held,
  renderOver,
  children,
}: {
  readonly playback: ReplayPlayback
  readonly opened: OpenedReplay
  readonly still?: StillPage
  /** The address of a moment; null where it has none. @param seconds after the beginning */
  readonly linkTo: ((seconds: number) => string) | null
  /** What happened, beside the picture. */
  readonly renderAside: (read: { readonly rows: Rows; readonly axis: Axis }) => ReactNode
  /** Stands in place of the picture, which is not drawn. */
  readonly held?: ReactNode
  readonly renderOver?: RenderOver
  /** The header. */
  readonly children: (acts: ReplayActs) => ReactNode
}) {
  const { startedAt, finishedAt } = playback
  const { player } = opened
  const screen = useRef<HTMLDivElement>(null)
  const [fills, setFills] = useState(false)
  const axis = useMemo(() => createAxis(startedAt, finishedAt, playback.idle), [startedAt, finishedAt, playback])
  const rows = useMemo(() => readRows(playback, axis.folds), [playback, axis])
  const fill = (): void => {
    const done = document.fullscreenElement === null ? screen.current?.requestFullscreen() : document.exitFullscreen()
    // Where the browser does not allow it, nothing changes.
    done?.catch(() => undefined)
  }
  useEffect(() => {
    const changed = (): void => setFills(document.fullscreenElement !== null)
    document.addEventListener('fullscreenchange', changed)
    return () => document.removeEventListener('fullscreenchange', changed)
  }, [])
  const acts = useReplayKeys({ opened, rows: rows.everything, from: startedAt, fill, linkTo })
  return (
    <div className={styles.screen}>
      {children(acts)}
      <div className={styles.panes}>
        <div ref={screen} className={styles.player}>
          <Stage playback={playback} opened={opened} still={still} held={held} renderOver={renderOver} />
          <div className={styles.deck}>
            <Controls playback={playback} player={player} acts={acts} fills={fills} onFill={fill} />
            <Score playback={playback} player={player} axis={axis} />
          </div>
        </div>
        {renderAside({ rows, axis })}
      </div>
    </div>
  )
}
