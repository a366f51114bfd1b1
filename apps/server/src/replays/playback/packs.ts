import type { Pack, StoredChunk } from '../ledger/replay-packs.ts'
import { readBlob } from '../read-blob.ts'
import type { OwnedReplay, SegmentRecord } from '../replay.ts'
import { lastReceived } from '../segment-rules.ts'
import type { CutParts } from './cut.ts'
import { createMake, currentOf } from './make-pack.ts'
import { versionOf } from './pack-version.ts'

/** What of a replay can be read. */
export interface ReadablePack {
  readonly pack: Pack
  /** Others follow its last chunk, which are being made. */
  readonly isPreparing: boolean
}

/** A replay with the chunks that it was cut into. */
export interface CutReplay {
  readonly replay: OwnedReplay
  readonly pack: Pack
}

/** A replay that is being cut. */
interface Making {
  readonly replay: OwnedReplay
  /** With all its chunks. */
  readonly whole: Promise<Pack>
  /** As soon as there is one. */
  readonly begun: Promise<ReadablePack>
  /** With the chunks that can be read by now; each has the place that it will have in the whole. */
  readonly soFar: () => Pack
}

/** Chunks are made one replay at a time; who asks meanwhile for the same one waits for it, or takes what is there already. */
export const createPacks = (parts: CutParts) => {
  const { store } = parts
  const underWay = new Map<string, Making>()
  const make = createMake(parts)

  const begin = (replay: OwnedReplay, segments: readonly SegmentRecord[], version: number): Making => {
    const key = `${replay.projectId}:${replay.replayId}:${version}`
    const before = underWay.get(key)
    if (before !== undefined) return before
    const empty: Pack = { version, segments: segments.length, lastAt: lastReceived(segments), chunks: [] }
    const told: StoredChunk[] = []
    const soFar = (): Pack => ({ ...empty, chunks: [...told] })
    const first = Promise.withResolvers<ReadablePack>()
    const whole = make(replay, empty, segments, told, (chunks) => {
      told.push(...chunks)
      first.resolve({ pack: soFar(), isPreparing: true })
    }).finally(() => underWay.delete(key))
    const begun = Promise.race([first.promise, whole.then((pack) => ({ pack, isPreparing: false }))])
    // Told to those who wait for it.
    begun.catch(() => undefined)
    const making: Making = { replay, whole, begun, soFar }
    underWay.set(key, making)
    return making
  }

  /** As it is, or as it becomes. */
  const madeOf = async (
    replay: OwnedReplay,
    segments: readonly SegmentRecord[],
    read: Pack | undefined,
  ): Promise<Pack | Making> => {
    const version = versionOf(segments)
    if (read?.version === version) return read
    const known = await currentOf(store, replay)
    return known?.version === version ? known : begin(replay, segments, version)
  }

  return {
    /**
     * Made if need be.
     *
     * @param known as `find` has just found it: reading it again takes long where its chunks are many
     * @throws StatementRefusal `preparing`
     */
    of: async (replay: OwnedReplay, segments: readonly SegmentRecord[], known?: Pack): Promise<Pack> => {
      const made = await madeOf(replay, segments, known)
      return 'whole' in made ? made.whole : made
    },

    /** The same, without waiting for more than its first chunk. */
    partOf: async (replay: OwnedReplay, segments: readonly SegmentRecord[], known?: Pack): Promise<ReadablePack> => {
      const made = await madeOf(replay, segments, known)
      return 'whole' in made ? made.begun : { pack: made, isPreparing: false }
    },

    /** One of which chunks can be read while others are made, in the first of these projects that has one; else null. */
    underWay: (projectIds: readonly number[], replayId: string): CutReplay | null => {
      for (const { replay, soFar } of underWay.values()) {
        if (replay.replayId !== replayId || !projectIds.includes(replay.projectId)) continue
        const pack = soFar()
        if (pack.chunks.length > 0) return { replay, pack }
      }
      return null
    },

    /** As it was made, if it was. */
    find: store.find,

    /** JSON of the events of a chunk; null when it is gone or damaged. Then the pack is forgotten, and made anew by who asks for it. */
    read: async (replay: OwnedReplay, chunk: StoredChunk): Promise<Uint8Array | null> => {
      const json = await readBlob(parts, chunk.key)
      if (json === null) await store.forget({ projectId: replay.projectId, replayIds: [replay.replayId] })
      return json
    },
  }
}

export type Packs = ReturnType<typeof createPacks>
