import { PGlite, types } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import type { Dialect } from 'kysely'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { silentLogger, temporaryFolder, testClock } from '../conformance/engines.ts'
import type { LedgerDialect } from './dialect.ts'
import { migrateLedger } from './migrate.ts'
import { NodeSqliteDialect } from './sqlite-dialect.ts'
import { directExecutor } from './sqlite-executor.ts'
import { ledgerMigrations } from '../../../test/stores/open.ts'

/** PostgreSQL as WebAssembly takes its time to start. */
const STARTING_MS = 180_000

const engines: Record<LedgerDialect, (folder: string) => Dialect> = {
  sqlite: (folder) => {
    const path = join(folder, 'ledger.sqlite')
    return new NodeSqliteDialect({
      executor: directExecutor({ path, pragmas: [], statementCache: 16 }),
      busyTimeoutMs: 1000,
    })
  },
  postgres: () => new PGliteDialect({ pglite: new PGlite({ parsers: { [types.INT8]: Number } }) }),
}

describe.each(['sqlite', 'postgres'] as const)('organisations from before removal was noted, on %s', (dialect) => {
  it(
    'have had anything older than that step removed; new ones nothing',
    async () => {
      const folder = temporaryFolder()
      const db = new Kysely<never>({ dialect: engines[dialect](folder.path) })
      const all = ledgerMigrations(dialect)
      const options = { name: dialect, dialect, clock: testClock(), logger: silentLogger }
      const add = (slug: string) =>
        sql`INSERT INTO organizations (slug, name, retention_days, settings, created_at)
          VALUES (${slug}, 'O', 90, '{}', 1)`.execute(db)
      await migrateLedger(db, { ...options, migrations: all.filter(({ number }) => number < 8) })
      await add('old')
      await migrateLedger(db, { ...options, migrations: all })
      await add('new')
      const { rows } = await sql<{ slug: string; removed_before: number | null }>`
        SELECT slug, removed_before FROM organizations ORDER BY id`.execute(db)
      expect(rows).toEqual([
        { slug: 'old', removed_before: expect.any(Number) },
        { slug: 'new', removed_before: null },
      ])
      // Milliseconds, as every instant: seconds would be of the year 1970.
      expect(rows[0]?.removed_before).toBeGreaterThan(Date.UTC(2020))
      await db.destroy()
      folder.remove()
    },
    STARTING_MS,
  )
})
