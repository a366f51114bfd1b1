import { getReplayAsset, listReplayAssets, type ReplayAsset } from '@firsthand/contract'
import { type KeptAssets, keptAssets, type KeptSheet } from '@firsthand/recording'

import { api } from '../../../lib/api.ts'

/** Of one replay; a page that is larger is drawn without the rest. */
const MOST_BYTES = 32_000_000

/** Pictures, fonts and style sheets that the server fetched for a replay. */
export interface Assets {
  /** Loads what a text names: a chunk, or a style sheet. What cannot be loaded is drawn as if it had not been fetched. */
  prepare(text: string): Promise<void>
  /** All that is loaded by now, for one rewriting. */
  kept(): KeptAssets
}

/**
 * What a text has of an address, however it is written there; null where that is not known. A page may name it from its
 * root on, and with a fragment.
 */
function traceOf({ url }: ReplayAsset): string | null {
  const { pathname, search } = new URL(url)
  const name = `${pathname.slice(pathname.lastIndexOf('/') + 1)}${search}`
  return name === '' || /[%"'\\&]/.test(name) ? null : name
}

const dataOf = (bytes: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => resolve(reader.result as string))
    reader.addEventListener('error', () => reject(reader.error ?? new Error('It could not be read.')))
    reader.readAsDataURL(bytes)
  })

export async function loadAssets(org: string, replay: string): Promise<Assets> {
  const { assets } = await api.call(listReplayAssets, { params: { org, replay } })
  const traces = assets.map((asset) => ({ asset, trace: traceOf(asset) }))
  const data = new Map<string, string>()
  const sheets = new Map<string, KeptSheet>()
  const underWay = new Map<string, Promise<void>>()
  let room = MOST_BYTES

  const load = async ({ id, imports, type, url }: ReplayAsset): Promise<void> => {
    const address = api.url(getReplayAsset, { params: { org, replay, asset: id } })
    const answer = await fetch(address, { credentials: 'same-origin' })
    if (!answer.ok) return
    if (type !== 'text/css') {
      data.set(url, await dataOf(new Blob([await answer.arrayBuffer()], { type })))
      return
    }
    const text = await answer.text()
    await prepare([text, ...imports.map((one) => one.url)].join('\n'), true)
    sheets.set(url, { text, imports })
  }

  const begin = (asset: ReplayAsset): Promise<void> => {
    room -= asset.bytes
    const loaded = load(asset).catch(() => {
      // It may come with the next chunk.
      underWay.delete(asset.id)
      room += asset.bytes
    })
    underWay.set(asset.id, loaded)
    return loaded
  }

  const prepare = async (text: string, isSheet: boolean): Promise<void> => {
    const awaited: Promise<void>[] = []
    for (const { asset, trace } of traces) {
      if (trace !== null && !text.includes(trace)) continue
      const known = underWay.get(asset.id)
      // A sheet that is loaded because of another one may name that one: it would wait for itself.
      if (known !== undefined && isSheet && asset.type === 'text/css') continue
      if (known !== undefined) awaited.push(known)
      else if (asset.bytes <= room) awaited.push(begin(asset))
    }
    await Promise.all(awaited)
  }

  return { prepare: (text) => prepare(text, false), kept: () => keptAssets(data, sheets) }
}
