import { createTurnsAt } from '../in-turn.ts'
import type { Pack, ReplayPacks, StoredChunk } from '../ledger/replay-packs.ts'
import type { OwnedReplay, SegmentRecord } from '../replay.ts'
import { createCut, type CutParts } from './cut.ts'
import { versionOf } from './pack-version.ts'
import { workOf } from './work.ts'

/** As it was made, if it was. */
export const currentOf = async (store: ReplayPacks, { projectId, replayId }: OwnedReplay): Promise<Pack | null> =>
  (await store.find([projectId], replayId))?.pack ?? null

/** In as many turns as it takes, others in between. Each is saved: whoever asks after the last one goes on from it. */
export const createMake = (parts: CutParts) => {
  const { store, cutting } = parts
  const inTurn = createTurnsAt(cutting)
  const cut = createCut(parts)

  const make = async (
    replay: OwnedReplay,
    empty: Pack,
    segments: readonly SegmentRecord[],
    told: StoredChunk[],
    tell: (chunks: readonly StoredChunk[]) => void,
  ): Promise<Pack> => {
    const nothing = (): void => undefined
    /** @returns null when there is more to be cut */
    const turn = async (isFirst: boolean): Promise<Pack | null> => {
      const work = workOf(segments, await currentOf(store, replay))
      // Chunks are told while they are cut only where they follow exactly those that were told before. The first turn that
      // goes on from an earlier pack tells none: the list would lack the chunks of that pack, which players have already.
      const isNext = work.last === null ? told.length === 0 : !isFirst && told.length === work.kept.length
      // A later turn that cannot go on cuts all that is left at once: it might begin anew in each turn, and never end.
      const hasTurns = isFirst || work.last !== null
      const added = await cut(replay, work, { hasTurns, tell: isNext ? tell : nothing })
      const anew = () =>
        cut(replay, workOf(segments, null), { hasTurns: false, tell: told.length === 0 ? tell : nothing })
      const { chunks, until } = added ?? (await anew()) ?? { chunks: [], until: null }
      const all = added === null ? chunks : [...work.kept, ...chunks]
      const done = until === null ? segments : segments.slice(0, segments.indexOf(until) + 1)
      const pack = { ...empty, version: versionOf(done), segments: done.length, chunks: all }
      await store.save(replay, pack)
      return until === null ? pack : null
    }
    for (let isFirst = true; ; isFirst = false) {
      const pack = await inTurn(() => turn(isFirst))
      if (pack !== null) return pack
    }
  }

  return make
}
