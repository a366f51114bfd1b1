import type { NamedAddresses } from '@firsthand/recording'
import type { LedgerTransaction } from '../../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import type { OwnedReplay, ReplayReference } from '../../replay.ts'
import { hashOf } from './asset-row.ts'
import { choose, type Chosen } from './choose-addresses.ts'
import { noteLeftOut } from './left-out.ts'
import { takeUp } from './take-up.ts'
import '../schema.ts'

/** Addresses that stand in the pages of a replay. */
export interface NamedAssets extends OwnedReplay, NamedAddresses {}

const noteUses = async (
  transaction: LedgerTransaction,
  { projectId, replayId }: ReplayReference,
  ids: ReadonlySet<number>,
  now: number,
): Promise<void> => {
  for (const part of chunks([...ids], ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('replay_asset_uses')
      .values(part.map((id) => ({ project_id: projectId, replay_id: replayId, asset_id: id, noted_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

/** Notes what pages of replays name; what is not there is fetched. In the transaction of a batch, which may be repeated. */
export const noteAssets = async (
  transaction: LedgerTransaction,
  named: readonly NamedAssets[],
  now: number,
): Promise<void> => {
  const projects = Map.groupBy(
    named.filter(({ addresses, leftOut }) => addresses.length + leftOut.length > 0),
    ({ projectId }) => projectId,
  )
  for (const [projectId, own] of projects) {
    const [first] = own
    if (first === undefined) continue
    const { organizationId } = first
    const chosen: Chosen[] = []
    for (const [replayId, parts] of Map.groupBy(own, (one) => one.replayId)) {
      chosen.push(await choose(transaction, { projectId, replayId }, parts))
    }
    const urls = new Set(chosen.flatMap(({ taken }) => taken))
    const ids = await takeUp(transaction, { organizationId, projectId, urls, depth: 0 }, now)
    for (const { replay, taken, ...one } of chosen) {
      await noteUses(transaction, replay, new Set(taken.flatMap((url) => ids.get(url) ?? [])), now)
      await noteLeftOut(transaction, replay, { ...one, taken: taken.map(hashOf) }, now)
    }
  }
}
