import { setTimeout as delay } from 'node:timers/promises'
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
import { StoreFault } from '../../lib/store-fault.ts'
import type { SqliteExecutor, SqliteWriter } from './sqlite-executor.ts'

/**
 * Kysely over `node:sqlite`, made for a server: reads have connections of their own and never wait for a write; writes
 * take turns and, when another thread or process holds the write lock, wait without blocking the event loop.
 *
 * A transaction takes the write lock at its start (`BEGIN IMMEDIATE`), so that it never fails half-way for want of it.
 */
export interface SqliteDialectOptions {
  readonly executor: SqliteExecutor
  /** How long a writer waits for another one. */
  readonly busyTimeoutMs: number
}

/** SQLITE_BUSY with its extended codes, and SQLITE_LOCKED. */
const isBusy = (error: unknown): boolean => {
  const code = (error as { errcode?: unknown } | null)?.errcode
  return typeof code === 'number' && ((code & 0xff) === 5 || (code & 0xff) === 6)
}

const notFree = (busyTimeoutMs: number, cause: unknown): StoreFault =>
  new StoreFault(
    `The ledger was not free for ${busyTimeoutMs / 1000} seconds, so this was not done: the machine has too much to do, or another program has the ledger open. Try again in some seconds.`,
    { cause },
  )

/** First come, first served. */
class WriteLock {
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
  readonly #executor: SqliteExecutor
  readonly #busyTimeoutMs: number
  readonly #writeLock = new WriteLock()

  constructor({ executor, busyTimeoutMs }: SqliteDialectOptions) {
    this.#executor = executor
    this.#busyTimeoutMs = busyTimeoutMs
  }

  /** Opening takes locks too: another process that opens or closes the ledger at this moment is waited for. */
  async init(): Promise<void> {
    try {
      // The writer makes the file and sets its journal mode, which readers need.
      await this.patiently(() => this.writer().run('SELECT 1', []))
      await this.read('SELECT 1', [])
    } catch (error) {
      await this.#executor.close()
      throw error
    }
  }

  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(new SqliteDriverConnection(this))
  }

  async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    await asOurs(connection).begin(settings.accessMode === 'read only' ? 'BEGIN' : 'BEGIN IMMEDIATE')
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).end('COMMIT')
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).end('ROLLBACK')
  }

  async releaseConnection(connection: DatabaseConnection): Promise<void> {
    await asOurs(connection).release()
  }

  async destroy(): Promise<void> {
    const done = await this.#writeLock.take()
    await this.#executor.close()
    done()
  }

  read(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    return this.patiently(() => this.#executor.read(sql, parameters))
  }

  writer(): SqliteWriter {
    return this.#executor.writer()
  }

  /** Moves up to `pages` free pages out of the file. Answers how many are left. */
  async vacuumStep(pages: number): Promise<number> {
    const done = await this.#writeLock.take()
    try {
      // A prepared statement would stop after the first page.
      await this.patiently(() => this.writer().exec(`PRAGMA incremental_vacuum(${pages})`))
      const { rows } = await this.writer().run('PRAGMA freelist_count', [])
      return (rows[0] as { freelist_count?: number } | undefined)?.freelist_count ?? 0
    } finally {
      done()
    }
  }

  /** Moves the log into the file, and cuts off what both no longer need. Readers may keep a part back for later. */
  async checkpoint(): Promise<void> {
    const done = await this.#writeLock.take()
    try {
      await this.writer().exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } finally {
      done()
    }
  }

  lockWrites(): Promise<() => void> {
    return this.#writeLock.take()
  }

  /**
   * Repeats what another thread or process keeps from running. Its time begins when that is first known: an attempt may
   * have waited long for its turn before it could ask at all.
   *
   * @throws StoreFault when it does so for too long
   */
  async patiently<Value>(attempt: () => Promise<Value>): Promise<Value> {
    let deadline: number | null = null
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        return await attempt()
      } catch (error) {
        if (!isBusy(error)) throw error
        if (deadline !== null && performance.now() > deadline) throw notFree(this.#busyTimeoutMs, error)
        deadline ??= performance.now() + this.#busyTimeoutMs
      }
      await delay(pauseMs)
    }
  }
}

const READS = /^\s*(?:select|explain)\b/i

class SqliteDriverConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver
  /** Set while a transaction of this connection runs: where it runs, and what gives the turn at writing back. */
  #transaction: { readonly writer: SqliteWriter; readonly giveBack: () => void } | null = null

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async begin(statement: string): Promise<void> {
    const giveBack = await this.#driver.lockWrites()
    try {
      const writer = this.#driver.writer()
      await this.#driver.patiently(() => writer.run(statement, []))
      this.#transaction = { writer, giveBack }
    } catch (error) {
      giveBack()
      throw error
    }
  }

  async end(statement: 'COMMIT' | 'ROLLBACK'): Promise<void> {
    const writer = this.#transaction?.writer
    // SQLite may have rolled back by itself, e.g. when the disk is full.
    if (writer !== undefined && (statement === 'COMMIT' || writer.inTransaction)) await writer.run(statement, [])
    await this.release()
  }

  async release(): Promise<void> {
    if (this.#transaction === null) return
    const { writer, giveBack } = this.#transaction
    this.#transaction = null
    try {
      if (writer.inTransaction) await writer.run('ROLLBACK', [])
    } finally {
      giveBack()
    }
  }

  async executeQuery<Row>(compiled: CompiledQuery): Promise<QueryResult<Row>> {
    return (await this.#execute(compiled)) as QueryResult<Row>
  }

  async *streamQuery<Row>(compiled: CompiledQuery): AsyncIterableIterator<QueryResult<Row>> {
    yield await this.executeQuery<Row>(compiled)
  }

  async #execute({ sql, parameters, query }: CompiledQuery): Promise<QueryResult<unknown>> {
    if (this.#transaction !== null) return this.#transaction.writer.run(sql, parameters)
    if (query.kind === 'SelectQueryNode' || (query.kind === 'RawNode' && READS.test(sql))) {
      return this.#driver.read(sql, parameters)
    }
    const giveBack = await this.#driver.lockWrites()
    try {
      return await this.#driver.patiently(() => this.#driver.writer().run(sql, parameters))
    } finally {
      giveBack()
    }
  }
}

const asOurs = (connection: DatabaseConnection): SqliteDriverConnection => {
  if (!(connection instanceof SqliteDriverConnection)) throw new TypeError('A connection of another driver')
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
