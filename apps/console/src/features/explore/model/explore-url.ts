import { compactScope, readScope, type ScopeUrl } from '../../issues/model/index.ts'

/** In the URL: what differs from the defaults. Every page reads addresses, so what they mean is in `explore-search.ts`. */
export interface ExploreUrl extends ScopeUrl {
  readonly dataset?: string
  readonly query?: string
  /** Functions, equations. */
  readonly visualise?: readonly string[]
  /** Attributes; one empty text for none. */
  readonly group?: readonly string[]
  readonly sort?: string
  readonly interval?: string
  readonly show?: string
  readonly form?: string
  readonly top?: string
  readonly heat?: string
  /** Drawn on the heat map: see `boxText`. */
  readonly box?: string
  readonly raw?: string
}

export const DEFAULT_PERIOD = '24h'
const TEXTS = ['dataset', 'query', 'sort', 'interval', 'show', 'form', 'top', 'heat', 'box', 'raw'] as const
const LISTS = ['visualise', 'group'] as const
/** More than a search may have: one that is too long stays so, and is refused in words. */
const MAX_TEXT = 2500
const MAX_ENTRIES = 8

/** Reads any URL, also one edited by hand. */
export function readExploreUrl(raw: Readonly<Record<string, unknown>>): ExploreUrl {
  const texts = TEXTS.flatMap((key) => (isText(raw[key]) ? [[key, String(raw[key]).slice(0, MAX_TEXT)] as const] : []))
  const lists = LISTS.flatMap((key) => {
    const entries = [raw[key]].flat().filter(isText).map(String)
    return entries.length === 0 ? [] : [[key, [...new Set(entries)].slice(0, MAX_ENTRIES)] as const]
  })
  return {
    ...Object.fromEntries([...texts, ...lists]),
    ...compactScope(readScope(raw, DEFAULT_PERIOD), DEFAULT_PERIOD),
  }
}

function isText(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
