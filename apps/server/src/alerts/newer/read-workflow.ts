import {
  issueAlertRuleBody,
  type AlertAction,
  type AlertDraft,
  type IssueAlertRuleBody,
  type WorkflowBody,
} from '@firsthand/contract'
import { err, ok, type Result } from '../../lib/result.ts'
import type { AlertRule } from '../rule.ts'
import { allOf } from '../searches.ts'
import { OUR_CHANNEL } from '../sentry/our-words.ts'
import { readAction, readSentryRule, type KnownNames, type Unsaid } from '../sentry/read-rule.ts'
import { Untranslatable } from '../sentry/untranslatable.ts'
import { filterOf } from './filter-words.ts'
import { ERRORS_ALONE, readProjectDetector } from './project-detectors.ts'
import { conditionOfTrigger } from './trigger-words.ts'
import { kindOfAction, MEASURED_TRIGGERS, readParts, WORSE, type WorkflowNames } from './workflow-json.ts'

/** What a workflow of Sentry's says, as ours. What has no counterpart is refused with a sentence. */

type Part = IssueAlertRuleBody['actions'][number]
/** With all that a body may leave out. */
export type SentWorkflow = { readonly [Name in keyof WorkflowBody]-?: Exclude<WorkflowBody[Name], undefined> }
type SentAction = SentWorkflow['actionFilters'][number]['actions'][number]
/** What is called by name, in the words of either form. */
type Called = WorkflowNames & KnownNames

const TARGETS: Readonly<Record<string, string>> = { issue_owners: 'IssueOwners', team: 'Team', user: 'Member' }

const textIn = (values: Readonly<Record<string, unknown>> | undefined, name: string): string => {
  const value = values?.[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** An action as the rules of before May 2026 have it. */
const actionPart = ({ config, data, type }: SentAction, names: Called): Part => {
  const target = textIn(config, 'targetIdentifier')
  if (type === 'email') {
    const targetType = textIn(config, 'targetType')
    return {
      id: 'sentry.mail.actions.NotifyEmailAction',
      targetType: TARGETS[targetType] ?? targetType,
      targetIdentifier: target,
      fallthroughType: textIn(data, 'fallthroughType') || textIn(data, 'fallthrough_type'),
    }
  }
  const channel = /^\d{1,15}$/.test(target) ? names.channelOf(Number(target)) : null
  if (channel !== null && kindOfAction(channel.kind) === type) return { id: OUR_CHANNEL, channel_id: target }
  return {
    id: `sentry.integrations.${type}.notify_action`,
    channel: textIn(config, 'targetDisplay'),
    channel_id: target,
  }
}

const MATCHES: Readonly<Record<string, 'any' | 'all' | 'none'>> = {
  all: 'all',
  none: 'none',
  any: 'any',
  'any-short': 'any',
}

const matchOf = (logicType: string): 'any' | 'all' | 'none' => {
  const match = MATCHES[logicType]
  if (match === undefined)
    throw new Untranslatable(`logicType: "${logicType}" is not known. Use all, any-short or none.`)
  return match
}

/** By projects: of errors alone, or of all issues. */
const projectsOf = (detectorIds: readonly string[]): { readonly projects: string[]; readonly errorsAlone: boolean } => {
  if (detectorIds.length === 0) throw new Untranslatable('detectorIds: it has the ids of what the alert is told of.')
  const found = detectorIds.map((id) => readProjectDetector(Number(id)))
  const of = { error: new Set<string>(), issue_stream: new Set<string>() }
  for (const one of found) {
    if (one === null) {
      throw new Untranslatable(
        'detectorIds: an alert is told of what projects find by themselves, or of one monitor of how much. Make one for each.',
      )
    }
    of[one.kind].add(String(one.projectId))
  }
  const errorsAlone = of.issue_stream.size === 0
  if (!errorsAlone && [...of.error].some((id) => !of.issue_stream.has(id))) {
    throw new Untranslatable(
      'detectorIds: an alert is told of errors, or of all issues, in all of its projects. Name detectors of one type.',
    )
  }
  return { projects: [...(errorsAlone ? of.error : of.issue_stream)], errorsAlone }
}

const translated = <Value>(read: () => Value): Result<Value, string> => {
  try {
    return ok(read())
  } catch (refusal) {
    if (refusal instanceof Untranslatable) return err(refusal.message)
    throw refusal
  }
}

/** One that is told of what projects find. */
const happenedDraft = (sent: SentWorkflow, before: AlertRule | null, names: Called): AlertDraft => {
  const { projects, errorsAlone } = projectsOf(sent.detectorIds)
  const [group, ...others] = sent.actionFilters
  if (group === undefined || others.length > 0) {
    throw new Untranslatable('actionFilters: an alert has one group of conditions and actions here. Make one for each.')
  }
  const body = issueAlertRuleBody.safeParse({
    name: sent.name,
    actionMatch: matchOf(sent.triggers.logicType),
    conditions: sent.triggers.conditions.map(({ type }) => ({ id: conditionOfTrigger(type) })),
    filterMatch: matchOf(group.logicType),
    filters: group.conditions.map(filterOf),
    actions: group.actions.map((action) => actionPart(action, names)),
    frequency: sent.config.frequency,
    environment: sent.environment,
    owner: sent.owner,
    status: sent.enabled ? 'active' : 'disabled',
  })
  if (!body.success) {
    const [issue] = body.error.issues
    throw new Untranslatable(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  }
  const unsaid: Unsaid | undefined =
    before === null ? undefined : { ...before.draft, query: readParts(before, names)?.rest ?? '' }
  const draft = readSentryRule(body.data, 0, names, unsaid)
  if (!draft.ok) throw new Untranslatable(draft.error)
  const { query } = draft.value
  return { ...draft.value, projects, query: errorsAlone ? allOf(ERRORS_ALONE, query) : query }
}

const TOLD_OF_MEASURED: ReadonlySet<string> = new Set([...MEASURED_TRIGGERS, 'reappeared_event', 'regression_event'])

const from = (conditions: SentWorkflow['actionFilters'][number]['conditions']): AlertAction['from'] => {
  const strange = conditions.find(({ type }) => type !== WORSE.type)
  if (strange !== undefined) {
    throw new Untranslatable(
      `The condition "${strange.type}" cannot be asked of what a monitor of how much finds: ${WORSE.type} can.`,
    )
  }
  return conditions.some(({ comparison }) => comparison === WORSE.comparison) ? 'worse' : 'fired'
}

/** Whom a monitor of how much tells is said by the rule that it is. */
const measuredDraft = (sent: SentWorkflow, { draft }: AlertRule, names: Called): AlertDraft => {
  const strange = sent.triggers.conditions.find(({ type }) => !TOLD_OF_MEASURED.has(type))
  if (strange !== undefined) {
    throw new Untranslatable(
      `The trigger "${strange.type}" is none of a monitor of how much: ${[...TOLD_OF_MEASURED].join(', ')}.`,
    )
  }
  if (sent.environment !== null && sent.environment !== (draft.environments[0] ?? null)) {
    throw new Untranslatable('environment: that of what is measured is set at the monitor. Leave it out.')
  }
  const actions = sent.actionFilters.flatMap((group) => {
    const when = from(group.conditions)
    return group.actions.map((action): AlertAction => ({ ...readAction(actionPart(action, names), names), from: when }))
  })
  if (actions.length === 0)
    throw new Untranslatable('An alert without an action tells nobody. Say in "actionFilters" who is told.')
  return {
    ...draft,
    name: sent.name,
    actions,
    frequencyMinutes: sent.config.frequency,
    owner: sent.owner,
    isEnabled: sent.enabled,
  }
}

/**
 * @param before the rule that is written anew; for a new one, that whose monitor is named
 * @returns the error is a sentence for who wrote it
 */
export const readWorkflow = (sent: SentWorkflow, before: AlertRule | null, names: Called): Result<AlertDraft, string> =>
  translated(() =>
    before === null || before.draft.trigger.source === 'happened'
      ? happenedDraft(sent, before, names)
      : measuredDraft(sent, before, names),
  )
