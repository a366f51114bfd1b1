import { parentPort, workerData } from 'node:worker_threads'
import { errorOf } from '../../lib/error-text.ts'
import { SqliteConnection } from './sqlite-connection.ts'
import type { FlatResult } from './sqlite-connection.ts'

/** Entry of a thread that runs statements on a connection of its own: see sqlite-threads.ts. */

export interface LedgerThreadData {
  /** A file, or its URL with parameters for SQLite. */
  readonly path: string
  readonly pragmas: readonly string[]
  readonly statementCache: number
  /** One 32-bit integer: the id of the statement for which nobody waits any more. */
  readonly givenUp: Int32Array
}

export interface ThreadRequest {
  readonly id: number
  readonly kind: 'run' | 'exec' | 'close'
  readonly sql: string
  readonly parameters: readonly unknown[]
}

export interface ThreadAnswer {
  readonly id: number
  readonly inTransaction: boolean
  readonly result: FlatResult | null
  /** What does not survive the way between threads by itself. */
  readonly error: { readonly message: string; readonly [property: string]: unknown } | null
}

const { path, pragmas, statementCache, givenUp } = workerData as LedgerThreadData
const port = parentPort
if (port === null) throw new Error('The thread of the ledger was started as a program')

let running = 0
let opened: SqliteConnection | null = null

/** At the first statement, so that whoever sends it can try again when another has the file to itself. */
const connection = (): SqliteConnection => {
  opened ??= new SqliteConnection({
    path,
    pragmas,
    statementCache,
    checkTime: () => {
      if (Atomics.load(givenUp, 0) === running) throw new Error('Nobody waits for this statement any more')
    },
  })
  return opened
}

const execute = ({ kind, sql, parameters }: ThreadRequest): FlatResult | null => {
  if (kind === 'run') return connection().runFlat(sql, parameters)
  if (kind === 'exec') connection().exec(sql)
  else opened?.close()
  return null
}

const attempt = (request: ThreadRequest): Pick<ThreadAnswer, 'result' | 'error'> => {
  try {
    return { result: execute(request), error: null }
  } catch (error) {
    const { message } = errorOf(error)
    return { result: null, error: { ...(error as object), message } }
  }
}

port.on('message', (request: ThreadRequest) => {
  running = request.id
  const answer = { id: request.id, ...attempt(request), inTransaction: opened?.inTransaction === true }
  port.postMessage(answer satisfies ThreadAnswer)
  if (request.kind === 'close') port.close()
})
