import { ApiError, getReplayChunk } from '@firsthand/contract'
import type { QueryClient } from '@tanstack/react-query'

import { api } from '../../../lib/api.ts'
import { JUST_FETCHED_MS } from '../../../shell/navigation/policy.ts'
import { chunksQuery } from '../queries.ts'
import type { ChunkSource } from './source.ts'

/** Chunks as the server cuts them. */
export function serverSource(client: QueryClient, org: string, replay: string): ChunkSource {
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
