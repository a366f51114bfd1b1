import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LEDGER_ENGINES, seedOrganization } from './engines.ts'
import type { OpenedLedger } from './engines.ts'

/** Table and column names, as `schema.ts` writes them. */
const declaredTables = (): Map<string, string[]> => {
  const source = readFileSync(new URL('../ledger/schema.ts', import.meta.url), 'utf8')
  const interfaces = new Map<string, string[]>()
  for (const [, name = '', body = ''] of source.matchAll(/export interface (\w+) \{\n([\s\S]*?)\n\}/g)) {
    interfaces.set(
      name,
      [...body.matchAll(/^ {2}(\w+):/gm)].map((match) => match[1] ?? ''),
    )
  }
  const schema = /export interface LedgerSchema \{\n([\s\S]*?)\n\}/.exec(source)?.[1] ?? ''
  return new Map(
    [...schema.matchAll(/(\w+): (\w+)/g)].map(([, table = '', type = '']) => [table, interfaces.get(type) ?? []]),
  )
}

describe.each(LEDGER_ENGINES)('ledger on $name', ({ open }) => {
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
