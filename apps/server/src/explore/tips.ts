import { Unanswerable } from '../lib/unanswerable.ts'
import { findAttribute, formatFilter, isWildcard, type Bind, type Parameters } from '../search/index.ts'
import { readCall } from './call.ts'
import type { Column } from './columns.ts'
import type { ExploreView } from './explore.view.ts'
import { nearest } from './nearest.ts'
import { sampleKeys } from './attributes.ts'
import { LIMITS } from './limits.ts'
import { readConditions, type Condition, type Question, type Scope } from './question.ts'
import { NO_TIPS, type Table, type Tips } from './table.ts'

/**
 * Sentences about an answer with nothing in it: a search for an attribute that nobody sent, or for a value that is written
 * otherwise, finds as little as one for something rare, and only the rows themselves tell the three apart. They are asked
 * only when there was no answer, and within bounds: an answer without a reason is better than one that comes late.
 */

/** What people of other products, or of other lists here, mean by a key. Endings (`op` for `span.op`) need no line. */
const MEANT: Readonly<Record<string, string>> = { age: 'timestamp', firstSeen: 'timestamp', lastSeen: 'timestamp' }

/** @param query that the question was asked with */
export const tipsOf = async (
  view: ExploreView,
  { question, rows, samples }: Pick<Table, 'question' | 'rows' | 'samples'>,
  query: string,
): Promise<Tips> => {
  const isEmpty = rows.length === 0 || (question.grouped && samples.every((sample) => sample.rows === 0))
  if (isEmpty) return { ...NO_TIPS, query: await tipOfSearch(view, question.scope, query) }
  return { ...NO_TIPS, columns: await tipOfColumns(view, question, rows) }
}

/** What of a search no row of the time fulfils; null when that cannot be said, or quickly. */
export const tipOfSearch = async (view: ExploreView, scope: Scope, query: string): Promise<string | null> => {
  const asked = readConditions(scope, query, LIMITS.TIP_TERMS)
  if (asked === null || asked.conditions.length === 0) return null
  const { conditions, parameters, where } = asked
  const [row] = await askQuickly(
    view,
    scope,
    `SELECT count() AS everything, ${conditions.flatMap((condition, index) => columnsOf(condition, index)).join(', ')}
FROM ${scope.dataset.from} WHERE ${where}`,
    parameters.values,
  )
  if (row === undefined) return null
  if (Number(row['everything']) === 0) return nothingCame(scope)
  const found = conditions.map((condition, index) => ({
    ...condition,
    isSent: Number(row[`sent${index}`]) > 0,
    isFound: Number(row[`found${index}`]) > 0 || Number(row[`either${index}`]) > 0,
    alike: (row[`alike${index}`] ?? []) as readonly string[],
  }))
  const known = found.some(({ isSent }) => !isSent) ? await knownKeys(view, scope) : []
  const sentences = found.flatMap((one) => {
    if (one.isFound) return []
    const { name } = one.term.key
    if (one.isSent) return aboutValue(one, conditions.length > 1)
    // A column that is empty was meant.
    return [aboutKey(name, scope.dataset.attributes.has(name) ? [] : known)]
  })
  return sentences.length === 0 ? null : [...new Set(sentences)].join(' ')
}

type Answer = Awaited<ReturnType<ExploreView['ask']>>

/** No rows where there are too many of them to say: the answer stands without a reason. */
const askQuickly = (view: ExploreView, scope: Scope, sql: string, values: Parameters['values']): Promise<Answer> =>
  unlessTooMuch(view.ask(scope, sql, values, { severalThreads: true, seconds: LIMITS.TIP_SECONDS }))

const unlessTooMuch = async <Row>(answer: Promise<Row[]>): Promise<Row[]> => {
  try {
    return await answer
  } catch (error) {
    if (error instanceof Unanswerable) return []
    throw error
  }
}

/** Names that are listed, those of senders, and at last other names of the same. */
const knownKeys = async (view: ExploreView, scope: Scope): Promise<readonly string[]> => {
  const names = (others: boolean): string[] =>
    [...scope.dataset.attributes].flatMap(([name, { hidden = false }]) => (hidden === others ? [name] : []))
  const sent = await unlessTooMuch(sampleKeys(view, scope, '', ''))
  return [...names(false), ...sent.map(({ name }) => name), ...names(true)]
}

/** Why functions have no value in any of the rows: what they are computed from is no number, or is not there. */
const tipOfColumns = async (
  view: ExploreView,
  { columns, parameters, scope, where }: Question,
  rows: Table['rows'],
): Promise<string | null> => {
  const asked = columns.flatMap((column) =>
    rows.every((row) => row[column.name] === null) ? argumentOf(column, scope, parameters.bind) : [],
  )
  if (asked.length === 0) return null
  const [row] = await askQuickly(
    view,
    scope,
    `SELECT ${asked.map(({ search }, index) => `countIf(isNotNull(${search.flag})) AS flags${index}, countIf(${search.text} != '') AS texts${index}`).join(', ')}
FROM ${scope.dataset.from} WHERE ${where}`,
    parameters.values,
  )
  if (row === undefined) return null
  const unsent = asked.filter((_, index) => Number(row[`flags${index}`]) + Number(row[`texts${index}`]) === 0)
  const known = unsent.length === 0 ? [] : await knownKeys(view, scope)
  const sentences = asked.map((one, index) => {
    if (Number(row[`flags${index}`]) > 0) {
      return `"${one.name}" is true or false. Ask for avg(tags[${one.name},boolean]), the share of it that is true.`
    }
    return Number(row[`texts${index}`]) > 0 ? `"${one.name}" is text here, and no number.` : aboutKey(one.name, known)
  })
  return [...new Set(sentences)].join(' ')
}

/** The attribute that a function is about, where its name does not say of which type it is. */
const argumentOf = ({ aggregate, name }: Column, { dataset }: Scope, bind: Bind) => {
  const call = aggregate ? readCall(name) : null
  const argument = call?.ok === true ? call.value?.arguments[0] : undefined
  if (argument === undefined || argument.isSearch || argument.text === '') return []
  const { search } = findAttribute(dataset, argument.text, bind)
  return search.kind === 'attribute' ? [{ name: argument.text, search }] : []
}

/** The search is not why. */
const nothingCame = ({ environments }: Scope): string =>
  environments.length === 0 ? 'Nothing came in this time.' : 'Nothing came from this environment in this time.'

const columnsOf = ({ either, present, matches, alike }: Condition, index: number): string[] => [
  `countIf(${present}) AS sent${index}`,
  `countIf(${matches}) AS found${index}`,
  `${either === null ? '0' : `countIf(${either})`} AS either${index}`,
  ...(alike === null
    ? []
    : [
        `groupUniqArrayIf(${LIMITS.TIP_VALUES})(substring(${alike.value}, 1, ${LIMITS.TIP_VALUE_CHARACTERS}), ${alike.condition}) AS alike${index}`,
      ]),
]

const aboutKey = (key: string, known: readonly string[]): string => {
  const meant = meantBy(key, known)
  const offer = meant.length === 0 ? '' : ` Did you mean ${meant.join(' or ')}?`
  return `Nothing in this time has an attribute "${key}".${offer}`
}

/** The same in other letters; then what ends with it, as `span.op` does with `op`; then what is written about alike. */
const meantBy = (key: string, known: readonly string[]): readonly string[] => {
  const lower = key.toLowerCase()
  const others = [...new Set(known)].filter((name) => name !== key)
  const same = others.filter((name) => name.toLowerCase() === lower)
  if (same.length > 0) return same.slice(0, 1)
  if (Object.hasOwn(MEANT, key) && others.includes(MEANT[key] ?? '')) return [MEANT[key] ?? '']
  const ending = others.filter((name) => name.toLowerCase().endsWith(`.${lower}`))
  return ending.length > 0 ? ending.slice(0, 1) : nearest(lower, others)
}

interface Looked {
  readonly term: Condition['term']
  readonly alike: readonly string[]
}

const LATEST = 'The latest release is not looked up. Name it, as in release:shop@1.2.0.'

/** @param isOneOfMany whether other conditions could be why nothing was found */
const aboutValue = ({ term, alike }: Looked, isOneOfMany: boolean): string[] => {
  if (term.kind !== 'field') return []
  const { key } = term
  if (key.name === 'release' && term.values.some(([value]) => value === 'latest')) return [LATEST]
  const [value] = term.values
  const isPlain = term.operator === '=' && term.values.length === 1 && value !== undefined && !isWildcard(value)
  const text = isPlain ? (value[0] ?? '') : ''
  const name = key.tag ? `tags[${key.name}]` : key.name
  const offered = likeliest(text, alike).map((one) => formatFilter(name, one))
  if (offered.length === 0 && !isOneOfMany) return []
  const asked = isPlain ? formatFilter(name, text) : `such a "${key.name}"`
  const offer = offered.length === 0 ? '' : ` Did you mean ${offered.join(' or ')}?`
  return [`Nothing in this time has ${asked}.${offer}`]
}

/** At most two: the same in other letters, then those that end with it (`id:7` for 7), then those that have it in them. */
const likeliest = (text: string, values: readonly string[]): readonly string[] => {
  const lower = text.toLowerCase()
  const rank = (value: string): number => {
    const other = value.toLowerCase()
    if (other === lower) return 0
    return /[^\p{L}\p{N}]$/u.test(other.slice(0, -lower.length)) && other.endsWith(lower) ? 1 : 2
  }
  const ranked = values
    .map((value) => ({ value, rank: rank(value) }))
    .toSorted(
      (one, other) =>
        one.rank - other.rank || one.value.length - other.value.length || (one.value < other.value ? -1 : 1),
    )
  const [best] = ranked
  return ranked
    .filter(({ rank }) => rank === best?.rank)
    .slice(0, best?.rank === 0 ? 1 : 2)
    .map(({ value }) => value)
}
