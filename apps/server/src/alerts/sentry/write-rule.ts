import type { AlertAction, AlertHappening, IssueAlertRule, IssueAlertRuleBody } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import { isMuted, type AlertRule } from '../rule.ts'

type Part = IssueAlertRule['conditions'][number]

const CONDITIONS: Partial<Readonly<Record<AlertHappening, string>>> = {
  issue_opened: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition',
  issue_regressed: 'sentry.rules.conditions.regression_event.RegressionEventCondition',
  issue_escalating: 'sentry.rules.conditions.reappeared_event.ReappearedEventCondition',
  issue_unarchived: 'sentry.rules.conditions.reappeared_event.ReappearedEventCondition',
  issue_priority_raised: 'sentry.rules.conditions.high_priority_issue.ExistingHighPriorityIssueCondition',
}

const TARGETS = { owners: 'IssueOwners', team: 'Team', member: 'Member' } as const
const FALLTHROUGH = { active: 'ActiveMembers', all: 'AllMembers', nobody: 'NoOne' } as const

/** What Sentry has no word for has one of ours. */
const conditionsOf = (kinds: readonly AlertHappening[]): Part[] =>
  [...new Set(kinds.map((kind) => CONDITIONS[kind] ?? `firsthand.conditions.${kind}`))].map((id) => ({ id }))

const actionOf = (action: AlertAction): Part =>
  action.kind === 'channel'
    ? { id: 'firsthand.actions.channel', channel_id: action.channelId }
    : {
        id: 'sentry.mail.actions.NotifyEmailAction',
        targetType: TARGETS[action.target],
        targetIdentifier: action.id ?? '',
        fallthroughType: FALLTHROUGH[action.fallthrough],
      }

/** As it was written, where a script wrote it; else as near as Sentry's words come. */
export const issueAlertRuleJson = (
  rule: AlertRule,
  more: {
    readonly projects: readonly string[]
    readonly createdBy: IssueAlertRule['createdBy']
    readonly now: number
  },
): IssueAlertRule => {
  const { draft } = rule
  const kinds = draft.trigger.source === 'happened' ? draft.trigger.kinds : []
  const written =
    rule.imported === null
      ? {
          actionMatch: 'any' as const,
          conditions: conditionsOf(kinds),
          filterMatch: 'all' as const,
          filters: [],
          actions: draft.actions.map(actionOf),
        }
      : // Only `createIssueAlertRule` and `updateIssueAlertRule` keep it.
        (JSON.parse(rule.imported) as Pick<
          IssueAlertRuleBody,
          'actionMatch' | 'conditions' | 'filterMatch' | 'filters' | 'actions'
        >)
  return {
    ...written,
    id: String(rule.id),
    name: draft.name,
    frequency: draft.frequencyMinutes,
    environment: draft.environments[0] ?? null,
    owner: draft.owner,
    projects: [...more.projects],
    status: draft.isEnabled ? 'active' : 'disabled',
    snooze: isMuted(rule, more.now),
    lastTriggered: rule.lastFiredAt === null ? null : toDate(rule.lastFiredAt),
    dateCreated: toDate(rule.createdAt),
    createdBy: more.createdBy,
    query: draft.query,
  }
}
