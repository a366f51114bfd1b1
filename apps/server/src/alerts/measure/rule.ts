import type { AlertTrigger } from '@firsthand/contract'
import type { MeasuredTrigger } from './standing.ts'

export type SilenceTrigger = Extract<AlertTrigger, { readonly source: 'silence' }>

/** What evaluating a rule takes to know of it. */
export interface WatchedRule<Trigger = MeasuredTrigger | SilenceTrigger> {
  readonly id: number
  /** Rises with each change. */
  readonly version: number
  readonly organizationId: number
  /** Null for all projects of the organisation. */
  readonly projectIds: readonly number[] | null
  readonly query: string
  readonly environments: readonly string[]
  readonly trigger: Trigger
  /** Since when it is as it is, and switched on; milliseconds since the epoch. */
  readonly since: number
}

export type MeasuredRule = WatchedRule<MeasuredTrigger>
export type SilenceRule = WatchedRule<SilenceTrigger>

export const isMeasured = (rule: WatchedRule): rule is MeasuredRule => rule.trigger.source === 'measured'

export const isSilence = (rule: WatchedRule): rule is SilenceRule => rule.trigger.source === 'silence'

/** Values by which rows were grouped, in the order of the rule's names. */
export interface Group {
  readonly name: string
  readonly value: string
}
