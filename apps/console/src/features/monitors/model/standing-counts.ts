import type { UptimeCheck } from '@firsthand/contract'
import { isDown } from '../uptime/words.ts'
import { standingOf } from './words.ts'
import type { Entry } from './entry.ts'

/** How many of all that is watched stand how; each is counted once. */
export interface StandingCounts {
  readonly all: number
  readonly needSomebody: number
  readonly well: number
  readonly late: number
  /** Fail, and were told to be silent about it. */
  readonly muted: number
  readonly notYet: number
  readonly off: number
}

const NONE: StandingCounts = { all: 0, needSomebody: 0, well: 0, late: 0, muted: 0, notYet: 0, off: 0 }

/** Jobs and addresses together: who reads one number does not look for a second one. */
export function standingCounts(entries: readonly Entry[], checks: readonly UptimeCheck[]): StandingCounts {
  const counts = { ...NONE }
  for (const kind of [...entries.map(kindOf), ...checks.map(kindOfCheck)]) {
    counts.all += 1
    counts[kind] += 1
  }
  return counts
}

type Kind = Exclude<keyof StandingCounts, 'all'>

function kindOf({ environment, monitor }: Entry): Kind {
  switch (standingOf(monitor, environment)) {
    case 'failing':
      return 'needSomebody'
    case 'off':
      return 'off'
    case 'waiting':
      return 'notYet'
    case 'late':
      return environment?.status === 'error' ? 'muted' : 'late'
    case 'running':
    case 'quiet':
      return environment?.status === 'error' ? 'muted' : 'well'
  }
}

function kindOfCheck(check: UptimeCheck): Kind {
  if (check.status === 'disabled') return 'off'
  if (isDown(check)) return 'needSomebody'
  if (check.uptimeStatus === 'down') return 'muted'
  return check.uptimeStatus === 'up' ? 'well' : 'notYet'
}

/** `7 of 10 as they should be`, `1 late`: what stands after those that need somebody. */
export function standingWords({ all, late, muted, notYet, off, well }: StandingCounts): readonly string[] {
  return [
    `${well} of ${all} as they should be`,
    ...(late === 0 ? [] : [`${late} late`]),
    ...(muted === 0 ? [] : [`${muted} failing, muted`]),
    ...(notYet === 0 ? [] : [`${notYet} not seen yet`]),
    ...(off === 0 ? [] : [`${off} off`]),
  ]
}
