import type { ClickHouseClient } from '@clickhouse/client'
import { forgetKeptItems } from '../kept-items/index.ts'
import type { Clock } from '../lib/clock.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import type { Ledger } from '../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../storage/ledger/chunks.ts'
import type { ReplayDeletions } from './ledger/replay-deletions.ts'
import type { OwnedReplay, ReplayPacks } from './ledger/replay-packs.ts'
import { LIMITS } from './limits.ts'
import { forgetReplay, keysOnlyOf } from './replays.view.ts'

/** What deletes replays works with. */
export interface ReplayDeleting {
  readonly client: ClickHouseClient
  readonly blobs: Pick<BlobStore, 'remove'>
  readonly ledger: Ledger
  readonly deletions: ReplayDeletions
  readonly packs: ReplayPacks
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

const sweep = async ({ blobs, client, ledger, packs }: ReplayDeleting, replay: OwnedReplay): Promise<void> => {
  const all = [...(await keysOnlyOf(client, replay)), ...(await packs.keysOf(replay))]
  for (const keys of chunks(all, ROWS_PER_STATEMENT)) {
    await blobs.remove(keys)
    await ledger.db.deleteFrom('blobs').where('key', 'in', keys).execute()
  }
  await packs.forget(replay)
  await forgetReplay(client, replay)
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
