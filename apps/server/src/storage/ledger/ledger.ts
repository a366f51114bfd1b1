import { closeSync, existsSync, mkdirSync, openSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type { Dialect, Transaction } from 'kysely'
import type { ClientBase } from 'pg'
import type { Clock } from '../../lib/clock.ts'
import type { Logger } from '../../lib/logger.ts'
import { StoreFault } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'
import { StorageCorruptError, StorageUnavailableError } from '../errors.ts'
import type { Migration } from '../migration.ts'
import { withCallerConnections } from './caller-connections.ts'
import type { LedgerDialect } from './dialect.ts'
import { migrateLedger, pendingOfLedger } from './migrate.ts'
import type { LedgerSchema } from './schema.ts'
import { NodeSqliteDialect } from './sqlite-dialect.ts'
import { directExecutor } from './sqlite-executor.ts'
import { threadedExecutor } from './sqlite-threads.ts'

export type LedgerTransaction = Transaction<LedgerSchema>

export interface Ledger {
  /**
   * Single statements. On SQLite, reads never wait for a write, and a write that meets another writer waits without
   * blocking the event loop.
   *
   * What is read for a caller (`lib/caller-context.ts`) throws `StatementRefusal` when it takes too long or too much waits before it;
   * on PostgreSQL, so does what is changed for one, in a transaction too.
   */
  readonly db: Kysely<LedgerSchema>
  readonly dialect: LedgerDialect
  /** What the line at start says, e.g. `SQLite 3.50.4`. */
  readonly description: string
  /** Migrations that a start would run: 0 unless it was opened to be looked at. */
  readonly pending: number
  /**
   * Runs `work` in a transaction that holds the write lock from its start (SQLite), or is repeated when it collides with
   * another (PostgreSQL, at most `LEDGER_TRANSACTION_ATTEMPTS` times): `work` has no effects beside the ledger.
   * Inside, use only the given transaction: `db` would wait for it, for ever.
   */
  transaction<Value>(work: (transaction: LedgerTransaction) => Promise<Value>): Promise<Value>
  /**
   * Gives space that deleted rows left back to the file system, in steps between which others write. PostgreSQL does
   * that by itself.
   */
  compact(): Promise<void>
  close(): Promise<void>
}

export type LedgerLocation =
  /** File of the SQLite database; made when absent. */
  { readonly path: string } | { readonly postgresUrl: string }

export interface LedgerContext {
  /** In order: see `inOrder`. */
  readonly migrations: (dialect: LedgerDialect) => readonly Migration[]
  readonly logger: Logger
  readonly clock: Clock
  /** For looking only: the ledger has to exist, nothing is migrated, and callers read. */
  readonly readOnly?: boolean
  /** SQLite only: whoever opens it made it elsewhere, so that no file is one that was moved away. */
  readonly mustExist?: boolean
  /**
   * SQLite only: statements run on threads of their own, for processes that answer others meanwhile. It costs a statement
   * some 50 µs more; a thread with nothing else to do is quicker without.
   */
  readonly inThreads?: boolean
  /** How long a statement of a caller (`lib/caller-context.ts`) may take; `LEDGER_READ_TIMEOUT_MS` unless a test has less time. */
  readonly readTimeoutMs?: number
}

/** In this order: the vacuum mode and the page size hold only for a file without tables. */
const PRAGMAS: readonly string[] = [
  // Waiting happens in the driver, without blocking the thread.
  'busy_timeout = 0',
  'page_size = 4096',
  'auto_vacuum = INCREMENTAL',
  'journal_mode = WAL',
  // What a user was told is saved survives power loss: one fsync per commit.
  'synchronous = FULL',
  'foreign_keys = ON',
  'cache_size = -12000',
  'mmap_size = 0',
  'temp_store = MEMORY',
  `journal_size_limit = ${64 * 1024 * 1024}`,
  'wal_autocheckpoint = 2000',
]

const READING_PRAGMAS: readonly string[] = ['busy_timeout = 0', 'temp_store = MEMORY']

/**
 * Even a reader makes the log's files when there are none. Without them nobody has the ledger open, so it can be read as
 * a file that does not change.
 */
const unchanged = (path: string): string | URL => {
  if (existsSync(`${path}-wal`)) return path
  const url = pathToFileURL(path)
  url.searchParams.set('immutable', '1')
  return url
}

/**
 * Connections come and go while the server runs. None of them may make the file: in the place of one that was moved away
 * an empty ledger would keep it from coming back.
 */
const existing = (path: string): URL => {
  const url = pathToFileURL(path)
  url.searchParams.set('mode', 'rw')
  return url
}

const makeFile = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  // Not one that is there: closing any handle of a file releases the locks that this process has on it.
  if (!existsSync(path)) closeSync(openSync(path, 'a', 0o644))
}

/** Codes of PostgreSQL after which a transaction may be tried again: serialisation failure, deadlock. */
const RETRIABLE = new Set(['40001', '40P01'])

/** Result codes of SQLite for a file that cannot be read: CORRUPT, NOTADB, FORMAT. */
const CORRUPT = new Set([11, 24, 26])

const explainSqlite = (path: string, error: unknown): unknown => {
  // A lock that was waited for has a sentence for those who ask a running server.
  const said = error instanceof StoreFault ? error.cause : error
  const { errcode, message } = (said ?? {}) as { errcode?: number; message?: string }
  if (errcode === undefined) return error
  if (CORRUPT.has(errcode & 0xff)) {
    return new StorageCorruptError(
      `The ledger ${path} is damaged or is not a ledger (${message}). Stop Firsthand, restore the file from a backup, or try \`sqlite3 ${path} .recover\`; move it (with its -wal and -shm files) away to start with an empty one.`,
      { cause: error },
    )
  }
  if ((errcode & 0xff) === 5) {
    return new StorageUnavailableError(
      `The ledger ${path} is locked by another process for longer than ${LIMITS.LEDGER_BUSY_TIMEOUT_MS} ms. Stop the other Firsthand or tool that uses it.`,
      { cause: error },
    )
  }
  return new StorageUnavailableError(
    `The ledger ${path} cannot be opened (${message}). Check that the folder exists, is writable and has free space.`,
    { cause: error },
  )
}

/** Small ledgers are checked page by page; large ones would make the start slow. */
const checkSqlite = async (db: Kysely<LedgerSchema>, path: string): Promise<void> => {
  if (statSync(path).size > LIMITS.LEDGER_CHECK_BYTES) return
  const result = await sql<{ quick_check: string }>`PRAGMA quick_check(1)`.execute(db)
  const finding = result.rows[0]?.quick_check
  if (finding !== 'ok') {
    throw new StorageCorruptError(
      `The ledger ${path} is damaged (${finding}). Stop Firsthand, restore the file from a backup, or try \`sqlite3 ${path} .recover\`; move it (with its -wal and -shm files) away to start with an empty one.`,
    )
  }
}

/** Any engine that speaks one of the two dialects, with its tables brought to this program's shape. */
export const openLedgerOn = async (
  engine: {
    readonly dialect: LedgerDialect
    readonly kysely: Dialect
    readonly name: string
    readonly description: string
    readonly compact?: () => Promise<void>
  },
  { logger, clock, migrations: migrationsOf, readOnly = false }: LedgerContext,
): Promise<Ledger> => {
  const db = new Kysely<LedgerSchema>({ dialect: engine.kysely })
  const untyped = db as unknown as Kysely<never>
  const { name, dialect } = engine
  const migrations = migrationsOf(dialect)
  let pending = 0
  try {
    if (readOnly) pending = await pendingOfLedger(untyped, name, migrations)
    else await migrateLedger(untyped, { name, dialect, migrations, clock, logger })
  } catch (error) {
    // The error that is thrown is the one to know; a connection that fails to close as well adds nothing.
    await db.destroy().catch(() => {})
    throw error
  }
  return {
    db,
    dialect,
    description: engine.description,
    pending,
    transaction: async (work) => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await db.transaction().execute(work)
        } catch (error) {
          const code = (error as { code?: unknown } | null)?.code
          const again = typeof code === 'string' && RETRIABLE.has(code)
          if (!again || attempt >= LIMITS.LEDGER_TRANSACTION_ATTEMPTS) throw error
        }
      }
    },
    compact: engine.compact ?? (() => Promise.resolve()),
    close: () => db.destroy(),
  }
}

const compactSqlite = async (kysely: NodeSqliteDialect): Promise<void> => {
  let left = Infinity
  for (;;) {
    const before = left
    left = await kysely.vacuumStep(LIMITS.LEDGER_VACUUM_PAGES)
    // Others write meanwhile: stop when a step no longer helps.
    if (left === 0 || left >= before) break
    await setImmediate()
  }
  await kysely.checkpoint()
}

const openSqlite = async (path: string, context: LedgerContext): Promise<Ledger> => {
  const readOnly = context.readOnly === true
  const statementCache = LIMITS.LEDGER_STATEMENT_CACHE
  const { logger, readTimeoutMs = LIMITS.LEDGER_READ_TIMEOUT_MS } = context
  const kysely = new NodeSqliteDialect({
    executor:
      context.inThreads === true && !readOnly
        ? threadedExecutor({ path: existing(path).href, pragmas: PRAGMAS, statementCache, logger, readTimeoutMs })
        : directExecutor({
            path: readOnly ? unchanged(path) : existing(path),
            readOnly,
            pragmas: readOnly ? READING_PRAGMAS : PRAGMAS,
            statementCache,
          }),
    busyTimeoutMs: LIMITS.LEDGER_BUSY_TIMEOUT_MS,
  })
  try {
    if (!readOnly && context.mustExist !== true) makeFile(path)
    const ledger = await openLedgerOn(
      {
        dialect: 'sqlite',
        kysely,
        compact: () => compactSqlite(kysely),
        name: `The ledger ${path}`,
        description: `SQLite ${process.versions.sqlite ?? ''}`.trim(),
      },
      context,
    )
    try {
      await checkSqlite(ledger.db, path)
    } catch (error) {
      await ledger.close()
      throw error
    }
    return ledger
  } catch (error) {
    throw explainSqlite(path, error)
  }
}

const openPostgres = async (url: string, context: LedgerContext): Promise<Ledger> => {
  const { default: pg } = await import('pg')
  const { host } = new URL(url)
  // int8 is a string by default, because it may exceed what a number holds; ours are ids, counters and instants.
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const poolOf = (onConnect?: (client: ClientBase) => Promise<unknown>) => {
    const more = onConnect === undefined ? {} : { onConnect }
    const pool = new pg.Pool({ connectionString: url, max: LIMITS.LEDGER_POSTGRES_CONNECTIONS, types, ...more })
    // An idle connection that the server closes must not end this process; the pool opens another.
    pool.on('error', (error) => context.logger.warn('A connection to PostgreSQL was lost', { reason: error.message }))
    return pool
  }
  const timeout = context.readTimeoutMs ?? LIMITS.LEDGER_READ_TIMEOUT_MS
  // By a statement: poolers refuse it among the parameters that a connection starts with.
  const ofCallers = poolOf((client) => client.query(`SET statement_timeout = ${timeout}`))
  const pool = withCallerConnections(poolOf(), ofCallers, timeout)
  try {
    return await openLedgerOn(
      {
        dialect: 'postgres',
        kysely: new PostgresDialect({ pool }),
        name: `The ledger in PostgreSQL at ${host}`,
        description: `PostgreSQL at ${host}`,
      },
      context,
    )
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code
    if (typeof code === 'string' && /^(ECONN|ENOTFOUND|EAI_|ETIMEDOUT|28|3D000|57P03)/.test(code)) {
      throw new StorageUnavailableError(
        `PostgreSQL at ${host} cannot be used as the ledger (${code}: ${(error as Error).message}). Check that the server runs and that address, database, user and password are right (FIRSTHAND_POSTGRES_URL).`,
        { cause: error },
      )
    }
    throw error
  }
}

/**
 * Opens the ledger and brings its tables to this program's shape. A process may open it several times (the digest's
 * worker thread has its own).
 *
 * @throws StorageVersionError when a newer program wrote it
 * @throws StorageCorruptError, StorageUnavailableError with what to do
 */
export const openLedger = (location: LedgerLocation, context: LedgerContext): Promise<Ledger> =>
  'path' in location ? openSqlite(location.path, context) : openPostgres(location.postgresUrl, context)
