import { createRequire } from 'node:module'
import { drainPending, Session } from 'chdb'
import { ENGINE_SETTINGS } from './engine-config.ts'
import type { Execute, Statement, StatementResult } from './http-interface.ts'

/**
 * chDB sessions, one statement at a time each. All of them share the engine and its data; a session carries only the
 * settings of the statement that it runs.
 */
export interface SessionPool {
  readonly execute: Execute
  /** Waits for running statements, then releases the engine. */
  close(): Promise<void>
}

/**
 * The part of chDB's native addon that takes rows as bytes; its JavaScript face would build the statement itself, which
 * the client has done already.
 */
interface NativeAddon {
  InsertRawAsyncConnection(
    connection: unknown,
    prefix: string,
    rows: Buffer,
    countLines: boolean,
  ): Promise<{ elapsed: number; rowsWritten: number; bytesWritten: number }>
}

const loadAddon = (): NativeAddon => {
  const suffix = process.platform === 'linux' ? '-gnu' : ''
  return createRequire(createRequire(import.meta.url).resolve('chdb'))(
    `@chdb/lib-${process.platform}-${process.arch}${suffix}`,
  ) as NativeAddon
}

const SETTING_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/

const quote = (text: string): string => `'${text.replace(/[\\']/g, (character) => `\\${character}`)}'`

/** Settings that differ from what every session has anyway. */
const ownSettings = (settings: ReadonlyMap<string, string>): [string, string][] => {
  const own: [string, string][] = []
  for (const [name, value] of settings) {
    if (!SETTING_NAME.test(name)) {
      throw new Error(`Code: 115. DB::Exception: Unknown setting ${quote(name)}. (UNKNOWN_SETTING)`)
    }
    if (ENGINE_SETTINGS[name] !== value) own.push([name, value])
  }
  return own
}

const INSERT_FORMAT = /\s+FORMAT\s+(JSONEachRow|JSONCompactEachRow|TabSeparated)\s*;?\s*$/i

/**
 * `INSERT … FORMAT X` with the settings put before the format, as the grammar wants them. The addon adds the line feed
 * that ends the statement; a second one would be taken for the first byte of the rows.
 */
const insertPrefix = (sql: string, settings: readonly (readonly [string, string])[]): string => {
  const match = INSERT_FORMAT.exec(sql)
  if (match === null) {
    throw new Error(
      'Code: 73. DB::Exception: The embedded engine takes rows as JSONEachRow, JSONCompactEachRow or TabSeparated. (UNKNOWN_FORMAT)',
    )
  }
  const clause = settings.map(([name, value]) => `${name} = ${quote(value)}`).join(', ')
  return `${sql.slice(0, match.index)}${clause === '' ? '' : ` SETTINGS ${clause}`} FORMAT ${match[1]}`
}

/** chDB takes an empty line for the end of the rows, and what follows for the next statement. */
const refuseEmptyLines = (rows: Buffer): void => {
  if (rows.includes('\n\n') || rows[0] === 10) {
    throw new Error('Code: 117. DB::Exception: There is an empty line between the rows. (INCORRECT_DATA)')
  }
}

const tooMany = (limit: number): Error =>
  new Error(
    `Code: 202. DB::Exception: Too many simultaneous queries: ${limit} are waiting already. Try again later. (TOO_MANY_SIMULTANEOUS_QUERIES)`,
  )

export interface SessionPoolOptions {
  /** Folder of the data. */
  readonly path: string
  readonly engineArguments: readonly string[]
  /** Statements that run at once. */
  readonly sessions: number
  /** Statements that may wait for a session. */
  readonly queue: number
}

/** @throws Error with the engine's message when the folder cannot be opened */
export const openSessionPool = (options: SessionPoolOptions): SessionPool => {
  const addon = loadAddon()
  const sessions = Array.from(
    { length: options.sessions },
    () => new Session(options.path, { connectionArgs: options.engineArguments }),
  )
  const idle = [...sessions]
  const waiting: ((session: Session) => void)[] = []

  const acquire = (): Promise<Session> => {
    const session = idle.pop()
    if (session !== undefined) return Promise.resolve(session)
    if (waiting.length >= options.queue) return Promise.reject(tooMany(options.queue))
    return new Promise((resolve) => waiting.push(resolve))
  }
  const release = (session: Session): void => {
    const next = waiting.shift()
    if (next === undefined) idle.push(session)
    else next(session)
  }

  const insert = async (session: Session, statement: Statement, rows: Buffer): Promise<StatementResult> => {
    refuseEmptyLines(rows)
    const prefix = insertPrefix(statement.sql, ownSettings(statement.settings))
    const done = await addon.InsertRawAsyncConnection(session.connection, prefix, rows, false)
    return {
      body: new Uint8Array(0),
      readRows: done.rowsWritten,
      readBytes: rows.length,
      writtenRows: done.rowsWritten,
      writtenBytes: done.bytesWritten,
      elapsedSeconds: done.elapsed,
    }
  }

  const run = async (session: Session, statement: Statement): Promise<StatementResult> => {
    const own = ownSettings(statement.settings)
    try {
      if (own.length > 0) {
        await session.queryAsync(`SET ${own.map(([name, value]) => `${name} = ${quote(value)}`).join(', ')}`)
      }
      const result = await session.queryAsync(statement.sql, { format: statement.format })
      return {
        body: result.bytes(),
        readRows: result.rowsRead,
        readBytes: result.bytesRead,
        writtenRows: 0,
        writtenBytes: 0,
        elapsedSeconds: result.elapsed,
      }
    } finally {
      if (own.length > 0) {
        await session.queryAsync(
          `SET ${own.map(([name]) => `${name} = ${ENGINE_SETTINGS[name] === undefined ? 'DEFAULT' : quote(ENGINE_SETTINGS[name])}`).join(', ')}`,
        )
      }
    }
  }

  return {
    execute: async (statement, signal) => {
      const session = await acquire()
      try {
        // Nobody waits for the answer any more; an insert runs all the same, because its sender may count on it.
        if (signal.aborted && statement.rows === null) throw new Error('The client went away')
        return await (statement.rows === null ? run(session, statement) : insert(session, statement, statement.rows))
      } finally {
        release(session)
      }
    },
    close: async () => {
      await drainPending()
      for (const session of sessions) session.close()
      await drainPending()
    },
  }
}
