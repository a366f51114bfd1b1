import { PGlite, types } from '@electric-sql/pglite'
import { Kysely, PGliteDialect, sql } from 'kysely'
import type { Dialect } from 'kysely'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { createLogger } from '../../lib/logger.ts'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'
import { migrateLedger } from '../../storage/ledger/migrate.ts'
import { NodeSqliteDialect } from '../../storage/ledger/sqlite-dialect.ts'
import { directExecutor } from '../../storage/ledger/sqlite-executor.ts'
import { ledgerMigrations } from '../../../test/stores/open.ts'

const clock = { now: () => 1000 }
const log: string[] = []
const logger = createLogger('info', (line) => log.push(line), clock.now)
/** PostgreSQL as WebAssembly takes its time to start. */
const STARTING_MS = 180_000
const folders: string[] = []

const engines: Record<LedgerDialect, () => Promise<Dialect>> = {
  sqlite: async () => {
    const dir = await mkdtemp(join(tmpdir(), 'firsthand-makers-'))
    folders.push(dir)
    const path = join(dir, 'ledger.sqlite')
    const executor = directExecutor({ path, pragmas: ['foreign_keys = ON'], statementCache: 16 })
    return new NodeSqliteDialect({ executor, busyTimeoutMs: 1000 })
  },
  postgres: () =>
    Promise.resolve(new PGliteDialect({ pglite: new PGlite({ parsers: { [types.INT8]: (text) => Number(text) } }) })),
}

afterAll(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))))

describe.each(['sqlite', 'postgres'] as const)(
  'tokens from before makers were stored, and before people had their own, on %s',
  (dialect) => {
    it(
      'become those of the oldest owner and keep working; without an owner they end',
      async () => {
        const db = new Kysely<never>({ dialect: await engines[dialect]() })
        const all = ledgerMigrations(dialect)
        const options = { name: dialect, dialect, clock, logger }
        await migrateLedger(db, { ...options, migrations: all.filter(({ number }) => number < 5) })
        const run = (statement: string) => sql.raw(statement).execute(db)
        for (const id of [1, 2, 3]) {
          await run(`INSERT INTO users (id, email, name, password_hash, preferences, created_at) VALUES
          (${id}, 'u${id}@x.example', '', 'h', '{}', 1)`)
          await run(`INSERT INTO organizations (id, slug, name, retention_days, settings, created_at) VALUES
          (${id}, 'o${id}', 'O', 90, '{}', 1)`)
        }
        const member = (organization: number, user: number | null, role: string, createdAt: number) =>
          run(`INSERT INTO members (organization_id, user_id, email, role, created_at) VALUES
          (${organization}, ${user ?? 'NULL'}, 'm${user ?? 'nobody'}@x.example', '${role}', ${createdAt})`)
        await member(1, null, 'owner', 1)
        await member(1, 3, 'admin', 2)
        await member(1, 2, 'owner', 5)
        await member(1, 1, 'owner', 4)
        await member(2, 3, 'owner', 1)
        await member(3, 2, 'admin', 1)
        const token = (id: number, organization: number, user: number | null) =>
          run(`INSERT INTO api_tokens (id, organization_id, user_id, name, token_hash, token_tail, scopes, created_at,
          last_used_at, expires_at) VALUES
          (${id}, ${organization}, ${user ?? 'NULL'}, 't${id}', 'h${id}', 'tail', '["org:read"]', ${id}, NULL, 9)`)
        await token(1, 1, null)
        await token(2, 2, null)
        await token(3, 3, null)
        await token(4, 1, 2)
        await migrateLedger(db, { ...options, migrations: all.filter(({ number }) => number < 11) })
        await token(8, 1, 2)
        await run('DELETE FROM api_tokens WHERE id = 8')
        await migrateLedger(db, { ...options, migrations: all })
        if (dialect === 'sqlite') {
          const counted = await sql`SELECT seq FROM sqlite_sequence WHERE name = 'api_tokens'`.execute(db)
          expect(counted.rows, 'the id of the token that is gone is not given again').toEqual([{ seq: 8 }])
        }
        expect(log.findLast((line) => line.includes('makers of tokens'))).toMatch(/tokensOfUnknownMakers"?[=:] ?2/)
        const { rows } = await sql`SELECT id, organization_id, user_id, token_hash, scopes, created_at, expires_at,
        maker_known, made_by_token
        FROM api_tokens ORDER BY id`.execute(db)
        const same = { scopes: '["org:read"]', expires_at: 9, maker_known: 0, made_by_token: null }
        expect(rows).toEqual([
          { id: 1, organization_id: 1, user_id: 1, token_hash: 'h1', created_at: 1, ...same },
          { id: 2, organization_id: 2, user_id: 3, token_hash: 'h2', created_at: 2, ...same },
          { id: 4, organization_id: 1, user_id: 2, token_hash: 'h4', created_at: 4, ...same, maker_known: 1 },
        ])
        await expect(token(9, 1, null)).rejects.toThrow(/null/i)
        await token(5, 1, 1)
        await run('UPDATE api_tokens SET made_by_token = 1 WHERE id = 5')
        await run('UPDATE api_tokens SET made_by_token = 5 WHERE id = 2')
        await run('DELETE FROM api_tokens WHERE id = 5')
        expect((await sql`SELECT id FROM api_tokens ORDER BY id`.execute(db)).rows).toEqual([{ id: 1 }, { id: 4 }])
        // A personal token is of no organisation, and ends with its maker.
        await run(`INSERT INTO api_tokens (id, organization_id, user_id, name, token_hash, token_tail, scopes, created_at)
        VALUES (20, NULL, 1, 'own', 'own', 'tail', '[]', 1), (21, NULL, 2, 'own', 'other', 'tail', '[]', 1)`)
        await run('DELETE FROM api_tokens WHERE organization_id IS NULL AND user_id = 1')
        await run('DELETE FROM users WHERE id = 2')
        const left = await sql<{ id: number }>`SELECT id FROM api_tokens ORDER BY id`.execute(db)
        expect(left.rows).toEqual([{ id: 1 }])
        await db.destroy()
      },
      STARTING_MS,
    )
  },
)
