import { isSearchKey } from '../../issues/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import {
  isWildcard,
  parseNumber,
  parseSearch,
  parseTimeRange,
  textOf,
  type FieldTerm,
  type HasTerm,
  type Operator,
  type Pattern,
  type SearchKey,
  type SearchNode,
} from '../../search/index.ts'
import { RULE_FIELD_NAMES, ruleField, tagOf, wordsOf, type Asked, type RuleField } from './fields.ts'
import { issueOf } from './happening.ts'
import { likelyName } from './likely-name.ts'

/**
 * The search of a rule as a function of what was noted when something happened: pure, without a query. What a search can
 * ask and this cannot answer is refused when the rule is saved, with a sentence: it would be false for ever, in silence.
 */
export interface Predicate {
  /** Null: nothing is known that it asks for. */
  readonly matches: (asked: Asked) => boolean | null
  /** The first term that keeps it from matching, as it was written; null when it matches. */
  readonly obstacle: (asked: Asked) => { readonly term: string; readonly isUnknown: boolean } | null
}

/** What names in a search stand for, in the rule's organisation. */
export interface Names {
  /** By e-mail, lower case. */
  readonly users: ReadonlyMap<string, number>
  readonly teams: ReadonlyMap<string, number>
  readonly projects: ReadonlyMap<string, number>
}

type Test = (asked: Asked) => boolean | null

interface Part {
  readonly term: string
  readonly test: Test
}

class Refusal extends Error {}

const refuse = (message: string): never => {
  throw new Refusal(message)
}

/** @returns an error that says what to do */
export const compileRuleSearch = (text: string, names: Names): Result<Predicate, string> => {
  const parsed = parseSearch(text, isSearchKey)
  if (!parsed.ok) return err(parsed.error.message)
  const { root } = parsed.value
  try {
    const nodes = root === null ? [] : root.kind === 'and' ? root.children : [root]
    const parts = nodes.map((node): Part => ({ term: written(text, node), test: testOf(node, names) }))
    return ok({
      matches: (asked) => all(parts.map(({ test }) => test(asked))),
      obstacle: (asked) => {
        for (const { term, test } of parts) {
          const answer = test(asked)
          if (answer !== true) return { term, isUnknown: answer === null }
        }
        return null
      },
    })
  } catch (refusal) {
    if (refusal instanceof Refusal) return err(refusal.message)
    throw refusal
  }
}

const positionsOf = (node: SearchNode): readonly number[] =>
  'children' in node ? node.children.flatMap(positionsOf) : [node.position]

/** How much of the text one side of an AND may be shown of. */
const TERM_CHARACTERS = 120

/** Parentheses that were opened before what is shown. */
const withoutOpenEnds = (text: string): string => {
  const surplus = text.split(')').length - text.split('(').length
  return surplus > 0 && /\)+$/.test(text) ? text.replace(/\)+$/, (end) => end.slice(surplus)) : text
}

/** From the first of its terms to the end of its last, as far as a blank. */
const written = (text: string, node: SearchNode): string => {
  const positions = positionsOf(node)
  const first = Math.min(...positions)
  const last = Math.max(...positions)
  const rest = /^[^\s"]*(?:"[^"]*")?[^\s]*/.exec(text.slice(last))?.[0] ?? ''
  return withoutOpenEnds(text.slice(first, last + rest.length)).slice(0, TERM_CHARACTERS)
}

const all = (answers: readonly (boolean | null)[]): boolean | null =>
  answers.includes(false) ? false : answers.includes(null) ? null : true

const any = (answers: readonly (boolean | null)[]): boolean | null =>
  answers.includes(true) ? true : answers.includes(null) ? null : false

const not = (answer: boolean | null): boolean | null => (answer === null ? null : !answer)

const testOf = (node: SearchNode, names: Names): Test => {
  if ('children' in node) {
    const tests = node.children.map((child) => testOf(child, names))
    const join = node.kind === 'and' ? all : any
    return (asked) => join(tests.map((test) => test(asked)))
  }
  if (node.kind === 'text') {
    const contains = containing(node.value)
    return (asked) => of(wordsOf(asked), (texts) => texts.some(contains))
  }
  const test = node.kind === 'has' ? presenceOf(node) : fieldTest(node, names)
  return node.negated ? (asked) => not(test(asked)) : test
}

const of = <Value>(value: Value | null, test: (value: Value) => boolean): boolean | null =>
  value === null ? null : test(value)

/** Each piece behind the one before: leftmost places leave the most room, so nothing has to be tried twice. */
const inOrder = (pieces: Pattern, text: string, from: number, until: number): boolean => {
  let at = from
  for (const piece of pieces) {
    const found = text.indexOf(piece, at)
    if (found === -1 || found + piece.length > until) return false
    at = found + piece.length
  }
  return true
}

/** Anywhere in a text, as free words are looked for. */
const containing = (pattern: Pattern): ((text: string) => boolean) => {
  const pieces = pattern.map((piece) => piece.toLowerCase())
  return (text) => inOrder(pieces, text.toLowerCase(), 0, text.length)
}

/** The whole text. */
const matching = (pattern: Pattern, ignoreCase: boolean): ((text: string) => boolean) => {
  const [first = '', ...rest] = ignoreCase ? pattern.map((piece) => piece.toLowerCase()) : pattern
  const last = rest.at(-1)
  return (given) => {
    const text = ignoreCase ? given.toLowerCase() : given
    if (last === undefined) return text === first
    const until = text.length - last.length
    if (until < first.length || !text.startsWith(first) || !text.endsWith(last)) return false
    return inOrder(rest.slice(0, -1), text, first.length, until)
  }
}

/** A name that is no field of a rule's: a tag, unless something else is meant by it. */
const refuseField = ({ name, tag }: SearchKey): void => {
  if (tag) return
  if (name.endsWith(')')) {
    refuse(
      `"${name}" is a number over many events, and this rule looks at one thing that happens. Use a rule about how much.`,
    )
  }
  if (isSearchKey(name)) {
    refuse(
      `A rule about something that happens cannot look at "${name}": only a summary of the event is at hand then. It can look at ${RULE_FIELD_NAMES.slice(2).join(', ')}, and at tags. If it is a tag, write tags[${name}].`,
    )
  }
  const meant = likelyName(name, RULE_FIELD_NAMES)
  if (meant !== null) {
    refuse(`"${name}" is no field; did you mean "${meant}"? If it is a tag, write tags[${name}].`)
  }
}

const presenceOf = ({ key }: HasTerm): Test => {
  const field = key.tag ? undefined : ruleField(key.name)
  if (field === undefined) {
    refuseField(key)
    return (asked) => of(tagOf(asked, key.name), (values) => values.some((value) => value !== ''))
  }
  switch (field.kind) {
    case 'text':
    case 'release':
      return (asked) => of(field.of(asked), (value) => value !== '')
    case 'words':
      return (asked) => of(field.of(asked), (values) => values.some((value) => value !== ''))
    case 'assignee':
      return ({ fact }) => of(issueOf(fact), isAssigned)
    case 'number':
    case 'time':
    case 'flag':
    case 'state':
    case 'project':
      return refuse(`Everything has "${key.name}", so has:${key.name} says nothing.`)
  }
}

const isAssigned = (issue: NonNullable<ReturnType<typeof issueOf>>): boolean =>
  issue.assignedUserId !== null || issue.assignedTeamId !== null

const COMPARE: Readonly<Record<Operator, (left: number, right: number) => boolean>> = {
  '=': (left, right) => left === right,
  '>': (left, right) => left > right,
  '>=': (left, right) => left >= right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
}

const fieldTest = (term: FieldTerm, names: Names): Test => {
  const { key, operator, values } = term
  const field = key.tag ? undefined : ruleField(key.name)
  if (field === undefined) {
    refuseField(key)
    return tagTest(term)
  }
  if (operator !== '=' && field.kind !== 'number' && field.kind !== 'time') {
    refuse(`"${key.name}" cannot be compared with ${operator}. Use ${key.name}:value.`)
  }
  const tests = values.map((value) => valueTest(field, key.name, operator, value, names))
  return (asked) => any(tests.map((test) => test(asked)))
}

const tagTest = ({ key, operator, values }: FieldTerm): Test => {
  if (operator === '=' && key.number !== true) {
    const tests = values.map((value) => matching(value, false))
    // Of what is not there, the value is ''.
    return (asked) =>
      of(tagOf(asked, key.name), (own) =>
        (own.length === 0 ? [''] : own).some((one) => tests.some((test) => test(one))),
      )
  }
  const limits = values.map((value) => numberOf(key.name, value))
  return (asked) =>
    of(tagOf(asked, key.name), (own) =>
      own.some((one) => {
        const number = parseNumber(one)
        return number !== null && limits.some((limit) => COMPARE[operator](number, limit))
      }),
    )
}

const numberOf = (name: string, value: Pattern): number =>
  parseNumber(textOf(value)) ?? refuse(`"${textOf(value)}" is not a number: ${name} is compared with one.`)

const valueTest = (field: RuleField, name: string, operator: Operator, value: Pattern, names: Names): Test => {
  const text = textOf(value)
  switch (field.kind) {
    case 'text': {
      const { values } = field
      const wanted = values === undefined ? value : value.map((part) => part.toLowerCase())
      if (values !== undefined && !isWildcard(value) && !values.includes(text.toLowerCase())) {
        refuse(`"${text}" is no ${name}. Use one of: ${values.join(', ')}.`)
      }
      const meant = isWildcard(wanted) ? [wanted] : (field.meant?.(text) ?? [text]).map((word): Pattern => [word])
      const tests = (field.meant === undefined ? [wanted] : meant).map((one) =>
        matching(one, field.ignoreCase === true),
      )
      return (asked) => of(field.of(asked), (own) => tests.some((test) => test(own)))
    }
    case 'words': {
      const test = containing(value)
      return (asked) => of(field.of(asked), (texts) => texts.some(test))
    }
    case 'number': {
      const limit = numberOf(name, value)
      return (asked) => of(field.of(asked), (number) => COMPARE[operator](number, limit))
    }
    case 'time':
      return timeTest(field, name, operator, text)
    case 'flag': {
      const wanted = /^(?:true|1|yes)$/i.test(text)
      if (!wanted && !/^(?:false|0|no)$/i.test(text)) refuse(`"${text}" is neither true nor false, which ${name} is.`)
      return (asked) => of(field.of(asked), (is) => is === wanted)
    }
    case 'release': {
      if (text === 'latest') {
        return (asked) => of(field.of(asked), (version) => version !== '' && version === asked.latestRelease)
      }
      const test = matching(value, false)
      return (asked) => of(field.of(asked), test)
    }
    case 'state':
      return stateTest(text)
    case 'assignee':
      return assigneeTest(text, names)
    case 'project': {
      const id = names.projects.get(text) ?? refuse(`There is no project "${text}" in this organisation.`)
      return ({ fact }) => of(fact.projectId, (projectId) => projectId === id)
    }
  }
}

/** Times are told from when it happened: `age:-24h` is an issue that was a day old by then, or younger. */
const timeTest = (
  field: Extract<RuleField, { readonly kind: 'time' }>,
  name: string,
  operator: Operator,
  text: string,
): Test => {
  if (parseTimeRange(operator, text, 0, field.isAge) === null) {
    refuse(`"${text}" is no time: write ${name}:-24h or a date, 2026-01-31.`)
  }
  return (asked) => {
    const range = parseTimeRange(operator, text, asked.fact.receivedAt, field.isAge)
    return of(field.of(asked), (at) => range !== null && at >= (range.from ?? -Infinity) && at < (range.to ?? Infinity))
  }
}

const STATUSES: ReadonlySet<string> = new Set(['unresolved', 'resolved', 'ignored'])
const SUBSTATUSES: ReadonlySet<string> = new Set([
  'new',
  'ongoing',
  'regressed',
  'escalating',
  'archived_until_escalating',
  'archived_until_condition_met',
  'archived_forever',
])

const stateTest = (text: string): Test => {
  const state = text.toLowerCase()
  const wanted = state === 'archived' || state === 'muted' ? 'ignored' : state
  if (STATUSES.has(wanted)) return ({ fact }) => of(issueOf(fact), (issue) => issue.status === wanted)
  if (SUBSTATUSES.has(state)) return ({ fact }) => of(issueOf(fact), (issue) => issue.substatus === state)
  switch (state) {
    case 'assigned':
      return ({ fact }) => of(issueOf(fact), isAssigned)
    case 'unassigned':
      return ({ fact }) => of(issueOf(fact), (issue) => !isAssigned(issue))
    case 'unhandled':
    case 'handled':
      return ({ fact }) => of(issueOf(fact), (issue) => issue.isUnhandled === (state === 'unhandled'))
    default:
      return refuse(
        `"is:${text}" is not known when something happens. Use one of: unresolved, resolved, archived, assigned, unassigned, unhandled, handled, ${[...SUBSTATUSES].join(', ')}.`,
      )
  }
}

const assigneeTest = (text: string, { teams, users }: Names): Test => {
  if (text === 'none') return ({ fact }) => of(issueOf(fact), (issue) => !isAssigned(issue))
  if (text === 'me' || text === 'my_teams') {
    return refuse(`A rule is everybody's, so it does not know who "${text}" is. Write an e-mail address or #team.`)
  }
  if (text.startsWith('#')) {
    const id = teams.get(text.slice(1)) ?? refuse(`There is no team "${text}" in this organisation.`)
    return ({ fact }) => of(issueOf(fact), (issue) => issue.assignedTeamId === id)
  }
  const id = users.get(text.toLowerCase()) ?? refuse(`Nobody in this organisation has the e-mail address "${text}".`)
  return ({ fact }) => of(issueOf(fact), (issue) => issue.assignedUserId === id)
}
