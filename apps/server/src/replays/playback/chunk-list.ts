import type { ReplayChunk } from '@firsthand/contract'
import type { Pack, StoredChunk } from '../ledger/replay-packs.ts'
import { indexOf, numberOf } from './chunk-number.ts'

/** The chunks of a replay as players are told them. Pure. */

export const chunkJson = (pack: Pack, { bytes, from, nodes, to }: StoredChunk, index: number): ReplayChunk => ({
  number: numberOf(pack, index),
  from,
  to,
  bytes,
  nodes,
})

/** The chunk of exactly this pack; undefined for a number of another one. */
export const chunkIn = (pack: Pack | undefined, number: number): StoredChunk | undefined =>
  pack !== undefined && numberOf(pack, indexOf(number)) === number ? pack.chunks[indexOf(number)] : undefined

/**
 * Without those that whoever asks has already: who waits for a replay that is still cut asks often, and its chunks are many.
 *
 * @param after number of the last chunk that they have; where it is none of these, they are told all
 */
export const chunksAfter = (
  chunks: readonly ReplayChunk[],
  after: number | undefined,
): { readonly first: number; readonly chunks: ReplayChunk[] } => {
  const first = chunks.findIndex(({ number }) => number === after) + 1
  return { first, chunks: chunks.slice(first) }
}
