import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../conformance/engines.ts'
import { NodeSqliteDialect } from './sqlite-dialect.ts'
import { directExecutor } from './sqlite-executor.ts'

let folder: ReturnType<typeof temporaryFolder>
beforeEach(() => {
  folder = temporaryFolder()
})
afterEach(() => folder.remove())

it('a read that waited for its turn longer than for a locked file is tried again when the file is locked then', async () => {
  const executor = directExecutor({ path: join(folder.path, 'ledger.sqlite'), pragmas: [], statementCache: 4 })
  let reads = 0
  const db = new Kysely<never>({
    dialect: new NodeSqliteDialect({
      executor: {
        writer: () => executor.writer(),
        close: () => executor.close(),
        read: async (text, parameters) => {
          reads += 1
          if (reads === 1) throw Object.assign(new Error('database is locked'), { errcode: 5 })
          return executor.read(text, parameters)
        },
      },
      // Whatever the first attempt takes is longer.
      busyTimeoutMs: -1,
    }),
  })
  await executor.writer().exec('CREATE TABLE any (id integer)')
  const { rows } = await sql`SELECT 7 AS seven`.execute(db)
  expect(rows).toEqual([{ seven: 7 }])
  expect(reads).toBeGreaterThan(1)
  await db.destroy()
})

it('whoever waits in vain for a ledger that another program holds is told so, not what SQLite calls it', async () => {
  const path = join(folder.path, 'ledger.sqlite')
  const executor = directExecutor({ path, pragmas: ['journal_mode = WAL'], statementCache: 4 })
  const db = new Kysely<never>({ dialect: new NodeSqliteDialect({ executor, busyTimeoutMs: 0 }) })
  await sql`CREATE TABLE any (id integer)`.execute(db)
  const other = new DatabaseSync(path)
  other.exec('BEGIN IMMEDIATE')
  const add = sql`INSERT INTO any (id) VALUES (7)`
  const alone = () => add.execute(db)
  const inTransaction = () => db.transaction().execute((transaction) => add.execute(transaction))
  for (const write of [alone, inTransaction]) {
    await expect(write()).rejects.toMatchObject({
      name: 'StoreFault',
      message: expect.stringMatching(/^The ledger was not free for 0 seconds.*another program/),
      cause: { message: 'database is locked' },
    })
  }
  other.exec('COMMIT')
  other.close()
  await alone()
  expect((await sql`SELECT id FROM any`.execute(db)).rows).toEqual([{ id: 7 }])
  await db.destroy()
})
