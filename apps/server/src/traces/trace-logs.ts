import type { Question } from '../lib/questions.ts'

/** Log lines of a trace, which a later capability has. */

export interface TraceSubject {
  readonly organizationId: number
  readonly projectIds: readonly number[]
  /** 32 hex characters. */
  readonly traceId: string
}

export interface LogOfTrace {
  readonly id: string
  readonly projectId: number
  /** Milliseconds since the epoch. */
  readonly timestamp: number
  /** 'trace', 'debug', 'info', 'warn', 'error' or 'fatal'. */
  readonly level: string
  /** The beginning. */
  readonly body: string
  /** '' when it names none. */
  readonly spanId: string
}

/** Oldest first; one more than are shown, when there are more. */
export const LOGS_OF_TRACE: Question<TraceSubject & { readonly limit: number }, readonly LogOfTrace[]> = {
  name: 'log lines of a trace',
  otherwise: [],
}

export const COUNT_LOGS_OF_TRACE: Question<TraceSubject, number> = {
  name: 'number of log lines of a trace',
  otherwise: 0,
}
