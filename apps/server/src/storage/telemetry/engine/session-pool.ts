import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { drainPending, Session } from 'chdb'
import { ENGINE_SETTINGS } from './engine-config.ts'
import type { Execute, Statement, StatementResult } from './http-interface.ts'

/**
 * chDB sessions, one statement at a time each. All of them share the engine and its data; a session carries only the
 * settings of the statement that it runs.
 */
export interface SessionPool {
  readonly execute: Execute
  /** The smallest statement, on a session of its own: the engine works, however busy the others are. */
  alive(): Promise<void>
  /** Waits for running statements, then releases the engine. */
  close(): Promise<void>
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

const INSERT_FORMAT = /\s+FORMAT\s+(\w+)\s*;?\s*$/i

/**
 * `INSERT … FORMAT X` with the rows in a file. Rows never stand behind a statement: the engine would look there for
 * comments that tell it what error to expect, and for an empty line and the next statement behind it, so that what
 * somebody wrote in a message could stop all inserts, or be one.
 *
 * @param file a plain name in the working directory; the engine would take some characters of a path for a pattern
 */
const insertFrom = (file: string, sql: string, settings: readonly (readonly [string, string])[]): string => {
  const match = INSERT_FORMAT.exec(sql)
  if (match === null) {
    throw new Error('Code: 73. DB::Exception: An insert with rows must name their format. (UNKNOWN_FORMAT)')
  }
  const clause = settings.map(([name, value]) => `${name} = ${quote(value)}`).join(', ')
  return `${sql.slice(0, match.index)} FROM INFILE ${quote(file)}${clause === '' ? '' : ` SETTINGS ${clause}`} FORMAT ${match[1]}`
}

const tooMany = (limit: number): Error =>
  new Error(
    `Code: 202. DB::Exception: Too many simultaneous queries: ${limit} are waiting already. Try again later. (TOO_MANY_SIMULTANEOUS_QUERIES)`,
  )

export interface SessionPoolOptions {
  /** Folder of the data. */
  readonly path: string
  /** The working directory: holds the rows of running inserts. */
  readonly insertFolder: string
  readonly engineArguments: readonly string[]
  /** Statements that run at once. */
  readonly sessions: number
  /** Statements that may wait for a session. */
  readonly queue: number
}

/** @throws Error with the engine's message when the folder cannot be opened */
export const openSessionPool = (options: SessionPoolOptions): SessionPool => {
  const sessions = Array.from(
    { length: options.sessions },
    () => new Session(options.path, { connectionArgs: options.engineArguments }),
  )
  const sign = new Session(options.path, { connectionArgs: options.engineArguments })
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

  let inserts = 0
  const insert = async (session: Session, statement: Statement, rows: Buffer): Promise<StatementResult> => {
    const file = `insert-${++inserts}.rows`
    const sql = insertFrom(file, statement.sql, ownSettings(statement.settings))
    const path = join(options.insertFolder, file)
    try {
      await writeFile(path, rows, { mode: 0o600 })
      const result = await session.queryAsync(sql)
      return {
        body: new Uint8Array(0),
        readRows: result.rowsRead,
        readBytes: rows.length,
        writtenRows: result.rowsRead,
        writtenBytes: rows.length,
        elapsedSeconds: result.elapsed,
      }
    } finally {
      await rm(path, { force: true })
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

  let asked: Promise<void> | null = null
  return {
    alive: () => {
      // One statement at a time on a session: who asks meanwhile gets the same answer.
      asked ??= sign.queryAsync('SELECT 1').then(
        () => {
          asked = null
        },
        (error: unknown) => {
          asked = null
          throw error
        },
      )
      return asked
    },
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
      for (const session of [...sessions, sign]) session.close()
      await drainPending()
    },
  }
}
