import type { IssueAlertRuleBody } from '@firsthand/contract'
import { parseSearch, textOf, tokenize, type FieldTerm, type Pattern, type SearchNode } from '../../search/index.ts'
import type { Names } from '../happened/predicate.ts'
import { ATTRIBUTES, CATEGORIES, filterTerm, LEVELS, PRIORITIES, UNITS } from '../sentry/read-filters.ts'
import { Untranslatable } from '../sentry/untranslatable.ts'

/** The terms of a search, and the conditions of a workflow that ask the same. */

type Part = IssueAlertRuleBody['filters'][number]

export interface Comparison {
  readonly type: string
  readonly comparison: unknown
}

const FILTERS: ReadonlyMap<string, string> = new Map([
  ['age_comparison', 'AgeComparisonFilter'],
  ['assigned_to', 'AssignedToFilter'],
  ['event_attribute', 'EventAttributeFilter'],
  ['issue_category', 'IssueCategoryFilter'],
  ['issue_occurrences', 'IssueOccurrencesFilter'],
  ['issue_priority_greater_or_equal', 'IssuePriorityFilter'],
  ['issue_type', 'IssueTypeFilter'],
  ['latest_release', 'LatestReleaseFilter'],
  ['level', 'LevelFilter'],
  ['tagged_event', 'TaggedEventFilter'],
])

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A condition as the filter that rules of before May 2026 have for it. @throws Untranslatable */
export const filterOf = ({ comparison, type }: Comparison): Part => {
  const name = FILTERS.get(type)
  if (name === undefined) {
    throw new Untranslatable(
      `The condition "${type}" is not known here. Leave it out, or write what it asks as a search of an alert.`,
    )
  }
  return { ...(isObject(comparison) ? comparison : { value: comparison }), id: `sentry.rules.filters.${name}` }
}

const MATCHES = ['eq', 'ne', 'sw', 'nsw', 'ew', 'new', 'co', 'nc', 'is', 'ns', 'in', 'nin'] as const

const literal = (values: readonly Pattern[]): string =>
  values.map((pattern) => pattern.filter((piece) => piece !== '').join('*')).join(',')

/** What may ask the same as a term; whether it does is seen by what it would be read as. */
const candidates = (term: FieldTerm, names: Names): Comparison[] => {
  const [first] = term.values
  const text = first === undefined ? '' : textOf(first)
  const excluded = term.negated ? { include: false } : {}
  const numbered = (type: string, numbers: Iterable<string>) =>
    Array.from(numbers, (value) => ({ type, comparison: Number(value) }))
  switch (term.key.tag ? '' : term.key.name) {
    case 'level':
      return LEVELS.flatMap(([level]) =>
        (['eq', 'gte', 'lte'] as const).map((match) => ({
          type: 'level',
          comparison: { level: Number(level), match },
        })),
      )
    case 'issue.priority':
      return numbered('issue_priority_greater_or_equal', PRIORITIES.keys())
    case 'issue.category':
      return Array.from(CATEGORIES.keys(), (value) => ({
        type: 'issue_category',
        comparison: { value: Number(value), ...excluded },
      }))
    case 'issue.type':
      return [{ type: 'issue_type', comparison: { value: text, ...excluded } }]
    case 'timesSeen':
      return [{ type: 'issue_occurrences', comparison: { value: Number(text) } }]
    case 'release':
      return [{ type: 'latest_release', comparison: true }]
    case 'age':
      return Array.from(UNITS, ([time]) => ({
        type: 'age_comparison',
        comparison: {
          comparison_type: text.startsWith('-') ? 'newer' : 'older',
          value: Number.parseInt(text.slice(1), 10),
          time,
        },
      }))
    case 'is':
      return [{ type: 'assigned_to', comparison: { targetType: 'Unassigned', targetIdentifier: '' } }]
    case 'assigned':
      return [
        { targetType: 'Team', targetIdentifier: names.teams.get(text.slice(1)) },
        { targetType: 'Member', targetIdentifier: names.users.get(text.toLowerCase()) },
      ].map((comparison) => ({ type: 'assigned_to', comparison }))
    default:
      return ofEvent(term.key, literal(term.values))
  }
}

const ofEvent = ({ name, tag }: { readonly name: string; readonly tag: boolean }, value: string): Comparison[] => {
  const [attribute] = [...ATTRIBUTES].find(([, key]) => key === name) ?? []
  return MATCHES.flatMap((match): Comparison[] => [
    ...(attribute === undefined || tag ? [] : [{ type: 'event_attribute', comparison: { attribute, match, value } }]),
    { type: 'tagged_event', comparison: { key: name, match, value } },
  ])
}

const written = (pattern: Pattern): string => pattern.map((piece) => JSON.stringify(piece)).join('*')

/** What a term asks, however it is written. */
const meaning = (node: SearchNode | null): string | null => {
  if (node?.kind === 'has') return JSON.stringify([node.key, node.negated])
  if (node?.kind !== 'field') return null
  return JSON.stringify([node.key, node.negated, node.operator, node.values.map(written).toSorted()])
}

const rootOf = (search: string): SearchNode | null => {
  const parsed = parseSearch(search)
  return parsed.ok ? parsed.value.root : null
}

const asField = (node: SearchNode | null): FieldTerm | null => {
  if (node?.kind === 'has') return { ...node, kind: 'field', operator: '=', values: [] }
  return node?.kind === 'field' ? node : null
}

/** Null where Sentry has no condition that asks just that. */
const conditionFor = (term: string, names: Names): Comparison | null => {
  const node = rootOf(term)
  const field = asField(node)
  if (field === null) return null
  const nicknames = {
    email: (id: number) => [...names.users].find(([, other]) => other === id)?.[0] ?? null,
    team: (id: number) => [...names.teams].find(([, other]) => other === id)?.[0] ?? null,
  }
  const isSame = (candidate: Comparison): boolean => {
    try {
      return meaning(rootOf(filterTerm(filterOf(candidate), nicknames))) === meaning(node)
    } catch (refusal) {
      if (refusal instanceof Untranslatable) return false
      throw refusal
    }
  }
  return candidates(field, names).find(isSame) ?? null
}

/** Pieces of a search that stand beside one another; null when they are alternatives, or cannot be told apart. */
const piecesOf = (search: string): { readonly pieces: string[]; readonly isAny: boolean } => {
  const pieces: string[] = []
  let [depth, begin, alternatives, conjunctions] = [0, 0, 0, 0]
  for (const token of tokenize(search)) {
    if (depth === 0 && token.kind === 'or') alternatives += 1
    if (token.kind === 'or' || token.kind === 'and') continue
    if (token.kind === 'open') {
      if (depth === 0) begin = token.start
      depth += 1
    } else if (token.kind === 'close') {
      depth -= 1
      if (depth === 0) pieces.push(search.slice(begin, token.end))
    } else if (depth === 0) {
      pieces.push(search.slice(token.start, token.end))
    }
  }
  conjunctions = pieces.length - 1 - alternatives
  if (alternatives === 0) return { pieces, isAny: false }
  return conjunctions === 0 ? { pieces, isAny: true } : { pieces: [search], isAny: false }
}

/** A search as conditions, as far as there are any, and what is left of it. */
export const conditionsOfSearch = (
  search: string,
  names: Names,
): { readonly logicType: 'all' | 'any-short'; readonly conditions: Comparison[]; readonly rest: string } => {
  const { isAny, pieces } = piecesOf(search)
  const found = pieces.map((piece) => conditionFor(piece, names))
  const conditions = found.filter((condition) => condition !== null)
  if (isAny) {
    return conditions.length === pieces.length
      ? { logicType: 'any-short', conditions, rest: '' }
      : { logicType: 'all', conditions: [], rest: search }
  }
  return { logicType: 'all', conditions, rest: pieces.filter((_, place) => found[place] === null).join(' ') }
}
