import { describe, expect, it } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../src/accounts/settings.ts'
import { child, children, nameOf, readSources, walk } from './source.ts'
import type { Node } from './source.ts'
import { cell, differences, tableNames, tableOf } from './spec-tables.ts'
import type { Fact } from './spec-tables.ts'
import { telemetryMigrations } from '../stores/open.ts'

const exists = (key: string): Fact => [key, '']

/** Interfaces of storage/ledger/schema.ts by name. */
/** Also those that a capability adds to a module (`declare module`). */
const interfacesOf = (program: Node): ReadonlyMap<string, readonly Node[]> => {
  const found = new Map<string, readonly Node[]>()
  walk(program, (node) => {
    if (node.type === 'TSInterfaceDeclaration') {
      found.set(nameOf(child(node, 'id')) ?? '', children(child(node, 'body'), 'body'))
    }
  })
  return found
}

const typeNameOf = (property: Node): string =>
  nameOf(child(child(child(property, 'typeAnnotation'), 'typeAnnotation'), 'typeName')) ?? ''

const columnOf = (property: Node): string => {
  const type = child(child(property, 'typeAnnotation'), 'typeAnnotation')
  const empty = children(type, 'types').some((part) => part.type === 'TSNullKeyword')
  return `${nameOf(child(property, 'key')) ?? ''}${empty ? '?' : ''}`
}

const documentedColumns = (table: string): Fact[] => tableOf(table).map((row) => exists(cell(row, 'field')))

describe('docs/spec.md section 3', () => {
  it('has every table of the ledger with every field, and says which may be empty', () => {
    const schemas = readSources('apps/server/src')
      .filter(({ path }) => path.endsWith('/ledger/schema.ts'))
      .map(({ program }) => interfacesOf(program))
    const interfaces = new Map(schemas.flatMap((schema) => [...schema]))
    const tables = schemas.flatMap((schema) => schema.get('LedgerSchema') ?? [])
    expect(tables.length).toBeGreaterThan(0)
    const names = tables.map((table) => `ledger.${nameOf(child(table, 'key')) ?? ''}`)
    expect(differences('ledger.*', tableNames('ledger.').map(exists), names.map(exists))).toEqual([])
    const problems = tables.flatMap((table, index) => {
      const columns = interfaces.get(typeNameOf(table)) ?? []
      const name = names[index] ?? ''
      return differences(
        name,
        documentedColumns(name),
        columns.map((column) => exists(columnOf(column))),
      )
    })
    expect(problems).toEqual([])
  })

  it('has every table of the telemetry with every field', () => {
    const tables = new Map<string, string[]>()
    for (const statement of telemetryMigrations.flatMap((migration) => migration.statements)) {
      const [, table, body = ''] =
        /^CREATE TABLE IF NOT EXISTS (\w+) \(\n([\s\S]*?)\n {2}\)/.exec(statement.trim()) ?? []
      if (table !== undefined)
        tables.set(
          table,
          body.split('\n').flatMap((line) => /^ {4}([a-z]\w*) /.exec(line)?.[1] ?? []),
        )
      const [, changed, column] =
        /^ALTER TABLE (\w+)\s+ADD COLUMN (?:IF NOT EXISTS )?(\w+)/.exec(statement.trim()) ?? []
      if (changed !== undefined && column !== undefined) tables.get(changed)?.push(column)
    }
    expect(tables.size).toBeGreaterThan(0)
    const names = [...tables.keys()].map((table) => exists(`telemetry.${table}`))
    expect(differences('telemetry.*', tableNames('telemetry.').map(exists), names)).toEqual([])
    const problems = [...tables].flatMap(([table, columns]) =>
      differences(`telemetry.${table}`, documentedColumns(`telemetry.${table}`), columns.map(exists)),
    )
    expect(problems).toEqual([])
  })

  it('has every setting of a project with its default', () => {
    const settings = Object.entries(DEFAULT_PROJECT_SETTINGS).flatMap(([part, value]): Fact[] =>
      Array.isArray(value) || typeof value !== 'object'
        ? [[part, JSON.stringify(value)]]
        : Object.entries(value).map(([name, setting]) => [`${part}.${name}`, JSON.stringify(setting)]),
    )
    const documented = tableOf('project-settings').map((row): Fact => [cell(row, 'setting'), cell(row, 'default')])
    expect(differences('project-settings', documented, settings)).toEqual([])
  })
})
