import { err, ok, type Result } from '../../lib/result.ts'
import { meantCategories } from '../meant-categories.ts'
import { isWildcard, parseNumber, parseTimeRange, textOf } from '../../search/index.ts'
import type {
  FieldTerm,
  Operator,
  Pattern,
  SearchError,
  SearchNode,
  SearchQuery,
  SearchTerm,
  TimeRange,
} from '../../search/index.ts'
import { parseShortId } from '../short-id.ts'
import { ISSUE_FIELD_NAMES, issueFieldName } from './issue-keys.ts'

/** A condition on issues, in the ledger's words. Values within one condition are alternatives. */
export type IssueCondition =
  | { readonly kind: 'and' | 'or'; readonly children: readonly IssueCondition[] }
  | { readonly kind: 'not'; readonly child: IssueCondition }
  | { readonly kind: 'is'; readonly what: IssueState }
  | { readonly kind: 'assigned'; readonly to: Assignee }
  | { readonly kind: 'bookmarked' | 'subscribed'; readonly by: Bookmarker }
  /** `PROJECT-4K`, upper case. */
  | { readonly kind: 'shortId'; readonly values: readonly string[] }
  | { readonly kind: 'id'; readonly operator: Operator; readonly value: number }
  | { readonly kind: 'project'; readonly slugs: readonly string[] }
  | { readonly kind: 'count'; readonly operator: Operator; readonly value: number }
  | { readonly kind: 'time'; readonly column: 'first_seen' | 'last_seen'; readonly range: TimeRange }
  | {
      readonly kind: 'text'
      readonly column: 'first_release' | 'type' | 'category' | 'priority'
      readonly value: Pattern
    }
  /** What happened to it in a release: it came back, or it is resolved since. */
  | { readonly kind: 'inRelease'; readonly what: 'regressed' | 'resolved'; readonly release: Pattern }

const ISSUE_STATES = [
  'unresolved',
  'resolved',
  'archived',
  'ignored',
  'assigned',
  'unassigned',
  'for_review',
  'new',
  'ongoing',
  'regressed',
  'escalating',
  'archived_until_escalating',
  'archived_until_condition_met',
  'archived_forever',
  'unhandled',
  'handled',
  'linked',
  'unlinked',
] as const
export type IssueState = (typeof ISSUE_STATES)[number]

export type Assignee =
  | { readonly kind: 'me' | 'my_teams' | 'none' }
  | { readonly kind: 'team'; readonly slug: string }
  | { readonly kind: 'user'; readonly email: string }

export type Bookmarker = { readonly kind: 'me' } | { readonly kind: 'user'; readonly email: string }

/** A search for issues, divided by the store that answers it. Both parts must hold. */
export interface IssueSearch {
  readonly issue: IssueCondition | null
  /** For `toEventFilter`: the issues that have such an event. */
  readonly event: SearchNode | null
}

const ISSUE_PRIORITIES: readonly string[] = ['high', 'medium', 'low']

/** Of Sentry's issues; all but the first three are of things that are no issues here. */
const ISSUE_CATEGORIES: readonly string[] = [
  'error',
  'feedback',
  'performance',
  'profile',
  'cron',
  'replay',
  'uptime',
  'outage',
  'metric',
  'metric_alert',
  'db_query',
  'http_client',
  'frontend',
  'mobile',
]

/** What Sentry calls archived at times. */
const OTHER_STATES: ReadonlyMap<string, IssueState> = new Map([['muted', 'archived']])

const COMPARABLE: ReadonlySet<string> = new Set(['timesSeen', 'firstSeen', 'lastSeen', 'age', 'issue.id'])

const STATUSES: ReadonlySet<string> = new Set(['unresolved', 'resolved', 'ignored', 'archived'])

/** The ledger's name for what the term asks; null when events answer it. */
const issueKey = (term: SearchTerm): string | null => {
  if (term.kind !== 'field' || term.key.tag) return null
  // Many applications have a tag of this name; with these values Sentry's clients mean the issue's.
  if (term.key.name === 'status' && term.values.every((value) => STATUSES.has(textOf(value)))) return 'is'
  return issueFieldName(term.key.name)
}

/**
 * @param latestReleases what `latest` means as a release: the newest releases of the searched projects
 * @returns an error when one `OR` mixes what the two stores know, or a value cannot be read
 */
export const splitIssueSearch = (
  query: SearchQuery,
  now: number,
  latestReleases: readonly string[] = [],
): Result<IssueSearch, SearchError> => {
  const { root } = query
  if (root === null) return ok({ issue: null, event: null })
  const parts = root.kind === 'and' ? root.children : [root]
  const issue: IssueCondition[] = []
  const event: SearchNode[] = []
  for (const part of parts) {
    const where = whereAnswered(part)
    if (where === 'both') {
      const nested = part.kind === 'and' ? splitIssueSearch({ root: part }, now, latestReleases) : err(mixed(part))
      if (!nested.ok) return nested
      if (nested.value.issue !== null) issue.push(nested.value.issue)
      if (nested.value.event !== null) event.push(nested.value.event)
    } else if (where === 'issue') {
      const condition = toCondition(part, now, latestReleases)
      if (!condition.ok) return condition
      issue.push(condition.value)
    } else {
      event.push(part)
    }
  }
  return ok({ issue: joinConditions(issue), event: joinNodes(event) })
}

const joinConditions = (children: readonly IssueCondition[]): IssueCondition | null =>
  children.length > 1 ? { kind: 'and', children } : (children[0] ?? null)

const joinNodes = (children: readonly SearchNode[]): SearchNode | null =>
  children.length > 1 ? { kind: 'and', children } : (children[0] ?? null)

const whereAnswered = (node: SearchNode): 'issue' | 'event' | 'both' => {
  if (!('children' in node)) return issueKey(node) === null ? 'event' : 'issue'
  const places = new Set(node.children.map(whereAnswered))
  const [only = 'event'] = places
  return places.size > 1 ? 'both' : only
}

const firstPosition = (node: SearchNode): number => {
  switch (node.kind) {
    case 'and':
    case 'or':
      return Math.min(...node.children.map(firstPosition))
    case 'text':
    case 'has':
    case 'field':
      return node.position
  }
}

const mixed = (node: SearchNode): SearchError => ({
  message: `An OR cannot mix what an issue is (${ISSUE_FIELD_NAMES.slice(0, 4).join(', ')}, …) with what its events hold. Search twice instead.`,
  position: firstPosition(node),
})

const toCondition = (
  node: SearchNode,
  now: number,
  latestReleases: readonly string[],
): Result<IssueCondition, SearchError> => {
  if ('children' in node) {
    const children: IssueCondition[] = []
    for (const child of node.children) {
      const condition = toCondition(child, now, latestReleases)
      if (!condition.ok) return condition
      children.push(condition.value)
    }
    return ok({ kind: node.kind, children })
  }
  if (node.kind !== 'field') return err({ message: 'This term cannot be used here.', position: node.position })
  const condition = fromTerm(node, issueKey(node) ?? '', now, latestReleases)
  return condition.ok && node.negated ? ok({ kind: 'not', child: condition.value }) : condition
}

const fromTerm = (
  term: FieldTerm,
  key: string,
  now: number,
  latestReleases: readonly string[],
): Result<IssueCondition, SearchError> => {
  const texts = term.values.map(textOf)
  // An empty list: none of no values can match.
  if (term.values.length === 0) return ok({ kind: 'or', children: [] })
  const comparable = COMPARABLE.has(key)
  if (term.operator !== '=' && !comparable) {
    return err({
      message: `"${key}" cannot be compared with ${term.operator}. Use ${key}:value.`,
      position: term.position,
    })
  }
  const releases = term.values.flatMap((value) =>
    textOf(value) === 'latest' ? latestReleases.map((one) => [one]) : [value],
  )
  switch (key) {
    case 'is':
      return either(texts, (text) => readState(text, term.position))
    case 'assigned':
      return either(texts, (text) => ok({ kind: 'assigned', to: readAssignee(text) }))
    case 'bookmarks':
    case 'subscribed':
      return either(texts, (text) =>
        ok({
          kind: key === 'bookmarks' ? 'bookmarked' : 'subscribed',
          by: text === 'me' ? { kind: 'me' } : { kind: 'user', email: text.toLowerCase() },
        }),
      )
    case 'issue':
      for (const text of texts) {
        if (parseShortId(text) === null) return err({ message: noShortId(text), position: term.position })
      }
      return ok({ kind: 'shortId', values: texts.map((text) => text.toUpperCase()) })
    case 'issue.id':
      return either(texts, (text) => {
        const id = parseNumber(text)
        if (id === null) return err({ message: `"${text}" is not a number.`, position: term.position })
        return ok({ kind: 'id', operator: term.operator, value: id })
      })
    case 'project':
      return ok({ kind: 'project', slugs: texts })
    case 'timesSeen':
      return either(texts, (text) => {
        const value = parseNumber(text)
        if (value === null) return err({ message: `"${text}" is not a number.`, position: term.position })
        return ok({ kind: 'count', operator: term.operator, value })
      })
    case 'age':
    case 'firstSeen':
    case 'lastSeen':
      return either(texts, (text) => {
        const range = parseTimeRange(term.operator, text, now, key === 'age')
        if (range === null) {
          return err({ message: `"${text}" is no time. Write -24h or 2026-01-31.`, position: term.position })
        }
        return ok({ kind: 'time', column: key === 'lastSeen' ? 'last_seen' : 'first_seen', range })
      })
    case 'firstRelease':
      return either(releases, (value) => ok({ kind: 'text', column: 'first_release', value }))
    case 'regressedIn':
    case 'resolvedIn': {
      const what = key === 'regressedIn' ? 'regressed' : 'resolved'
      return either(releases, (release) => ok({ kind: 'inRelease', what, release }))
    }
    case 'issue.priority':
      return either(term.values, (value) => {
        const text = textOf(value).toLowerCase()
        if (isWildcard(value) || ISSUE_PRIORITIES.includes(text)) {
          return ok({ kind: 'text', column: 'priority', value: value.map((part) => part.toLowerCase()) })
        }
        const message = `"${textOf(value)}" is no priority. Use one of: ${ISSUE_PRIORITIES.join(', ')}.`
        return err({ message, position: term.position })
      })
    case 'issue.category':
      return either(term.values.flatMap(withMeant), (value) =>
        textOf(value) === 'feedback' && !term.negated
          ? err({
              message:
                'What visitors say is not among the issues. Search for it alone, with issue.category:feedback outside of parentheses, or ask /organizations/{org}/feedback/.',
              position: term.position,
            })
          : isWildcard(value) || ISSUE_CATEGORIES.includes(textOf(value))
            ? ok({ kind: 'text', column: 'category', value })
            : err({
                message: `"${textOf(value)}" is no category. Use one of: ${ISSUE_CATEGORIES.slice(0, 3).join(', ')}.`,
                position: term.position,
              }),
      )
    default:
      return either(term.values, (value) => ok({ kind: 'text', column: 'type', value }))
  }
}

const withMeant = (value: Pattern): readonly Pattern[] =>
  isWildcard(value) ? [value] : meantCategories(textOf(value)).map((category) => [category])

const either = <Value>(
  values: readonly Value[],
  read: (value: Value) => Result<IssueCondition, SearchError>,
): Result<IssueCondition, SearchError> => {
  const children: IssueCondition[] = []
  for (const value of values) {
    const condition = read(value)
    if (!condition.ok) return condition
    children.push(condition.value)
  }
  const [only] = children
  return ok(children.length === 1 && only !== undefined ? only : { kind: 'or', children })
}

/** What is wrong with a text that stands for a short id. */
export const noShortId = (text: string): string =>
  `"${text}" is no short id of an issue. Write issue:PROJECT-4K, or issue.id:number.`

const readState = (text: string, position: number): Result<IssueCondition, SearchError> => {
  const name = text.toLowerCase()
  const what = OTHER_STATES.get(name) ?? ISSUE_STATES.find((state) => state === name)
  if (what !== undefined) return ok({ kind: 'is', what })
  return err({ message: `"is:${text}" is not known. Use one of: ${ISSUE_STATES.join(', ')}.`, position })
}

const readAssignee = (text: string): Assignee => {
  if (text === 'me' || text === 'my_teams' || text === 'none') return { kind: text }
  return text.startsWith('#') ? { kind: 'team', slug: text.slice(1) } : { kind: 'user', email: text.toLowerCase() }
}
