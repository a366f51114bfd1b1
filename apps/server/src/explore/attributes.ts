import { attributeGroupOf, type AttributeType, type Dataset, type Parameters } from '../search/index.ts'
import { toDate } from '../lib/instant-text.ts'
import { orUnanswerable } from '../lib/unanswerable.ts'
import type { ExploreView } from './explore.view.ts'
import { LIMITS } from './limits.ts'
import { withNames } from './names.ts'
import { readQuestion, type Question, type Scope } from './question.ts'
import type { ExploreServices } from './scope.ts'
import { valueJson } from './table.ts'

/** What attributes the rows of a dataset have, and which values. */

type ListedType = 'string' | 'number' | 'boolean'

export interface ListedAttribute {
  readonly key: string
  readonly name: string
  readonly attributeType: ListedType
  readonly attributeSource: { readonly source_type: 'sentry' | 'user' }
}

export interface FoundKey {
  readonly type: ListedType
  readonly name: string
}

const ask = (scope: Scope, query: string, fields: readonly string[] = []): Question =>
  orUnanswerable(readQuestion(scope, { fields, query, seconds: 1 }))

/** Names of a sample of the rows; most frequent first. */
export const sampleKeys = async (view: ExploreView, scope: Scope, query: string, part: string): Promise<FoundKey[]> => {
  const { where, parameters } = ask(scope, query)
  const { from, maps } = scope.dataset
  const keysOf = (type: ListedType, map: string): string => `arrayMap(k -> ('${type}', toString(k)), mapKeys(${map}))`
  const all = [keysOf('string', maps.strings), keysOf('number', maps.numbers), keysOf('boolean', maps.flags)]
  const rows = await view.ask(
    scope,
    `SELECT key.1 AS type, key.2 AS name FROM (
  SELECT arrayConcat(${all.join(', ')}) AS keys FROM ${from} WHERE ${where} LIMIT ${LIMITS.ATTRIBUTE_SAMPLE_ROWS}
) ARRAY JOIN keys AS key
${containing('name', part, parameters)}
GROUP BY type, name ORDER BY count() DESC, name LIMIT ${LIMITS.ATTRIBUTES_LISTED}`,
    parameters.values,
  )
  return rows as unknown as FoundKey[]
}

const containing = (sql: string, part: string, { bind }: Parameters): string =>
  part === '' ? '' : `WHERE positionCaseInsensitiveUTF8(${sql}, ${bind(part)}) > 0`

const typeOf = (type: AttributeType): ListedType =>
  type === 'boolean' ? type : type === 'string' || type === 'date' ? 'string' : 'number'

const ofColumns = ({ attributes }: Dataset): ListedAttribute[] =>
  [...attributes].flatMap(([name, { type, lookup, hidden }]) =>
    hidden === true
      ? []
      : [
          {
            key: name,
            name,
            attributeType: lookup === undefined ? typeOf(type) : 'string',
            attributeSource: { source_type: 'sentry' as const },
          },
        ],
  )

/** How it is asked for. What a name alone does not say has to be asked for as what it is. */
export const keyOfFound = ({ type, name }: FoundKey): string => {
  const group = attributeGroupOf(name)
  const known = group === null || group.type === 'list' ? 'string' : typeOf(group.type)
  return known === type ? name : `tags[${name},${type}]`
}

const ofMaps = ({ type, name }: FoundKey): ListedAttribute => {
  const isOurs = attributeGroupOf(name) !== null || name.startsWith('sentry.') || name.startsWith('measurements.')
  return {
    key: keyOfFound({ type, name }),
    name,
    attributeType: type,
    attributeSource: { source_type: isOurs ? 'sentry' : 'user' },
  }
}

/** Those that senders made up come first: a client that shows only some of them shows these. */
export const listAttributesOf = async (
  view: ExploreView,
  scope: Scope,
  asked: { readonly query: string; readonly part: string; readonly types: readonly (ListedType | 'array')[] },
): Promise<ListedAttribute[]> => {
  const { dataset } = scope
  const part = asked.part.toLowerCase()
  const found = (await sampleKeys(view, scope, asked.query, asked.part))
    .filter(({ name }) => !dataset.attributes.has(name))
    .map(ofMaps)
  const columns = ofColumns(dataset).filter(({ name }) => name.toLowerCase().includes(part))
  const isUsers = ({ attributeSource }: ListedAttribute): boolean => attributeSource.source_type === 'user'
  return [...found.filter(isUsers), ...found.filter((one) => !isUsers(one)), ...columns]
    .filter(({ attributeType }) => asked.types.length === 0 || asked.types.includes(attributeType))
    .slice(0, LIMITS.ATTRIBUTES_LISTED)
}

export interface ListedValue {
  readonly key: string
  readonly name: string
  readonly value: string
  readonly count: number
  readonly firstSeen: string
  readonly lastSeen: string
}

/** Most frequent first. */
export const listValuesOf = async (
  services: Pick<ExploreServices, 'ask' | 'view'>,
  scope: Scope,
  key: string,
  asked: { readonly query: string; readonly part: string },
): Promise<ListedValue[]> => {
  const question = ask(scope, asked.query, [key])
  const { columns, where, parameters } = question
  const [column] = columns
  // A function is no attribute: no row has a value of it.
  if (column === undefined || column.aggregate) return []
  const { from, time } = scope.dataset
  const value = column.type === 'boolean' ? `if(${column.sql}, 'true', 'false')` : `toString(${column.sql})`
  const rows = await services.view.ask(
    scope,
    `SELECT value, count() AS found, toUnixTimestamp64Milli(min(at)) AS first, toUnixTimestamp64Milli(max(at)) AS last FROM (
  SELECT ifNull(${value}, '') AS value, ${time} AS at FROM ${from} WHERE ${where}
) ${part(asked.part, parameters, column.lookup !== undefined)}
GROUP BY value ORDER BY found DESC, value LIMIT ${LIMITS.ATTRIBUTE_VALUES_LISTED}`,
    parameters.values,
  )
  const values = await withNames(
    services,
    scope,
    [column],
    rows.map((row) => [row['value']]),
  )
  return rows
    .map((row, index) => ({
      key,
      name: String(valueJson(values[index]?.[0], { ...column, type: 'string' }, question)),
      count: Number(row['found']),
      firstSeen: toDate(Number(row['first'])),
      lastSeen: toDate(Number(row['last'])),
    }))
    .map((row) => ({ ...row, value: row.name }))
    .filter(({ name }) => column.lookup === undefined || name.includes(asked.part))
}

/** Names of projects, and of what has others, are not in telemetry: those are looked through afterwards. */
const part = (text: string, parameters: Parameters, isLookedUp: boolean): string =>
  isLookedUp || text === '' ? "WHERE value != ''" : `${containing('value', text, parameters)} AND value != ''`

const NO_TRACE = '0'.repeat(32)

/**
 * A row with all that it has; null when there is none.
 * @param trace '' for a row of none
 */
export const readItem = async (
  view: ExploreView,
  scope: Scope,
  { item, trace }: { readonly item: string; readonly trace: string },
) => {
  const { attributes, from, links, maps, time } = scope.dataset
  const names = [...attributes].flatMap(([name, { hidden }]) => (hidden === true ? [] : [name]))
  const question = ask(scope, `id:${item} trace:${trace === '' ? NO_TRACE : trace}`, names)
  const { columns, where, parameters } = question
  const lists = maps.lists === undefined ? '' : `, ${maps.lists} AS lists`
  const [row] = await view.ask(
    scope,
    `SELECT ${columns.map(({ sql }, index) => `${sql} AS c${index}`).join(', ')}, toUnixTimestamp64Milli(${time}) AS at,
  ${maps.strings} AS texts, ${maps.numbers} AS figures, ${maps.flags} AS truths${lists}, ${links ?? "''"} AS links
FROM ${from} WHERE ${where} LIMIT 1`,
    parameters.values,
  )
  if (row === undefined) return null
  const ofColumn = columns.flatMap((column, index) => {
    const value = valueJson(row[`c${index}`], column, question)
    return value === null || value === '' ? [] : [typed(column.name, value)]
  })
  const of = (name: string): [string, unknown][] => Object.entries(row[name] ?? {})
  const kept = [...of('texts'), ...of('figures'), ...of('truths')].map(([name, value]) => typed(name, value))
  const arrays = of('lists').map(([name, value]) => typed(name, JSON.parse(String(value))))
  return {
    timestamp: toDate(Number(row['at'])),
    attributes: [...ofColumn, ...kept, ...arrays].toSorted((one, other) => (one.name < other.name ? -1 : 1)),
    links: linksOf(String(row['links'])),
  }
}

interface StoredLink {
  readonly traceId: string
  readonly spanId: string
  readonly sampled?: boolean
  readonly attributes: Readonly<Record<string, unknown>>
}

/** @param json as it was stored; '' for none */
const linksOf = (json: string) =>
  (json === '' ? [] : (JSON.parse(json) as readonly StoredLink[])).map(({ attributes, sampled, spanId, traceId }) => ({
    itemId: spanId,
    traceId,
    sampled: sampled ?? null,
    attributes: Object.entries(attributes).map(([name, value]) => typed(name, value)),
  }))

const typed = (
  name: string,
  value: unknown,
): { name: string; type: 'str' | 'int' | 'float' | 'bool' | 'array'; value: unknown } => {
  if (typeof value === 'boolean') return { name, type: 'bool', value }
  if (Array.isArray(value)) return { name, type: 'array', value }
  if (typeof value !== 'number') return { name, type: 'str', value: String(value) }
  // As JSON of protobuf has 64 bits.
  return Number.isInteger(value) ? { name, type: 'int', value: String(value) } : { name, type: 'float', value }
}
