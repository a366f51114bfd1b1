import { toast, useShortcut } from '../../ui/index.ts'
import { nextMark, type Row } from './model/rows.ts'
import { playTime } from './model/time.ts'
import { SPEEDS } from './player/engine.ts'
import type { OpenedReplay } from './player/use-replay.ts'

const group = 'Replay'
const STEP_MS = 5000
/** They use these keys themselves while they have the focus. */
const CONTROLS = 'a, button, summary, [role=switch], [role=radio], [role=tab]'
const ARROW_CONTROLS = '[role=radio], [role=tab], input'

export interface ReplayActs {
  readonly toggle: () => void
  readonly back: () => void
  readonly toMark: (step: 1 | -1) => void
  readonly copyLink: () => void
}

/** The address of this page at a moment of the replay. */
export function linkHere(seconds: number): string {
  const url = new URL(location.href)
  url.search = ''
  url.searchParams.set('t', String(seconds))
  return url.href
}

/** What can be done by keys and by buttons; `?` lists the keys. */
export function useReplayKeys({
  opened: { picture, player },
  rows,
  from,
  fill,
  linkTo,
}: {
  readonly opened: OpenedReplay
  readonly rows: readonly Row[]
  readonly from: number
  readonly fill: () => void
  /** Null where a moment has no address. */
  readonly linkTo: ((seconds: number) => string) | null
}): ReplayActs {
  const acts: ReplayActs = {
    toggle() {
      const { plays, state } = player.snapshot()
      // What waits for more has nothing to pause.
      if (plays && state !== 'waiting') player.pause()
      else player.play()
    },
    back: () => player.seek(player.snapshot().at - STEP_MS),
    toMark(step) {
      const mark = nextMark(rows, player.snapshot().at, step)
      if (mark !== null) player.seek(mark.at)
    },
    copyLink() {
      if (linkTo === null) return
      const ms = Math.max(0, player.snapshot().at - from)
      const copied = navigator.clipboard?.writeText(linkTo(Math.floor(ms / 100) / 10))
      void (copied ?? Promise.reject(new Error('no clipboard'))).then(
        () => toast({ title: `The link to ${playTime(ms)} is copied.` }),
        () =>
          toast({
            title: 'The browser did not allow copying.',
            description: 'Copy the address and add ?t= and the seconds.',
          }),
      )
    },
  }
  const changeSpeed = (step: 1 | -1): void => {
    const place = SPEEDS.findIndex((speed) => speed === player.snapshot().speed)
    const speed = SPEEDS[place + step]
    if (speed !== undefined) player.setSpeed(speed)
  }
  useShortcut(' ', acts.toggle, { label: 'Play, and pause', group, unlessOn: CONTROLS })
  useShortcut('ArrowLeft', acts.back, { label: '5 seconds back', group, unlessOn: ARROW_CONTROLS })
  useShortcut('ArrowRight', () => player.seek(player.snapshot().at + STEP_MS), {
    label: '5 seconds on',
    group,
    unlessOn: ARROW_CONTROLS,
  })
  useShortcut('shift+ArrowRight', () => acts.toMark(1), { label: 'Next mark', group })
  useShortcut('shift+ArrowLeft', () => acts.toMark(-1), { label: 'Mark before', group })
  useShortcut('n', () => acts.toMark(1), { label: 'Next mark', group })
  useShortcut('p', () => acts.toMark(-1), { label: 'Mark before', group })
  useShortcut('.', () => changeSpeed(1), { label: 'Faster', group })
  useShortcut(',', () => changeSpeed(-1), { label: 'Slower', group })
  useShortcut('i', () => player.setSkipsIdle(!player.snapshot().skipsIdle), { label: 'Skip idle, or not', group })
  useShortcut('f', fill, { label: 'Full screen, and back', group })
  useShortcut('m', () => picture?.setTrail(!picture.hasTrail()), { label: 'Trail of the pointer, or not', group })
  useShortcut('y', acts.copyLink, { label: 'Copy the link to this moment', group, enabled: linkTo !== null })
  return acts
}
