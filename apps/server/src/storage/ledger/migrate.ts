import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { checksumOf, pendingMigrations } from '../migration.ts'
import type { Migration } from '../migration.ts'
import type { LedgerDialect } from './dialect.ts'

interface MigrationSchema {
  schema_migrations: { number: number; name: string; checksum: string; applied_at: number }
}

/** Any number that no other program takes as an advisory lock of the same database. */
const POSTGRES_LOCK = 4_721_903_588

/**
 * How many migrations a start would run. Changes nothing.
 *
 * @throws StorageVersionError
 */
export const pendingOfLedger = async (
  db: Kysely<never>,
  name: string,
  migrations: readonly Migration[],
): Promise<number> => {
  try {
    const ledger = db as unknown as Kysely<MigrationSchema>
    const applied = await ledger.selectFrom('schema_migrations').select(['number', 'name', 'checksum']).execute()
    return pendingMigrations(name, migrations, applied).length
  } catch (error) {
    if (error instanceof Error && /no such table|does not exist/.test(error.message)) return migrations.length
    throw error
  }
}

export interface MigrateOptions {
  /** How messages call the store. */
  readonly name: string
  readonly dialect: LedgerDialect
  readonly migrations: readonly Migration[]
  readonly clock: Clock
  readonly logger: Logger
}

/**
 * Brings the ledger to this program's shape: each migration in a transaction of its own together with its record, so
 * that an interrupted one left nothing. Processes that start at the same time wait for each other.
 *
 * @throws StorageVersionError
 */
export const migrateLedger = async (db: Kysely<never>, options: MigrateOptions): Promise<void> => {
  const { name, dialect, migrations, clock, logger } = options
  const ledger = db as unknown as Kysely<MigrationSchema>
  const integer = sql.raw(dialect === 'sqlite' ? 'integer' : 'bigint')

  /** Runs the next migration; false when there is none. */
  const step = (): Promise<boolean> =>
    ledger.transaction().execute(async (transaction) => {
      if (dialect === 'postgres') await sql`SELECT pg_advisory_xact_lock(${POSTGRES_LOCK})`.execute(transaction)
      await sql`CREATE TABLE IF NOT EXISTS schema_migrations (
        number ${integer} PRIMARY KEY,
        name text NOT NULL,
        checksum text NOT NULL,
        applied_at ${integer} NOT NULL
      )`.execute(transaction)
      const applied = await transaction.selectFrom('schema_migrations').select(['number', 'name', 'checksum']).execute()
      const next = pendingMigrations(name, migrations, applied)[0]
      if (next === undefined) return false
      const startedAt = performance.now()
      for (const statement of next.statements) await sql.raw(statement).execute(transaction)
      await transaction
        .insertInto('schema_migrations')
        .values({ number: next.number, name: next.name, checksum: checksumOf(next), applied_at: clock.now() })
        .execute()
      const counts: Record<string, number> = {}
      for (const [what, query] of Object.entries(next.counts ?? {})) {
        const { rows } = await sql.raw<{ count: unknown }>(query).execute(transaction)
        counts[what] = Number(rows[0]?.count)
      }
      logger.info(`${name} was brought to version ${next.number}`, {
        migration: next.name,
        ...counts,
        milliseconds: Math.round(performance.now() - startedAt),
      })
      return true
    })

  // Reading first spares a start without migrations the write lock.
  if ((await pendingOfLedger(db, name, migrations)) === 0) return
  while (await step());
}
