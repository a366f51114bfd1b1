import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_WAYS, seedOrganization } from './engines.ts'
import type { OpenedLedger } from './engines.ts'

const SOURCE = fileURLToPath(new URL('../../', import.meta.url))

/** Table and column names, as the `schema.ts` of the ledger and of each capability write them. */
const declaredTables = (): Map<string, string[]> => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith(join('ledger', 'schema.ts')),
  )
  const source = files.map((name) => readFileSync(join(SOURCE, name), 'utf8')).join('\n')
  const interfaces = new Map<string, string[]>()
  for (const [, name = '', body = ''] of source.matchAll(/export interface (\w+Table) \{\n([\s\S]*?)\n\}/g)) {
    interfaces.set(
      name,
      [...body.matchAll(/^ {2}(\w+):/gm)].map((match) => match[1] ?? ''),
    )
  }
  const tables = new Map<string, string[]>()
  for (const [, schema = ''] of source.matchAll(/interface LedgerSchema \{\n([\s\S]*?)\n *\}/g)) {
    for (const [, table = '', type = ''] of schema.matchAll(/(\w+): (\w+)/g))
      tables.set(table, interfaces.get(type) ?? [])
  }
  return tables
}

describe.each(LEDGER_WAYS)('ledger on $name', ({ open }) => {
  let opened: OpenedLedger

  beforeAll(async () => {
    opened = await open()
    await seedOrganization(opened.ledger)
  })
  afterAll(() => opened.close())

  it('has exactly the tables and columns of schema.ts', async () => {
    const tables = await opened.ledger.db.introspection.getTables()
    const actual = new Map(
      tables
        .filter((table) => table.name !== 'schema_migrations' && !table.name.startsWith('sqlite_'))
        .map((table) => [table.name, table.columns.map((column) => column.name).toSorted()]),
    )
    const declared = new Map([...declaredTables()].map(([table, columns]) => [table, columns.toSorted()]))
    expect(declared.size).toBeGreaterThan(20)
    expect(Object.fromEntries(actual)).toEqual(Object.fromEntries(declared))
  })

  it('gives integers as numbers and bytes as bytes', async () => {
    const at = 1_792_000_000_123
    await opened.ledger.db
      .insertInto('event_index')
      .values({ project_id: 1, event_id: Buffer.alloc(16, 7), issue_id: 2 ** 40, timestamp: at, batch: 1 })
      .execute()
    const row = await opened.ledger.db.selectFrom('event_index').selectAll().executeTakeFirstOrThrow()
    expect({ ...row, event_id: Buffer.from(row.event_id).toString('hex') }).toEqual({
      project_id: 1,
      event_id: '07'.repeat(16),
      issue_id: 2 ** 40,
      timestamp: at,
      batch: 1,
    })
  })

  it('rolls a failed transaction back', async () => {
    const failing = opened.ledger.transaction(async (transaction) => {
      await transaction.updateTable('organizations').set({ name: 'Other' }).execute()
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    const row = await opened.ledger.db.selectFrom('organizations').select('name').executeTakeFirstOrThrow()
    expect(row.name).toBe('Acme')
  })

  it('loses no update of transactions that run at once', async () => {
    await Promise.all(
      Array.from({ length: 20 }, () =>
        opened.ledger.transaction(async (transaction) => {
          const row = await transaction
            .selectFrom('projects')
            .select('last_issue_number')
            .where('id', '=', 2)
            .$if(opened.ledger.dialect === 'postgres', (query) => query.forUpdate())
            .executeTakeFirstOrThrow()
          await transaction
            .updateTable('projects')
            .set({ last_issue_number: row.last_issue_number + 1 })
            .where('id', '=', 2)
            .execute()
        }),
      ),
    )
    const row = await opened.ledger.db
      .selectFrom('projects')
      .select('last_issue_number')
      .where('id', '=', 2)
      .executeTakeFirstOrThrow()
    expect(row.last_issue_number).toBe(20)
  })

  it('never gives an id twice', async () => {
    const insert = (): Promise<{ id: number }> =>
      opened.ledger.db
        .insertInto('teams')
        .values({ organization_id: 1, slug: 'a', name: 'A', created_at: 0 })
        .returning('id')
        .executeTakeFirstOrThrow()
    const first = await insert()
    await opened.ledger.db.deleteFrom('teams').execute()
    const second = await insert()
    expect(second.id).toBeGreaterThan(first.id)
  })

  it('refuses rows of parents that do not exist', async () => {
    const orphan = sql`INSERT INTO team_members (team_id, member_id) VALUES (999, 999)`.execute(opened.ledger.db)
    await expect(orphan).rejects.toThrow(/foreign key/i)
  })
})
