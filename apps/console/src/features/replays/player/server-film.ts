import { ApiError, getReplaySegment, getReplayVideo } from '@firsthand/contract'
import { readEvents, readTouches } from '@firsthand/recording'

import { api } from '../../../lib/api.ts'
import type { FilmSource } from './film.ts'

/** Videos and touches as the server keeps them. */
export function serverFilm(org: string, project: string, replay: string): FilmSource {
  const of = (segmentId: number) => ({ org, project, replay, segment: String(segmentId) })
  return {
    videoUrl: (segmentId) => api.url(getReplayVideo, { params: of(segmentId) }),
    async touches({ segmentId, shift }, signal) {
      const url = api.url(getReplaySegment, { params: of(segmentId), query: { download: '1' } })
      const answer = await fetch(url, { signal, credentials: 'same-origin' })
      // A video whose recording did not come has no touches.
      if (answer.status === 404) return []
      if (!answer.ok) throw new ApiError(answer.status, `The server answered ${answer.status}.`)
      return readTouches(readEvents(await answer.json()).events, shift)
    },
  }
}
