import type { AlertDecision, AlertRule, AlertState } from '@firsthand/contract'

import type { Tone } from '../../../ui/index.ts'

/** What evaluations came to and how rules stand, in words. */

/** Colour stands for what was told; what was not has a ring without one. */
export type Mark = 'fired' | 'over' | 'quiet'

interface Said {
  readonly word: string
  readonly mark: Mark
}

const DECISIONS: Readonly<Record<AlertDecision, Said>> = {
  fired: { word: 'Fired', mark: 'fired' },
  worse: { word: 'Worse', mark: 'fired' },
  update: { word: 'Update', mark: 'fired' },
  over: { word: 'All clear', mark: 'over' },
  still: { word: 'No new message', mark: 'quiet' },
  pending: { word: 'Not yet', mark: 'quiet' },
  held: { word: 'Held back', mark: 'quiet' },
  quiet: { word: 'Did not fire', mark: 'quiet' },
  unknown: { word: 'Unknown', mark: 'quiet' },
}

export const decisionText = (decision: AlertDecision): Said => DECISIONS[decision]

interface Standing {
  readonly word: string
  readonly tone: Tone
}

const STATES: Readonly<Record<AlertState, Standing>> = {
  ok: { word: 'Quiet', tone: 'neutral' },
  pending: { word: 'Over its limit', tone: 'warning' },
  firing: { word: 'Firing', tone: 'error' },
  recovering: { word: 'Recovering', tone: 'warning' },
  unknown: { word: 'Unknown', tone: 'warning' },
  learning: { word: 'Learning', tone: 'info' },
  flapping: { word: 'Flapping', tone: 'warning' },
}

const OPEN: Standing = { word: 'Issues open', tone: 'neutral' }

export type ShownRule = Pick<AlertRule, 'isEnabled' | 'isMuted' | 'mutedUntil' | 'state' | 'trigger'>

export const isMutedNow = ({ isMuted, mutedUntil }: ShownRule, nowMs: number): boolean =>
  isMuted || (mutedUntil !== null && Date.parse(mutedUntil) > nowMs)

/** How a rule stands: off and muted first, as then nobody hears of the rest. */
export function standingOf(rule: ShownRule, nowMs: number): Standing {
  if (!rule.isEnabled) return { word: 'Off', tone: 'neutral' }
  if (isMutedNow(rule, nowMs)) return { word: 'Muted', tone: 'neutral' }
  // Nearly always some issue of it is open: that is no alarm.
  if (rule.trigger.source === 'happened' && rule.state === 'firing') return OPEN
  return STATES[rule.state]
}
