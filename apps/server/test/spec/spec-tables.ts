import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The tables of docs/spec.md, and what is said when one of them differs from the code.
 *
 * A table that is compared stands under a comment with its name, `<!-- table: limits -->`. Tables of the same name are
 * one table in parts. Back quotes around a whole cell are layout.
 */

export const ROOT = join(import.meta.dirname, '..', '..', '..', '..')

/** Cells by column, in the words of the table's head. */
export type Row = Readonly<Record<string, string>>

const readTables = (): ReadonlyMap<string, Row[]> => {
  const tables = new Map<string, Row[]>()
  let name: string | null = null
  let head: string[] | null = null
  for (const line of readFileSync(join(ROOT, 'docs', 'spec.md'), 'utf8').split('\n')) {
    const marker = /^<!-- table: ([\w.-]+) -->$/.exec(line.trim())
    if (marker?.[1] !== undefined) {
      name = marker[1]
      head = null
    } else if (name !== null && line.startsWith('|')) {
      const cells = readCells(line)
      if (head === null) head = cells
      else if (!cells.every((cell) => /^:?-+:?$/.test(cell))) {
        const columns = head
        const row = Object.fromEntries(cells.map((cell, index) => [columns[index] ?? `column ${index + 1}`, cell]))
        tables.set(name, [...(tables.get(name) ?? []), row])
      }
    } else if (head !== null) {
      name = null
      head = null
    }
  }
  return tables
}

/** A pipe inside a cell is written `\|`. */
const readCells = (line: string): string[] =>
  line
    .replace(/^\|/, '')
    .replace(/\|\s*$/, '')
    .split(/(?<!\\)\|/)
    .map((cell) => plain(cell.trim().replaceAll('\\|', '|')))

const plain = (cell: string): string => /^`([^`]*)`$/.exec(cell)?.[1] ?? cell

let tables: ReadonlyMap<string, Row[]> | null = null

/** @throws when there is no such table: a comparison with nothing must not pass */
export const tableOf = (name: string): readonly Row[] => {
  tables ??= readTables()
  const rows = tables.get(name)
  if (rows === undefined) throw new Error(`docs/spec.md has no table under <!-- table: ${name} -->`)
  return rows
}

/** Names of the tables that begin so. */
export const tableNames = (prefix: string): readonly string[] => {
  tables ??= readTables()
  return [...tables.keys()].filter((name) => name.startsWith(prefix))
}

export const cell = (row: Row, column: string): string => {
  const value = row[column]
  if (value === undefined) throw new Error(`docs/spec.md: a row has no column "${column}": ${JSON.stringify(row)}`)
  return value
}

/** What a table says about one thing: its key, and everything that is compared, as text. */
export type Fact = readonly [key: string, value: string]

/** Sentences that name each row that is missing, stale, different or doubled; empty when table and code agree. */
export const differences = (table: string, documented: readonly Fact[], code: readonly Fact[]): string[] => {
  const where = `docs/spec.md, table "${table}"`
  const problems: string[] = []
  const rows = new Map<string, string>()
  for (const [key, value] of documented) {
    if (rows.has(key)) problems.push(`${where}: the row "${key}" is there twice`)
    rows.set(key, value)
  }
  const actual = new Map(code)
  for (const [key, value] of actual) {
    const row = rows.get(key)
    if (row === undefined)
      problems.push(`${where}: a row for "${key}" is missing (in the code: ${value || 'it exists'})`)
    else if (row !== value) problems.push(`${where}: the row "${key}" says "${row}", but the code says "${value}"`)
  }
  for (const key of rows.keys()) {
    if (!actual.has(key)) problems.push(`${where}: the row "${key}" is stale: the code has no such thing`)
  }
  return problems
}
