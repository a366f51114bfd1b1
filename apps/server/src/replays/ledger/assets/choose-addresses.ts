import type { NamedAddresses } from '@firsthand/recording'
import type { LedgerTransaction } from '../../../storage/index.ts'
import { LIMITS } from '../../limits.ts'
import type { ReplayReference } from '../../replay.ts'
import { hashOf } from './asset-row.ts'
import '../schema.ts'

/** What of the addresses of a replay is taken up. */
export interface Chosen {
  readonly replay: ReplayReference
  readonly taken: readonly string[]
  /** Hashes of others, for which there is no room. */
  readonly beyond: readonly string[]
}

/** All that it has already, and as many others as it has room for. */
export const choose = async (
  transaction: LedgerTransaction,
  replay: ReplayReference,
  parts: readonly NamedAddresses[],
): Promise<Chosen> => {
  const rows = await transaction
    .selectFrom('replay_asset_uses')
    .innerJoin('replay_assets', 'replay_assets.id', 'replay_asset_uses.asset_id')
    .select('replay_assets.url_hash')
    .distinct()
    .where('replay_asset_uses.project_id', '=', replay.projectId)
    .where('replay_asset_uses.replay_id', '=', replay.replayId)
    .execute()
  const known = new Set(rows.map((row) => row.url_hash))
  const taken = new Map<string, string>()
  const beyond = new Set<string>()
  for (const url of parts.flatMap(({ addresses }) => addresses)) {
    const hash = hashOf(url)
    if (known.has(hash)) taken.set(hash, url)
    else if (known.size < LIMITS.REPLAY_ASSETS) {
      known.add(hash)
      taken.set(hash, url)
    } else beyond.add(hash)
  }
  for (const hash of parts.flatMap(({ leftOut }) => leftOut).map(hashOf)) if (!known.has(hash)) beyond.add(hash)
  return { replay, taken: [...taken.values()], beyond: [...beyond] }
}
