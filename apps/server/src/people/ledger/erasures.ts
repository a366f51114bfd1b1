import { sql, type Selectable } from 'kysely'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import type { ErasureTable } from './schema.ts'

/** Requests that all that is kept of a person is erased. */

/** Of one kind of what is kept. */
export interface ErasedCount {
  readonly what: string
  readonly erased: number
  /** Found, and not known to be gone: what a process that was interrupted had found is not counted twice. */
  readonly left: number
}

export interface Erasure {
  readonly id: number
  readonly organizationId: number
  readonly userId: number | null
  readonly state: ErasureTable['state']
  readonly names: readonly string[]
  readonly counts: readonly ErasedCount[]
  readonly askedAt: number
  readonly dueAt: number
  readonly endedAt: number | null
  /** Of the tries that failed, one after the other; null when the last one did not. */
  readonly failure: { readonly attempts: number; readonly error: string; readonly retryAt: number } | null
}

type ErasureRow = Selectable<ErasureTable>

const read = (row: ErasureRow): Erasure => ({
  id: row.id,
  organizationId: row.organization_id,
  userId: row.user_id,
  state: row.state,
  names: JSON.parse(row.names) as string[],
  counts: JSON.parse(row.counts) as ErasedCount[],
  askedAt: row.asked_at,
  dueAt: row.due_at,
  endedAt: row.ended_at,
  failure:
    row.last_error === null || row.retry_at === null
      ? null
      : { attempts: row.attempts, error: row.last_error, retryAt: row.retry_at },
})

/** When it is looked at: it waits for its time, or, after it failed, for the next try. */
const nextTry = sql<number>`coalesce(retry_at, due_at)`

const TRIED_WELL = { attempts: 0, last_error: null, retry_at: null } as const

const OPEN = ['planned', 'running'] as const

export type Erasures = ReturnType<typeof createLedgerErasures>

export const createLedgerErasures = ({ ledger }: { readonly ledger: Ledger }) => ({
  ...createAsked(ledger),
  ...createRuns(ledger),
})

/** Who asked for what, and took it back. */
const createAsked = (ledger: Ledger) => ({
  /** Null when too many of the organisation wait; `known` when another one has all of these names already. */
  add: (
    { organizationId, userId, now }: { readonly organizationId: number; readonly userId: number; readonly now: number },
    names: readonly string[],
  ): Promise<Erasure | 'known' | null> =>
    ledger.transaction(async (transaction) => {
      const open = await transaction
        .selectFrom('erasures')
        .select(['names', 'state'])
        .where('organization_id', '=', organizationId)
        .where('state', 'in', OPEN)
        .execute()
      // What came after one that has begun was asked for is not reached by it.
      const planned = open.filter(({ state }) => state === 'planned').map((row) => new Set(JSON.parse(row.names)))
      if (planned.some((known) => names.every((name) => known.has(name)))) return 'known'
      if (open.length >= LIMITS.ERASURES_WAITING) return null
      const row = await transaction
        .insertInto('erasures')
        .values({
          organization_id: organizationId,
          user_id: userId,
          state: 'planned',
          names: JSON.stringify(names),
          counts: '[]',
          asked_at: now,
          due_at: now + LIMITS.ERASURE_DELAY_MS,
          ended_at: null,
          ...TRIED_WELL,
        })
        .returningAll()
        .executeTakeFirstOrThrow()
      return read(row)
    }),

  /** The last first. */
  list: async (organizationId: number): Promise<readonly Erasure[]> => {
    const rows = await ledger.db
      .selectFrom('erasures')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .orderBy('id', 'desc')
      .limit(LIMITS.ERASURES_SHOWN)
      .execute()
    return rows.map(read)
  },

  /** What it was before that; null where there is none. Only one that has not begun is taken back. */
  withdraw: (organizationId: number, id: number, now: number): Promise<Erasure['state'] | null> =>
    ledger.transaction(async (transaction) => {
      const own = () => transaction.selectFrom('erasures').where('organization_id', '=', organizationId)
      const row = await own().select('state').where('id', '=', id).executeTakeFirst()
      if (row === undefined) return null
      const { numUpdatedRows } = await transaction
        .updateTable('erasures')
        .set({ state: 'withdrawn', names: '[]', ended_at: now, ...TRIED_WELL })
        .where('id', '=', id)
        .where('state', '=', 'planned')
        .executeTakeFirst()
      return numUpdatedRows > 0n ? 'planned' : row.state === 'planned' ? 'running' : row.state
    }),
})

/** What runs them. */
const createRuns = ({ db }: Ledger) => ({
  /** Those that are under way or whose time has come, the oldest first. */
  due: async (now: number): Promise<readonly Erasure[]> => {
    const rows = await db
      .selectFrom('erasures')
      .selectAll()
      .where('state', 'in', OPEN)
      .where('due_at', '<=', now)
      .where(nextTry, '<=', now)
      .orderBy('due_at')
      .orderBy('id')
      .execute()
    return rows.map(read)
  },

  /** When the next one is; null when none waits. */
  nextAt: async (): Promise<number | null> => {
    const row = await db
      .selectFrom('erasures')
      .select(({ fn }) => fn.min<number | null>(nextTry).as('at'))
      .where('state', 'in', OPEN)
      .executeTakeFirst()
    return row?.at ?? null
  },

  /** False when it was taken back: from now on nobody can. */
  begin: async (id: number): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('erasures')
      .set({ state: 'running' })
      .where('id', '=', id)
      .where('state', 'in', OPEN)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },

  /** It failed, or did not any more. */
  tried: async (id: number, failure: Erasure['failure']): Promise<void> => {
    const { attempts, error, retryAt } = failure ?? { attempts: 0, error: null, retryAt: null }
    await db
      .updateTable('erasures')
      .set({ attempts, last_error: error, retry_at: retryAt })
      .where('id', '=', id)
      .execute()
  },

  note: async (id: number, counts: readonly ErasedCount[]): Promise<void> => {
    await db
      .updateTable('erasures')
      .set({ counts: JSON.stringify(counts) })
      .where('id', '=', id)
      .execute()
  },

  /** That there was one is kept, and how much; whom it was about is forgotten. */
  done: async (id: number, now: number): Promise<void> => {
    await db
      .updateTable('erasures')
      .set({ state: 'done', names: '[]', ended_at: now, ...TRIED_WELL })
      .where('id', '=', id)
      .execute()
  },
})
