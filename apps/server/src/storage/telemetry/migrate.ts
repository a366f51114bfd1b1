import { ClickHouseError } from '@clickhouse/client'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Logger } from '../../lib/logger.ts'
import { StorageCorruptError, StorageUnavailableError } from '../errors.ts'
import { checksumOf, pendingMigrations } from '../migration.ts'
import type { AppliedMigration, Migration } from '../migration.ts'
import { DAMAGE_CODES } from './damage-codes.ts'

/**
 * Telemetry has no transactions, so a migration is recorded after its last statement, and every statement can be
 * repeated: a migration that was interrupted runs again from its start.
 */
const RECORD_TABLE = `CREATE TABLE IF NOT EXISTS schema_migrations (
    number UInt32,
    name String,
    checksum String,
    applied_at DateTime64(3, 'UTC')
  )
  ENGINE = MergeTree
  ORDER BY number`

const readApplied = async (client: ClickHouseClient): Promise<AppliedMigration[]> => {
  const result = await client.query({
    query: 'SELECT DISTINCT number, name, checksum FROM schema_migrations ORDER BY number',
    format: 'JSONEachRow',
  })
  return result.json<AppliedMigration>()
}

/** Every table must at least open: broken parts show when a table is loaded. */
const checkTables = async (client: ClickHouseClient): Promise<void> => {
  const tables = await client.query({
    query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
    format: 'JSONEachRow',
  })
  for (const { name } of await tables.json<{ name: string }>()) {
    await client.command({ query: 'SELECT * FROM {name:Identifier} LIMIT 0', query_params: { name } })
  }
}

const explain = (name: string, error: unknown): unknown => {
  if (error instanceof ClickHouseError) {
    if (!DAMAGE_CODES.has(error.code)) return error
    return new StorageCorruptError(
      `${name} cannot be read: ${error.message} Restore it from a backup, or move it away to start with an empty one (accounts, settings and what people did are kept elsewhere).`,
      { cause: error },
    )
  }
  const code = (error as NodeJS.ErrnoException | null)?.code
  if (code !== undefined && /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|EPIPE|EHOST)/.test(code)) {
    return new StorageUnavailableError(
      `${name} does not answer (${code}). Check that the server runs and that its address is right (FIRSTHAND_CLICKHOUSE_URL).`,
      { cause: error },
    )
  }
  return error
}

/** @throws StorageVersionError, StorageCorruptError, StorageUnavailableError */
export const migrateTelemetry = async (
  client: ClickHouseClient,
  { name, logger, migrations }: { name: string; logger: Logger; migrations: readonly Migration[] },
): Promise<void> => {
  try {
    await client.command({ query: RECORD_TABLE })
    await checkTables(client)
    for (const migration of pendingMigrations(name, migrations, await readApplied(client))) {
      const startedAt = performance.now()
      for (const statement of migration.statements) await client.command({ query: statement })
      await client.insert({
        table: 'schema_migrations',
        values: [
          {
            number: migration.number,
            name: migration.name,
            checksum: checksumOf(migration),
            applied_at: Date.now(),
          },
        ],
        format: 'JSONEachRow',
      })
      logger.info(`${name} was brought to version ${migration.number}`, {
        migration: migration.name,
        milliseconds: Math.round(performance.now() - startedAt),
      })
    }
  } catch (error) {
    throw explain(name, error)
  }
}
