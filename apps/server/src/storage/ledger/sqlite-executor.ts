import type { QueryResult } from 'kysely'
import { SqliteConnection } from './sqlite-connection.ts'
import type { SqliteConnectionOptions } from './sqlite-connection.ts'

/**
 * PORT: where the statements of a SQLite ledger run: on the thread that asks (`directExecutor`), or on threads of their own
 * (`threadedExecutor`).
 */
export interface SqliteExecutor {
  /** The connection that writes; another one after its thread ended. Makes the file. */
  writer(): SqliteWriter
  /** Runs a statement that changes nothing, beside the writer. The file must be there. */
  read(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>>
  close(): Promise<void>
}

export interface SqliteWriter {
  run(sql: string, parameters: readonly unknown[]): Promise<QueryResult<unknown>>
  /** Statements that a prepared one would not run to their end. */
  exec(sql: string): Promise<void>
  /** After the last statement that was answered. */
  readonly inTransaction: boolean
}

export const READER_PRAGMA = 'query_only = 1'

/** Statements block the thread that asks: for threads that have nothing else to answer meanwhile. */
export const directExecutor = (options: SqliteConnectionOptions): SqliteExecutor => {
  let writer: SqliteConnection | null = null
  let reader: SqliteConnection | null = null
  const openWriter = (): SqliteConnection => (writer ??= new SqliteConnection(options))
  const openReader = (): SqliteConnection =>
    (reader ??= new SqliteConnection({ ...options, pragmas: [...options.pragmas, READER_PRAGMA] }))
  const lazyWriter: SqliteWriter = {
    run: async (sql, parameters) => Promise.resolve(openWriter().run(sql, parameters)),
    exec: async (sql) => Promise.resolve(openWriter().exec(sql)),
    get inTransaction() {
      return writer?.inTransaction === true
    },
  }
  return {
    writer: () => lazyWriter,
    read: async (sql, parameters) => Promise.resolve(openReader().run(sql, parameters)),
    close: async () => {
      reader?.close()
      writer?.close()
      return Promise.resolve()
    },
  }
}
