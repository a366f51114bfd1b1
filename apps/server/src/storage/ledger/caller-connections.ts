import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { currentCaller } from '../../lib/caller-context.ts'
import type { CallerContext } from '../../lib/caller-context.ts'
import { createFairQueue } from '../../lib/fair-queue.ts'
import type { FairQueue } from '../../lib/fair-queue.ts'
import { StatementRefusal } from '../../lib/statement-refusal.ts'
import { LIMITS } from '../limits.ts'

/** PostgreSQL's code of a statement that took longer than `statement_timeout`. */
const CANCELLED = '57014'

/** Any other statement changes something or begins a transaction. */
const READS = /^\s*(?:select|explain)\b/i

interface Lane {
  readonly queue: FairQueue
  /** What its callers are told for PostgreSQL's or the queue's refusal; any other error as it is. */
  readonly explain: (error: unknown) => unknown
}

const isCancelled = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === CANCELLED

/** Changes have a queue of their own: none waits for its caller's searches. */
const createLanes = (waitMs: number): { readonly reads: Lane; readonly changes: Lane } => {
  const waiting = {
    waiting: LIMITS.LEDGER_READS_WAITING,
    waitingPerCaller: LIMITS.LEDGER_READS_WAITING_PER_CALLER,
    waitMs,
  }
  return {
    reads: {
      queue: createFairQueue({
        ...waiting,
        running: LIMITS.LEDGER_POSTGRES_CONNECTIONS - LIMITS.LEDGER_POSTGRES_CHANGES,
        perOrganization: LIMITS.LEDGER_POSTGRES_READS_PER_ORGANIZATION,
        perCaller: LIMITS.LEDGER_POSTGRES_READS_PER_CALLER,
      }),
      explain: (error) => (isCancelled(error) ? new StatementRefusal('slow', error) : error),
    },
    changes: {
      queue: createFairQueue({
        ...waiting,
        running: LIMITS.LEDGER_POSTGRES_CHANGES,
        perOrganization: LIMITS.LEDGER_POSTGRES_CHANGES_PER_ORGANIZATION,
        perCaller: 1,
      }),
      explain: (error) =>
        isCancelled(error) || error instanceof StatementRefusal ? new StatementRefusal('unchanged', error) : error,
    },
  }
}

/** Statements only: the ledger opens no cursors. The first one decides what the connection is for. */
const forCaller = (
  caller: CallerContext,
  pool: PostgresPool,
  lanes: ReturnType<typeof createLanes>,
): PostgresPoolClient => {
  let lane: Lane | null = null
  let held: { readonly client: PostgresPoolClient; readonly done: () => void } | null = null

  const take = async ({ queue }: Lane) => {
    const done = await queue.take(caller)
    try {
      return { client: await pool.connect(), done }
    } catch (error) {
      done()
      throw error
    }
  }

  const query = async (statement: string, parameters: readonly unknown[]) => {
    lane ??= READS.test(statement) ? lanes.reads : lanes.changes
    try {
      held ??= await take(lane)
      return await held.client.query(statement, parameters)
    } catch (error) {
      throw lane.explain(error)
    }
  }

  return {
    query: query as PostgresPoolClient['query'],
    release: (destroy) => {
      held?.client.release(destroy)
      held?.done()
      held = null
    },
  }
}

/**
 * Statements that are run for a caller (`lib/caller-context.ts`) have connections of their own, on which PostgreSQL ends what
 * takes too long and of which callers take fair turns: neither the server's own work nor another caller waits for all
 * that one of them asks.
 *
 * @param waitMs how long a caller waits for a turn
 */
export const withCallerConnections = (own: PostgresPool, ofCallers: PostgresPool, waitMs: number): PostgresPool => {
  const lanes = createLanes(waitMs)
  return {
    connect: async () => {
      const caller = currentCaller()
      return caller === null ? own.connect() : forCaller(caller, ofCallers, lanes)
    },
    end: async () => {
      await Promise.all([own.end(), ofCallers.end()])
    },
    options: own.options,
  }
}
