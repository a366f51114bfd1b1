import { orUnanswerable } from '../lib/unanswerable.ts'
import type { Column } from './columns.ts'
import type { ExploreView } from './explore.view.ts'
import { LIMITS } from './limits.ts'
import { readQuestion, type Question, type Scope } from './question.ts'

/** Texts of rows as tags: older clients ask for those of any dataset in the shape of an error's. */

interface Tag {
  readonly key: string
  /** Of the rows that were looked at. */
  readonly rows: number
}

interface TagValue extends Tag {
  readonly value: string
}

/** Columns that are like a tag: what is looked up by an index is an id or a text that somebody wrote. */
const taggedColumns = ({ dataset }: Scope): string[] =>
  [...dataset.attributes].flatMap(([name, { hidden, lookup, search, type }]) =>
    hidden === true || lookup !== undefined || type !== 'string' || NO_TAGS.has(name) || !isWord(search) ? [] : [name],
  )

const isWord = (search: { readonly kind: string } | undefined): boolean =>
  search === undefined || search.kind === 'choice'

/** Hardly any two rows have the same. */
const NO_TAGS = new Set(['id', 'timestamp_precise'])

/** A statement without its end: a row for each tag of each row of a sample. */
const tagsOf = (scope: Scope, query: string): { readonly question: Question; readonly from: string } => {
  const fields = taggedColumns(scope)
  const question = orUnanswerable(readQuestion(scope, { fields, query, seconds: 1 }))
  const { columns, parameters, where } = question
  const { from, maps } = scope.dataset
  const text = (sql: string): string => `substringUTF8(${sql}, 1, ${LIMITS.BOX_VALUE_CHARACTERS})`
  const ofColumn = ({ name, sql }: Column): string => `(${parameters.bind(name)}, ${text(sql)})`
  const ofMap = `arrayMap((k, v) -> (toString(k), ${text('toString(v)')}), mapKeys(${maps.strings}), mapValues(${maps.strings}))`
  return {
    question,
    from: `FROM (
  SELECT arrayConcat([${columns.map(ofColumn).join(', ')}], ${ofMap}) AS pairs FROM ${from} WHERE ${where}
  LIMIT ${LIMITS.ATTRIBUTE_SAMPLE_ROWS}
) ARRAY JOIN pairs AS pair
WHERE pair.2 != ''`,
  }
}

/** Most frequent first. */
export const listTagsOf = async (view: ExploreView, scope: Scope): Promise<Tag[]> => {
  const { question, from } = tagsOf(scope, '')
  const rows = await view.ask(
    scope,
    `SELECT pair.1 AS name, count() AS found ${from}
GROUP BY name ORDER BY found DESC, name LIMIT ${LIMITS.ATTRIBUTES_LISTED}`,
    question.parameters.values,
  )
  return rows.map((row) => ({ key: String(row['name']), rows: Number(row['found']) }))
}

/** The most frequent values of each tag of the rows that match. */
export const listFacetsOf = async (
  view: ExploreView,
  scope: Scope,
  { query, values }: { readonly query: string; readonly values: number },
): Promise<Map<string, TagValue[]>> => {
  const { question, from } = tagsOf(scope, query)
  const rows = await view.ask(
    scope,
    `SELECT name, value, found FROM (
  SELECT pair.1 AS name, pair.2 AS value, count() AS found ${from}
  GROUP BY name, value SETTINGS group_by_overflow_mode = 'any'
) ORDER BY name, found DESC, value LIMIT ${values} BY name LIMIT ${LIMITS.ATTRIBUTES_LISTED}`,
    question.parameters.values,
  )
  const found = rows.map((row) => ({
    key: String(row['name']),
    value: String(row['value']),
    rows: Number(row['found']),
  }))
  return Map.groupBy(found, ({ key }) => key)
}
