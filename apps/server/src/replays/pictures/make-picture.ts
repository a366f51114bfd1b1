import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { createAskedThread, type AskedThread } from '../asked-thread.ts'
import type { Pack } from '../ledger/replay-packs.ts'
import { LIMITS } from '../limits.ts'
import type { SegmentRecord } from '../replay.ts'
import type { PicturePart, PictureRequest } from './picture-thread.ts'

/** Draws one page after the other; null where there is none. */
export type PictureMaking = AskedThread<PictureRequest, Uint8Array | null>

export const createPictureMaking = (): PictureMaking =>
  createAskedThread({
    entry: new URL('./picture-thread.ts', import.meta.url),
    does: 'draws pages of replays',
    answerMs: LIMITS.REPLAY_PICTURE_MS,
  })

interface Wanted extends Omit<PicturePart, 'bytes'> {
  readonly key: string
}

/** The chunk of that moment, or the first one. Null for one that is too large. */
export const chunkAt = ({ chunks }: Pack, at: number): readonly Wanted[] | null => {
  const chunk = chunks.findLast(({ from }) => from <= at) ?? chunks[0]
  if (chunk === undefined || chunk.bytes > LIMITS.REPLAY_PICTURE_READ_BYTES) return null
  return [{ kind: 'chunk', key: chunk.key, shift: 0 }]
}

/** From the last whole page before that moment on, or the first one. Null for what is too much to be read for a list. */
export const segmentsAt = (segments: readonly SegmentRecord[], at: number): readonly Wanted[] | null => {
  const playable = segments.filter(({ blobKey, broken }) => blobKey !== '' && broken === '')
  const before = playable.findLastIndex(({ from, hasSnapshot }) => hasSnapshot && from <= at)
  const first = before === -1 ? playable.findIndex(({ hasSnapshot }) => hasSnapshot) : before
  if (first === -1) return null
  const wanted = playable.slice(first).filter(({ from }, index) => index === 0 || from <= at)
  const bytes = wanted.reduce((sum, { rawBytes }) => sum + rawBytes, 0)
  if (bytes > LIMITS.REPLAY_PICTURE_READ_BYTES) return null
  return wanted.map(({ blobKey, shift }) => ({ kind: 'segment', key: blobKey, shift }))
}

/** Null where nothing can be drawn. @throws ThreadEnded */
export const makePicture = async (
  blobs: Pick<BlobStore, 'get'>,
  making: Pick<PictureMaking, 'ask'>,
  { wanted, at, words }: { readonly wanted: readonly Wanted[]; readonly at: number; readonly words: string },
): Promise<Uint8Array | null> => {
  const parts: PicturePart[] = []
  for (const { key, kind, shift } of wanted) {
    const bytes = await blobs.get(key)
    if (bytes !== null) parts.push({ kind, bytes, shift })
  }
  return parts.length === 0 ? null : making.ask({ parts, at, words })
}
