import type { ReplayPlayback } from '@firsthand/contract'
import { type ReactNode, useEffect, useMemo, useRef } from 'react'

import { describeError } from '../../../lib/api.ts'
import { formatDuration } from '../../../lib/format.ts'
import { AddressText, EmptyState, ErrorState, EyeOffIcon, Spinner } from '../../../ui/index.ts'
import { playTime } from '../model/time.ts'
import { addressAt } from '../model/address.ts'
import { clickInVain } from '../model/rows.ts'
import { whyUnplayable } from '../model/recording-words.ts'
import { incompleteOf } from '../model/incomplete.ts'
import { opensAt, stillIn, whyStill } from '../model/still.ts'
import type { Player } from '../player/engine.ts'
import { kindOf, type OpenedReplay } from '../player/use-replay.ts'
import { usePlayerValue } from '../player/use-player.ts'
import { useRoom } from './use-room.ts'
import styles from './Stage.module.css'

/** An empty page in which nothing runs and for which nothing is fetched: an address, or the page itself. */
export type StillPage = { readonly src: string } | { readonly srcDoc: string }

/** What more stands over the recorded page. @param top of the page in its window, in pixels */
export type RenderOver = (scale: number, top: number) => ReactNode

/** The server's. */
export const SERVER_STILL: StillPage = { src: '/still/' }
const SANDBOX = 'allow-same-origin'
const BAR = 28
/** A small window is not blown up further. */
const MAX_SCALE = 2

interface StageProps {
  readonly playback: ReplayPlayback
  readonly opened: OpenedReplay
  readonly still: StillPage
  /** Stands in place of the picture, which is not drawn. */
  readonly held?: ReactNode
  readonly renderOver?: RenderOver | undefined
}

/** The recorded page, as large as there is room, with its address. */
export function Stage({ playback, opened, still, held, renderOver }: StageProps) {
  const { player, size } = opened
  const kind = kindOf(playback)
  const area = useRef<HTMLDivElement>(null)
  const room = useRoom(area)
  const url = usePlayerValue(player, ({ at }) => addressAt(playback, at))
  const scale = Math.max(0.05, Math.min(MAX_SCALE, room.width / size.width, (room.height - BAR) / size.height))
  return (
    <section className={styles.stage} aria-label="Recorded page" data-tall={size.height > size.width}>
      <div ref={area} className={styles.area}>
        {held != null ? (
          held
        ) : kind !== 'none' ? (
          <div className={styles.window} style={{ width: size.width * scale, height: size.height * scale + BAR }}>
            <div className={styles.bar}>
              {kind === 'film' ? null : <span className={styles.dots} aria-hidden="true" />}
              <code className={styles.url}>
                <AddressText text={url.replace(/^https?:\/\//, '')} />
              </code>
              <span className={styles.note}>{kind === 'film' ? 'filmed screen' : 'recorded page, no script runs'}</span>
            </div>
            <div className={styles.page} style={{ width: size.width * scale, height: size.height * scale }} inert>
              {kind === 'film' ? <Screen opened={opened} /> : <Still page={still} opened={opened} scale={scale} />}
            </div>
            <Pointed playback={playback} opened={opened} scale={scale} />
            <Opening player={player} />
            {renderOver?.(scale, BAR)}
            <Overlay playback={playback} opened={opened} />
          </div>
        ) : (
          <NoPicture playback={playback} />
        )}
      </div>
    </section>
  )
}

function Still({
  page,
  opened,
  scale,
}: {
  readonly page: StillPage
  readonly opened: OpenedReplay
  readonly scale: number
}) {
  const { size, stageReady } = opened
  return (
    <iframe
      className={styles.frame}
      sandbox={SANDBOX}
      {...page}
      title="Recorded page"
      tabIndex={-1}
      style={{ width: size.width, height: size.height, transform: `scale(${scale})` }}
      onLoad={({ currentTarget }) => {
        const drawn = currentTarget.contentDocument
        stageReady(drawn?.body == null ? new Error('The page to draw in could not be opened.') : drawn)
      }}
    />
  )
}

/** Where a phone's film is drawn. */
function Screen({ opened: { stageReady } }: { readonly opened: OpenedReplay }) {
  return <div ref={(element) => void (element !== null && stageReady(element))} className={styles.screen} />
}

/** Names the click in vain that has just happened, beside what was clicked. */
function Pointed({
  playback: { marks },
  opened: { picture, player },
  scale,
}: {
  readonly playback: ReplayPlayback
  readonly opened: OpenedReplay
  readonly scale: number
}) {
  const label = useRef<HTMLParagraphElement>(null)
  const pointed = usePlayerValue(player, ({ at }) => clickInVain(marks, at))
  const mark = pointed === -1 ? undefined : marks[pointed]
  useEffect(() => {
    const place = (): void => {
      const target = mark?.nodeId == null || picture === null ? null : picture.placeOf(mark.nodeId)
      const element = label.current
      if (element === null) return
      element.hidden = target === null
      if (target === null) return
      // Whole also beside the edges.
      const half = element.offsetWidth / 2
      const room = (element.parentElement?.clientWidth ?? 0) - half
      element.style.left = `${Math.max(half, Math.min(room, (target.left + target.width / 2) * scale))}px`
      element.style.top = `${BAR + (target.top + target.height) * scale}px`
    }
    place()
    return player.subscribe(place)
  }, [mark, picture, player, scale])
  return mark === undefined ? null : (
    <p ref={label} className={styles.pointed}>
      {mark.kind === 'rage_click' ? 'Rage click' : 'Dead click'}
      {mark.value === null || mark.value < 2 ? '' : ` · ${mark.value} clicks`}
    </p>
  )
}

/** Nothing was drawn yet: what will stand here is said, instead of an empty page. */
function Opening({ player }: { readonly player: Player }) {
  const opens = usePlayerValue(player, ({ pictureFrom, state }) => state === 'loading' && pictureFrom === null)
  return opens ? (
    <p className={styles.opening} aria-hidden="true">
      Loading the recording
    </p>
  ) : null
}

/** What is said over the picture: that it loads, that it cannot go on, or why nothing moves. */
function Overlay({ playback, opened }: { readonly playback: ReplayPlayback; readonly opened: OpenedReplay }) {
  const { player } = opened
  const state = usePlayerValue(player, (snapshot) => snapshot.state)
  const skipped = usePlayerValue(player, (snapshot) => snapshot.skipped)
  const incomplete = useMemo(() => incompleteOf(playback), [playback])
  const still = usePlayerValue(player, ({ at, pictureFrom }) => stillIn(playback, pictureFrom, at, incomplete))
  const opens = usePlayerValue(player, (snapshot) => opensAt(snapshot, playback.startedAt))
  if (state === 'broken') {
    return (
      <div className={styles.broken}>
        <ErrorState
          compact
          title="The recording cannot be shown here"
          {...describeError(player.snapshot().problem)}
          onRetry={player.play}
        />
      </div>
    )
  }
  if (state === 'loading') {
    return (
      <>
        <div className={styles.loading}>
          <Spinner label="Loading the recording" />
        </div>
        <Preparing playback={playback} player={player} />
      </>
    )
  }
  if (skipped > 0) return <Said>Skipped {formatDuration(skipped)}</Said>
  if (opened.blank !== null) return <Said>{opened.blank}</Said>
  if (state === 'waiting')
    return <Said>That is all that has come so far. It goes on as soon as more was recorded.</Said>
  if (opens !== null)
    return <Said>The page is blank before {playTime(opens - playback.startedAt)}, so it opens here.</Said>
  return still === null ? null : <Said>{whyStill(still, (at) => playTime(at - playback.startedAt))}</Said>
}

/** The server has not come to this moment yet: how far it is. */
function Preparing({
  playback: { finishedAt, startedAt },
  player,
}: {
  readonly playback: ReplayPlayback
  readonly player: Player
}) {
  const preparedTo = usePlayerValue(player, (shown) =>
    shown.at > (shown.preparedTo ?? Infinity) ? shown.preparedTo : null,
  )
  return preparedTo === null ? null : (
    <Said>
      Preparing this moment… {/* It changes several times a second: read aloud, it would be nothing but numbers. */}
      <span aria-hidden="true">
        {playTime(preparedTo - startedAt)} of {playTime(finishedAt - startedAt)} can be played.
      </span>
    </Said>
  )
}

function Said({ children }: { readonly children: ReactNode }) {
  return (
    <p className={styles.said} role="status">
      {children}
    </p>
  )
}

function NoPicture({ playback: { segments } }: { readonly playback: ReplayPlayback }) {
  const broken = segments.find((segment) => segment.broken !== null)?.broken ?? null
  return (
    <EmptyState icon={EyeOffIcon} title="There is no picture of this replay">
      <p>
        {segments.length === 0
          ? 'None of its recording has arrived. '
          : broken === null
            ? 'None of the segments that arrived has a whole page, and what came after it cannot be drawn without. '
            : `${whyUnplayable(broken)} `}
        What is known of it stands in the list, and the time runs over it.
      </p>
    </EmptyState>
  )
}
