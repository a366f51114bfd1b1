import { DatabaseSync } from 'node:sqlite'
import type { SQLInputValue, StatementSync } from 'node:sqlite'
import type { QueryResult } from 'kysely'
import { fold } from '../../lib/fold.ts'
import { RecentMap } from '../../lib/recent-map.ts'

/** One connection to a file of SQLite. Its calls block the thread that makes them. */

export interface SqliteConnectionOptions {
  /** A file, or its URL with parameters for SQLite. */
  readonly path: string | URL
  /** In order. */
  readonly pragmas: readonly string[]
  /** Prepared statements that are kept. */
  readonly statementCache: number
  /** For looking only: the file has to exist, and nothing writes to it. */
  readonly readOnly?: boolean
  /**
   * What `in_time(…)` does in a statement: returns while the statement may run on, throws when nobody waits for it any
   * more. Absent: statements run for as long as they take.
   */
  readonly checkTime?: () => void
}

/** Rows as they come from SQLite: the values of all of them one after the other, in the order of `columns`. */
export interface FlatResult {
  readonly columns: readonly string[]
  readonly values: readonly unknown[]
  /** Rows that were found or, by a statement that answers none, changed. */
  readonly affected: number
  /** Null for statements that answer rows. */
  readonly insertId: number | bigint | null
}

interface Prepared {
  readonly statement: StatementSync
  readonly columns: readonly string[]
}

export class SqliteConnection {
  readonly #database: DatabaseSync
  readonly #statements: RecentMap<string, Prepared>

  constructor({ path, pragmas, statementCache, readOnly = false, checkTime }: SqliteConnectionOptions) {
    this.#database = new DatabaseSync(path, { readOnly })
    this.#statements = new RecentMap(statementCache)
    try {
      for (const pragma of pragmas) this.#database.exec(`PRAGMA ${pragma}`)
      // Not deterministic: SQLite would otherwise ask once for the whole statement.
      this.#database.function('in_time', { varargs: true }, () => {
        checkTime?.()
        return 1
      })
      this.#database.function('fold', { deterministic: true }, (text) => (text === null ? null : fold(String(text))))
    } catch (error) {
      this.#database.close()
      throw error
    }
  }

  get inTransaction(): boolean {
    return this.#database.isOpen && this.#database.isTransaction
  }

  /** Rows as objects. */
  run(sql: string, parameters: readonly unknown[]): QueryResult<unknown> {
    const { statement, columns } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (columns.length > 0) {
      statement.setReturnArrays(false)
      const rows = statement.all(...values)
      return { rows, numAffectedRows: BigInt(rows.length) }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  /** The same, in the shape that is cheapest to hand to another thread. */
  runFlat(sql: string, parameters: readonly unknown[]): FlatResult {
    const { statement, columns } = this.#prepare(sql)
    const values = parameters as SQLInputValue[]
    if (columns.length > 0) {
      statement.setReturnArrays(true)
      const rows = statement.all(...values) as unknown as unknown[][]
      return { columns, values: rows.flat(), affected: rows.length, insertId: null }
    }
    const { changes, lastInsertRowid } = statement.run(...values)
    return { columns, values: [], affected: Number(changes), insertId: lastInsertRowid }
  }

  /** Statements that a prepared one would not run to their end. */
  exec(sql: string): void {
    this.#database.exec(sql)
  }

  close(): void {
    this.#statements.clear()
    if (this.#database.isOpen) this.#database.close()
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql)
    if (known !== undefined) return known
    const statement = this.#database.prepare(sql)
    const prepared = { statement, columns: statement.columns().map(({ name }) => name) }
    this.#statements.set(sql, prepared)
    return prepared
  }
}
