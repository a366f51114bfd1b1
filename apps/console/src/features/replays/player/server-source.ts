import { ApiError, getReplayChunk, listReplayChunks } from '@firsthand/contract'

import { api } from '../../../lib/api.ts'
import type { ChunkSource } from './source.ts'

/** Chunks as the server cuts them. */
export function serverSource(org: string, replay: string): ChunkSource {
  return {
    chunks: async (signal) => (await api.call(listReplayChunks, { params: { org, replay }, signal })).chunks,
    async chunk(number, signal) {
      // As text: it is kept so, and its events are read where they are drawn.
      const url = api.url(getReplayChunk, { params: { org, replay, number: String(number) } })
      const answer = await fetch(url, { signal, credentials: 'same-origin' })
      if (!answer.ok) throw new ApiError(answer.status, `The server answered ${answer.status}.`)
      return answer.text()
    },
  }
}
