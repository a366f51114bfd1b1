import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CAPABILITIES } from '../../src/capabilities.ts'

/**
 * A statement that names a table of another capability is an import that no checker of imports sees. Who may use whose
 * tables follows from `architecture.mjs`: those of the folders that one may import from.
 */

const SOURCE = join(import.meta.dirname, '..', '..', 'src')

interface Area {
  readonly may: readonly string[]
  readonly types?: readonly string[]
}

// By a path that the compiler does not follow: the file is JavaScript, for a tool that runs before anything is built.
const architecture = join(import.meta.dirname, '..', '..', '..', '..', 'architecture.mjs')
const { areas } = (await import(architecture)) as { areas: Readonly<Record<string, Area>> }

/** Uses that no grant covers, each with what it would take to end it. They only ever get fewer. */
const DEBT = new Set<string>([])

/** Whose data it is: retention goes through them, whatever is stored. */
const TENANTS = new Set(['organizations', 'projects'])

const folders = readdirSync(SOURCE, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

const filesOf = (folder: string): string[] =>
  readdirSync(join(SOURCE, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|\/(test|conformance|migrations)\//.test(name))

const sourceOf = (file: string): string => readFileSync(join(SOURCE, file), 'utf8')

/** Tables of the ledger by the folder whose `schema.ts` adds them to `LedgerSchema`; of telemetry, by who lets them age. */
const owners = new Map<string, string>()
for (const folder of folders) {
  for (const file of filesOf(folder).filter((name) => name.endsWith('ledger/schema.ts'))) {
    const [, tables = ''] = /interface LedgerSchema \{([^}]*)\}/.exec(sourceOf(file)) ?? []
    for (const [, table = ''] of tables.matchAll(/^\s+(\w+): /gm)) owners.set(table, folder)
  }
}
for (const { name, agingTables = [] } of CAPABILITIES) {
  for (const { table } of agingTables) owners.set(table, name.replaceAll(' ', '-'))
}

const tablesIn = (source: string): Set<string> => {
  const asked = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|innerJoin|leftJoin)\(\s*'(\w+)/g
  const written = /\b(?:FROM|JOIN|INTO|UPDATE|TABLE) (\w+)/g
  const names = [...source.matchAll(asked), ...source.matchAll(written)].map(([, table = '']) => table)
  return new Set(names.filter((table) => owners.has(table)))
}

const mayUse = (folder: string, table: string, owner: string): boolean => {
  if (folder === 'storage' && TENANTS.has(table)) return true
  const area = areas[`apps/server/src/${folder}`]
  const granted = [...(area?.may ?? []), ...(area?.types ?? [])]
  return owner === folder || owner === 'storage' || granted.includes(`apps/server/src/${owner}`)
}

describe('tables', () => {
  it('are found with their owners', () => {
    expect(Object.fromEntries(owners)).toMatchObject({
      digest_progress: 'storage',
      members: 'accounts',
      issues: 'issues',
      feedback: 'feedback',
      events: 'issues',
      outcomes: 'receipts',
      kept_items: 'kept-items',
    })
  })

  it('are used by their capability and by those that may import from it', () => {
    const strange = folders
      .filter((folder) => folder !== 'first-schema')
      .flatMap((folder) =>
        filesOf(folder).flatMap((file) =>
          [...tablesIn(sourceOf(file))].flatMap((table) => {
            const owner = owners.get(table) ?? ''
            return mayUse(folder, table, owner) ? [] : [`${file} uses ${table} of ${owner}`]
          }),
        ),
      )
    expect(strange.toSorted()).toEqual([...DEBT].toSorted())
  })
})
