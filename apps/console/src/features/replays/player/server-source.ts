import { ApiError, getReplayChunk } from '@firsthand/contract'
import type { QueryClient } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { JUST_FETCHED_MS } from '../../../shell/navigation/policy.ts'
import { chunksQuery } from '../queries.ts'
import type { Assets } from './assets.ts'
import type { ChunkSource } from './source.ts'

interface ServedReplay {
  readonly org: string
  readonly replay: string
  /** The server fetched something that its pages name. */
  readonly hasAssets: boolean
}

export function serverSource(client: QueryClient, { org, replay, hasAssets }: ServedReplay): ChunkSource {
  const chunks = serverChunks(client, org, replay)
  return hasAssets ? withAssets(chunks, org, replay) : chunks
}

/** A chunk comes with what it names. */
function withAssets(chunks: ChunkSource, org: string, replay: string): ChunkSource {
  let assets: Assets | undefined
  const loaded = import('./assets.ts')
    .then(({ loadAssets }) => loadAssets(org, replay))
    .then(
      (loading) => void (assets = loading),
      // The page is drawn as it is where nothing was fetched.
      () => undefined,
    )
  return {
    chunks: chunks.chunks,
    async chunk(number, signal) {
      const [text] = await Promise.all([chunks.chunk(number, signal), loaded])
      await assets?.prepare(text)
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
