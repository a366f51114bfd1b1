import type { IssueAlertRuleBody } from '@firsthand/contract'
import { Untranslatable } from './untranslatable.ts'

type Part = IssueAlertRuleBody['filters'][number]

/** What people and teams are called, for searches. */
export interface Nicknames {
  readonly email: (userId: number) => string | null
  readonly team: (teamId: number) => string | null
}

const textOf = (part: Part, name: string): string => {
  const value = part[name]
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

const escape = (text: string): string => text.replaceAll(/[\\*"]/g, String.raw`\$&`)

/** The text itself, with stars where something may stand. */
const quoted = (text: string, before = '', behind = ''): string => `"${before}${escape(text)}${behind}"`

/** A key of a search with what a match of Sentry's asks of it. */
const matchOf = (key: string, part: Part): string => {
  const value = textOf(part, 'value')
  const list = value
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
  switch (textOf(part, 'match')) {
    case 'eq':
      return `${key}:${quoted(value)}`
    case 'ne':
      return `!${key}:${quoted(value)}`
    case 'sw':
      return `${key}:${quoted(value, '', '*')}`
    case 'nsw':
      return `!${key}:${quoted(value, '', '*')}`
    case 'ew':
      return `${key}:${quoted(value, '*')}`
    case 'new':
      return `!${key}:${quoted(value, '*')}`
    case 'co':
      return `${key}:${quoted(value, '*', '*')}`
    case 'nc':
      return `!${key}:${quoted(value, '*', '*')}`
    case 'is':
      return `has:${key}`
    case 'ns':
      return `!has:${key}`
    case 'in':
      return `${key}:[${list.map((one) => quoted(one)).join(',')}]`
    case 'nin':
      return `!${key}:[${list.map((one) => quoted(one)).join(',')}]`
    default:
      throw new Untranslatable(
        `"${textOf(part, 'match')}" is no match that is known here (eq, ne, sw, ew, co, nc, is, ns, nsw, new, in, nin).`,
      )
  }
}

/** Attributes of Sentry's by which an event can be told when something happens. */
export const ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ['message', 'message'],
  ['platform', 'platform'],
  ['environment', 'environment'],
  ['type', 'event.type'],
  ['error.handled', 'error.handled'],
  ['error.unhandled', 'error.unhandled'],
  ['exception.type', 'error.type'],
  ['exception.value', 'error.value'],
  ['user.id', 'user.id'],
  ['user.email', 'user.email'],
  ['http.url', 'url'],
])

export const LEVELS = [
  ['10', 'debug'],
  ['20', 'info'],
  ['30', 'warning'],
  ['40', 'error'],
  ['50', 'fatal'],
] as const

export const UNITS: ReadonlyMap<string, string> = new Map([
  ['minute', 'm'],
  ['hour', 'h'],
  ['day', 'd'],
  ['week', 'w'],
])

/** Sentry's numbers of categories. */
export const CATEGORIES: ReadonlyMap<string, string> = new Map([
  ['1', 'error'],
  ['2', 'performance'],
  ['3', 'profile'],
  ['4', 'cron'],
  ['5', 'replay'],
  ['7', 'uptime'],
  ['10', 'outage'],
])

/** Sentry's number of a priority, and those that are at least so high. */
export const PRIORITIES: ReadonlyMap<string, string> = new Map([
  ['25', 'low,medium,high'],
  ['50', 'medium,high'],
  ['75', 'high'],
])

const levelTerm = (part: Part): string => {
  const level = textOf(part, 'level')
  const at = LEVELS.findIndex(([number, name]) => number === level || name === level)
  if (at === -1) throw new Untranslatable(`"${textOf(part, 'level')}" is no level.`)
  const match = textOf(part, 'match')
  const wanted = LEVELS.filter((_, index) =>
    match === 'gte' ? index >= at : match === 'lte' ? index <= at : index === at,
  )
  return `level:[${wanted.map(([, name]) => name).join(',')}]`
}

const ageTerm = (part: Part): string => {
  const unit = UNITS.get(textOf(part, 'time'))
  const value = textOf(part, 'value')
  if (unit === undefined || !/^\d{1,6}$/.test(value))
    throw new Untranslatable('An age is a number of minutes, hours, days or weeks.')
  return `age:${textOf(part, 'comparison_type') === 'newer' ? '-' : '+'}${value}${unit}`
}

const assigneeTerm = (part: Part, names: Nicknames): string => {
  const id = Number(textOf(part, 'targetIdentifier'))
  switch (textOf(part, 'targetType')) {
    case 'Unassigned':
      return 'is:unassigned'
    case 'Team': {
      const slug = names.team(id)
      if (slug !== null) return `assigned:#${slug}`
      throw new Untranslatable(`There is no team ${textOf(part, 'targetIdentifier')} in this organisation.`)
    }
    case 'Member': {
      const email = names.email(id)
      if (email !== null) return `assigned:${email}`
      throw new Untranslatable(`There is no member ${textOf(part, 'targetIdentifier')} in this organisation.`)
    }
    default:
      throw new Untranslatable(`"${textOf(part, 'targetType')}" is nobody to whom an issue can be assigned.`)
  }
}

export const negated = (term: string): string => (term.startsWith('!') ? term.slice(1) : `!${term}`)

/** The term of a search that asks what a filter of Sentry's does. @throws Untranslatable with what to do */
export const filterTerm = (part: Part, names: Nicknames): string => {
  const term = termOf(part, names)
  return part['include'] === false ? negated(term) : term
}

const termOf = (part: Part, names: Nicknames): string => {
  const name = part.id.split('.').at(-1) ?? ''
  switch (name) {
    case 'AgeComparisonFilter':
      return ageTerm(part)
    case 'IssueOccurrencesFilter':
      return `timesSeen:>=${textOf(part, 'value')}`
    case 'AssignedToFilter':
      return assigneeTerm(part, names)
    case 'LatestReleaseFilter':
      return 'release:latest'
    case 'IssueCategoryFilter': {
      const category = CATEGORIES.get(textOf(part, 'value'))
      if (category === undefined)
        throw new Untranslatable(`${textOf(part, 'value')} is no category that issues have here.`)
      return `issue.category:${category}`
    }
    case 'IssuePriorityFilter': {
      const priorities = PRIORITIES.get(textOf(part, 'value'))
      if (priorities === undefined) throw new Untranslatable('A priority is 25 (low), 50 (medium) or 75 (high).')
      return `issue.priority:[${priorities}]`
    }
    case 'IssueTypeFilter':
      return `issue.type:${quoted(textOf(part, 'value'))}`
    case 'EventAttributeCondition':
    case 'EventAttributeFilter': {
      const key = ATTRIBUTES.get(textOf(part, 'attribute'))
      if (key === undefined) {
        throw new Untranslatable(
          `An alert cannot look at "${textOf(part, 'attribute')}" when something happens. It can look at ${[...ATTRIBUTES.keys()].join(', ')}, and at tags.`,
        )
      }
      return matchOf(key, part)
    }
    case 'TaggedEventCondition':
    case 'TaggedEventFilter': {
      const tag = textOf(part, 'key')
      if (!/^[^\]\s,]{1,200}$/.test(tag)) throw new Untranslatable(`"${tag}" is no name of a tag.`)
      return matchOf(`tags[${tag}]`, part)
    }
    case 'LevelCondition':
    case 'LevelFilter':
      return levelTerm(part)
    default:
      throw new Untranslatable(
        `The filter "${part.id}" is not known here. Leave it out, or write what it asks as a search of an alert.`,
      )
  }
}

/** Whether a condition of Sentry's says something of the event, and so is a filter. */
export const isFilter = ({ id }: Part): boolean =>
  /\.(?:EventAttributeCondition|TaggedEventCondition|LevelCondition)$/.test(id) ||
  id.startsWith('sentry.rules.filters.')
