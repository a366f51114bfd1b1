import { createAskedThread, type AskedThread } from '../asked-thread.ts'
import { STYLE_SHEET, type AssetRecord } from '../asset.ts'
import type { Pack } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import { readBlob, type BlobReading } from '../read-blob.ts'
import type { SegmentRecord } from '../replay.ts'
import { isPlayable } from '../segment-rules.ts'
import type { DrawnPicture, PictureAsset, PicturePart, PictureRequest } from './picture-thread.ts'

/** Draws one page after the other. */
export type PictureMaking = AskedThread<PictureRequest, DrawnPicture>

export const createPictureMaking = (): PictureMaking =>
  createAskedThread({
    entry: new URL('./picture-thread.ts', import.meta.url),
    does: 'draws pages of replays',
    answerMs: LIMITS.REPLAY_PICTURE_MS,
    begins: (request) => 'parts' in request,
  })

interface Wanted extends Omit<PicturePart, 'bytes'> {
  readonly key: string
}

/** A moment, and for how long after the page before it more is read: 0 where only the page at the moment is wanted. */
export interface Reach {
  readonly at: number
  readonly looksFor: number
}

/** What shows the page at that moment begins with the first of these. Null for what is too much to be read for a list. */
const within = <Part extends { readonly from: number }>(
  [first, ...others]: readonly Part[],
  { at, looksFor }: Reach,
  bytesOf: (part: Part) => number,
): readonly Part[] | null => {
  if (first === undefined) return null
  const to = Math.max(at, first.from + looksFor)
  const wanted = [first, ...others.filter(({ from }) => from <= to)]
  const bytes = wanted.reduce((sum, part) => sum + bytesOf(part), 0)
  return bytes > LIMITS.REPLAY_PICTURE_READ_BYTES ? null : wanted
}

/** From the chunk of that moment on, or the first one. */
export const chunksAt = ({ chunks }: Pack, reach: Reach): readonly Wanted[] | null => {
  const place = chunks.findLastIndex(({ from }) => from <= reach.at)
  const wanted = within(chunks.slice(Math.max(0, place)), reach, ({ bytes }) => bytes)
  return wanted?.map(({ key }) => ({ kind: 'chunk', key, shift: 0 })) ?? null
}

/** From the last whole page before that moment on, or the first one. */
export const segmentsAt = (segments: readonly SegmentRecord[], reach: Reach): readonly Wanted[] | null => {
  const playable = segments.filter(isPlayable)
  const before = playable.findLastIndex(({ from, hasSnapshot }) => hasSnapshot && from <= reach.at)
  const first = before === -1 ? playable.findIndex(({ hasSnapshot }) => hasSnapshot) : before
  if (first === -1) return null
  const wanted = within(playable.slice(first), reach, ({ rawBytes }) => rawBytes)
  return wanted?.map(({ blobKey, shift }) => ({ kind: 'segment', key: blobKey, shift })) ?? null
}

/** A page names its sheets and images, and its sheets name others: then all is there. */
const ROUNDS = 2

/** Of what was kept of a replay, what is worth showing so small. */
const isShownSmall = ({ blobKey, state, type }: AssetRecord): boolean =>
  state === 'kept' && blobKey !== null && !type.startsWith('font/')

/** What was kept of a page, loaded as it is named, as far as there is room. */
const createLoading = (reading: BlobReading, assets: readonly AssetRecord[]) => {
  const byUrl = new Map(assets.map((asset) => [asset.url, asset]))
  const taken = new Set<string>()
  let room = LIMITS.REPLAY_PICTURE_ASSET_BYTES

  /** A sheet comes with those that it imports. */
  const take = (url: string): readonly AssetRecord[] => {
    const asset = byUrl.get(url)
    if (asset === undefined || taken.has(url) || asset.bytes > room) return []
    taken.add(url)
    room -= asset.bytes
    return [asset, ...asset.imports.flatMap((one) => take(one.url))]
  }

  return async (named: readonly string[]): Promise<readonly PictureAsset[]> => {
    const isSheet = (url: string): boolean => byUrl.get(url)?.type === STYLE_SHEET
    const inOrder = [...named.filter(isSheet), ...named.filter((url) => !isSheet(url))]
    const loaded: PictureAsset[] = []
    for (const { blobKey, imports, type, url } of inOrder.flatMap(take)) {
      const bytes = blobKey === null ? null : await readBlob(reading, blobKey)
      if (bytes !== null) loaded.push({ url, type, bytes, imports })
    }
    return loaded
  }
}

interface PictureOrder extends Reach {
  readonly wanted: readonly Wanted[]
  readonly words: string
  /** Of the replay. */
  readonly assets: readonly AssetRecord[]
}

export interface MadePicture {
  readonly bytes: Uint8Array
  /** Nothing is to be seen on it. */
  readonly isBlank: boolean
}

/** Null where nothing can be drawn. @throws ThreadEnded */
export const makePicture = async (
  reading: BlobReading,
  making: Pick<PictureMaking, 'ask'>,
  { assets, at, looksFor, wanted, words }: PictureOrder,
): Promise<MadePicture | null> => {
  const parts: PicturePart[] = []
  for (const { key, kind, shift } of wanted) {
    const bytes = await readBlob(reading, key)
    if (bytes !== null) parts.push({ kind, bytes, shift })
  }
  if (parts.length === 0) return null
  const shown = assets.filter(isShownSmall)
  const load = createLoading(reading, shown)
  let drawn = await making.ask({ parts, at, looksFor, words, kept: shown.map(({ url }) => url) })
  for (let round = 0; round < ROUNDS && drawn.named.length > 0; round++) {
    const loaded = await load(drawn.named)
    if (loaded.length === 0) break
    drawn = await making.ask({ assets: loaded })
  }
  return drawn.picture === null ? null : { bytes: drawn.picture, isBlank: drawn.isBlank }
}
