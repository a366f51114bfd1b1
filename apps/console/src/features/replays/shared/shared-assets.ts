import { keptByName, namesIn } from '@firsthand/recording'

import { type ChunkSource, pause } from '../player/source.ts'

/** Pictures and fonts that are waited for so long before a page is drawn without; what comes later is there for the next chunk. */
const WAIT_MS = 3000

/** A chunk comes with the pictures and fonts that are named in it, each of which is read once, as a data address. */
export function withNamed(
  { chunk, chunks }: ChunkSource,
  read: (name: string) => Promise<string | undefined>,
): ChunkSource {
  const data = new Map<string, string>()
  const begun = new Map<string, Promise<void>>()
  const begin = async (name: string): Promise<void> => {
    const address = await read(name).catch(() => undefined)
    if (address === undefined) begun.delete(name)
    else data.set(name, address)
  }
  return {
    chunks,
    async chunk(number, signal) {
      const text = await chunk(number, signal)
      const ready = namesIn(text).map((name) => {
        const loading = begun.get(name) ?? begin(name)
        begun.set(name, loading)
        return loading
      })
      await Promise.race([Promise.all(ready), pause(WAIT_MS)])
      return text
    },
    kept: () => keptByName(data),
  }
}
