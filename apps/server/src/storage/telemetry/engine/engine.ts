import type { ChildProcess } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Logger } from '../../../lib/logger.ts'
import { LIMITS } from '../../limits.ts'
import { StorageCorruptError, StorageUnavailableError } from '../../errors.ts'
import { ended, forkEngine, howItStarts } from './engine-child.ts'
import type { EnginePlace, Started } from './engine-child.ts'
import { engineConfigXml } from './engine-config.ts'
import type { CutPart, EngineMessage } from './engine-messages.ts'
import { mendMetadataLink } from './metadata-link.ts'
import { createPinger } from './ping.ts'
import type { Pinger } from './ping.ts'
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
  /** Called when it stops serving: it ended, or gives no sign of life. Returns how to stop listening. */
  readonly onAway: (listener: () => void) => () => void
  /** To be told of every answer of the engine: while there are any, it is not asked for a sign of life. */
  readonly answered: () => void
  close(): Promise<void>
}

export type EngineState = {
  /** `silent`: it gives no sign of life, and is killed and started again when that goes on. */
  readonly kind: 'ready' | 'silent' | 'restarting' | 'closed'
  /** How often it ended without being asked to. */
  readonly restarts: number
}

const LOCKED = /Cannot lock file|already running/i

export interface EngineOptions {
  /** Is told the engine's message when data on disk cannot be read. */
  readonly damaged?: (message: string) => void
  /** Is told of parts that a full disk cut; the engine ends, and is started again. */
  readonly cut?: (parts: readonly CutPart[]) => void
  /** Is told when the engine serves again after it had ended. */
  readonly back?: () => void
  /** Tests: how often the engine is asked for a sign of life, and how long it may take over it. */
  readonly watchdog?: { readonly intervalMs: number; readonly timeoutMs: number }
}

const WATCHDOG = { intervalMs: LIMITS.ENGINE_PING_INTERVAL_MS, timeoutMs: LIMITS.ENGINE_PING_TIMEOUT_MS }

/**
 * @param folder of the telemetry; made when absent, and one beside it for the rows of running inserts
 * @throws StorageCorruptError when the engine cannot read the folder
 * @throws StorageUnavailableError when another process keeps the folder, or the engine does not run on this machine
 */
export const startEngine = async (folder: string, logger: Logger, options: EngineOptions = {}): Promise<Engine> => {
  const place = makePlace(resolve(folder), logger)
  const supervisor = new Supervisor(place, logger, options)
  const deadline = performance.now() + LIMITS.ENGINE_LOCK_WAIT_MS
  let first = await supervisor.launch()
  while (!first.ok && LOCKED.test(first.message) && performance.now() < deadline) {
    await delay(LIMITS.ENGINE_RESTART_DELAY_MS)
    first = await supervisor.launch()
  }
  if (!first.ok) {
    rmSync(place.runtime, { recursive: true, force: true })
    throw explainStart(first.message, place.path)
  }
  return {
    socketPath: place.socketPath,
    pid: () => supervisor.pid,
    state: () => supervisor.state,
    onAway: (listener) => supervisor.onAway(listener),
    answered: () => supervisor.answered(),
    close: () => supervisor.close(),
  }
}

const makePlace = (path: string, logger: Logger): EnginePlace => {
  const insertFolder = `${path}-inserts`
  mkdirSync(path, { recursive: true, mode: 0o700 })
  mkdirSync(insertFolder, { recursive: true, mode: 0o700 })
  const mended = mendMetadataLink(path)
  if (mended !== null) {
    logger.warn(`The telemetry folder was not copied as it should be: ${mended}. It was put right; nothing is lost`, {
      folder: path,
    })
  }
  removeAbandonedFolders()
  const runtime = makeRuntimeFolder()
  const configFile = join(runtime, 'engine.xml')
  writeFileSync(configFile, engineConfigXml(), { mode: 0o600 })
  return { path, insertFolder, runtime, socketPath: join(runtime, 'engine'), configFile }
}

const explainStart = (message: string, path: string): Error => {
  if (LOCKED.test(message)) {
    return new StorageUnavailableError(
      `The telemetry folder ${path} is in use by another process. Stop the other Firsthand that uses this data folder, or give this one a folder of its own (FIRSTHAND_DATA_DIR).`,
    )
  }
  if (/PLATFORM|native binding|not supported/i.test(message)) {
    return new StorageUnavailableError(
      `The embedded telemetry engine does not run on this machine (${message}). Give Firsthand a ClickHouse server instead: FIRSTHAND_CLICKHOUSE_URL.`,
    )
  }
  return new StorageCorruptError(
    `The telemetry folder ${path} cannot be opened: ${message} Restore it from a backup, or move it away to start with an empty one (accounts, settings and what people did are kept elsewhere).`,
  )
}

/** Starts the engine's process, looks after it, and starts it again. */
class Supervisor {
  readonly #place: EnginePlace
  readonly #logger: Logger
  readonly #options: EngineOptions
  readonly #watchdog: { readonly intervalMs: number; readonly timeoutMs: number }
  readonly #listeners = new Set<() => void>()
  readonly #stopWaiting = new AbortController()
  #child: ChildProcess | null = null
  #isClosing = false
  #isServing = false
  #isSilent = false
  #restarts = 0
  /** Since the engine was last looked at. */
  #answers = 0

  constructor(place: EnginePlace, logger: Logger, options: EngineOptions) {
    this.#place = place
    this.#logger = logger
    this.#options = options
    this.#watchdog = options.watchdog ?? WATCHDOG
  }

  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  get state(): EngineState {
    const restarts = this.#restarts
    if (this.#isClosing) return { kind: 'closed', restarts }
    if (!this.#isServing) return { kind: 'restarting', restarts }
    return { kind: this.#isSilent ? 'silent' : 'ready', restarts }
  }

  onAway(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  answered(): void {
    this.#answers += 1
  }

  async launch(): Promise<Started> {
    const child = forkEngine(this.#place)
    this.#child = child
    const timeout = setTimeout(() => child.kill('SIGKILL'), LIMITS.ENGINE_START_TIMEOUT_MS)
    const result = await howItStarts(child)
    clearTimeout(timeout)
    if (!result.ok) {
      await ended(child, LIMITS.ENGINE_STOP_TIMEOUT_MS)
      return result
    }
    child.stderr?.on('data', (chunk: Buffer) => {
      this.#logger.warn('Telemetry engine', { output: chunk.toString('utf8') })
    })
    child.once('exit', (code, signal) => this.#hasEnded(code, signal))
    child.on('message', (message: EngineMessage) => {
      if (message.kind === 'damaged') this.#options.damaged?.(message.message)
      if (message.kind === 'cut') this.#hasCutParts(message.parts)
    })
    this.#isServing = true
    void this.#watch(child)
    return result
  }

  async close(): Promise<void> {
    if (this.#isClosing) return
    this.#isClosing = true
    this.#stopWaiting.abort()
    const last = this.#child
    if (last !== null) {
      last.kill('SIGTERM')
      if (!(await ended(last, LIMITS.ENGINE_STOP_TIMEOUT_MS))) {
        this.#logger.warn('The telemetry engine did not end in time and is killed', {
          timeoutMs: LIMITS.ENGINE_STOP_TIMEOUT_MS,
        })
        last.kill('SIGKILL')
        await ended(last, LIMITS.ENGINE_STOP_TIMEOUT_MS)
      }
    }
    rmSync(this.#place.runtime, { recursive: true, force: true })
  }

  #hasEnded(code: number | null, signal: NodeJS.Signals | null): void {
    this.#isServing = false
    this.#isSilent = false
    this.#tellAway()
    if (this.#isClosing) return
    this.#restarts += 1
    this.#logger.error(
      'The telemetry engine ended unexpectedly and is started again; what was accepted is kept in the spool',
      { code, signal, restarts: this.#restarts },
    )
    void this.#keepAlive()
  }

  #hasCutParts(parts: readonly CutPart[]): void {
    this.#logger.error(
      'The disk was full while the telemetry engine wrote: what it wrote is not whole. It is started again and takes what it wrote from; inserts that were not answered are repeated',
      { parts: parts.map(({ table, name }) => `${table}/${name}`).join(', ') },
    )
    this.#options.cut?.(parts)
  }

  /** Starts again until it serves; a telemetry that is gone for good must not end the ingest. */
  async #keepAlive(): Promise<void> {
    let pauseMs: number = LIMITS.ENGINE_RESTART_DELAY_MS
    while (!this.#isClosing && !this.#isServing) {
      await delay(pauseMs, undefined, { signal: this.#stopWaiting.signal }).catch(() => {})
      if (this.#isClosing) return
      const result = await this.launch()
      if (result.ok) {
        this.#options.back?.()
        return
      }
      pauseMs = Math.min(pauseMs * 2, LIMITS.ENGINE_RESTART_DELAY_MAXIMUM_MS)
      this.#logger.error('The telemetry engine does not start', { reason: result.message, nextAttemptMs: pauseMs })
    }
  }

  /**
   * An engine that is stopped or hangs ends neither its statements nor itself. It is killed when it has given no sign of
   * life for `ENGINE_PINGS_MISSED` times `ENGINE_PING_TIMEOUT_MS`: what was being stored is repeated. Pings are counted and
   * not the time, which also passes while this process or the whole machine sleeps.
   */
  async #watch(watched: ChildProcess): Promise<void> {
    const pinger = createPinger(this.#place.socketPath)
    try {
      await this.#watchWith(pinger, watched)
    } finally {
      pinger.close()
    }
  }

  async #watchWith(pinger: Pinger, watched: ChildProcess): Promise<void> {
    const { intervalMs, timeoutMs } = this.#watchdog
    const isOver = (): boolean => this.#isClosing || this.#child !== watched || !this.#isServing
    let missed = 0
    while (!isOver()) {
      if (missed === 0) {
        this.#answers = 0
        await delay(intervalMs, undefined, { signal: this.#stopWaiting.signal, ref: false }).catch(() => {})
      }
      if (isOver()) return
      const alive = this.#answers > 0 || (await pinger.ping(timeoutMs))
      if (isOver()) return
      missed = alive ? 0 : missed + 1
      this.#noteSilence(missed)
      if (missed < LIMITS.ENGINE_PINGS_MISSED) continue
      this.#logger.error('The telemetry engine hangs and is killed; what was accepted is kept in the spool', {
        pingsMissed: missed,
      })
      watched.kill('SIGKILL')
      return
    }
  }

  #noteSilence(pingsMissed: number): void {
    const isSilent = pingsMissed >= LIMITS.ENGINE_PINGS_SILENT
    if (isSilent && !this.#isSilent) {
      this.#logger.warn('The telemetry engine gives no sign of life; reads are refused until it does', { pingsMissed })
    }
    this.#isSilent = isSilent
    if (isSilent) this.#tellAway()
  }

  #tellAway(): void {
    for (const listener of this.#listeners) listener()
  }
}
