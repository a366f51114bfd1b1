import { keptByName, namedAssets, type NamedAsset } from '@firsthand/recording'

import type { ChunkSource } from '../player/source.ts'

/** Pictures and fonts that are waited for so long before a page is drawn without; what comes later is there for the next chunk. */
const WAIT_MS = 3000

type Read = (asset: NamedAsset) => Promise<string | null>

const dataOf = (bytes: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('It could not be read.')))
    reader.readAsDataURL(bytes)
  })

/** As it stands in a file: in an element with its name. */
export const readFrom =
  (page: Document): Read =>
  async ({ name, type }) => {
    const base64 = page.getElementById(name)?.textContent ?? null
    return base64 === null ? null : `data:${type};base64,${base64}`
  }

/** As the server gives it to whoever has the link. */
export const readBy =
  (ask: (path: string) => Promise<Response>): Read =>
  async ({ key, type }) =>
    dataOf(new Blob([await (await ask(`assets/${key}/`)).arrayBuffer()], { type }))

/** A chunk comes with the pictures and fonts that are named in it, each of which is read once. */
export function withNamed({ chunk, chunks }: ChunkSource, read: Read): ChunkSource {
  const data = new Map<string, string>()
  const begun = new Map<string, Promise<unknown>>()
  const begin = async (asset: NamedAsset): Promise<void> => {
    const address = await read(asset).catch(() => null)
    if (address === null) begun.delete(asset.name)
    else data.set(asset.name, address)
  }
  return {
    chunks,
    async chunk(number, signal) {
      const text = await chunk(number, signal)
      const named = namedAssets(text)
      const ready = named.map((asset) => {
        const loading = begun.get(asset.name) ?? begin(asset)
        begun.set(asset.name, loading)
        return loading
      })
      const patience = new Promise((resolve) => {
        setTimeout(resolve, WAIT_MS)
      })
      await Promise.race([Promise.all(ready), patience])
      return text
    },
    kept: () => keptByName(data),
  }
}
