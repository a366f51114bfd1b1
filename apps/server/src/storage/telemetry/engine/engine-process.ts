import { readdirSync, rmSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { messageOf } from '../../../lib/error-text.ts'
import { LIMITS } from '../../limits.ts'
import { DAMAGE_CODES } from '../damage-codes.ts'
import { createHttpInterface } from './http-interface.ts'
import type { Execute } from './http-interface.ts'
import { openSessionPool } from './session-pool.ts'
import { engineArguments } from './engine-config.ts'
import type { EngineMessage } from './engine-messages.ts'
import { createWholeParts } from './whole-parts.ts'

/**
 * A process of its own for chDB: it binds one data folder per process, must be closed before its process ends, and a
 * crash of it must not take the ingest with it. Started by `engine.ts` with: data folder, socket path, config file; in the
 * folder for the rows of inserts.
 */
const [path, socketPath, configFile] = process.argv.slice(2)
if (path === undefined || socketPath === undefined || configFile === undefined || process.send === undefined) {
  throw new Error('The engine process is started by Firsthand itself.')
}

const tell = (message: EngineMessage): Promise<void> =>
  new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve()
    else process.send(message, () => resolve())
  })

const open = async (): Promise<ReturnType<typeof openSessionPool>> => {
  try {
    return openSessionPool({
      path,
      insertFolder: process.cwd(),
      engineArguments: engineArguments(configFile),
      sessions: LIMITS.ENGINE_CONCURRENT_STATEMENTS,
      queue: LIMITS.ENGINE_QUEUED_STATEMENTS,
    })
  } catch (error) {
    await tell({ kind: 'failed', message: messageOf(error) })
    return process.exit(1)
  }
}

/**
 * Rows of inserts live outside of JavaScript's heap, which is too small here to be collected often by itself: they are
 * let go after every so many bytes.
 */
const collectingAfter = (limit: number, execute: Execute): Execute => {
  let bytes = 0
  return async (statement, signal) => {
    const result = await execute(statement, signal)
    bytes += statement.rows?.length ?? 0
    if (bytes > limit) {
      bytes = 0
      setImmediate(() => globalThis.gc?.())
    }
    return result
  }
}

const pool = await open()
// The folder is ours now: what is in it was left by a process that was killed.
for (const name of readdirSync('.')) if (name.endsWith('.rows')) rmSync(name, { force: true })

const parts = createWholeParts({
  ask: async (sql) => {
    const { body } = await pool.execute(
      { sql, format: 'JSONEachRow', settings: new Map(), rows: null },
      new AbortController().signal,
    )
    const lines = new TextDecoder().decode(body).split('\n')
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Record<string, unknown>]))
  },
  freeBytes: async () => {
    const { bavail, bsize } = await statfs(path)
    return bavail * bsize
  },
  cut: async (found) => {
    await tell({ kind: 'cut', parts: found })
    // Not in good order: the engine must neither answer what it has begun nor tidy up.
    process.kill(process.pid, 'SIGKILL')
    return new Promise<never>(() => undefined)
  },
})
await parts.begin()

/** A look that fails, e.g. because too many statements wait, is no loss: the next one looks at the same parts. */
const lookQuietly = (): Promise<void> => parts.look().catch(() => undefined)

/** An insert is answered only when what it wrote is whole. */
const lookingAtInserts =
  (execute: Execute): Execute =>
  async (statement, signal) => {
    if (statement.rows === null) return execute(statement, signal)
    await parts.beforeInsert()
    const result = await execute(statement, signal)
    await parts.afterInsert()
    return result
  }

/** Whoever asked may have given up long before the engine finds out: the parent is told in any case. */
const tellingDamage =
  (execute: Execute): Execute =>
  async (statement, signal) => {
    try {
      return await execute(statement, signal)
    } catch (error) {
      const message = messageOf(error)
      if (DAMAGE_CODES.has(/Code: (\d+)/.exec(message)?.[1] ?? '')) {
        await lookQuietly()
        void tell({ kind: 'damaged', message })
      }
      throw error
    }
  }

const execute = collectingAfter(LIMITS.ENGINE_UNCOLLECTED_BYTES, tellingDamage(lookingAtInserts(pool.execute)))
const looking = setInterval(() => void lookQuietly(), LIMITS.ENGINE_PARTS_LOOK_INTERVAL_MS)
const server = createHttpInterface(execute, pool.alive, {
  bodyBytes: LIMITS.ENGINE_BODY_BYTES,
  headerBytes: LIMITS.ENGINE_HEADER_BYTES,
})

let closing = false
const close = async (): Promise<void> => {
  if (closing) return
  closing = true
  clearInterval(looking)
  server.close()
  await pool.close()
  server.closeAllConnections()
  process.exit(0)
}

process.on('SIGTERM', () => void close())
// Ctrl-C reaches the whole process group; the parent decides when the engine goes.
process.on('SIGINT', () => {})
// The parent is gone, however it went: nobody else would end this process or tidy up.
const orphaned = (): void => {
  rmSync(dirname(socketPath), { recursive: true, force: true })
  void close()
}
process.on('disconnect', orphaned)

if (process.connected) {
  rmSync(socketPath, { force: true })
  server.listen(socketPath, () => void tell({ kind: 'ready' }))
} else {
  // It went while the engine opened.
  orphaned()
}
