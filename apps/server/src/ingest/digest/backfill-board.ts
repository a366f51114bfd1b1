import type { Clock } from '../../lib/clock.ts'
import { LIMITS } from '../limits.ts'

/** How far one backfill is. */
export interface BackfillProgress {
  /** The same at each start. */
  readonly id: string
  readonly organizationId: number
  readonly projectId: number
  /** Those that belong together in an envelope are one backfill. */
  readonly itemTypes: readonly string[]
  readonly items: number
  /** Of these, how many went down the road, in this process or one before it. */
  readonly ended: number
  /** `waiting`: a store does not answer, it goes on by itself. `failed`: the next start goes on with it. */
  readonly state: 'queued' | 'running' | 'waiting' | 'done' | 'failed'
  /** Since when it is in this state, milliseconds since the epoch. */
  readonly since: number
}

/** What the digest's thread told of its backfills, for the main thread, which shows it. Nothing of it outlives the process. */
export interface BackfillBoard {
  /** The thread has begun and found these to do: whatever it does not name is done. */
  found(waiting: readonly BackfillProgress[]): void
  note(progress: BackfillProgress): void
  /** Of one organisation, in the order in which they run; finished ones for `BACKFILL_DONE_SHOWN_MS`. */
  of(organizationId: number): readonly BackfillProgress[]
}

export const createBackfillBoard = ({ clock }: { readonly clock: Clock }): BackfillBoard => {
  const told = new Map<string, BackfillProgress>()
  return {
    found: (waiting) => {
      const left = new Set(waiting.map(({ id }) => id))
      for (const [id, { state, items, ...rest }] of told) {
        // The thread died after the last batch, before it could say so.
        if (state !== 'done' && !left.has(id))
          told.set(id, { ...rest, items, ended: items, state: 'done', since: clock.now() })
      }
      for (const one of waiting) told.set(one.id, one)
    },
    note: (progress) => {
      told.set(progress.id, progress)
    },
    of: (organizationId) => {
      for (const [id, { state, since }] of told) {
        if (state === 'done' && clock.now() - since >= LIMITS.BACKFILL_DONE_SHOWN_MS) told.delete(id)
      }
      return [...told.values()].filter((progress) => progress.organizationId === organizationId)
    },
  }
}
