import { keptByName, namesIn } from '@firsthand/recording'

import { type ChunkSource, pause } from '../player/source.ts'

/** Pictures and fonts that are waited for so long before a page is drawn without; what comes later is there for the next chunk. */
const WAIT_MS = 3000
/** More names than a replay has pictures and fonts were made up. */
const MOST_NAMES = 2000

/**
 * A chunk comes with the pictures and fonts that are named in it, each of which is read once, as a data address, and waited
 * for once.
 *
 * @param read undefined for one that is not there; one that it throws for is asked for again with the next chunk
 * @param patience resolves when a page is drawn without what did not come
 */
export function withNamed(
  { chunk, chunks }: ChunkSource,
  read: (name: string) => Promise<string | undefined>,
  patience = () => pause(WAIT_MS),
): ChunkSource {
  const data = new Map<string, string>()
  const begun = new Map<string, Promise<void>>()
  const missed = new Set<string>()
  const begin = (name: string): Promise<void> => {
    const loading = read(name).then(
      (address) => void (address === undefined || data.set(name, address)),
      () => void begun.delete(name),
    )
    begun.set(name, loading)
    return loading
  }
  return {
    chunks,
    async chunk(number, signal) {
      const text = await chunk(number, signal)
      const names = namesIn(text).filter((name) => begun.has(name) || missed.has(name) || begun.size < MOST_NAMES)
      const loading = names.map((name) => [name, begun.get(name) ?? begin(name)] as const)
      const awaited = loading.flatMap(([name, one]) => (missed.has(name) ? [] : [one]))
      await Promise.race([Promise.all(awaited), patience()])
      for (const name of names) if (!data.has(name)) missed.add(name)
      return text
    },
    kept: () => keptByName(data),
  }
}
