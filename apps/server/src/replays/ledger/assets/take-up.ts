import type { LedgerTransaction } from '../../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import { noteBlobs } from '../../../storage/ledger/note-blobs.ts'
import type { AssetFailure } from '../../asset.ts'
import { LIMITS } from '../../limits.ts'
import type { OwnedProject } from '../../replay.ts'
import { hashOf } from './asset-row.ts'
import { roomToWait } from './room-to-wait.ts'
import '../schema.ts'

/** Addresses that become assets: what is there already and good is used again, the rest is fetched. */
interface Wanted extends OwnedProject {
  readonly urls: Iterable<string>
  readonly depth: number
}

/** One that is there, and may be used again. */
export interface Fresh {
  readonly id: number
  readonly hash: string
  readonly depth: number
  readonly type: string
  readonly key: string | null
  readonly bytes: number
}

/** @returns by hash; those that lie deepest are first */
const findFresh = async (
  transaction: LedgerTransaction,
  { projectId }: Wanted,
  hashes: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, readonly Fresh[]>> => {
  const found: Fresh[] = []
  for (const part of chunks(hashes, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('replay_assets')
      .select(['id', 'url_hash as hash', 'depth', 'type', 'blob_key as key', 'bytes'])
      .where('project_id', '=', projectId)
      .where('url_hash', 'in', part)
      .where(({ and, eb, or }) =>
        or([
          eb('state', '=', 'waiting'),
          and([eb('state', '=', 'kept'), eb('ended_at', '>', now - LIMITS.REPLAY_ASSET_FRESH_MS)]),
          and([eb('state', '=', 'failed'), eb('ended_at', '>', now - LIMITS.REPLAY_ASSET_FAILED_MS)]),
        ]),
      )
      .orderBy('depth', 'desc')
      .orderBy('id')
      .execute()
    found.push(...rows)
  }
  return Map.groupBy(found, ({ hash }) => hash)
}

/** Which of those that are there for an address is used; undefined where it is fetched anew, null where it is left out. */
export type Choice = (there: readonly Fresh[]) => Fresh | undefined | null

/** Of those that lie nearest to a page. */
const nearest: Choice = (there) => there.at(-1)

/** @returns ids by address */
export const takeUp = async (
  transaction: LedgerTransaction,
  wanted: Wanted,
  now: number,
  choice: Choice = nearest,
): Promise<ReadonlyMap<string, number>> => {
  const { depth, organizationId, projectId } = wanted
  const byHash = new Map(Array.from(wanted.urls, (url) => [hashOf(url), url]))
  const fresh = await findFresh(transaction, wanted, [...byHash.keys()], now)
  const chosen = Array.from(byHash, ([hash, url]) => ({ hash, url, asset: choice(fresh.get(hash) ?? []) }))
  const ids = new Map(chosen.flatMap(({ asset, url }) => (asset ? [[url, asset.id] as const] : [])))
  // It is kept for as long as the last replay that has it.
  const kept = chosen.flatMap(({ asset }) =>
    asset?.key ? [{ key: asset.key, organizationId, bytes: asset.bytes, receivedAt: now }] : [],
  )
  await noteBlobs(transaction, kept)
  const missing = chosen.flatMap(({ asset, hash, url }) => (asset === undefined ? [[hash, url] as const] : []))
  if (missing.length === 0) return ids
  let room = await roomToWait(transaction, wanted)
  for (const part of chunks(missing, ROWS_PER_STATEMENT)) {
    const rows = part.map(([url_hash, url]) => {
      const waits = room-- > 0
      return {
        project_id: projectId,
        url,
        url_hash,
        depth,
        state: waits ? ('waiting' as const) : ('failed' as const),
        reason: waits ? '' : ('too_many' satisfies AssetFailure),
        attempts: 0,
        due_at: now,
        ended_at: waits ? null : now,
        type: '',
        bytes: 0,
        blob_key: null,
        imports: '[]',
        left_out: 0,
      }
    })
    const added = await transaction.insertInto('replay_assets').values(rows).returning(['id', 'url_hash']).execute()
    for (const { id, url_hash: hash } of added) ids.set(byHash.get(hash) ?? '', id)
  }
  return ids
}
