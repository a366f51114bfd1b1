import { finished, Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { ClickHouseError } from '@clickhouse/client'
import type { ClickHouseClient } from '@clickhouse/client'
import { currentCaller } from '../../lib/caller-context.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { isShortOfMemory, shortOfMemory } from '../../lib/short-of-memory.ts'
import { DamagedStore, StoreFault } from '../../lib/store-fault.ts'
import { LIMITS } from '../limits.ts'
import { DAMAGE_CODES } from './damage-codes.ts'
import { withoutValues } from './without-values.ts'

/** Why telemetry does not answer now; null while it does. */
export interface Availability {
  readonly isAway: () => boolean
  /** Called once when it is away from now on; returns how to stop listening. */
  readonly onAway: (listener: () => void) => () => void
  /** Told of every answer: a sign of life. */
  readonly answered: () => void
}

const away = (cause: unknown): StoreFault =>
  new StoreFault(
    'The telemetry does not answer at this moment. New events are received and kept meanwhile. Try again in some seconds.',
    { cause },
  )

const isConnectionError = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (error instanceof ClickHouseError) return false
  return (
    (typeof code === 'string' && /^(ECONN|ENOENT|EPIPE|EHOST|ENOTFOUND|EAI_|ENET)/.test(code)) ||
    (typeof message === 'string' && /socket hang up|ECONNRE|ENOENT/.test(message))
  )
}

/** Codes of ClickHouse for statements that it stopped: TIMEOUT_EXCEEDED, TOO_SLOW, MEMORY_LIMIT_EXCEEDED. */
const TOO_MUCH: ReadonlySet<string> = new Set(['159', '160', '241'])

/** The sentence for whoever asked; any other error as it is. */
const explain = (error: unknown, damaged: (message: string) => void): unknown => {
  if (error instanceof ClickHouseError && DAMAGE_CODES.has(error.code)) {
    damaged(error.message)
    withoutValues(error)
    return new DamagedStore(
      'Part of the telemetry is damaged on disk and cannot be read, so there is no whole answer. The server’s status and `firsthand doctor` say which part and what to do.',
      { cause: error },
    )
  }
  withoutValues(error)
  if (isShortOfMemory(error)) return shortOfMemory(error)
  if (error instanceof ClickHouseError && TOO_MUCH.has(error.code)) {
    return new StoreFault(
      `This search takes more time or memory than one may have (${LIMITS.TELEMETRY_READ_SECONDS} s), so it was stopped. Narrow it, for example to one project or a shorter time.`,
      { cause: error },
    )
  }
  if (error instanceof Error && error.message === 'Timeout error.') {
    return new StoreFault(
      `The telemetry did not answer within ${LIMITS.TELEMETRY_REQUEST_TIMEOUT_MS / 1000} s. Try again in a moment, or ask for a shorter time range.`,
      { cause: error },
    )
  }
  return isConnectionError(error) ? away(error) : error
}

/** What others were asked for is done in a moment, and its memory free. */
const onceMore = async (run: () => unknown, signal: AbortSignal): Promise<unknown> => {
  try {
    return await run()
  } catch (error) {
    if (!isShortOfMemory(error)) throw error
    await pause(LIMITS.TELEMETRY_MEMORY_RETRY_MS, undefined, { signal })
    return run()
  }
}

/** An answer has its connection until all of it has come, so what waits for the connection waits until then. */
const whenComplete = (answer: unknown, listener: () => void): void => {
  const body: unknown = answer instanceof Object ? Reflect.get(answer, '_stream') : null
  if (body instanceof Readable) finished(body, () => listener())
  else listener()
}

/** The same answer, but what goes wrong while it is read is explained as well: a server may send rows and fail then. */
const explainReading = (answer: unknown, damaged: (message: string) => void): unknown => {
  if (!(answer instanceof Object)) return answer
  return new Proxy(answer, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (name !== 'json') return value.bind(target) as unknown
      return async (): Promise<unknown> => {
        try {
          return await (value.call(target) as unknown)
        } catch (error) {
          throw explain(error, damaged)
        }
      }
    },
  })
}

const GUARDED: ReadonlySet<string | symbol> = new Set(['query', 'command', 'exec', 'insert'])

/**
 * The same client, but who asks never waits for an engine that is known to be away, and is told in a sentence
 * (`StoreFault`) what is wrong with the telemetry.
 *
 * What is read for a caller (`lib/caller-context.ts`) has to be done in `TELEMETRY_READ_SECONDS`.
 *
 * @param damaged is told the engine's message when data on disk cannot be read
 * @param queue in which callers wait for the statements that they may run at once
 */
export const guardClient = (
  client: ClickHouseClient,
  availability: Availability,
  damaged: (message: string) => void,
  queue: FairQueue,
): ClickHouseClient =>
  new Proxy(client, {
    get: (target, name) => {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      if (!GUARDED.has(name)) return value.bind(target) as unknown
      return async (parameters: { readonly abort_signal?: AbortSignal; readonly clickhouse_settings?: object }) => {
        if (availability.isAway()) throw away(null)
        const caller = name === 'query' ? currentCaller() : null
        const done = caller === null ? null : await queue.take(caller)
        const gone = new AbortController()
        const stop = availability.onAway(() => gone.abort())
        const own = parameters.abort_signal
        let answer: unknown = null
        try {
          const settings = { ...parameters.clickhouse_settings, max_execution_time: LIMITS.TELEMETRY_READ_SECONDS }
          const bounds = caller === null ? {} : { clickhouse_settings: settings }
          const signal = own === undefined ? gone.signal : AbortSignal.any([own, gone.signal])
          const run = (): unknown => value.call(target, { ...parameters, ...bounds, abort_signal: signal })
          answer = await (name === 'query' ? onceMore(run, signal) : run())
          availability.answered()
          return name === 'query' ? explainReading(answer, damaged) : answer
        } catch (error) {
          throw gone.signal.aborted && own?.aborted !== true ? away(error) : explain(error, damaged)
        } finally {
          stop()
          if (done !== null) whenComplete(answer, done)
        }
      }
    },
  })
