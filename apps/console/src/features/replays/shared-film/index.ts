import { createFilm, type FilmSource } from '../player/film.ts'
import type { OpenFilm } from '../player/use-replay.ts'

/** Videos of phones in a shared replay. This is loaded only where there are some. */

/** Elements of the file that the server writes. */
const VIDEO = 'video-'
const TOUCHES = 'touches-'

/** Videos that stand in the file. */
function fileFilm(page: Document): FilmSource {
  const urls = new Map<number, string>()
  const make = (segmentId: number): string => {
    const element = page.getElementById(`${VIDEO}${segmentId}`)
    if (element === null) throw new Error('This part of the recording could not be put into the file.')
    const bytes = Uint8Array.from(atob(element.textContent), (character) => character.charCodeAt(0))
    return URL.createObjectURL(new Blob([bytes], { type: element.dataset.type ?? '' }))
  }
  return {
    videoUrl(segmentId) {
      const url = urls.get(segmentId) ?? make(segmentId)
      urls.set(segmentId, url)
      return url
    },
    touches: ({ segmentId }) =>
      Promise.resolve(JSON.parse(page.getElementById(`${TOUCHES}${segmentId}`)?.textContent ?? '[]')),
  }
}

function linkFilm(token: string): FilmSource {
  const addressOf = (segmentId: number): string => `/api/0/shared-replays/${token}/videos/${segmentId}/`
  return {
    videoUrl: addressOf,
    async touches({ segmentId }, signal) {
      const answer = await fetch(`${addressOf(segmentId)}touches/`, { signal, credentials: 'omit' })
      // Without them the video plays as well.
      return answer.ok ? answer.json() : []
    },
  }
}

/** @param token of the link; null in a file */
export function openShared(token: string | null): Awaited<ReturnType<OpenFilm>> {
  const source = token === null ? fileFilm(document) : linkFilm(token)
  return (videos) => createFilm(source, videos)
}
