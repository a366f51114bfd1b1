import { SEARCH_BOUNDS } from '@firsthand/search-syntax'

import { urlText } from '../../../lib/url-search.ts'

/** What is shown of a replay, as its URL says it. Whoever needs the moment reads it with `momentOf`. */
export interface ReplaySearch {
  /** Seconds after the beginning. */
  readonly t?: number
  /** A moment, as Sentry's links name it: ISO date, seconds or milliseconds since the epoch. */
  readonly event_t?: string
  /** What was searched for: without a moment, the first click that it is about is shown. */
  readonly query?: string
}

/** Times below it are seconds: as milliseconds they would lie before March 1973. */
const FIRST_MILLISECONDS = 1e11

/** Reads any URL, also one edited by hand: what cannot be read is left out. */
export function readReplaySearch(raw: Readonly<Record<string, unknown>>): ReplaySearch {
  const text = urlText(raw.t)
  const t = text === '' ? Number.NaN : Number(text)
  const moment = urlText(raw.event_t)
  const query = urlText(raw.query).slice(0, SEARCH_BOUNDS.characters)
  return {
    ...(Number.isFinite(t) && t >= 0 && { t }),
    ...(Number.isFinite(epochOf(moment)) && { event_t: moment }),
    ...(query !== '' && { query }),
  }
}

function epochOf(text: string): number {
  if (text === '') return Number.NaN
  if (!/^\d+(?:\.\d+)?$/.test(text)) return Date.parse(text)
  const time = Number(text)
  return time < FIRST_MILLISECONDS ? time * 1000 : time
}

/** The moment that a link opens, in milliseconds since the epoch; null where it names none. */
export function momentOf({ t, event_t: moment }: ReplaySearch, from: number, to: number): number | null {
  const at = t === undefined ? epochOf(moment ?? '') : from + t * 1000
  return Number.isFinite(at) ? Math.min(to, Math.max(from, at)) : null
}

/** A search that asks for clicks; others find no moment. */
const OF_CLICKS = /(?:^|[\s(!])(?:click\.\w+|dead\.selector|rage\.selector):/

/** The search whose first click is to be shown; '' where the address names a moment, or the search no click. */
export const clicksSoughtBy = ({ t, event_t: moment, query = '' }: ReplaySearch): string =>
  t === undefined && moment === undefined && OF_CLICKS.test(query) ? query : ''
