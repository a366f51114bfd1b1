import type { AlertAction, AlertHappening, IssueAlertRule, IssueAlertRuleBody } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import { isMuted, type AlertRule } from '../rule.ts'
import { besides } from '../searches.ts'
import { HIGH, OUR_CHANNEL, ourCondition } from './our-words.ts'
import type { Unsaid } from './read-rule.ts'

type Part = IssueAlertRule['conditions'][number]

/** What is kept of a rule as a script wrote it. */
export type Written = Pick<IssueAlertRuleBody, 'actionMatch' | 'conditions' | 'filterMatch' | 'filters' | 'actions'> & {
  /** What it asks besides; not there in what was kept before there was such a thing. */
  readonly query?: string | undefined
}

/** Those of Sentry's conditions that wait for exactly these. */
const CONDITIONS: readonly (readonly [condition: string, kinds: readonly AlertHappening[]])[] = [
  ['first_seen_event.FirstSeenEventCondition', ['issue_opened']],
  ['regression_event.RegressionEventCondition', ['issue_regressed']],
  ['reappeared_event.ReappearedEventCondition', ['issue_escalating', 'issue_unarchived']],
]
const CONDITIONS_OF_HIGH: typeof CONDITIONS = [
  ['high_priority_issue.NewHighPriorityIssueCondition', ['issue_opened']],
  [
    'high_priority_issue.ExistingHighPriorityIssueCondition',
    ['issue_regressed', 'issue_escalating', 'issue_unarchived', 'issue_priority_raised'],
  ],
]

const TARGETS = { owners: 'IssueOwners', team: 'Team', member: 'Member' } as const
const FALLTHROUGH = { active: 'ActiveMembers', all: 'AllMembers', nobody: 'NoOne' } as const

/** Sentry's conditions for as many of these as there are, and the kinds that are left. */
const saidBy = (words: typeof CONDITIONS, kinds: readonly AlertHappening[]) => {
  const used = words.filter(([, own]) => own.every((kind) => kinds.includes(kind)))
  const said = new Set(used.flatMap(([, own]) => own))
  return {
    conditions: used.map(([name]): Part => ({ id: `sentry.rules.conditions.${name}` })),
    rest: kinds.filter((kind) => !said.has(kind)),
  }
}

/** Sentry's conditions for what a rule waits for, as far as there are any, with the search that is left. */
export const conditionsOf = (
  kinds: readonly AlertHappening[],
  query: string,
): { readonly conditions: Part[]; readonly query: string } => {
  const besidesHigh = besides(HIGH, query)
  if (besidesHigh !== null) {
    const { conditions, rest } = saidBy(CONDITIONS_OF_HIGH, kinds)
    if (rest.length === 0) return { conditions, query: besidesHigh }
  }
  const { conditions, rest } = saidBy(CONDITIONS, kinds)
  return { conditions: [...conditions, ...rest.map((kind) => ({ id: ourCondition(kind) }))], query }
}

const actionOf = (action: AlertAction): Part => ({
  ...(action.kind === 'channel'
    ? { id: OUR_CHANNEL, channel_id: action.channelId }
    : {
        id: 'sentry.mail.actions.NotifyEmailAction',
        targetType: TARGETS[action.target],
        targetIdentifier: action.id ?? '',
        fallthroughType: FALLTHROUGH[action.fallthrough],
      }),
  ...(action.from === 'worse' && { from: action.from }),
})

/** As it was written, where a script wrote it; else as near as Sentry's words come. */
const writtenOf = ({ draft, imported }: AlertRule): Written => {
  // Only `createIssueAlertRule` and `updateIssueAlertRule` keep it.
  if (imported !== null) return JSON.parse(imported) as Written
  return {
    actionMatch: 'any',
    ...conditionsOf(draft.trigger.source === 'happened' ? draft.trigger.kinds : [], draft.query),
    filterMatch: 'all',
    filters: [],
    actions: draft.actions.map(actionOf),
  }
}

/** What a script that writes the rule back cannot say. */
export const unsaidOf = (rule: AlertRule): Unsaid => ({ ...rule.draft, query: writtenOf(rule).query ?? '' })

export const issueAlertRuleJson = (
  rule: AlertRule,
  more: {
    readonly projects: readonly string[]
    readonly createdBy: IssueAlertRule['createdBy']
    readonly now: number
  },
): IssueAlertRule => {
  const { draft } = rule
  const { query = '', ...written } = writtenOf(rule)
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
    query,
  }
}
