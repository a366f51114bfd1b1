import type { AlertAction, AlertDraft, AlertHappening, IssueAlertRuleBody } from '@firsthand/contract'
import { err, ok, type Result } from '../../lib/result.ts'
import { filterTerm, isFilter, type Nicknames } from './read-filters.ts'
import { Untranslatable } from './untranslatable.ts'

type Part = IssueAlertRuleBody['conditions'][number]

/** What the organisation has, by what Sentry's rules call it. */
export interface KnownNames extends Nicknames {
  /** By the kind of the channel and its name, lower case and without `#`. */
  readonly channel: (kind: string, name: string) => number | null
}

const PREFIX = 'sentry.rules.conditions.'

interface Awaited {
  readonly kinds: readonly AlertHappening[]
  readonly isHigh: boolean
}

const AWAITED: ReadonlyMap<string, Awaited> = new Map([
  ['first_seen_event.FirstSeenEventCondition', { kinds: ['issue_opened'], isHigh: false }],
  ['regression_event.RegressionEventCondition', { kinds: ['issue_regressed'], isHigh: false }],
  ['reappeared_event.ReappearedEventCondition', { kinds: ['issue_escalating', 'issue_unarchived'], isHigh: false }],
  ['high_priority_issue.NewHighPriorityIssueCondition', { kinds: ['issue_opened'], isHigh: true }],
  [
    'high_priority_issue.ExistingHighPriorityIssueCondition',
    { kinds: ['issue_regressed', 'issue_escalating', 'issue_unarchived', 'issue_priority_raised'], isHigh: true },
  ],
])

const awaitedBy = ({ id }: Part): Awaited => {
  const known =
    AWAITED.get(id.slice(PREFIX.length)) ?? [...AWAITED].find(([name]) => id.endsWith(name.replace(/^.*\./, '.')))?.[1]
  if (known !== undefined) return known
  if (id.endsWith('EveryEventCondition')) {
    throw new Untranslatable(
      'An alert does not tell of every event: let it wait for new issues, or watch how many events there are.',
    )
  }
  if (/Frequency|PercentCondition/.test(id)) {
    throw new Untranslatable(
      `"${id}" asks how much there is, which is an alert of its own kind: make one under /organizations/{org}/alerts/.`,
    )
  }
  throw new Untranslatable(
    `The condition "${id}" is not known here. Leave it out, or let the alert wait for something else.`,
  )
}

const triggerOf = ({ actionMatch, conditions }: IssueAlertRuleBody): Awaited => {
  const awaited = conditions.filter((part) => !isFilter(part)).map(awaitedBy)
  if (awaited.length === 0) {
    throw new Untranslatable(
      'A rule without a condition tells of every event. Let it wait for new issues, issues that come back, or others.',
    )
  }
  if (actionMatch === 'none')
    throw new Untranslatable('"actionMatch" is any or all: an alert cannot wait for what does not happen.')
  if (actionMatch === 'all' && awaited.length > 1) {
    throw new Untranslatable('These conditions are never true at the same time. Set "actionMatch" to "any".')
  }
  const isHigh = awaited.every((one) => one.isHigh)
  // Whoever waits for every new issue hears of those that matter.
  const wanted = isHigh ? awaited : awaited.filter((one) => !one.isHigh)
  if (
    !isHigh &&
    awaited.some((one) => one.isHigh && one.kinds.some((kind) => !wanted.some(({ kinds }) => kinds.includes(kind))))
  ) {
    throw new Untranslatable('Conditions about high priority and others do not go together in one alert: make two.')
  }
  return { kinds: [...new Set(wanted.flatMap(({ kinds }) => kinds))], isHigh }
}

const queryOf = (body: IssueAlertRuleBody, names: Nicknames, isHigh: boolean): string => {
  const terms = [...body.conditions.filter(isFilter), ...body.filters].map((part) => filterTerm(part, names))
  const negated = terms.map((term) => (term.startsWith('!') ? term.slice(1) : `!${term}`))
  const asked =
    body.filterMatch === 'none'
      ? negated.join(' ')
      : terms.length > 1 && body.filterMatch === 'any'
        ? `(${terms.join(' OR ')})`
        : terms.join(' ')
  return [isHigh ? 'issue.priority:high' : '', asked].filter((text) => text !== '').join(' ')
}

const text = (part: Part, name: string): string => {
  const value = part[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const FALLTHROUGH = { ActiveMembers: 'active', AllMembers: 'all', NoOne: 'nobody' } as const

const CHANNEL = /^sentry\.integrations\.(slack|msteams|discord|pagerduty|opsgenie)\./

const actionOf = (part: Part, names: KnownNames): AlertAction => {
  if (part.id === 'sentry.mail.actions.NotifyEmailAction') {
    const target = text(part, 'targetType')
    const fallthrough = FALLTHROUGH[text(part, 'fallthroughType') as keyof typeof FALLTHROUGH] ?? 'active'
    if (target === 'IssueOwners') return { kind: 'people', target: 'owners', id: null, fallthrough, from: 'fired' }
    if (target === 'Team' || target === 'Member') {
      const id = text(part, 'targetIdentifier')
      return { kind: 'people', target: target === 'Team' ? 'team' : 'member', id, fallthrough, from: 'fired' }
    }
    throw new Untranslatable(`"${target}" is nobody who can be told: IssueOwners, Team or Member.`)
  }
  const kind = CHANNEL.exec(part.id)?.[1]
  if (kind !== undefined) {
    const name = (text(part, 'channel') || text(part, 'account') || text(part, 'service')).replace(/^#/, '')
    const channelId = names.channel(kind === 'msteams' ? 'teams' : kind, name.toLowerCase())
    if (channelId !== null) return { kind: 'channel', channelId: String(channelId), from: 'fired' }
    throw new Untranslatable(
      `There is no channel "${name}" of the kind ${kind} here. Add it under the channels of the organisation, by that name, and send the rule again.`,
    )
  }
  throw new Untranslatable(
    `The action "${part.id}" is not known here. Tell people by sentry.mail.actions.NotifyEmailAction, or add a channel.`,
  )
}

/** What a rule of Sentry's says, as ours. Whatever has no counterpart is refused, with a sentence: it would never fire. */
export const readSentryRule = (
  body: IssueAlertRuleBody,
  projectId: number,
  names: KnownNames,
): Result<AlertDraft, string> => {
  try {
    const { isHigh, kinds } = triggerOf(body)
    return ok({
      name: body.name,
      projects: [String(projectId)],
      query: queryOf(body, names, isHigh),
      environments: body.environment ? [body.environment] : [],
      trigger: { source: 'happened', kinds: [...kinds] },
      conditions: { hours: null, minimumAgeMinutes: 0 },
      actions: body.actions.map((part) => actionOf(part, names)),
      frequencyMinutes: body.frequency,
      maxMessagesPerHour: 60,
      owner: body.owner ?? null,
      isEnabled: true,
    })
  } catch (refusal) {
    if (refusal instanceof Untranslatable) return err(refusal.message)
    throw refusal
  }
}
