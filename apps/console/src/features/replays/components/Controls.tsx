import type { ReplayPlayback } from '@firsthand/contract'

import {
  ChevronLeftIcon,
  ChevronRightIcon,
  IconButton,
  Kbd,
  SegmentedControl,
  Spinner,
  Switch,
} from '../../../ui/index.ts'
import { PHONE, useMedia } from '../../../lib/use-media.ts'
import { playLength, playTime } from '../model/time.ts'
import { type Player, skippedOf, SPEEDS } from '../player/engine.ts'
import { usePlayerValue } from '../player/use-player.ts'
import type { ReplayActs } from '../replay-keys.ts'
import { AgainIcon, BackIcon, FullScreenIcon, PauseIcon, PlayIcon } from './glyphs.tsx'
import styles from './Controls.module.css'

const SPEED_OPTIONS = SPEEDS.map((speed) => ({ value: String(speed), label: speed === 1 ? '1×' : String(speed) }))

/** Nobody saves anything by less. */
const LEAST_SAVED_MS = 1000

export function Controls({
  playback,
  player,
  acts,
  fills,
  onFill,
}: {
  readonly playback: ReplayPlayback
  readonly player: Player
  readonly acts: ReplayActs
  readonly fills: boolean
  readonly onFill: () => void
}) {
  const { startedAt, finishedAt } = playback
  const isPhone = useMedia(PHONE)
  const speed = usePlayerValue(player, (snapshot) => snapshot.speed)
  const skips = usePlayerValue(player, (snapshot) => snapshot.skipsIdle)
  const faster = (): void => {
    const place = SPEEDS.findIndex((one) => one === speed)
    player.setSpeed(SPEEDS[(place + 1) % SPEEDS.length] as number)
  }
  return (
    <div className={styles.controls} role="group" aria-label="Player">
      {isPhone ? null : <IconButton icon={BackIcon} label="5 seconds back" kbd="ArrowLeft" onClick={acts.back} />}
      <PlayButton player={player} onToggle={acts.toggle} />
      <Time player={player} from={startedAt} to={finishedAt} />
      {isPhone ? null : (
        <span className={styles.marks}>
          <IconButton icon={ChevronLeftIcon} label="Mark before" kbd="p" onClick={() => acts.toMark(-1)} />
          <IconButton icon={ChevronRightIcon} label="Next mark" kbd="n" onClick={() => acts.toMark(1)} />
          <span className={styles.hint} aria-hidden="true">
            next mark <Kbd keys="n" />
          </span>
        </span>
      )}
      <span className={styles.space} />
      {isPhone ? (
        <button type="button" className={styles.speed} onClick={faster} aria-label={`Speed ${speed}, change`}>
          {speed}×
        </button>
      ) : null}
      <span className={styles.skip}>
        <Switch
          checked={skips}
          onCheckedChange={player.setSkipsIdle}
          label={<SkipLabel saved={skippedOf(playback.idle, speed)} short={isPhone} />}
        />
      </span>
      {isPhone ? null : (
        <SegmentedControl
          aria-label="Speed"
          value={String(speed)}
          onValueChange={(value) => player.setSpeed(Number(value))}
          options={SPEED_OPTIONS}
        />
      )}
      <IconButton icon={FullScreenIcon} label={fills ? 'Leave full screen' : 'Full screen'} kbd="f" onClick={onFill} />
    </div>
  )
}

function SkipLabel({ saved, short }: { readonly saved: number; readonly short: boolean }) {
  const text = saved >= LEAST_SAVED_MS ? `Skip idle, saves ${playTime(saved)}` : 'Skip idle'
  return short ? <span className={styles.onlyRead}>{text}</span> : text
}

function PlayButton({ player, onToggle }: { readonly player: Player; readonly onToggle: () => void }) {
  const state = usePlayerValue(player, (snapshot) => snapshot.state)
  const plays = usePlayerValue(player, (snapshot) => snapshot.plays)
  const isOver = state === 'ended' || state === 'waiting'
  const label = isOver ? 'Play again' : plays ? 'Pause' : 'Play'
  const Sign = isOver ? AgainIcon : plays ? PauseIcon : PlayIcon
  return (
    <button type="button" className={styles.play} aria-label={label} title={`${label} (Space)`} onClick={onToggle}>
      {plays && state === 'loading' ? <Spinner size={16} /> : <Sign size={16} />}
    </button>
  )
}

function Time({ player, from, to }: { readonly player: Player; readonly from: number; readonly to: number }) {
  const now = usePlayerValue(player, ({ at }) => playTime(at - from, 1))
  return (
    <span className={styles.time}>
      <strong>{now}</strong> / {playLength(from, to)}
    </span>
  )
}
