import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * For whom work is done. Whatever a request reads, however deep below its route, counts as its caller's, so that what
 * many share (readers of the ledger, statements of the telemetry) can be shared out fairly.
 */
export interface CallerContext {
  /** Null for calls outside an organisation. */
  readonly organizationId: number | null
  /** Equal for all calls of one person, e.g. `user:7`. */
  readonly caller: string
}

const contexts = new AsyncLocalStorage<CallerContext | null>()

export const onBehalfOf = <Value>(context: CallerContext, work: () => Value): Value => contexts.run(context, work)

/** For work of the server itself that goes on from a request, e.g. what it looks after while a stream is open. */
export const onOwnBehalf = <Value>(work: () => Value): Value => contexts.run(null, work)

/** Null for the server's own work: accepting, signing in, housekeeping. */
export const currentCaller = (): CallerContext | null => contexts.getStore() ?? null
