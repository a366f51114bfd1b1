import type { Question } from '../lib/questions.ts'

/** Milliseconds since the epoch. */
export interface Time {
  readonly from: number
  readonly to: number
}

export interface AskedReleaseHealth {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  /** None for all. */
  readonly environments: readonly string[]
  readonly versions: readonly string[]
  /** Of which it is said how sessions ended. */
  readonly summary: Time
  /** Of which it is said how many there were, in steps of so many seconds. */
  readonly series: Time & { readonly interval: number }
  readonly now: number
  readonly withStages: boolean
}

export type ReleaseStage = 'low' | 'adopted' | 'replaced'

/** Of people and of sessions. */
export interface Both {
  readonly users: number
  readonly sessions: number
}

/** A release in one of its projects. */
export interface ProjectHealth {
  readonly version: string
  readonly projectId: number
  readonly total: Both
  /** Share without a crash, from 0 to 1; null where nothing was. */
  readonly crashFree: { readonly users: number | null; readonly sessions: number | null }
  readonly crashed: number
  readonly errored: number
  /** Milliseconds; null where no session was timed. */
  readonly duration: { readonly p50: number; readonly p90: number } | null
  readonly lastDay: Both
  /** Of all releases of the project. */
  readonly projectLastDay: Both
  /** One for each step. */
  readonly steps: readonly Both[]
  /** Null where it is not asked for, or nobody runs it in an environment that has a name. */
  readonly stage: ReleaseStage | null
}

/** What sessions say of releases. Those that had none are missing; nobody answers where sessions are not kept. */
export const RELEASE_HEALTH: Question<AskedReleaseHealth, readonly ProjectHealth[]> = {
  name: 'health of releases',
  otherwise: [],
}
