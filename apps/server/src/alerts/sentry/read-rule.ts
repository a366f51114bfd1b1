import {
  ALERT_HAPPENINGS,
  alertDraft,
  type AlertAction,
  type AlertDraft,
  type AlertHappening,
  type IssueAlertRuleBody,
} from '@firsthand/contract'
import { err, ok, type Result } from '../../lib/result.ts'
import { allOf } from '../searches.ts'
import { filterTerm, isFilter, negated, type Nicknames } from './read-filters.ts'
import { HIGH, OUR_CHANNEL, ourCondition } from './our-words.ts'
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
  const ours = ALERT_HAPPENINGS.find((kind) => id === ourCondition(kind))
  if (ours !== undefined) return { kinds: [ours], isHigh: false }
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

/** What all of them wait for at once: the same thing may be new and of high priority. */
const together = (awaited: readonly Awaited[]): Awaited => ({
  kinds: ALERT_HAPPENINGS.filter((kind) => awaited.every(({ kinds }) => kinds.includes(kind))),
  isHigh: awaited.some(({ isHigh }) => isHigh),
})

const anyOf = (awaited: readonly Awaited[]): Awaited => {
  const isHigh = awaited.every((one) => one.isHigh)
  // Whoever waits for every new issue hears of those that matter.
  const wanted = isHigh ? awaited : awaited.filter((one) => !one.isHigh)
  const kinds = new Set(wanted.flatMap((one) => one.kinds))
  if (awaited.some((one) => one.kinds.some((kind) => !kinds.has(kind)))) {
    throw new Untranslatable('Conditions about high priority and others do not go together in one alert: make two.')
  }
  return { kinds: [...kinds], isHigh }
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
  if (actionMatch === 'all') {
    const trigger = together(awaited)
    if (trigger.kinds.length > 0) return trigger
    throw new Untranslatable('These conditions are never true at the same time. Set "actionMatch" to "any".')
  }
  if (awaited.length < conditions.length) {
    throw new Untranslatable(
      'With "actionMatch" any, a condition that looks at the event tells of every event that it is true of. Move it to "filters", or set "actionMatch" to "all".',
    )
  }
  return anyOf(awaited)
}

const filtersOf = ({ filterMatch, filters }: IssueAlertRuleBody, names: Nicknames): string => {
  const terms = filters.map((part) => filterTerm(part, names))
  if (filterMatch === 'none') return terms.map(negated).join(' ')
  return terms.join(filterMatch === 'any' ? ' OR ' : ' ')
}

/** Conditions that look at the event all have to be true, however filters are matched. */
const queryOf = (body: IssueAlertRuleBody, names: Nicknames, isHigh: boolean, own: string): string =>
  allOf(
    isHigh ? HIGH : '',
    ...body.conditions.filter(isFilter).map((part) => filterTerm(part, names)),
    filtersOf(body, names),
    own,
  )

const text = (part: Part, name: string): string => {
  const value = part[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const FALLTHROUGH = { ActiveMembers: 'active', AllMembers: 'all', NoOne: 'nobody' } as const

const CHANNEL = /^sentry\.integrations\.(slack|msteams|discord|pagerduty|opsgenie)\./

/** What of an action may be what somebody called the channel here: Sentry's own names and ids of it. */
const NAMED_BY = ['channel', 'channel_id', 'service', 'team', 'account'] as const

const channelOf = (part: Part, kind: string, names: KnownNames): number => {
  const named = NAMED_BY.map((field) => text(part, field).trim().replace(/^#/, '')).filter((name) => name !== '')
  for (const name of named) {
    const found = names.channel(kind, name.toLowerCase())
    if (found !== null) return found
  }
  const asked = named.map((name) => `"${name}"`).join(' or ')
  throw new Untranslatable(
    `There is no channel ${asked} of the kind ${kind} here. Add it under the channels of the organisation, by that name, and send the rule again.`,
  )
}

/** @throws Untranslatable with what to do */
export const readAction = (part: Part, names: KnownNames): AlertAction => {
  const from = part['from'] === 'worse' ? 'worse' : 'fired'
  if (part.id === 'sentry.mail.actions.NotifyEmailAction') {
    const target = text(part, 'targetType')
    const fallthrough = FALLTHROUGH[text(part, 'fallthroughType') as keyof typeof FALLTHROUGH] ?? 'active'
    if (target === 'IssueOwners') return { kind: 'people', target: 'owners', id: null, fallthrough, from }
    if (target === 'Team' || target === 'Member') {
      const id = text(part, 'targetIdentifier')
      return { kind: 'people', target: target === 'Team' ? 'team' : 'member', id, fallthrough, from }
    }
    throw new Untranslatable(`"${target}" is nobody who can be told: IssueOwners, Team or Member.`)
  }
  if (part.id === OUR_CHANNEL) return { kind: 'channel', channelId: text(part, 'channel_id'), from }
  const kind = CHANNEL.exec(part.id)?.[1]
  if (kind !== undefined) {
    return { kind: 'channel', channelId: String(channelOf(part, kind === 'msteams' ? 'teams' : kind, names)), from }
  }
  throw new Untranslatable(
    `The action "${part.id}" is not known here. Tell people by sentry.mail.actions.NotifyEmailAction, or add a channel.`,
  )
}

/** What Sentry's form of a rule has no words for, of the rule that is written anew. */
export type Unsaid = Pick<AlertDraft, 'conditions' | 'environments' | 'maxMessagesPerHour' | 'isEnabled'> & {
  /** Its search besides what conditions and filters say. */
  readonly query: string
}

const NOTHING: Unsaid = {
  query: '',
  environments: [],
  conditions: { hours: null, minimumAgeMinutes: 0 },
  maxMessagesPerHour: 60,
  isEnabled: true,
}

/** That form knows one environment: whoever writes the first of several back means all of them. */
const environmentsOf = (asked: string | null | undefined, { environments }: Unsaid): string[] => {
  const wanted = asked === '' ? null : (asked ?? null)
  return wanted === (environments[0] ?? null) ? [...environments] : wanted === null ? [] : [wanted]
}

/** What a rule of Sentry's says, as ours. Whatever has no counterpart is refused, with a sentence: it would never fire. */
export const readSentryRule = (
  body: IssueAlertRuleBody,
  projectId: number,
  names: KnownNames,
  before: Unsaid = NOTHING,
): Result<AlertDraft, string> => {
  try {
    const { isHigh, kinds } = triggerOf(body)
    if (body.actions.length === 0) {
      throw new Untranslatable('A rule without an action tells nobody. Say in "actions" who is told.')
    }
    const read = alertDraft.safeParse({
      name: body.name,
      projects: [String(projectId)],
      query: queryOf(body, names, isHigh, body.query ?? before.query),
      environments: environmentsOf(body.environment, before),
      trigger: { source: 'happened', kinds: [...kinds] },
      conditions: before.conditions,
      actions: body.actions.map((part) => readAction(part, names)),
      frequencyMinutes: body.frequency,
      maxMessagesPerHour: before.maxMessagesPerHour,
      owner: body.owner ?? null,
      isEnabled: body.status === undefined ? before.isEnabled : body.status === 'active',
    })
    if (read.success) return ok(read.data)
    const [issue] = read.error.issues
    return err(`${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  } catch (refusal) {
    if (refusal instanceof Untranslatable) return err(refusal.message)
    throw refusal
  }
}
