import { ApiError, getReplayChunk } from '@firsthand/contract'
import type { QueryClient } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { JUST_FETCHED_MS } from '../../../shell/navigation/policy.ts'
import { chunksQuery } from '../queries.ts'
import type { Assets } from './assets.ts'
import { type ChunkSource, pause } from './source.ts'

/**
 * What was kept of pictures, fonts and style sheets of a page is waited for so long before it is drawn without. What comes
 * later is there for the next chunk.
 */
const ASSETS_WAIT_MS = 3000

interface ServedReplay {
  readonly org: string
  readonly replay: string
  /** The server fetched something that its pages name. */
  readonly hasAssets: boolean
}

export function serverSource(client: QueryClient, { org, replay, hasAssets }: ServedReplay): ChunkSource {
  const chunks = serverChunks(client, org, replay)
  if (!hasAssets) return chunks
  const loading = import('./assets.ts').then(({ loadAssets }) => loadAssets(org, replay))
  return withAssets(chunks, loading, () => pause(ASSETS_WAIT_MS))
}

/** A chunk comes with what it names, or without it when that takes too long. @param patience resolves when it does */
export function withAssets(chunks: ChunkSource, loading: Promise<Assets>, patience: () => Promise<void>): ChunkSource {
  let assets: Assets | undefined
  const loaded = loading.then(
    (made) => void (assets = made),
    // The page is drawn as it is where nothing was fetched.
    () => undefined,
  )
  return {
    chunks: chunks.chunks,
    async chunk(number, signal) {
      const text = await chunks.chunk(number, signal)
      await Promise.race([loaded.then(() => assets?.prepare(text)), patience()])
      return text
    },
    kept: () => assets?.kept(),
  }
}

/** As the server cuts them. */
function serverChunks(client: QueryClient, org: string, replay: string): ChunkSource {
  // The first list was asked for with the page; a later one is to say what came since.
  let staleTime = JUST_FETCHED_MS
  return {
    chunks() {
      const list = client.fetchQuery({ ...chunksQuery(org, replay), staleTime })
      staleTime = 0
      return list
    },
    async chunk(number, signal) {
      // As text: it is kept so, and its events are read where they are drawn.
      const url = api.url(getReplayChunk, { params: { org, replay, number: String(number) } })
      const answer = await fetch(url, { signal, credentials: 'same-origin' })
      if (!answer.ok) throw new ApiError(answer.status, `The server answered ${answer.status}.`)
      return answer.text()
    },
  }
}
