import type { AlertAction, WorkflowJson } from '@firsthand/contract'
import { toDate } from '../../lib/instant-text.ts'
import type { Names } from '../happened/predicate.ts'
import type { ShownNames } from '../older/to-sentry.ts'
import type { AlertRule } from '../rule.ts'
import { besides } from '../searches.ts'
import { conditionsOf } from '../sentry/write-rule.ts'
import { commonOf, conditionOf, type Condition } from './detector-json.ts'
import { conditionsOfSearch, type Comparison } from './filter-words.ts'
import { detectorsOf, ERRORS_ALONE } from './project-detectors.ts'
import { triggerOfCondition } from './trigger-words.ts'

/** A rule as Sentry shows who is told of what. */

export type WorkflowNames = ShownNames & Names

type ActionFilter = WorkflowJson['actionFilters'][number]

const FALLTHROUGH = { active: 'ActiveMembers', all: 'AllMembers', nobody: 'NoOne' } as const

/** Sentry's names of kinds of channels, where they differ. */
const KINDS: Readonly<Record<string, string>> = { teams: 'msteams', slack_bot: 'slack' }
export const kindOfAction = (kind: string): string => KINDS[kind] ?? kind

const actionJson = (action: AlertAction, id: string, names: ShownNames): ActionFilter['actions'][number] => {
  const common = { id, integrationId: null, status: 'active' }
  if (action.kind === 'people') {
    const targetType = action.target === 'owners' ? 'issue_owners' : action.target === 'member' ? 'user' : 'team'
    return {
      ...common,
      type: 'email',
      data: { fallthroughType: FALLTHROUGH[action.fallthrough] },
      config: { targetType, targetIdentifier: action.id, targetDisplay: null },
    }
  }
  const channel = names.channelOf(Number(action.channelId))
  const config = { targetType: 'specific', targetIdentifier: action.channelId, targetDisplay: channel?.name ?? null }
  return { ...common, type: kindOfAction(channel?.kind ?? 'webhook'), data: {}, config }
}

/** What of a rule's search is said by triggers and conditions, and what is left. */
export const readParts = (rule: AlertRule, names: Names) => {
  const { query, trigger } = rule.draft
  if (trigger.source !== 'happened') return null
  const said = conditionsOf(trigger.kinds, besides(ERRORS_ALONE, query) ?? query)
  return { triggers: said.conditions.map(({ id }) => triggerOfCondition(id)), ...conditionsOfSearch(said.query, names) }
}

/** An alert about how much tells when it begins, and when it is over. */
export const MEASURED_TRIGGERS: readonly string[] = ['first_seen_event', 'issue_resolved_trigger']

/** Whom only what is worse is told. */
export const WORSE: Comparison = { type: 'issue_priority_greater_or_equal', comparison: 75 }

const describe = ({ draft }: AlertRule, rest: string): string | null => {
  const { conditions, environments } = draft
  const { hours, minimumAgeMinutes } = conditions
  const sentences = [
    rest === '' ? '' : `Only of what this finds: ${rest}`,
    environments.length < 2 ? '' : `In all of the environments ${environments.join(', ')}.`,
    hours === null
      ? ''
      : `Only from ${hours.from} to ${hours.to} (${hours.timezone}) on days ${hours.days.join(', ')} of the week.`,
    minimumAgeMinutes === 0 ? '' : `Only of issues that are at least ${minimumAgeMinutes} minutes old.`,
  ].filter((sentence) => sentence !== '')
  return sentences.length === 0 ? null : sentences.join(' ')
}

/** @param projectIds all of the organisation */
export const workflowJson = (rule: AlertRule, names: WorkflowNames, projectIds: readonly number[]): WorkflowJson => {
  const id = String(rule.id)
  const organizationId = String(rule.organizationId)
  const { actions, environments, frequencyMinutes, owner } = rule.draft
  const parts = readParts(rule, names)
  const shown = (conditions: readonly Comparison[], from: number): Condition[] =>
    conditions.map(({ comparison, type }, place) => conditionOf(rule, from + place, type, comparison, true))
  const filter = (
    place: number,
    logicType: string,
    conditions: readonly Comparison[],
    some: readonly AlertAction[],
  ): ActionFilter => ({
    id: `${id}${place}`,
    organizationId,
    logicType,
    conditions: shown(conditions, place * 100),
    actions: some.map((action, index) => actionJson(action, `${id}${place * 100 + index}`, names)),
  })
  const isWorse = ({ from }: AlertAction): boolean => from === 'worse'
  const [first, worse] = [actions.filter((action) => !isWorse(action)), actions.filter(isWorse)]
  return {
    ...commonOf(rule),
    description: describe(rule, parts?.rest ?? ''),
    organizationId,
    triggers: {
      id,
      organizationId,
      logicType: 'any-short',
      conditions: shown(
        (parts?.triggers ?? MEASURED_TRIGGERS).map((type) => ({ type, comparison: true })),
        1,
      ),
      actions: [],
    },
    actionFilters:
      parts === null
        ? [
            ...(first.length > 0 ? [filter(1, 'all', [], first)] : []),
            ...(worse.length > 0 ? [filter(2, 'all', [WORSE], worse)] : []),
          ]
        : [filter(1, parts.logicType, parts.conditions, actions)],
    // That of what is measured belongs to what finds it.
    environment: parts === null ? null : (environments[0] ?? null),
    config: { frequency: frequencyMinutes },
    detectorIds: detectorsOf(rule, projectIds),
    lastTriggered: rule.lastFiredAt === null ? null : toDate(rule.lastFiredAt),
    owner,
  }
}
