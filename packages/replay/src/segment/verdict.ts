import type { TransportResponse } from '@firsthand/browser'

/** What an answer means for a segment, and how long nothing more may be sent, in milliseconds. */
export interface Verdict {
  /** `later`: too much now. `again`: nobody has it. `lost`: this one is not wanted. `refused`: none is. `unwanted`: by the page. */
  readonly kind: 'sent' | 'later' | 'again' | 'lost' | 'refused' | 'unwanted'
  readonly waitMs: number
}

/** When the server says "too much" and not how long. */
const DEFAULT_WAIT_MS = 60_000
const CATEGORY = 'replay'

/** Of `60:replay;error:key, 10::organization`: what counts for replays. An empty list of categories is all of them. */
const limitOf = (said: string): number =>
  Math.max(
    0,
    ...said.split(',').map((limit) => {
      const [seconds = '', categories = ''] = limit.trim().split(':')
      const isOurs = categories === '' || categories.split(';').includes(CATEGORY)
      return isOurs ? (Number.parseInt(seconds) || 0) * 1000 : 0
    }),
  )

export const verdictOf = ({ statusCode = 200, headers }: TransportResponse): Verdict => {
  const said = headers?.['x-sentry-rate-limits']
  const retryAfter = Number.parseInt(headers?.['retry-after'] ?? '')
  const limit = said ? limitOf(said) : 0
  if (statusCode === 429) {
    const wait = said ? limit : retryAfter >= 0 ? retryAfter * 1000 : DEFAULT_WAIT_MS
    return { kind: 'later', waitMs: wait || DEFAULT_WAIT_MS }
  }
  if (statusCode === 0 || statusCode >= 500) return { kind: 'again', waitMs: 0 }
  if (statusCode === 413) return { kind: 'lost', waitMs: limit }
  if (statusCode >= 400) return { kind: 'refused', waitMs: limit }
  return { kind: 'sent', waitMs: limit }
}
