import { ApiError, RECORDED_PAGE_POLICY, type ReplayPlayback, type SharedReplay } from '@firsthand/contract'

import { SERVER_STILL, type StillPage } from '../components/Stage.tsx'
import { askForRest, type ChunkList, type ChunkSource } from '../player/source.ts'
import type { OpenFilm } from '../player/use-replay.ts'
import { askAgain } from './ask-again.ts'
import { withNamed } from './shared-assets.ts'

/** A replay that is shown without an account: by a link, or in the file that it was saved as. */
export interface SharedSource {
  readonly playback: ReplayPlayback
  readonly chunks: ChunkSource
  readonly openFilm: OpenFilm
  readonly still: StillPage
  /** When the link ends; null for a file. */
  readonly expiresAt: string | null
}

/** Elements of the file that the server writes. */
const REPLAY = 'shared-replay'
const CHUNK = 'chunk-'

/** The script that plays videos, beside the player's: `shared-film.ts`. */
const FILM = '/shared-film/film.js'

/** As the server's still page, for a file that has no server. */
const STILL_PAGE = `<!doctype html><html lang="en"><head><meta http-equiv="content-security-policy" content="${RECORDED_PAGE_POLICY}"><meta charset="utf-8"><title>Recorded page</title></head><body></body></html>`

async function unpack(base64: string): Promise<string> {
  const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text()
}

/** @param token of the link; null in a file, which has the script in it */
const opening =
  (token: string | null): OpenFilm =>
  async () => {
    if (globalThis.firsthandFilm === undefined) {
      const script = document.createElement('script')
      script.src = FILM
      const { promise, resolve } = Promise.withResolvers()
      script.addEventListener('load', resolve)
      script.addEventListener('error', resolve)
      document.head.append(script)
      await promise
    }
    if (globalThis.firsthandFilm === undefined)
      throw new Error('The player of videos did not come. Load the page again.')
    return globalThis.firsthandFilm(token)
  }

/** Null on a page that is no such file. */
export function readFile(page: Document): SharedSource | null {
  const written = page.getElementById(REPLAY)?.textContent
  if (written == null) return null
  const { chunks, playback } = JSON.parse(written) as SharedReplay
  const source: ChunkSource = {
    chunks: () => Promise.resolve({ chunks, preparing: false }),
    chunk(number) {
      const packed = page.getElementById(`${CHUNK}${number}`)?.textContent ?? ''
      if (packed !== '') return unpack(packed)
      return Promise.reject(new Error('This part of the recording could not be put into the file.'))
    },
  }
  return {
    playback,
    still: { srcDoc: STILL_PAGE },
    expiresAt: null,
    openFilm: opening(null),
    chunks: withNamed(source, async (name) => page.getElementById(`asset-${name}`)?.textContent),
  }
}

/** What the server says of a failure, if it does. */
async function failure(answer: Response): Promise<ApiError> {
  const said = (await answer.json().catch(() => null)) as { readonly detail?: unknown } | null
  const detail = typeof said?.detail === 'string' ? said.detail : `The server answered ${answer.status}.`
  return new ApiError(answer.status, detail)
}

/** @throws what did not say that it is not there */
function unlessGone(thrown: unknown): undefined {
  if (!(thrown instanceof ApiError && thrown.status === 404)) throw thrown
}

/** @param token of the link */
export async function readLink(token: string): Promise<SharedSource> {
  const ask = async (path: string, signal: AbortSignal | null): Promise<Response> => {
    // Whoever looks is a stranger, also somebody who is signed in.
    const answer = await askAgain(() =>
      fetch(`/api/0/shared-replays/${token}/${path}`, { signal, credentials: 'omit' }),
    )
    if (!answer.ok) throw await failure(answer)
    return answer
  }
  const { chunks, expiresAt, playback, preparing } = (await (await ask('', null)).json()) as SharedReplay
  let list: ChunkList | undefined
  const source: ChunkSource = {
    async chunks(signal) {
      list = list
        ? await askForRest(list, async (after) => (await ask(`chunks/?after=${after}`, signal)).json())
        : { chunks, preparing }
      return list
    },
    chunk: async (number, signal) => (await ask(`chunks/${number}/`, signal)).text(),
  }
  return {
    playback,
    expiresAt,
    still: SERVER_STILL,
    openFilm: opening(token),
    chunks:
      playback.assets.kept === 0
        ? source
        : withNamed(source, (name) => ask(`assets/${name}/`, null).then((answer) => answer.text(), unlessGone)),
  }
}
