import type { ClickHouseClient } from '@clickhouse/client'
import { forgetKeptItems } from '../../kept-items/index.ts'
import type { Clock } from '../../lib/clock.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import type { Ledger } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { ReplayDeletions } from '../ledger/replay-deletions.ts'
import type { OwnedReplay } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { forgetRows, keysOnlyOf } from '../telemetry/replay-rows.ts'

/** What else is kept of replays and goes with them: chunks, pictures, links. A part of it is a line in `serve.ts`. */
export interface KeptOfReplays {
  /** Its blobs of a replay. */
  readonly keysOf?: (replay: OwnedReplay) => Promise<readonly string[]>
  /** Asked again and again until nothing of the replay can be on its way any more. */
  readonly forget: (replay: OwnedReplay) => Promise<void>
}

/** What deletes replays works with. */
export interface ReplayDeleting {
  readonly client: ClickHouseClient
  readonly blobs: Pick<BlobStore, 'remove'>
  readonly ledger: Ledger
  readonly deletions: ReplayDeletions
  readonly kept: readonly KeptOfReplays[]
  readonly clock: Clock
}

/**
 * Deletes a replay: first it is noted, so that nothing of it is stored any more and whoever dies meanwhile goes on with it
 * at the next start; then its blobs go, then its rows.
 */
export const deleteReplay = async (parts: ReplayDeleting, replay: OwnedReplay): Promise<void> => {
  await parts.deletions.note(replay)
  await sweep(parts, replay)
}

const KEPT_TYPES = ['replay_event', 'replay_recording', 'replay_video']

const sweep = async ({ blobs, client, kept, ledger }: ReplayDeleting, replay: OwnedReplay): Promise<void> => {
  const all = [...(await keysOnlyOf(client, replay))]
  for (const { keysOf } of kept) all.push(...((await keysOf?.(replay)) ?? []))
  for (const keys of chunks(all, ROWS_PER_STATEMENT)) {
    await blobs.remove(keys)
    await ledger.db.deleteFrom('blobs').where('key', 'in', keys).execute()
  }
  for (const { forget } of kept) await forget(replay)
  await forgetRows(client, replay)
  const { organizationId, projectId, replayId } = replay
  await forgetKeptItems(client, { organizationId, projectId, eventId: replayId, itemTypes: KEPT_TYPES })
}

/**
 * What was on its way to the tables when a replay was deleted may have come after it: it is looked for again until nothing
 * can be on its way any more. Also ends what a process before this one began.
 */
export const finishDeletions = async (parts: ReplayDeleting): Promise<void> => {
  const { clock, deletions } = parts
  for (const deletion of await deletions.toDo()) {
    await sweep(parts, deletion)
    if (clock.now() - deletion.deletedAt >= LIMITS.REPLAY_DELETION_SETTLES_MS) await deletions.done(deletion)
  }
}
