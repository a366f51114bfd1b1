import type { SearchNode } from '@firsthand/search-syntax'
import type { Question } from '../lib/questions.ts'
import { attributeGroupOf } from './attribute-groups.ts'
import type { SearchedTable, SearchField } from './fields.ts'
import type { Bind, ParameterValue } from './parameters.ts'
import type { SearchError } from './parse.ts'
import type { Period } from './time-range.ts'
import type { Quantity } from './values.ts'

/**
 * A table of telemetry that any question can be asked of: columns, aggregates over them, series, what attributes there are.
 * The capability that has the table declares it as data; who answers the questions knows no table.
 *
 * All SQL here is ClickHouse, written by us, over columns that are qualified with the table's name. What a caller writes is
 * only ever a bound parameter.
 */
export interface Dataset {
  /**
   * What clients call it; the first is today's name. `only` is a condition: a name for some of its rows, of which
   * `attributes` may be others; a `former` name is answered and not recommended.
   */
  readonly names: readonly DatasetName[]
  /** What one row is called in answers about single rows (`item_type`). */
  readonly itemType: string
  /** Behind `FROM`, e.g. `visits FINAL` for a table in which a row that came twice is merged later. */
  readonly from: string
  /** Behind `SETTINGS`, e.g. that weeks need not be merged with each other. */
  readonly settings: readonly string[]
  /** Columns that every question is narrowed by; `time` is DateTime64, `received` when it came. */
  readonly organization: string
  readonly project: string
  readonly environment: string
  readonly time: string
  readonly received: string
  /** What tells rows of one project and moment apart. */
  readonly id: { readonly sql: string; readonly type: 'UInt64' | 'UUID' | 'String' }
  /** By public name, e.g. `http.method`. What is not among them is looked up in the maps. */
  readonly attributes: ReadonlyMap<string, DatasetAttribute>
  /** Names that clients know and whose values are not kept, each with a sentence that says what to ask instead. */
  readonly notHeld?: ReadonlyMap<string, string>
  /** Its rows have these attributes alone: any other name is refused, as nothing could ever be found by it. */
  readonly isClosed?: true
  /** Links of a row to rows elsewhere: JSON, '' for none. */
  readonly links?: string
  /** Maps of all other attributes, by the type that they were sent as; values of lists are JSON. */
  readonly maps: { readonly strings: string; readonly numbers: string; readonly flags: string; readonly lists?: string }
  /** Where what is no attribute is a tag, by exactly its name: see `SearchedTable`. */
  readonly tags?: NonNullable<SearchedTable['tags']>
  /** What a search means that its fields do not say. */
  readonly searched?: SearchRules
  /** Values of parameters that stand in its SQL. */
  readonly parameters?: Readonly<Record<string, ParameterValue>>
  /** The same dataset, for some searches: with what is looked up for them. Null when there is nothing to look up. */
  readonly prepared?: Question<ToPrepare, Dataset | null>
  /** The step of telemetry since which its rows are written, where what came before has none: earlier times look empty. */
  readonly writtenSince?: number
  /**
   * Up to when its rows can be read where they are not stored by the digest but beside it; milliseconds since the epoch,
   * `Infinity` for as far as the digest is.
   */
  readonly storedUntil?: Question<null, number>
  /** What the ids of attributes that are `named` are called. */
  readonly namesOf?: Question<IdsToName, ReadonlyMap<number, string>>
  /** Not all of what is looked up was: what is `named` may stand apart from what it belongs to. */
  readonly isIncomplete?: true
  /** A text in lower case that free words are looked for in. */
  readonly words: string
  /** How many things a row stands for, because its sender kept only some: at least 1. */
  readonly weight: string
  /** The attribute that `p95()` and the like mean without an argument, if there is one. */
  readonly measured?: string
  /** Whether what a row tells of went wrong: for `failure_rate()`. */
  readonly failed?: string
  /** What is fast enough for `apdex()` when nobody says, in milliseconds. */
  readonly apdexThreshold?: number
  /** Functions that are about attributes which only its rows have; no other dataset answers them. */
  readonly functions?: readonly string[]
  /** Scores of rows, and the share that each has of their total: for `opportunity_score()`. */
  readonly scores?: ReadonlyMap<string, number>
  /** Vitals of page loads: up to the first limit a value is good, beyond the second it is poor. For `count_web_vitals()`. */
  readonly vitals?: ReadonlyMap<string, readonly [number, number]>
  /** Runs of programs that rows tell of, and which of them crashed: for `crash_free_rate()`. */
  readonly runs?: Runs
  /** Its rows by whole days, for questions that need no more. */
  readonly days?: SummedDays
  /** What a row adds to a rate of what is measured; the number itself where this is not said. */
  readonly rated?: string
  /** What the last arguments of a function narrow by, as in `sum(value,name,type,unit)`. */
  readonly narrowedBy?: Narrowing
}

/** Rules of a search, beside what the attributes say of their fields. */
export interface SearchRules extends Pick<SearchedTable, 'lookUp' | 'refuse'> {
  /** Names that are keys, whatever stands behind them. */
  readonly isKey: (name: string) => boolean
  /** Of a term whose value says that something else is meant. */
  readonly problemOf: (root: SearchNode, now: number) => SearchError | null
}

/** Searches that will be asked, and of what. */
export interface ToPrepare {
  readonly organizationId: number
  readonly projects: readonly { readonly id: number; readonly slug: string }[]
  readonly searches: readonly string[]
}

export interface IdsToName {
  readonly organizationId: number
  readonly ids: readonly number[]
}

/** A period of an organisation. */
export interface WholeDays {
  readonly organizationId: number
  readonly period: Period
}

/**
 * Rows of whole days (UTC), summed up in a table of their own: one for all that are equal in some columns and about equal
 * in what is measured. A question that asks for nothing else finds rows and sums alike, with these columns: those that
 * both have, the measured one (of a sum, the average), `about` (the same, made a little coarser), `rows` (how many there
 * are), `weight` (how many they stand for) and `varied` (how far that may be off).
 */
export interface SummedDays {
  /** It has the columns by which every question is narrowed, too; its time is when the day begins. */
  readonly table: string
  /** What all SQL of the dataset calls its table. */
  readonly name: string
  readonly columns: readonly string[]
  /** Behind `SELECT`, of a row and of a sum. */
  readonly ofRow: readonly string[]
  readonly ofSum: readonly string[]
  /** SQL of the measured attribute, and of what percentiles take for it. */
  readonly measured: { readonly column: string; readonly exactly: string; readonly about: string }
  /** Days whose sums can be asked, in place of their rows. */
  readonly whole: Question<WholeDays, readonly Period[]>
}

/** A row tells of one run, as others may do too, or counts several that no other row tells of. */
export interface Runs {
  /** Whether a row is about one run. */
  readonly isOne: string
  readonly run: string
  /** Of a row that counts several: what tells it from others, for the same may have come twice. */
  readonly count: string
  readonly total: string
  readonly crashed: string
  /** A number that is the same for one person; 0 for nobody. */
  readonly user: string
}

export interface DatasetName {
  readonly name: string
  readonly only?: string
  readonly attributes?: Dataset['attributes']
  readonly former?: true
}

export interface Narrowing {
  /** One for each of these arguments, in their order. */
  readonly conditions: readonly {
    /** A column of text. */
    readonly sql: string
    /** All that there are. */
    readonly values?: readonly string[]
    /** The word for the empty text. */
    readonly nothing?: string
  }[]
  /** Which of them is the unit of what is measured. */
  readonly unit: number
}

export type AttributeType =
  | 'string'
  | 'integer'
  | 'number'
  | 'boolean'
  /** Milliseconds since the epoch. */
  | 'date'
  /** Milliseconds. */
  | 'duration'
  /** Bytes. */
  | 'size'
  /** 0 to 1. */
  | 'percentage'

export interface DatasetAttribute {
  /** What is shown: '' where a row has no such text, null where it has no such number or truth. */
  readonly sql: string
  readonly type: AttributeType
  /** How it is searched, where that is not by what is shown: by an index, or by the names of a few values. */
  readonly search?: SearchField
  /** The number is the id of a project, or of what `namesOf` names: the name is shown in its place. */
  readonly lookup?: 'project' | 'named'
  /** Found, but not listed: another name of something that has one, or what takes long to read. */
  readonly hidden?: true
  /** A row has many of it: rows can be searched by it, and it cannot be shown. */
  readonly isSearchedOnly?: true
}

export interface FoundAttribute extends Omit<DatasetAttribute, 'search' | 'hidden'> {
  readonly search: SearchField
}

/** `tags[name]`, `tags[name,number]`: an attribute by its name and, maybe, as a type. */
const TAGGED = /^tags\[(.+?)(?:, ?(string|number|boolean))?\]$/s

type TagType = 'string' | 'number' | 'boolean'

/** @param written as a caller names it, old or new */
export const findAttribute = (dataset: Dataset, written: string, bind: Bind): FoundAttribute => {
  const [, tag, type] = TAGGED.exec(written) ?? []
  const name = tag ?? written
  if (dataset.tags !== undefined) {
    const own = tag === undefined ? dataset.attributes.get(name) : undefined
    if (own !== undefined) return { ...own, search: own.search ?? searchOf(own) }
    const found = kept(dataset, [name], (type as TagType | undefined) ?? 'string', bind)
    return found.type === 'string' ? { ...found, search: { kind: 'tag', name } } : found
  }
  const group = attributeGroupOf(name)
  const names = group?.names ?? [name]
  const known = dataset.attributes.get(name) ?? firstKnown(dataset, names)
  if (known !== undefined) return { ...known, search: known.search ?? searchOf(known) }
  const own = [name, ...names.filter((one) => one !== name)]
  return kept(dataset, own, (type as TagType | undefined) ?? group?.type ?? 'any', bind)
}

/** The same attribute as a number, whatever it was sent as. */
export const findNumber = (dataset: Dataset, written: string, bind: Bind): FoundAttribute => {
  const [, tag] = TAGGED.exec(written) ?? []
  return findAttribute(dataset, `tags[${tag ?? written},number]`, bind)
}

/** Why an attribute cannot be asked for; null if it can. One that was sent by such a name is found as `tags[name]`. */
export const refusalOf = (dataset: Dataset, written: string): string | null => {
  const sentence = dataset.notHeld?.get(written) ?? (isBeside(dataset, written) ? beside(dataset) : undefined)
  return sentence === undefined ? null : `"${written}" is not there. ${sentence}`
}

const isBeside = (dataset: Dataset, written: string): boolean =>
  dataset.isClosed === true && firstKnown(dataset, [written, ...(attributeGroupOf(written)?.names ?? [])]) === undefined

const beside = ({ attributes, itemType }: Dataset): string => {
  const names = [...attributes].flatMap(([name, { hidden = false }]) => (hidden ? [] : [name]))
  return `Of ${itemType} is known: ${names.join(', ')}.`
}

/** Why there is no column of it; null if there is one. */
export const columnRefusalOf = (dataset: Dataset, written: string): string | null =>
  dataset.attributes.get(written)?.isSearchedOnly === true
    ? `"${written}" can be searched for, but is no column.`
    : refusalOf(dataset, written)

const firstKnown = ({ attributes }: Dataset, names: readonly string[]): DatasetAttribute | undefined =>
  names.map((name) => attributes.get(name)).find((one) => one !== undefined)

const kept = (
  { maps }: Dataset,
  names: readonly string[],
  type: 'string' | 'integer' | 'number' | 'boolean' | 'list' | 'any',
  bind: Bind,
): FoundAttribute => {
  const keys = names.map((name) => bind(name))
  const text = textOf(maps.strings, keys)
  const number = oneOf(keys.map((key) => `if(mapContains(${maps.numbers}, ${key}), ${maps.numbers}[${key}], NULL)`))
  const flag = oneOf(keys.map((key) => `if(mapContains(${maps.flags}, ${key}), ${maps.flags}[${key}], NULL)`))
  const search = { kind: 'attribute', text, number, flag } as const
  if (type === 'integer' || type === 'number') {
    // As whatever it was sent: "200" is a number, too.
    const sql = `coalesce(${number}, toFloat64OrNull(${text}))`
    return { sql, type: 'number', search: { kind: 'number', sql, nullable: true, quantity: 'any' } }
  }
  if (type === 'boolean') {
    return { sql: `coalesce(${flag}, multiIf(${text} = 'true', true, ${text} = 'false', false, NULL))`, type, search }
  }
  // Each further map that is read costs as much again.
  if (type === 'string') return { sql: text, type, search }
  const list = maps.lists === undefined ? [] : [`nullIf(${textOf(maps.lists, keys)}, '')`]
  const any = [`nullIf(${text}, '')`, `toString(${number})`, `toString(${flag})`, ...list, "''"]
  return { sql: `coalesce(${any.join(', ')})`, type: 'string', search }
}

const oneOf = (expressions: readonly string[]): string =>
  expressions.length === 1 ? (expressions[0] ?? '') : `coalesce(${expressions.join(', ')})`

const textOf = (map: string, keys: readonly string[]): string => {
  const texts = keys.map((key) => `${map}[${key}]`)
  return texts.length === 1 ? (texts[0] ?? '') : `coalesce(${texts.map((one) => `nullIf(${one}, '')`).join(', ')}, '')`
}

const QUANTITY_OF: Readonly<Partial<Record<AttributeType, Quantity>>> = {
  duration: 'duration',
  size: 'size',
  percentage: 'percentage',
}

const searchOf = ({ sql, type }: DatasetAttribute): SearchField => {
  switch (type) {
    case 'string':
      return { kind: 'text', sql }
    case 'boolean':
      return { kind: 'boolean', sql }
    case 'date':
      return { kind: 'time', sql: `fromUnixTimestamp64Milli(toInt64(${sql}))` }
    case 'integer':
    case 'number':
    case 'duration':
    case 'size':
    case 'percentage': {
      const quantity = QUANTITY_OF[type]
      return { kind: 'number', sql, nullable: true, ...(quantity !== undefined && { quantity }) }
    }
  }
}

/** The unit that values are in, as clients name it. */
export const unitOf = (type: AttributeType): string | null =>
  type === 'duration' ? 'millisecond' : type === 'size' ? 'byte' : null
