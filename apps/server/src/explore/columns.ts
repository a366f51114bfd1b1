import { err, ok, type Result } from '../lib/result.ts'
import { columnRefusalOf, findAttribute, unitOf, type DatasetAttribute } from '../search/index.ts'
import { readCall } from './call.ts'
import { compileEquation } from './equation.ts'
import { makeAggregate, type Aggregate, type Asked, type ColumnType } from './functions.ts'

/** A column of a table, or an axis of a series. */
export interface Column {
  /** As it was asked for. */
  readonly name: string
  readonly aggregate: boolean
  readonly sql: string
  readonly type: ColumnType
  readonly unit: string | null
  readonly lookup?: DatasetAttribute['lookup']
  readonly estimate?: Aggregate['estimate']
  /** Conditions of the rows that are all it is computed from. */
  readonly narrowed?: readonly string[]
}

const EQUATION = 'equation|'

/** The error is a sentence for the caller. */
export const readColumn = (name: string, asked: Asked): Result<Column, string> => {
  if (name.startsWith(EQUATION)) return readEquation(name, asked)
  const call = readCall(name)
  if (!call.ok) return call
  if (call.value !== null) return readAggregate(name, asked)
  if (/[()`]/.test(name) && !name.startsWith('tags[')) return err(`"${name}" is neither an attribute nor a function.`)
  if (EQUATION_AT.test(name)) return err(`"${name}" says only the place of an equation. Write the equation itself.`)
  const refusal = columnRefusalOf(asked.dataset, name)
  if (refusal !== null) return err(refusal)
  const { sql, type, lookup } = findAttribute(asked.dataset, name, asked.bind)
  return ok({ name, aggregate: false, sql, type, unit: unitOf(type), ...(lookup !== undefined && { lookup }) })
}

const readAggregate = (name: string, asked: Asked): Result<Column, string> => {
  const call = readCall(name)
  if (!call.ok) return call
  if (call.value === null) return err(`"${name}" is no function.`)
  const made = makeAggregate(call.value, asked)
  if (!made.ok) return made
  const { sql, type, unit, lookup, estimate, narrowed } = made.value
  return ok({
    name,
    aggregate: true,
    sql,
    type,
    unit: unit ?? (type === 'rate' || type === 'date' ? null : unitOf(type)),
    ...(lookup !== undefined && { lookup }),
    ...(estimate !== undefined && { estimate }),
    ...(narrowed !== undefined && { narrowed: [narrowed] }),
  })
}

const readEquation = (name: string, asked: Asked): Result<Column, string> => {
  const narrowed: string[] = []
  let isNarrowed = true
  const sql = compileEquation(name.slice(EQUATION.length), {
    term: (call) => {
      const column = readAggregate(call, asked)
      if (!column.ok) return column
      if (column.value.narrowed === undefined) isNarrowed = false
      else narrowed.push(...column.value.narrowed)
      if (column.value.type === 'string' || column.value.type === 'boolean' || column.value.type === 'date') {
        return err(`"${call}" is no number.`)
      }
      return ok(`toFloat64(${column.value.sql})`)
    },
    number: (value) => asked.bind(value, 'Float64'),
  })
  if (!sql.ok) return sql
  const some = isNarrowed && narrowed.length > 0
  return ok({ name, aggregate: true, sql: sql.value, type: 'number', unit: null, ...(some && { narrowed }) })
}

const EQUATION_AT = /^equation\[(\d{1,3})\]$/

/** `equation[0]`: in orders of Sentry's clients, the first of the equations among the columns. */
const equationAt = (text: string, columns: readonly Column[]): number => {
  const place = EQUATION_AT.exec(text)?.[1]
  if (place === undefined) return -1
  const equations = columns.flatMap(({ name }, index) => (name.startsWith(EQUATION) ? [index] : []))
  return equations[Number(place)] ?? -1
}

const plain = (name: string): string => name.replaceAll(/[^a-z0-9]+/gi, '_').replace(/_+$/, '')

export interface Sort {
  readonly column: number
  readonly descending: boolean
}

/** `-count()`, `-count`, `count_unique_user`: names of columns as Sentry's clients write them. */
export const findSort = (text: string, columns: readonly Column[]): Result<Sort, string> => {
  const descending = text.startsWith('-')
  const wanted = descending ? text.slice(1) : text
  const placed = equationAt(wanted, columns)
  const exact = placed === -1 ? columns.findIndex(({ name }) => name === wanted) : placed
  const column = exact === -1 ? columns.findIndex(({ name }) => plain(name) === plain(wanted)) : exact
  return column === -1
    ? err(`"${wanted}" can only be sorted by when it is one of the fields. Add field=${wanted}.`)
    : ok({ column, descending })
}
