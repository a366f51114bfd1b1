import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../../lib/logger.ts'
import { LIMITS } from '../../../limits.ts'
import { StorageCorruptError, StorageUnavailableError } from '../../errors.ts'
import { engineConfigXml } from './engine-config.ts'
import type { EngineMessage } from './engine-messages.ts'
import { makeRuntimeFolder, removeAbandonedFolders } from './runtime-folder.ts'

/**
 * The supervised chDB process. It is started again after a crash, with growing delays, and stopped before its parent
 * ends; when the parent is killed, it ends by itself.
 */
export interface Engine {
  /** Unix domain socket on which it speaks ClickHouse's HTTP interface. Stays the same over restarts. */
  readonly socketPath: string
  readonly pid: () => number | null
  readonly state: () => EngineState
  close(): Promise<void>
}

export type EngineState = {
  readonly kind: 'ready' | 'restarting' | 'closed'
  /** How often it ended without being asked to. */
  readonly restarts: number
}

const PROCESS_FILE = fileURLToPath(new URL('./engine-process.ts', import.meta.url))
const LOCKED = /Cannot lock file|already running/i

/** How a start ended: the process is serving, or it said (or showed by its end) why not. */
type Started = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** Variables that the engine process needs; the rest (secrets among it) is none of its business. */
const engineEnvironment = (): NodeJS.ProcessEnv => {
  const kept: NodeJS.ProcessEnv = {
    UV_THREADPOOL_SIZE: String(LIMITS.ENGINE_CONCURRENT_STATEMENTS + 2),
    TZ: 'UTC',
    // The engine's allocator (jemalloc) and Node's (glibc) give freed memory back soon: between two batches, most of what
    // they hold would be unused.
    JE_MALLOC_CONF: 'dirty_decay_ms:200,muzzy_decay_ms:0',
    MALLOC_ARENA_MAX: '2',
    MALLOC_MMAP_THRESHOLD_: '262144',
    MALLOC_TRIM_THRESHOLD_: '1048576',
  }
  for (const name of ['PATH', 'HOME', 'TMPDIR', 'LANG', 'LD_LIBRARY_PATH']) {
    if (process.env[name] !== undefined) kept[name] = process.env[name]
  }
  return kept
}

const settled = (child: ChildProcess): Promise<Started> =>
  new Promise((resolve) => {
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-4000)
    })
    child.on('message', (message: EngineMessage) => {
      resolve(message.kind === 'ready' ? { ok: true } : { ok: false, message: message.message })
    })
    child.once('exit', (code, signal) =>
      resolve({
        ok: false,
        message: `the engine process ended with ${signal ?? `code ${code}`} while starting. ${stderr.trim()}`,
      }),
    )
    child.once('error', (error) => resolve({ ok: false, message: error.message }))
  })

/** Resolves true when the process has ended within the time. */
const ended = async (child: ChildProcess, timeoutMs: number): Promise<boolean> => {
  if (child.exitCode !== null || child.signalCode !== null) return true
  const timeout = new AbortController()
  try {
    return await Promise.race([
      new Promise<boolean>((resolve) => child.once('exit', () => resolve(true))),
      delay(timeoutMs, false, { signal: timeout.signal }),
    ])
  } finally {
    timeout.abort()
  }
}

/**
 * @param folder of the telemetry; made when absent, and one beside it for the rows of running inserts
 * @throws StorageCorruptError when the engine cannot read the folder
 * @throws StorageUnavailableError when another process keeps the folder, or the engine does not run on this machine
 */
export const startEngine = async (folder: string, logger: Logger): Promise<Engine> => {
  const path = resolve(folder)
  const insertFolder = `${path}-inserts`
  mkdirSync(path, { recursive: true, mode: 0o700 })
  mkdirSync(insertFolder, { recursive: true, mode: 0o700 })
  removeAbandonedFolders()
  const runtime = makeRuntimeFolder()
  const socketPath = join(runtime, 'engine')
  const configFile = join(runtime, 'engine.xml')
  writeFileSync(configFile, engineConfigXml(), { mode: 0o600 })

  const run: { child: ChildProcess | null; closing: boolean; serving: boolean; restarts: number } = {
    child: null,
    closing: false,
    serving: false,
    restarts: 0,
  }
  const stopWaiting = new AbortController()

  const launch = async (): Promise<Started> => {
    const started = fork(PROCESS_FILE, [path, socketPath, configFile], {
      cwd: insertFolder,
      env: engineEnvironment(),
      execArgv: ['--expose-gc', '--max-semi-space-size=2', '--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'json',
    })
    run.child = started
    const timeout = setTimeout(() => started.kill('SIGKILL'), LIMITS.ENGINE_START_TIMEOUT_MS)
    const result = await settled(started)
    clearTimeout(timeout)
    if (!result.ok) {
      await ended(started, LIMITS.ENGINE_STOP_TIMEOUT_MS)
      return result
    }
    started.stderr?.on('data', (chunk: Buffer) => logger.warn('Telemetry engine', { output: chunk.toString('utf8') }))
    started.once('exit', (code, signal) => {
      run.serving = false
      if (run.closing) return
      run.restarts += 1
      logger.error(
        'The telemetry engine ended unexpectedly and is started again; what was accepted is kept in the spool',
        {
          code,
          signal,
          restarts: run.restarts,
        },
      )
      void keepAlive()
    })
    run.serving = true
    return result
  }

  /** Starts again until it serves; a telemetry that is gone for good must not end the ingest. */
  const keepAlive = async (): Promise<void> => {
    let pauseMs: number = LIMITS.ENGINE_RESTART_DELAY_MS
    while (!run.closing && !run.serving) {
      await delay(pauseMs, undefined, { signal: stopWaiting.signal }).catch(() => {})
      if (run.closing) return
      const result = await launch()
      if (result.ok) return
      pauseMs = Math.min(pauseMs * 2, LIMITS.ENGINE_RESTART_DELAY_MAXIMUM_MS)
      logger.error('The telemetry engine does not start', { reason: result.message, nextAttemptMs: pauseMs })
    }
  }

  const deadline = performance.now() + LIMITS.ENGINE_LOCK_WAIT_MS
  let first = await launch()
  while (!first.ok && LOCKED.test(first.message) && performance.now() < deadline) {
    await delay(LIMITS.ENGINE_RESTART_DELAY_MS)
    first = await launch()
  }
  if (!first.ok) {
    rmSync(runtime, { recursive: true, force: true })
    if (LOCKED.test(first.message)) {
      throw new StorageUnavailableError(
        `The telemetry folder ${path} is in use by another process. Stop the other Firsthand that uses this data folder, or give this one a folder of its own (FIRSTHAND_DATA_DIR).`,
      )
    }
    if (/PLATFORM|native binding|not supported/i.test(first.message)) {
      throw new StorageUnavailableError(
        `The embedded telemetry engine does not run on this machine (${first.message}). Give Firsthand a ClickHouse server instead: FIRSTHAND_CLICKHOUSE_URL.`,
      )
    }
    throw new StorageCorruptError(
      `The telemetry folder ${path} cannot be opened: ${first.message} Restore it from a backup, or move it away to start with an empty one (issues, settings and accounts are kept elsewhere).`,
    )
  }

  return {
    socketPath,
    pid: () => run.child?.pid ?? null,
    state: () => ({ kind: run.closing ? 'closed' : run.serving ? 'ready' : 'restarting', restarts: run.restarts }),
    close: async () => {
      if (run.closing) return
      run.closing = true
      stopWaiting.abort()
      const last = run.child
      if (last !== null) {
        last.kill('SIGTERM')
        if (!(await ended(last, LIMITS.ENGINE_STOP_TIMEOUT_MS))) {
          logger.warn('The telemetry engine did not end in time and is killed', {
            timeoutMs: LIMITS.ENGINE_STOP_TIMEOUT_MS,
          })
          last.kill('SIGKILL')
          await ended(last, LIMITS.ENGINE_STOP_TIMEOUT_MS)
        }
      }
      rmSync(runtime, { recursive: true, force: true })
    },
  }
}
