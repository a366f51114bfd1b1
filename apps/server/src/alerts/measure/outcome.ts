import type { AlertReason } from '@firsthand/contract'
import type { Baseline } from './baseline.ts'
import type { Course, Step } from './course.ts'
import type { Group, WatchedRule } from './rule.ts'

/** What the evaluation of a rule, or of one of its groups, came to in a minute. */
export interface Outcome {
  readonly rule: WatchedRule
  /** Minutes since the epoch. */
  readonly minute: number
  readonly group: readonly Group[]
  /** When rows were grouped by project. */
  readonly projectId: number | null
  /** `unknown`: it could not be evaluated. */
  readonly step: Step | 'unknown'
  readonly reason: AlertReason
  /** What was found and what it was held against, as it is kept and told. */
  readonly sentence: () => string
  readonly value: number | null
  readonly limit: number | null
  readonly unit: string | null
  readonly windowMinutes: number
  /** Worst value of the incident. */
  readonly peak: number | null
  /** For what is unusual: the band that the chart draws. */
  readonly baseline: Baseline | null
  /** What came too late to count. */
  readonly old: number
  /** How the group stands now. */
  readonly course: Course
  readonly key: string
  /** Another step, or for another reason, than the minute before; or the first of an hour. All others are like it. */
  readonly isNew: boolean
  /** How long after the end of the minute. */
  readonly lateSeconds: number
  /** What evaluating it took. */
  readonly rows: number
  readonly milliseconds: number
}

/** An outcome that is kept, and how many like it followed that are not. */
export interface Repeated {
  readonly kept: Pick<Outcome, 'key' | 'minute'> & { readonly rule: Pick<WatchedRule, 'id' | 'version'> }
  readonly times: number
}
