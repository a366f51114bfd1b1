import type { ReplayPlayback } from '@firsthand/contract'
import { type PointerEvent, useEffect, useMemo, useRef } from 'react'

import { formatCount, formatDuration } from '../../../lib/format.ts'
import { AddressText } from '../../../ui/index.ts'
import { plainVisible } from '../../../lib/visible-text.ts'
import { areApart, type Axis, labelAt, labelsOf } from '../model/axis.ts'
import { LANE_MARKS, type LaneMark, type Lanes, readLanes } from '../model/lanes.ts'
import { playLength, playTime } from '../model/time.ts'
import type { Player } from '../player/engine.ts'
import { usePlayerValue } from '../player/use-player.ts'
import { useRoom } from './use-room.ts'
import styles from './Score.module.css'

const percent = (share: number): string => `${(share * 100).toFixed(3)}%`
/** Of the time that is shown above the line, in pixels. */
const NOW_PADDING = 6
/** A page narrower than this has no room for its name. */
const NAMED_SHARE = 0.03

/** The whole replay on one line of time: pages, activity, marks, requests. A press goes there. */
export function Score({
  playback,
  player,
  axis,
}: {
  readonly playback: ReplayPlayback
  readonly player: Player
  readonly axis: Axis
}) {
  const lanes = useMemo(() => readLanes(playback, axis), [playback, axis])
  return (
    <div className={styles.score}>
      <Labels player={player} axis={axis} />
      <div className={styles.names} aria-hidden="true">
        <span>Pages</span>
        <span>Activity</span>
        <span>Marks</span>
        <span>Requests</span>
      </div>
      <Track player={player} axis={axis}>
        <Drawing lanes={lanes} axis={axis} />
      </Track>
      <Legend lanes={lanes} folds={axis.folds.length} />
    </div>
  )
}

function Labels({ player, axis }: { readonly player: Player; readonly axis: Axis }) {
  const line = useRef<HTMLDivElement>(null)
  const { width } = useRoom(line)
  const labels = useMemo(() => labelsOf(axis, width), [axis, width])
  const now = useRef<HTMLSpanElement>(null)
  const text = usePlayerValue(player, ({ at }) => playTime(at - axis.from, 1))
  useFollow(player, axis, now)
  /** The time that is shown stands before all others; it stays within the line. */
  const shown = labelAt(axis.placeOf(player.snapshot().at), text, width)
  const half = (shown.end - shown.start) / 2 + NOW_PADDING
  const middle = Math.min(width - half, Math.max(half, shown.place * width))
  const taken = { start: middle - half, end: middle + half }
  return (
    <div ref={line} className={styles.labels} aria-hidden="true">
      {labels.map((label) => (
        <span
          key={label.key}
          className={styles.tick}
          style={{ left: percent(label.place) }}
          data-first={label.place === 0}
          hidden={!areApart(label, taken)}
        >
          {label.text}
        </span>
      ))}
      <span className={styles.now} ref={now}>
        {text}
      </span>
    </div>
  )
}

/** Moves with the time, without drawing anything anew. */
function useFollow(player: Player, axis: Axis, element: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const follow = (): void => {
      element.current?.style.setProperty('--at', percent(axis.placeOf(player.snapshot().at)))
    }
    follow()
    return player.subscribe(follow)
  }, [player, axis, element])
}

function Track({
  player,
  axis,
  children,
}: {
  readonly player: Player
  readonly axis: Axis
  readonly children: React.ReactNode
}) {
  const line = useRef<HTMLSpanElement>(null)
  const seconds = usePlayerValue(player, ({ at }) => Math.floor((at - axis.from) / 1000))
  useFollow(player, axis, line)
  const seek = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect()
    player.seek(axis.at(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width))))
  }
  const length = axis.to - axis.from
  return (
    <div
      className={styles.track}
      role="slider"
      tabIndex={0}
      aria-label="Time in the replay"
      aria-valuemin={0}
      aria-valuemax={Math.ceil(length / 1000)}
      aria-valuenow={seconds}
      aria-valuetext={`${playTime(seconds * 1000)} of ${playLength(axis.from, axis.to)}`}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.currentTarget.setPointerCapture(event.pointerId)
        seek(event)
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) seek(event)
      }}
    >
      {children}
      <span className={styles.line} ref={line} />
    </div>
  )
}

const stretch = ({ start, end }: { readonly start: number; readonly end: number }) => ({
  left: percent(start),
  width: percent(Math.max(0, end - start)),
})

function Drawing({ lanes, axis }: { readonly lanes: Lanes; readonly axis: Axis }) {
  const { activity, marks, missing, pages, requests } = lanes
  const bars = activity
    .map((share, step) => (share === 0 ? '' : `M${step + 0.5} 16v${(-1 - share * 14).toFixed(1)}`))
    .join('')
  return (
    <>
      {pages.map((page) => (
        <span
          key={`${page.at} ${page.path}`}
          className={styles.page}
          style={stretch(page)}
          title={plainVisible(page.path)}
        >
          {page.end - page.start < NAMED_SHARE ? null : <AddressText text={page.path} />}
        </span>
      ))}
      <svg
        className={styles.activity}
        viewBox={`0 0 ${activity.length} 16`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={bars} vectorEffect="non-scaling-stroke" />
      </svg>
      {axis.folds.map((fold) => (
        <span
          key={fold.from}
          className={styles.fold}
          style={stretch(fold)}
          title={`Idle for ${formatDuration(fold.to - fold.from)}, folded`}
        />
      ))}
      {missing.map((gap) => (
        <span key={gap.start} className={styles.gap} style={stretch(gap)} />
      ))}
      {marks.map(({ place, kind, title }) => (
        <span key={`${kind} ${place}`} className={styles.mark} style={{ left: percent(place) }} title={title}>
          <MarkShape kind={kind} />
        </span>
      ))}
      {requests.map(({ start, end, tone }, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- they never change, and two may begin together
        <span key={index} className={styles.request} data-tone={tone} style={stretch({ start, end })} />
      ))}
    </>
  )
}

/** Shapes first, colours second: not everybody sees these apart. */
function MarkShape({ kind }: { readonly kind: LaneMark }) {
  return (
    <svg className={styles[kind]} width={14} height={14} viewBox="0 0 14 14" aria-hidden="true">
      {kind === 'click' ? <circle cx={7} cy={7} r={3.2} /> : null}
      {kind === 'dead' ? <circle cx={7} cy={7} r={3} fill="none" strokeWidth={1.6} /> : null}
      {kind === 'rage' ? (
        <>
          <circle cx={7} cy={7} r={5.6} fill="none" strokeWidth={1.4} />
          <circle cx={7} cy={7} r={2.8} stroke="none" />
        </>
      ) : null}
      {kind === 'error' ? <path d="M7 2 12.500 12h-11z" /> : null}
      {kind === 'feedback' ? <path d="M1.500 2.500h11v7H6L3.500 12V9.500h-2z" /> : null}
    </svg>
  )
}

/** As the heads of the list say it. */
const TITLES: Readonly<Partial<Record<LaneMark, string>>> = {
  dead: 'Clicks to which the page did not answer within seven seconds; rage clicks are among them',
  rage: 'Elements that did not answer and were clicked five times or more',
}

function Legend({ lanes: { counts, missing }, folds }: { readonly lanes: Lanes; readonly folds: number }) {
  return (
    <p className={styles.legend}>
      {LANE_MARKS.filter((kind) => counts[kind] > 0).map((kind) => (
        <span key={kind} title={TITLES[kind]}>
          <MarkShape kind={kind} />
          {kind} {formatCount(counts[kind])}
        </span>
      ))}
      {counts.slow === 0 ? null : (
        <span>
          <span className={styles.slow} aria-hidden="true" />
          slow {formatCount(counts.slow)}
        </span>
      )}
      {folds === 0 ? null : <span>shaded: idle, folded</span>}
      {missing.length === 0 ? null : <span>hatched: not received</span>}
    </p>
  )
}
