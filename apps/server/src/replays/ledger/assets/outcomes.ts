import type { Clock } from '../../../lib/clock.ts'
import type { Ledger } from '../../../storage/index.ts'
import { noteBlobs, noteBlobsUntil } from '../../../storage/ledger/note-blobs.ts'
import { holdBlobs, releaseBlobs } from '../../../storage/ledger/release-blobs.ts'
import type { AssetFailure, FetchedAsset, WaitingAsset } from '../../asset.ts'
import { LIMITS } from '../../limits.ts'
import { holderOf } from './asset-row.ts'
import { forgetUnused } from './forget-assets.ts'
import { importedBy, shownBy } from './part-choices.ts'
import { addParts, countMissing, leaveSheets, roomForParts } from './sheet-parts.ts'
import { takeUp } from './take-up.ts'
import '../schema.ts'

/** How each asset that was to be fetched ended. */
export const createOutcomes = ({ clock, ledger }: { readonly clock: Clock; readonly ledger: Ledger }) => ({
  /** To be called before its bytes are stored: whoever dies in between leaves nothing that stays. */
  noteUnderWay: (blob: {
    readonly key: string
    readonly organizationId: number
    readonly bytes: number
  }): Promise<void> => noteBlobsUntil(ledger.db, [blob], clock.now() + LIMITS.REPLAY_PACK_UNDER_WAY_MS),

  keep: async (asset: WaitingAsset, fetched: FetchedAsset): Promise<void> => {
    const { depth, id, organizationId, projectId } = asset
    const { bytes, imports, key, leftOut, type } = fetched
    const goesDeeper = depth < LIMITS.REPLAY_ASSET_DEPTH && fetched.parts.length > 0
    // Counted before the transaction, in which nobody else can write.
    const parts = fetched.parts.slice(0, goesDeeper ? await roomForParts(ledger.db, projectId) : 0)
    const beyond = leftOut + fetched.parts.length - parts.length
    await ledger.transaction(async (transaction) => {
      const now = clock.now()
      const { numUpdatedRows } = await transaction
        .updateTable('replay_assets')
        .set({
          state: 'kept',
          ended_at: now,
          type,
          bytes,
          blob_key: key,
          imports: JSON.stringify(imports),
          left_out: beyond,
        })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      if (numUpdatedRows === 0n) {
        // The last replay that had it went meanwhile.
        await releaseBlobs(transaction, [key])
        return
      }
      await holdBlobs(transaction, holderOf(id), [key])
      await noteBlobs(transaction, [{ key, organizationId, bytes, receivedAt: now }])
      if (parts.length === 0) return
      await leaveSheets(transaction, asset)
      const sheets = new Set(imports.map(({ url }) => url))
      const wanted = { organizationId, projectId, depth: depth + 1 }
      const others = parts.filter((url) => url !== asset.url)
      const imported = others.filter((url) => sheets.has(url))
      const shown = others.filter((url) => !sheets.has(url))
      const taken = new Map([
        ...(await takeUp(transaction, { ...wanted, urls: imported }, now, importedBy(asset))),
        ...(await takeUp(transaction, { ...wanted, urls: shown }, now, shownBy(asset))),
      ])
      const missing = others.filter((url) => !taken.has(url))
      if (missing.length > 0) await countMissing(transaction, id, missing)
      await addParts(transaction, id, new Set(taken.values()))
      await forgetUnused(transaction, [id])
    })
  },

  fail: async ({ id }: WaitingAsset, reason: AssetFailure): Promise<void> => {
    await ledger.db
      .updateTable('replay_assets')
      .set({ state: 'failed', reason, ended_at: clock.now() })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
  },
})
