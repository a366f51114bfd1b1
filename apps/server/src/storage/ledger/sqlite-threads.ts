import { Worker } from 'node:worker_threads'
import type { QueryResult } from 'kysely'
import { currentCaller } from '../../lib/caller-context.ts'
import { errorOf } from '../../lib/error-text.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import type { Logger } from '../../lib/logger.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { LIMITS } from '../limits.ts'
import type { LedgerThreadData, ThreadAnswer, ThreadRequest } from './ledger-thread.ts'
import type { FlatResult } from './sqlite-connection.ts'
import { READER_PRAGMA } from './sqlite-executor.ts'
import type { SqliteExecutor, SqliteWriter } from './sqlite-executor.ts'

/** Statements run on threads, so that no statement, however slow, keeps the thread that asks from answering others. */

export interface SqliteThreadsOptions {
  readonly path: string
  readonly pragmas: readonly string[]
  readonly statementCache: number
  readonly logger: Logger
  /** How long a statement of a caller may take. */
  readonly readTimeoutMs: number
  /** Tests: after how much idleness a thread ends. */
  readonly idleMs?: number
}

/**
 * Of a thread's heap: room for the largest answer, and little garbage before it is collected. With 16 or 32 for what is
 * young, statements take as much processor time, and the thread 10 MB more.
 */
const HEAP = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 256 }

const LARGEST_ID = 2 ** 31 - 1

const toRows = ({ columns, values, affected, insertId }: FlatResult): QueryResult<unknown> => {
  if (insertId !== null) return { rows: [], numAffectedRows: BigInt(affected), insertId: BigInt(insertId) }
  const rows: Record<string, unknown>[] = []
  for (let at = 0; at < values.length; at += columns.length) {
    const row: Record<string, unknown> = {}
    for (const [index, column] of columns.entries()) row[column] = values[at + index]
    rows.push(row)
  }
  return { rows, numAffectedRows: BigInt(affected) }
}

const rebuilt = ({ message, ...more }: NonNullable<ThreadAnswer['error']>): Error =>
  Object.assign(new Error(message), more)

interface Pending {
  readonly resolve: (result: FlatResult | null) => void
  readonly reject: (error: Error) => void
}

/** One thread with one connection, which is opened by the first statement. */
class SqliteThread implements SqliteWriter {
  readonly #worker: Worker
  readonly #givenUp = new Int32Array(new SharedArrayBuffer(4))
  readonly #pending = new Map<number, Pending>()
  readonly #exit: Promise<void>
  #lastId = 0
  #inTransaction = false
  /** When it was last asked something, or answered, by `performance.now()`. */
  #usedAt = 0
  #hasEnded = false
  #isClosing = false

  constructor({ path, pragmas, statementCache, logger }: SqliteThreadsOptions, name: string) {
    const data: LedgerThreadData = { path, pragmas, statementCache, givenUp: this.#givenUp }
    this.#worker = new Worker(new URL('./ledger-thread.ts', import.meta.url), {
      workerData: data,
      name,
      resourceLimits: HEAP,
    })
    let fault: unknown = null
    this.#worker.on('message', (answer: ThreadAnswer) => this.#receive(answer))
    this.#worker.on('error', (error) => {
      fault = error
    })
    this.#exit = new Promise((resolve) => {
      this.#worker.on('exit', (code) => {
        this.#hasEnded = true
        this.#inTransaction = false
        const reason = fault instanceof Error ? fault.message : `it ended with code ${code}`
        if (this.#pending.size > 0) {
          logger.error('A thread of the ledger ended in the middle of a statement. Another takes its place', {
            thread: name,
            error: reason,
          })
        }
        for (const { reject } of this.#pending.values()) reject(ended(reason))
        this.#pending.clear()
        resolve()
      })
    })
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  get inTransaction(): boolean {
    return this.#inTransaction
  }

  /** Since when nobody needs it, by `performance.now()`; null while somebody does. */
  get idleSince(): number | null {
    return this.#inTransaction || this.#pending.size > 0 ? null : this.#usedAt
  }

  async run(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>> {
    const result = await this.#ask('run', sql, parameters)
    if (result === null) throw new Error('The thread of the ledger answered without a result')
    return toRows(result)
  }

  async exec(sql: string): Promise<void> {
    await this.#ask('exec', sql)
  }

  /** The statement that runs now may stop where it asks for it (`in_time`). */
  giveUp(): void {
    Atomics.store(this.#givenUp, 0, this.#lastId)
  }

  /** Waits for what it was asked before. */
  async close(): Promise<void> {
    const asked = this.#hasEnded || this.#isClosing ? null : this.#ask('close', '')
    // It ends after this: what is asked later would never be answered.
    this.#isClosing = true
    // A thread that ends before it answers is closed all the same.
    await asked?.catch(() => {})
    await this.#exit
  }

  #ask(kind: ThreadRequest['kind'], sql: string, parameters: readonly unknown[] = []): Promise<FlatResult | null> {
    if (this.#isClosing) return Promise.reject(closed())
    if (this.#hasEnded) return Promise.reject(ended('before the statement'))
    const id = this.#lastId === LARGEST_ID ? 1 : this.#lastId + 1
    this.#lastId = id
    this.#usedAt = performance.now()
    return new Promise((resolve, reject) => {
      // Throws when a parameter cannot go from thread to thread; then there is nothing to wait for.
      this.#worker.postMessage({ id, kind, sql, parameters } satisfies ThreadRequest, [])
      this.#pending.set(id, { resolve, reject })
    })
  }

  #receive({ id, inTransaction, result, error }: ThreadAnswer): void {
    this.#inTransaction = inTransaction
    this.#usedAt = performance.now()
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    if (error === null) pending?.resolve(result)
    else pending?.reject(rebuilt(error))
  }
}

const closed = (): Error => new Error('The ledger is closed')

const ended = (reason: string): StatementRefusal =>
  new StatementRefusal('lost', new Error(`The ledger's thread ended: ${reason}`))

/** Threads that read, one statement at a time each. They are started when they are needed, and end when they no longer are. */
class Readers {
  readonly #start: () => SqliteThread
  readonly #idleMs: number
  readonly #all = new Set<SqliteThread>()
  /** Used as a stack: the reader used last is taken first, its page cache is warm. */
  readonly #idle: { readonly reader: SqliteThread; readonly since: number }[] = []
  readonly #ending = new Set<Promise<void>>()
  /** Set while there is an idle reader. */
  #timer: NodeJS.Timeout | null = null
  readonly #waiting: { readonly resolve: (reader: SqliteThread) => void; readonly reject: (error: Error) => void }[] =
    []
  #closed = false

  constructor(start: () => SqliteThread, idleMs: number) {
    this.#start = start
    this.#idleMs = idleMs
  }

  /** @throws StatementRefusal `busy` */
  take(): Promise<SqliteThread> {
    if (this.#closed) return Promise.reject(closed())
    for (;;) {
      const reader = this.#idle.pop()?.reader
      if (reader === undefined) break
      if (!reader.hasEnded) return Promise.resolve(reader)
      this.#all.delete(reader)
    }
    if (this.#all.size < LIMITS.LEDGER_READERS) return Promise.resolve(this.#another())
    if (this.#waiting.length >= LIMITS.LEDGER_READS_WAITING) return Promise.reject(new StatementRefusal('busy'))
    return new Promise((resolve, reject) => this.#waiting.push({ resolve, reject }))
  }

  give(reader: SqliteThread): void {
    if (reader.hasEnded) this.#all.delete(reader)
    const next = this.#waiting.shift()
    if (next !== undefined) next.resolve(reader.hasEnded ? this.#another() : reader)
    else if (!reader.hasEnded) {
      this.#idle.push({ reader, since: performance.now() })
      this.#timer ??= setTimeout(() => this.#endIdle(), this.#idleMs).unref()
    }
  }

  async close(): Promise<void> {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    for (const { reject } of this.#waiting.splice(0)) reject(closed())
    for (const reader of this.#all) reader.giveUp()
    await Promise.all([...[...this.#all].map((reader) => reader.close()), ...this.#ending])
  }

  /** The readers that were not used for longest are the first ones. */
  #endIdle(): void {
    this.#timer = null
    for (;;) {
      const [first] = this.#idle
      if (first === undefined || this.#closed) return
      const leftMs = first.since + this.#idleMs - performance.now()
      if (leftMs > 0) {
        this.#timer = setTimeout(() => this.#endIdle(), Math.ceil(leftMs)).unref()
        return
      }
      this.#idle.shift()
      this.#all.delete(first.reader)
      const end = first.reader.close().finally(() => this.#ending.delete(end))
      this.#ending.add(end)
    }
  }

  #another(): SqliteThread {
    const reader = this.#start()
    this.#all.add(reader)
    return reader
  }
}

/** The thread that writes. It is started when it is needed, and ends when it no longer is. */
class Writer {
  readonly #start: () => SqliteThread
  readonly #idleMs: number
  #thread: SqliteThread | null = null
  #ending: Promise<void> = Promise.resolve()
  /** Set while there is a thread. */
  #timer: NodeJS.Timeout | null = null

  constructor(start: () => SqliteThread, idleMs: number) {
    this.#start = start
    this.#idleMs = idleMs
  }

  /** For a statement that is sent at once, and for a transaction that it begins. */
  current(): SqliteThread {
    if (this.#thread === null || this.#thread.hasEnded) this.#thread = this.#start()
    this.#endLater(this.#idleMs)
    return this.#thread
  }

  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer)
    await Promise.all([this.#thread?.close(), this.#ending])
  }

  #endLater(afterMs: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#endIdle()
    }, Math.ceil(afterMs)).unref()
  }

  #endIdle(): void {
    const thread = this.#thread
    if (thread === null) return
    const { idleSince } = thread
    const leftMs = idleSince === null ? this.#idleMs : idleSince + this.#idleMs - performance.now()
    if (leftMs > 0) {
      this.#endLater(leftMs)
      return
    }
    this.#thread = null
    this.#ending = Promise.all([this.#ending, thread.close()]).then(() => {})
  }
}

/** Passes the answer on, or refuses when it does not come in time; `late` is called then. */
const within = <Value>(milliseconds: number, answer: Promise<Value>, late: () => void): Promise<Value> =>
  new Promise((resolve, reject) => {
    let immediate: NodeJS.Immediate | null = null
    const timer = setTimeout(() => {
      // When this thread itself was late, the answer may be there: it is looked at first.
      immediate = setImmediate(() => {
        late()
        reject(new StatementRefusal('slow'))
      })
    }, milliseconds)
    const settle = (): void => {
      clearTimeout(timer)
      if (immediate !== null) clearImmediate(immediate)
    }
    answer.then(
      (value) => {
        settle()
        resolve(value)
      },
      (error: unknown) => {
        settle()
        reject(errorOf(error))
      },
    )
  })

/**
 * What a caller reads has to be done in time, and takes turns: some readers are always left for others, and one for the
 * server itself. A statement that nobody waits for any more keeps its turn until it has really ended, because SQLite
 * cannot be stopped from outside: one that may be slow asks `in_time(…)` for each row.
 */
export const threadedExecutor = (options: SqliteThreadsOptions): SqliteExecutor => {
  const queue: FairQueue = createFairQueue({
    running: LIMITS.LEDGER_READERS - 1,
    perOrganization: LIMITS.LEDGER_READERS_PER_ORGANIZATION,
    perCaller: 1,
    waiting: LIMITS.LEDGER_READS_WAITING,
    waitingPerCaller: LIMITS.LEDGER_READS_WAITING_PER_CALLER,
    waitMs: options.readTimeoutMs,
  })
  const readerOptions = { ...options, pragmas: [...options.pragmas, READER_PRAGMA] }
  const idleMs = options.idleMs ?? LIMITS.LEDGER_THREAD_IDLE_MS
  const readers = new Readers(() => new SqliteThread(readerOptions, 'ledger reader'), idleMs)
  const writer = new Writer(() => new SqliteThread(options, 'ledger writer'), idleMs)
  let isClosed = false

  const readWith = async (
    sql: string,
    parameters: readonly unknown[],
    wish: { isGivenUp: boolean; reader: SqliteThread | null },
  ): Promise<QueryResult<unknown>> => {
    const reader = await readers.take()
    wish.reader = reader
    try {
      if (wish.isGivenUp) throw new StatementRefusal('slow')
      return await reader.run(sql, parameters)
    } finally {
      readers.give(reader)
    }
  }

  return {
    writer: () => {
      if (isClosed) throw closed()
      return writer.current()
    },
    read: async (sql, parameters) => {
      const wish = { isGivenUp: false, reader: null as SqliteThread | null }
      const caller = currentCaller()
      if (caller === null) return readWith(sql, parameters, wish)
      const done = await queue.take(caller)
      const answer = readWith(sql, parameters, wish).finally(done)
      return within(options.readTimeoutMs, answer, () => {
        wish.isGivenUp = true
        wish.reader?.giveUp()
      })
    },
    close: async () => {
      isClosed = true
      await readers.close()
      await writer.close()
    },
  }
}
