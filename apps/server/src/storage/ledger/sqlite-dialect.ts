import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import { SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import type {
  CompiledQuery,
  DatabaseConnection,
  DatabaseIntrospector,
  Dialect,
  Driver,
  Kysely,
  QueryCompiler,
  QueryResult,
  TransactionSettings,
} from 'kysely'

/**
 * Kysely over `node:sqlite`, made for a server: reads have a connection of their own and never wait; writes take turns
 * and, when another thread or process holds the write lock, wait without blocking the event loop.
 *
 * A transaction takes the write lock at its start (`BEGIN IMMEDIATE`), so that it never fails half-way for want of it.
 */
export interface SqliteDialectOptions {
  /** A file, or its URL with parameters for SQLite. */
  readonly path: string | URL
  /** Pragmas for both connections, in order. */
  readonly pragmas: readonly string[]
  /** How long a writer waits for another one. */
  readonly busyTimeoutMs: number
  /** Prepared statements kept per connection. */
  readonly statementCache: number
  /** For looking only: the file has to exist, and nothing writes to it. */
  readonly readOnly?: boolean
}

/** SQLITE_BUSY with its extended codes, and SQLITE_LOCKED. */
const isBusy = (error: unknown): boolean => {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' && ((code & 0xff) === 5 || (code & 0xff) === 6)
}

interface Prepared {
  readonly statement: StatementSync
  readonly returnsRows: boolean
}

/** One SQLite connection with its prepared statements, least recently used first. */
class CachedDatabase {
  readonly database: DatabaseSync
  readonly #limit: number
  readonly #statements = new Map<string, Prepared>()

  constructor({ path, statementCache, readOnly = false }: SqliteDialectOptions, pragmas: readonly string[]) {
    this.database = new DatabaseSync(path, { readOnly })
    this.#limit = statementCache
    try {
      for (const pragma of pragmas) this.database.exec(`PRAGMA ${pragma}`)
    } catch (error) {
      this.database.close()
      throw error
    }
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known !== undefined) {
      this.#statements.delete(sql)
      this.#statements.set(sql, known)
      return known
    }
    const statement = this.database.prepare(sql)
    const prepared = { statement, returnsRows: statement.columns().length > 0 }
    this.#statements.set(sql, prepared)
    if (this.#statements.size > this.#limit) {
      const oldest = this.#statements.keys().next()
      if (oldest.done !== true) this.#statements.delete(oldest.value)
    }
    return prepared
  }

  run<Row>(sql: string, parameters: readonly unknown[]): QueryResult<Row> {
    const { statement, returnsRows } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (returnsRows) {
      const rows = statement.all(...values) as Row[]
      return { rows, numAffectedRows: BigInt(rows.length) }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  close(): void {
    this.#statements.clear()
    if (this.database.isOpen) this.database.close()
  }
}

/** First come, first served. */
class Turns {
  #tail: Promise<void> = Promise.resolve()

  take(): Promise<() => void> {
    let done = (): void => {}
    const mine = new Promise<void>((resolve) => {
      done = resolve
    })
    const before = this.#tail
    this.#tail = mine
    return before.then(() => done)
  }
}

const FIRST_PAUSE_MS = 1
const LONGEST_PAUSE_MS = 25

class SqliteDriver implements Driver {
  readonly #options: SqliteDialectOptions
  readonly #turns = new Turns()
  readonly #open = new Set<CachedDatabase>()
  #reader: CachedDatabase | null = null
  #writer: CachedDatabase | null = null

  constructor(options: SqliteDialectOptions) {
    this.#options = options
  }

  /** Opening takes locks too: another process that opens or closes the ledger at this moment is waited for. */
  async init(): Promise<void> {
    const open = (extra: readonly string[]): CachedDatabase => {
      const database = new CachedDatabase(this.#options, [...this.#options.pragmas, ...extra])
      this.#open.add(database)
      return database
    }
    try {
      // The writer makes the file and sets its journal mode, which the reader needs.
      this.#writer = await this.patiently(() => open([]))
      this.#reader = await this.patiently(() => open(['query_only = 1']))
    } catch (error) {
      for (const database of this.#open) database.close()
      throw error
    }
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new SqliteConnection(this))
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await asOurs(connection).begin(settings.accessMode === 'read only' ? 'BEGIN' : 'BEGIN IMMEDIATE')
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    asOurs(connection).end('COMMIT')
    return Promise.resolve()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    asOurs(connection).end('ROLLBACK')
    return Promise.resolve()
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    asOurs(connection).release()
    return Promise.resolve()
  }

  async destroy(): Promise<void> {
    const done = await this.#turns.take()
    for (const database of this.#open) database.close()
    done()
  }

  read(sql: string, parameters: readonly unknown[]): QueryResult<unknown> {
    return this.#opened(this.#reader).run(sql, parameters)
  }

  write(sql: string, parameters: readonly unknown[]): QueryResult<unknown> {
    return this.#opened(this.#writer).run(sql, parameters)
  }

  inTransaction(): boolean {
    return this.#opened(this.#writer).database.isTransaction
  }

  /** Moves up to `pages` free pages out of the file. Answers how many are left. */
  async vacuumStep(pages: number): Promise<number> {
    const done = await this.#turns.take()
    try {
      return await this.patiently(() => {
        const { database } = this.#opened(this.#writer)
        // A prepared statement would stop after the first page.
        database.exec(`PRAGMA incremental_vacuum(${pages})`)
        return Number(database.prepare('PRAGMA freelist_count').get()?.['freelist_count'] ?? 0)
      })
    } finally {
      done()
    }
  }

  /** Moves the log into the file, and cuts off what both no longer need. Readers may keep a part back for later. */
  async checkpoint(): Promise<void> {
    const done = await this.#turns.take()
    try {
      this.#opened(this.#writer).database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      done()
    }
  }

  takeTurn(): Promise<() => void> {
    return this.#turns.take()
  }

  /** Repeats what another thread or process keeps from running. */
  async patiently<Value>(attempt: () => Value): Promise<Value> {
    const deadline = performance.now() + this.#options.busyTimeoutMs
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return attempt()
      } catch (error) {
        if (!isBusy(error) || performance.now() > deadline) throw error
      }
      await delay(pauseMs)
    }
  }

  #opened(database: CachedDatabase | null): CachedDatabase {
    if (database === null) throw new Error('The ledger is not open')
    return database
  }
}

const READS = /^\s*(?:select|explain)\b/i

class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver
  /** Set while a transaction of this connection runs: gives the writer back. */
  #giveBack: (() => void) | null = null

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async begin(statement: string): Promise<void> {
    const giveBack = await this.#driver.takeTurn()
    try {
      await this.#driver.patiently(() => this.#driver.write(statement, []))
    } catch (error) {
      giveBack()
      throw error
    }
    this.#giveBack = giveBack
  }

  end(statement: 'COMMIT' | 'ROLLBACK'): void {
    // SQLite may have rolled back by itself, e.g. when the disk is full.
    if (statement === 'COMMIT' || this.#driver.inTransaction()) this.#driver.write(statement, [])
    this.release()
  }

  release(): void {
    const giveBack = this.#giveBack
    if (giveBack === null) return
    this.#giveBack = null
    if (this.#driver.inTransaction()) this.#driver.write('ROLLBACK', [])
    giveBack()
  }

  async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    return (await this.#execute(compiled)) as QueryResult<Row>
  }

  async *streamQuery<Row>(compiled: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(compiled)
  }

  async #execute({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<unknown>> {
    if (this.#giveBack !== null) return this.#driver.write(sql, parameters)
    if (query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && READS.test(sql))) {
      return this.#driver.patiently(() => this.#driver.read(sql, parameters))
    }
    const giveBack = await this.#driver.takeTurn()
    try {
      return await this.#driver.patiently(() => this.#driver.write(sql, parameters))
    } finally {
      giveBack()
    }
  }
}

const asOurs = (connection: DatabaseConnection): SqliteConnection => {
  if (!(connection instanceof SqliteConnection)) throw new TypeError('A connection of another driver')
  return connection
}

class MultipleConnectionsAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true
  }

  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

export class NodeSqliteDialect implements Dialect {
  readonly #driver: SqliteDriver

  constructor(options: SqliteDialectOptions) {
    this.#driver = new SqliteDriver(options)
  }

  createDriver(): Driver {
    return this.#driver
  }

  /** Gives up to `pages` free pages back to the file system. Answers how many are left. */
  vacuumStep(pages: number): Promise<number> {
    return this.#driver.vacuumStep(pages)
  }

  /** Lets the file shrink to what the last steps of the vacuum left. */
  checkpoint(): Promise<void> {
    return this.#driver.checkpoint()
  }

  createQueryCompiler(): QueryCompiler {
    return new SqliteQueryCompiler()
  }

  createAdapter(): SqliteAdapter {
    return new MultipleConnectionsAdapter()
  }

  createIntrospector(db: Kysely<unknown>): DatabaseIntrospector {
    return new SqliteIntrospector(db)
  }
}
