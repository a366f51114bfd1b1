import { ALERT_HAPPENINGS } from '@firsthand/contract'
import { ourCondition } from '../sentry/our-words.ts'

/** What a workflow waits for, and what the rules of before May 2026 call it. What Sentry has no word for has one of ours. */
const CONDITIONS: ReadonlyMap<string, string> = new Map([
  ['first_seen_event', 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition'],
  ['regression_event', 'sentry.rules.conditions.regression_event.RegressionEventCondition'],
  ['reappeared_event', 'sentry.rules.conditions.reappeared_event.ReappearedEventCondition'],
  ['new_high_priority_issue', 'sentry.rules.conditions.high_priority_issue.NewHighPriorityIssueCondition'],
  ['existing_high_priority_issue', 'sentry.rules.conditions.high_priority_issue.ExistingHighPriorityIssueCondition'],
  ['issue_resolved_trigger', ourCondition('issue_resolved')],
  ...ALERT_HAPPENINGS.filter((kind) => kind !== 'issue_resolved').map((kind) => [kind, ourCondition(kind)] as const),
])

const TRIGGERS: ReadonlyMap<string, string> = new Map(
  [...CONDITIONS].map(([trigger, condition]) => [condition, trigger]),
)

/** What is not known is refused there, by the name that it has here. */
export const conditionOfTrigger = (trigger: string): string => CONDITIONS.get(trigger) ?? trigger

export const triggerOfCondition = (condition: string): string => TRIGGERS.get(condition) ?? condition
