import { MINUTE_MS } from '../lib/durations.ts'
import type { MonitorConfig } from './config.ts'
import { LIMITS } from './limits.ts'
import type { Schedule } from './schedule/schedule.ts'
import type { Slot } from './schedule/slots.ts'

/** What is known of a monitor in one environment, and what a run, or one that never came, makes of it. Pure. */
export interface EnvironmentState {
  readonly status: string
  readonly nextDueAt: number | null
  readonly nextDeadlineAt: number | null
  readonly missedDueAt: number | null
  readonly failuresInRow: number
  readonly oksInRow: number
  readonly silentPeriods: number
  readonly incidentSince: number | null
}

/** How a run ended. */
export type RunResult = 'ok' | 'error' | 'missed' | 'timeout' | 'unknown'

export interface Absence {
  readonly from: number
  readonly until: number
}

type Times = Pick<EnvironmentState, 'nextDueAt' | 'nextDeadlineAt'>

const NEVER: Times = { nextDueAt: null, nextDeadlineAt: null }

const timesOf = (slot: Slot | null, { checkin_margin: margin }: MonitorConfig): Times =>
  slot === null ? NEVER : { nextDueAt: slot.due, nextDeadlineAt: slot.latest + margin * MINUTE_MS }

/** When it has to run after an instant at which it ran, or at which it was switched on. */
export const timesAfter = (at: number, schedule: Schedule, config: MonitorConfig): Times =>
  timesOf(schedule.after(at), config)

/** A run that began. */
export interface Begun {
  readonly state: EnvironmentState
  /** The time of the schedule that it is for. */
  readonly dueAt: number | null
  /** It came after that was missed. */
  readonly isLate: boolean
}

/**
 * A run began: which time of the schedule it is for, and when the next has to come. Clocks of machines differ by seconds,
 * so one that comes a little early is for the time that comes.
 */
export const begin = (before: EnvironmentState, at: number, schedule: Schedule, config: MonitorConfig): Begun => {
  const { missedDueAt, nextDueAt } = before
  const state = { ...before, missedDueAt: null, silentPeriods: 0 }
  if (schedule.isInterval) {
    const late = missedDueAt !== null
    const dueAt = late ? missedDueAt : nextDueAt
    return { state: { ...state, ...timesAfter(at, schedule, config) }, dueAt, isLate: late }
  }
  const due = nextDueAt ?? schedule.after(at)?.due ?? null
  if (due === null) return { state, dueAt: missedDueAt, isLate: missedDueAt !== null }
  if (at >= due) return { state: { ...state, ...timesAfter(at, schedule, config) }, dueAt: due, isLate: false }
  const next = schedule.after(due)
  const period = next === null ? 0 : next.due - due
  const isEarly = due - at <= Math.min(config.checkin_margin * MINUTE_MS, period / 4)
  if (isEarly) return { state: { ...state, ...timesOf(next, config) }, dueAt: due, isLate: false }
  const times = nextDueAt === null ? timesAfter(at, schedule, config) : {}
  return { state: { ...state, ...times }, dueAt: missedDueAt, isLate: missedDueAt !== null }
}

/** A time of the schedule at which nothing came. */
export interface Gone {
  readonly dueAt: number
  /** This server was away meanwhile: whether it ran, nobody knows. */
  readonly result: 'missed' | 'unknown'
}

/** The times that are over by an instant, in their order, and the state as of then but for their results. */
export const goneUntil = (
  before: EnvironmentState,
  until: number,
  {
    absences,
    config,
    schedule,
  }: { readonly absences: readonly Absence[]; readonly config: MonitorConfig; readonly schedule: Schedule },
): { readonly gone: readonly Gone[]; readonly state: EnvironmentState } => {
  const gone: Gone[] = []
  let state = before
  while (gone.length < LIMITS.MONITOR_SLOTS_PER_STEP) {
    const { nextDeadlineAt, nextDueAt } = state
    if (nextDueAt === null || nextDeadlineAt === null || nextDeadlineAt > until) break
    const isUnknown = wasAway(absences, nextDueAt, nextDeadlineAt)
    gone.push({ dueAt: nextDueAt, result: isUnknown ? 'unknown' : 'missed' })
    const silentPeriods = state.silentPeriods + (isUnknown ? 0 : 1)
    state = {
      ...state,
      // Nobody needs to read for ever that something is not there.
      ...(silentPeriods >= LIMITS.MONITOR_GIVEN_UP_PERIODS ? NEVER : timesAfter(nextDueAt, schedule, config)),
      ...(isUnknown ? {} : { missedDueAt: nextDueAt, silentPeriods }),
    }
  }
  return { gone, state }
}

export const wasAway = (absences: readonly Absence[], from: number, until: number): boolean =>
  absences.some((absence) => absence.from <= until && absence.until >= from)

/** What a result changed. */
export type Change = 'failed' | 'still failing' | 'recovered' | null

/** Counts a result. What nobody knows counts as nothing. */
export const count = (
  before: EnvironmentState,
  result: RunResult,
  at: number,
  { failure_issue_threshold: failures, recovery_threshold: recovery }: MonitorConfig,
): { readonly state: EnvironmentState; readonly change: Change } => {
  if (result === 'unknown') return { state: before, change: null }
  const isFailing = before.status === 'error'
  if (result === 'ok') {
    const state = { ...before, failuresInRow: 0, oksInRow: before.oksInRow + 1 }
    if (!isFailing) return { state: { ...state, status: 'ok', incidentSince: null }, change: null }
    if (state.oksInRow < recovery) return { state, change: null }
    return { state: { ...state, status: 'ok', incidentSince: null }, change: 'recovered' }
  }
  const state = {
    ...before,
    failuresInRow: before.failuresInRow + 1,
    oksInRow: 0,
    incidentSince: before.incidentSince ?? at,
  }
  if (isFailing) return { state, change: 'still failing' }
  return state.failuresInRow < failures
    ? { state, change: null }
    : { state: { ...state, status: 'error' }, change: 'failed' }
}
