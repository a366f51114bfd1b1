import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { setTimeout as delay } from 'node:timers/promises'
import { LIMITS } from '../../limits.ts'
import type { EngineMessage } from './engine-messages.ts'

const PROCESS_FILE = fileURLToPath(new URL('./engine-process.ts', import.meta.url))

/** Files and folders of one engine. */
export interface EnginePlace {
  /** The telemetry. */
  readonly path: string
  /** Rows of running inserts. */
  readonly insertFolder: string
  /** Socket and configuration; gone when the engine is closed. */
  readonly runtime: string
  readonly socketPath: string
  readonly configFile: string
}

export const forkEngine = ({ path, insertFolder, socketPath, configFile }: EnginePlace): ChildProcess =>
  fork(PROCESS_FILE, [path, socketPath, configFile], {
    cwd: insertFolder,
    env: engineEnvironment(),
    execArgv: ['--expose-gc', '--max-semi-space-size=2', '--disable-warning=ExperimentalWarning'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'json',
  })

/** Variables that the engine process needs; the rest (secrets among it) is none of its business. */
const engineEnvironment = (): NodeJS.ProcessEnv => {
  const kept: NodeJS.ProcessEnv = {
    UV_THREADPOOL_SIZE: String(LIMITS.ENGINE_CONCURRENT_STATEMENTS + 3),
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

/** How a start ended: the process is serving, or it said (or showed by its end) why not. */
export type Started = { readonly ok: true } | { readonly ok: false; readonly message: string }

/** What the process says, or shows by its end, about its start. */
export const howItStarts = (child: ChildProcess): Promise<Started> =>
  new Promise((resolve) => {
    let stderr = ''
    child.stderr?.on('data', (chunk: Buffer) => {
      stderr = (stderr + chunk.toString('utf8')).slice(-4000)
    })
    child.on('message', (message: EngineMessage) => {
      if (message.kind === 'ready') resolve({ ok: true })
      else if (message.kind === 'failed') resolve({ ok: false, message: message.message })
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
export const ended = async (child: ChildProcess, timeoutMs: number): Promise<boolean> => {
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
