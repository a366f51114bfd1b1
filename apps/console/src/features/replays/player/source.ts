import type { KeptAssets } from '@firsthand/recording'

/** A stretch of a replay that can be drawn without what was before: its events begin with a whole page. */
export interface Chunk {
  readonly number: number
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly to: number
}

/** What of a replay can be loaded. */
export interface ChunkList {
  /** By time. */
  readonly chunks: readonly Chunk[]
  /** Others follow the last of them: the server still makes them. */
  readonly preparing: boolean
}

/** Of what is still prepared, those chunks that follow so many others. */
export interface ChunkAnswer extends ChunkList {
  readonly first: number
}

/** While the server prepares a replay, it is asked so often how much of it there is. */
const PREPARING_EVERY_MS = 300

export const pause = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** Older than any number of a chunk. */
const NO_CHUNK = -1

/**
 * The list as it is now; of one that was not whole, after a moment, what came since.
 *
 * @param ask for what follows the chunk of a number
 */
export async function askForRest(
  known: ChunkList | undefined,
  ask: (after: number) => Promise<ChunkAnswer>,
): Promise<ChunkList> {
  const begun = known?.preparing === true ? known.chunks : []
  if (known?.preparing === true) await pause(PREPARING_EVERY_MS)
  const { chunks, first, preparing } = await ask(begun.at(-1)?.number ?? NO_CHUNK)
  return { chunks: [...begun.slice(0, first), ...chunks], preparing }
}

/** Where chunks come from. */
export interface ChunkSource {
  /** What was kept of the pictures, fonts and style sheets that the chunks name which came by now, for one rewriting. */
  kept?(): KeptAssets | undefined
  /** As it is now. Where it was not whole the last time, it is asked for a moment later. */
  chunks(signal: AbortSignal): Promise<ChunkList>
  /** JSON of its events, as it was recorded. */
  chunk(number: number, signal: AbortSignal): Promise<string>
}

/** Of text; the browser may need two bytes for each character. */
const CACHE_BYTES = 8_000_000
const CHARACTER_BYTES = 2

/**
 * Remembers the chunks that were asked for last, as text: the player changes events while it plays them, and text is a
 * sixth of what its objects take.
 */
export function cached(source: ChunkSource, maxBytes = CACHE_BYTES): ChunkSource {
  const texts = new Map<number, string>()
  let held = 0
  const forget = (number: number): void => {
    held -= (texts.get(number) ?? '').length * CHARACTER_BYTES
    texts.delete(number)
  }
  return {
    chunks: (signal) => source.chunks(signal),
    async chunk(number, signal) {
      const text = texts.get(number) ?? (await source.chunk(number, signal))
      forget(number)
      texts.set(number, text)
      held += text.length * CHARACTER_BYTES
      for (const oldest of texts.keys()) {
        if (held <= maxBytes || oldest === number) break
        forget(oldest)
      }
      return text
    },
  }
}
