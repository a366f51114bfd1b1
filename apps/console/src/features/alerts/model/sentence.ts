import type { AlertAction, AlertDraft } from '@firsthand/contract'

import { formatCount } from '../../../lib/format.ts'
import type { Comparison, Measured } from './draft.ts'
import { amountText, type Quantity, quantityOf, THINGS, valueText } from './quantities.ts'
import { againstText, happeningText, hoursText, lengthText } from './words.ts'

/** A rule is a sentence. Its variables are what one can change, the search stands in it as it is written. */

export type VariableId =
  | 'kinds'
  | 'limit'
  | 'window'
  | 'least'
  | 'groups'
  | 'silence'
  | 'environments'
  | 'projects'
  | 'age'
  | 'receivers'
  | 'hours'
  | 'frequency'
  | 'recovery'

export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly id: VariableId; readonly text: string }
  | { readonly kind: 'query'; readonly text: string }

/** What ids are called. */
export interface Names {
  readonly project: (id: string) => string
  readonly channel: (id: string) => string
  readonly team: (id: string) => string
  readonly member: (id: string) => string
}

type Rule = Pick<
  AlertDraft,
  'actions' | 'conditions' | 'environments' | 'frequencyMinutes' | 'projects' | 'query' | 'trigger'
>

const text = (words: string): Part => ({ kind: 'text', text: words })
const variable = (id: VariableId, words: string): Part => ({ kind: 'variable', id, text: words })

/** @param isWritten all that can be changed stands in it; otherwise what is as usual goes without saying */
export function sentenceOf(rule: Rule, names: Names, isWritten = false): readonly Part[] {
  return [
    ...whenOf(rule, isWritten || rule.query !== '', isWritten),
    ...whereOf(rule, names, isWritten),
    ...thenOf(rule, names, isWritten),
  ]
}

/** The sentence as it is read out, and as lists show it. */
export function plainSentence(parts: readonly Part[]): string {
  return parts.map((part) => part.text).join('')
}

/** Each part with the comma or full stop that follows it, so that no line begins with one. */
export function closedParts(parts: readonly Part[]): readonly { readonly part: Part; readonly close: string }[] {
  const closeOf = (part: Part | undefined): string =>
    part?.kind === 'text' ? (/^[,.;:]+/.exec(part.text)?.[0] ?? '') : ''
  return parts.map((part, place) => ({
    part: place > 0 && part.kind === 'text' ? { ...part, text: part.text.slice(closeOf(part).length) } : part,
    close: closeOf(parts[place + 1]),
  }))
}

function whenOf({ trigger, query }: Rule, hasQuery: boolean, isWritten: boolean): readonly Part[] {
  const searched = (words: string): readonly Part[] => (hasQuery ? [text(words), { kind: 'query', text: query }] : [])
  if (trigger.source === 'happened')
    return [text('When '), variable('kinds', happeningText(trigger.kinds)), ...searched(' and matches ')]
  if (trigger.source === 'silence')
    return [
      text(`When no ${THINGS[trigger.dataset]} arrive for `),
      variable('silence', lengthText(trigger.minutes)),
      ...searched(' that match '),
    ]
  const quantity = quantityOf(trigger.dataset, trigger.aggregate)
  return [
    text('When '),
    variable('limit', limitText(quantity, trigger.comparison)),
    text(quantity.form === 'count' ? ' in ' : ' over '),
    variable('window', lengthText(trigger.windowMinutes)),
    // A count says by itself of how many it is.
    ...(quantity.form === 'count' || (trigger.least === 0 && !isWritten)
      ? []
      : [text(' of '), variable('least', leastText(trigger))]),
    ...searched(quantity.form === 'count' ? ` ${quantity.verb ?? 'match'} ` : ' for '),
  ]
}

/** "at least 100 sessions". */
export const leastText = ({ dataset, least }: Pick<Measured, 'dataset' | 'least'>): string =>
  least === 0 ? `however many ${THINGS[dataset]}` : `at least ${formatCount(least)} ${THINGS[dataset]}`

export const groupsText = (groups: readonly string[]): string =>
  groups.length === 0 ? 'all together' : `for each ${groups.join(' and ')}`

/** "more than 60 users", "the p95 of durations is above 2.0 s", "unusually many users". */
export function limitText(quantity: Quantity, comparison: Comparison): string {
  const isCount = quantity.form === 'count'
  const { noun } = quantity
  if (comparison.kind === 'fixed') {
    const amount = amountText(quantity, comparison.limit)
    if (isCount) return `${comparison.direction === 'above' ? 'more' : 'fewer'} than ${amount}`
    return `${noun} is ${comparison.direction} ${amount}`
  }
  if (comparison.kind === 'change') {
    const word = isCount
      ? comparison.direction === 'above'
        ? 'more'
        : 'fewer'
      : comparison.direction === 'above'
        ? 'higher'
        : 'lower'
    const change = `${comparison.percent}% ${word}`
    const before = `than ${againstText(comparison.against)}`
    return isCount ? `${change} ${noun} ${before}` : `${noun} is ${change} ${before}`
  }
  const many = { above: 'unusually many', below: 'unusually few', both: 'unusually many or few' }[comparison.direction]
  const high = { above: 'unusually high', below: 'unusually low', both: 'unusual' }[comparison.direction]
  return isCount ? `${many} ${noun}` : `${noun} is ${high}`
}

function whereOf(
  { conditions, environments, projects, trigger }: Rule,
  names: Names,
  isWritten: boolean,
): readonly Part[] {
  const age = conditions.minimumAgeMinutes
  const groups = trigger.source === 'happened' ? [] : trigger.groupBy
  const unless = (isUsual: boolean, ...parts: readonly Part[]) => (isUsual && !isWritten ? [] : parts)
  return [
    ...unless(
      environments.length === 0,
      text(' in '),
      variable('environments', environments.length === 0 ? 'any environment' : environments.join(', ')),
    ),
    ...unless(projects === null, text(' of '), variable('projects', projectsText(projects, names))),
    // Only issues have an age.
    ...(trigger.source === 'happened'
      ? unless(age === 0, text(', '), variable('age', age === 0 ? 'however old' : `at least ${lengthText(age)} old`))
      : unless(groups.length === 0, text(', '), variable('groups', groupsText(groups)))),
  ]
}

export function projectsText(projects: AlertDraft['projects'], names: Pick<Names, 'project'>): string {
  if (projects === null) return 'every project'
  return projects.length > 3 ? `${projects.length} projects` : projects.map((id) => names.project(id)).join(', ')
}

function thenOf(
  { actions, conditions, frequencyMinutes, trigger }: Rule,
  names: Names,
  isWritten: boolean,
): readonly Part[] {
  const { hours } = conditions
  return [
    text(', tell '),
    variable('receivers', receiversText(actions, names)),
    ...(hours === null && !isWritten ? [] : [text(' at '), variable('hours', hoursText(hours))]),
    text(', '),
    variable('frequency', frequencyText(frequencyMinutes)),
    ...(trigger.source === 'measured'
      ? [text(', and say all clear '), variable('recovery', recoveryText(trigger))]
      : []),
    text('.'),
  ]
}

/** Who is told by one action. */
export function receiverText(action: AlertAction, names: Names): string {
  if (action.kind === 'channel') return names.channel(action.channelId)
  if (action.target === 'owners') return 'the owners'
  return action.target === 'team' ? names.team(action.id ?? '') : names.member(action.id ?? '')
}

export function receiversText(actions: readonly AlertAction[], names: Names): string {
  const told = actions.map((action) => receiverText(action, names))
  if (told.length === 0) return 'nobody yet'
  return told.length > 2 ? `${told.length} receivers` : told.join(' and ')
}

/** "at most one message in 30 minutes about the same thing". */
export const frequencyText = (minutes: number): string =>
  minutes === 0 ? 'every time' : `at most one message in ${lengthText(minutes)} about the same thing`

/** "at or below 30 for 15 minutes", as the limit itself is not passed; for what has no fixed limit "once it is usual for 15 minutes". */
export function recoveryText({ aggregate, comparison, dataset, recovery }: Measured): string {
  const long = recovery.minutes === 0 ? '' : ` for ${lengthText(recovery.minutes)}`
  const quantity = quantityOf(dataset, aggregate)
  const limit = recovery.limit ?? (comparison.kind === 'fixed' ? comparison.limit : null)
  if (limit === null) return long === '' ? 'at once' : `when it is well${long}`
  return `at or ${comparison.direction === 'below' ? 'above' : 'below'} ${valueText(quantity, limit)}${long}`
}
