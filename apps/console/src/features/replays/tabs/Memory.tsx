import { type PointerEvent, useEffect, useMemo, useRef } from 'react'

import { cx } from '../../../lib/cx.ts'
import { formatBytes } from '../../../lib/format.ts'
import type { Axis } from '../model/axis.ts'
import { type MemoryPoint, roofOf } from '../model/memory.ts'
import { playTime } from '../model/time.ts'
import type { Player } from '../player/engine.ts'
import { FollowList } from './FollowList.tsx'
import type { TabPlace } from './TabHead.tsx'
import lineStyles from './Line.module.css'
import styles from './Memory.module.css'

const ROW_HEIGHT = 26
const [WIDTH, HEIGHT] = [1000, 100]

/** The memory that the page used, as a line over the time of the replay and in numbers. */
export function Memory({
  player,
  points,
  axis,
  place,
}: {
  readonly player: Player
  readonly points: readonly MemoryPoint[]
  readonly axis: Axis
  readonly place: TabPlace
}) {
  return (
    <>
      {points.length < 2 || place.isStrip ? null : <Curve player={player} points={points} axis={axis} />}
      <FollowList
        player={player}
        items={points}
        rowHeight={ROW_HEIGHT}
        from={axis.from}
        place={place}
        nothing="No use of memory was recorded: only browsers like Chrome and Edge tell a page how much it uses."
      >
        {({ at, bytes, change }, state) => (
          <button
            type="button"
            data-row=""
            className={cx(lineStyles.line, styles.line)}
            data-when={state.when}
            aria-current={state.when === 'now' ? 'time' : undefined}
            tabIndex={state.tabIndex}
            onClick={state.go}
          >
            <span className={lineStyles.at}>{playTime(at - axis.from, 2)}</span>
            <span className={styles.bytes}>{formatBytes(bytes)}</span>
            <span className={styles.change}>
              {change === 0 ? '' : `${change > 0 ? '+' : '−'}${formatBytes(Math.abs(change))}`}
            </span>
          </button>
        )}
      </FollowList>
    </>
  )
}

function Curve({
  player,
  points,
  axis,
}: {
  readonly player: Player
  readonly points: readonly MemoryPoint[]
  readonly axis: Axis
}) {
  const line = useRef<HTMLSpanElement>(null)
  const { path, roof } = useMemo(() => {
    const top = roofOf(Math.max(...points.map(({ bytes }) => bytes)))
    const place = ({ at, bytes }: MemoryPoint): string =>
      `${(axis.placeOf(at) * WIDTH).toFixed(1)} ${(HEIGHT - (bytes / top) * HEIGHT).toFixed(1)}`
    return { roof: top, path: `M${points.map(place).join('L')}` }
  }, [points, axis])
  useEffect(() => {
    const follow = (): void => line.current?.style.setProperty('--at', `${axis.placeOf(player.snapshot().at) * 100}%`)
    follow()
    return player.subscribe(follow)
  }, [player, axis])
  const seek = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    player.seek(axis.at(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))))
  }
  return (
    // The list below says the same, for keys and for those who do not see it.
    <div className={styles.curve} aria-hidden="true">
      <span className={styles.roof}>{formatBytes(roof)}</span>
      <div className={styles.plot} onPointerDown={seek}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
          <path d={path} vectorEffect="non-scaling-stroke" />
        </svg>
        <span ref={line} className={styles.now} />
      </div>
      <span className={styles.ends}>
        <span>{playTime(0)}</span>
        <span>{playTime(axis.to - axis.from)}</span>
      </span>
    </div>
  )
}
