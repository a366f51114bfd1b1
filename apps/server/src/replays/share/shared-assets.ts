import { createHash } from 'node:crypto'
import type { Clock } from '../../lib/clock.ts'
import { createSharedAnswers } from '../../lib/shared-answers.ts'
import { STYLE_SHEET, type AssetRecord } from '../asset.ts'
import { NO_ASSET_SUMMARY } from '../assets/asset-summary.ts'
import type { ReplayAssets } from '../ledger/replay-assets.ts'
import { LIMITS } from '../limits.ts'
import { readBlob, type BlobReading } from '../read-blob.ts'
import { keyOfReplay, type ReplayReference } from '../replay.ts'
import type { KeptForSlicing } from './slicing-thread.ts'

/** What was kept of the pages of a replay, as far as a link or a file shows it. */
export interface SharedAssets {
  /** Of what was not kept, and why, strangers are told nothing. */
  readonly summary: typeof NO_ASSET_SUMMARY
  /** For whoever rewrites its chunks. Null where nothing was kept: then they need not be rewritten. */
  readonly forSlicing: KeptForSlicing | null
  /** Another one where they are rewritten in another way; empty where they are not. */
  readonly version: string
  /** Pictures and fonts, by the names that they are asked for by. */
  readonly named: ReadonlyMap<string, NamedAsset>
}

export type NamedAsset = Pick<Kept, 'blobKey' | 'type'>

/** Kept, and with a blob. */
interface Kept extends AssetRecord {
  readonly blobKey: string
}

const isKept = (asset: AssetRecord): asset is Kept => asset.state === 'kept' && asset.blobKey !== null

/**
 * What a picture or font is asked for by. A part of the hash of its content is in it: whoever was shown a stretch cannot ask
 * for what stood on other pages by counting.
 */
const nameOf = ({ blobKey, id }: Kept): string =>
  `${id}-${blobKey.slice(blobKey.indexOf('/') + 1, blobKey.indexOf('/') + 33)}`

/** Style sheets first: without them a page looks like nothing. */
const chosenOf = (all: readonly AssetRecord[]): { readonly chosen: readonly Kept[]; readonly beyond: number } => {
  const kept = all.filter(isKept)
  const isSheet = ({ type }: Kept): boolean => type === STYLE_SHEET
  let room = LIMITS.REPLAY_SHARED_ASSET_BYTES
  let sheetRoom = LIMITS.REPLAY_SHARED_SHEET_BYTES
  const chosen = [...kept.filter(isSheet), ...kept.filter((asset) => !isSheet(asset))].filter((asset) => {
    if (asset.bytes > (isSheet(asset) ? Math.min(room, sheetRoom) : room)) return false
    room -= asset.bytes
    if (isSheet(asset)) sheetRoom -= asset.bytes
    return true
  })
  return { chosen, beyond: kept.length - chosen.length }
}

export interface SharedAssetParts extends BlobReading {
  readonly assets: Pick<ReplayAssets, 'of'>
  readonly clock: Clock
}

const versionOf = (kept: unknown): string => createHash('sha256').update(JSON.stringify(kept)).digest('base64')

/** Remembered for a moment: a page asks for hundreds of them at the same time, and each of its chunks for all sheets. */
export const createSharedAssets = ({ assets, blobs, clock, logger }: SharedAssetParts) => {
  const answers = createSharedAnswers<SharedAssets>({
    clock,
    keptMs: LIMITS.REPLAY_SHARED_ANSWER_MS,
    capacity: LIMITS.REPLAY_SHARED_SHEETS_HELD_BYTES,
    weigh: ({ forSlicing, named }) =>
      // What a name and its address take, by and large.
      named.size * 1000 + (forSlicing?.sheets ?? []).reduce((sum, { bytes }) => sum + bytes.byteLength, 1000),
  })

  const read = async (replay: ReplayReference): Promise<SharedAssets> => {
    const { beyond, chosen } = chosenOf(await assets.of(replay))
    const names: [string, string][] = []
    const sheets: KeptForSlicing['sheets'][number][] = []
    const sheetKeys: [string, string][] = []
    const named = new Map<string, NamedAsset>()
    for (const asset of chosen) {
      if (asset.type === STYLE_SHEET) {
        const bytes = await readBlob({ blobs, logger }, asset.blobKey)
        if (bytes === null) continue
        sheets.push({ url: asset.url, bytes, imports: asset.imports })
        sheetKeys.push([asset.url, asset.blobKey])
      } else {
        names.push([asset.url, nameOf(asset)])
        named.set(nameOf(asset), { blobKey: asset.blobKey, type: asset.type })
      }
    }
    const bytes = chosen.reduce((sum, asset) => sum + asset.bytes, 0)
    return {
      summary: { ...NO_ASSET_SUMMARY, kept: chosen.length, bytes, leftOut: beyond },
      forSlicing: chosen.length === 0 ? null : { names, sheets },
      version: chosen.length === 0 ? '' : versionOf([names, sheetKeys]),
      named,
    }
  }

  return (replay: ReplayReference): Promise<SharedAssets> => answers(keyOfReplay(replay), () => read(replay))
}

/** As a player puts it in; null where it is gone or damaged. */
export const dataAddressOf = async (
  reading: BlobReading,
  { blobKey, type }: NamedAsset,
): Promise<Uint8Array | null> => {
  const bytes = await readBlob(reading, blobKey)
  return bytes === null ? null : Buffer.from(`data:${type};base64,${Buffer.from(bytes).toString('base64')}`)
}
