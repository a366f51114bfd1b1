import { urlText } from '../../../lib/url-search.ts'
import { readReplaySearch, type ReplaySearch } from './replay-search.ts'
import type { Row, Sign } from './rows.ts'

/** Kinds of moments that a reader may want to see alone, in the order in which they are offered. */
export const ROW_KINDS = ['clicks', 'navigation', 'console', 'network', 'errors', 'feedback', 'vitals'] as const
export type RowKind = (typeof ROW_KINDS)[number]

const KINDS: Readonly<Partial<Record<Sign, RowKind>>> = {
  click: 'clicks',
  dead: 'clicks',
  rage: 'clicks',
  page: 'navigation',
  console: 'console',
  request: 'network',
  error: 'errors',
  feedback: 'feedback',
  vital: 'vitals',
}

export type KindCounts = Readonly<Record<RowKind, number>>

export function countKinds(rows: readonly Row[]): KindCounts {
  const counts = { clicks: 0, navigation: 0, console: 0, network: 0, errors: 0, feedback: 0, vitals: 0 }
  for (const { sign } of rows) {
    const kind = KINDS[sign]
    if (kind !== undefined) counts[kind] += 1
  }
  return counts
}

/** Rows of some kinds; all of them, with what is of no kind, where none is named. */
export function ofKinds(rows: readonly Row[], kinds: readonly RowKind[]): readonly Row[] {
  if (kinds.length === 0) return rows
  return rows.filter(({ sign }) => kinds.includes(KINDS[sign] as RowKind))
}

/** As an address says it: `clicks,errors`. What is no kind is left out. */
export function readKinds(written: string): readonly RowKind[] {
  const words = written.split(',')
  return ROW_KINDS.filter((kind) => words.includes(kind))
}

/** What the page of a replay shows. */
export interface ReplayPageSearch extends ReplaySearch {
  /** Kinds of moments that are listed, `clicks,errors`; all without. */
  readonly show?: string
}

/** Reads any URL, also one edited by hand: what cannot be read is left out. */
export function readReplayPage(raw: Readonly<Record<string, unknown>>): ReplayPageSearch {
  const show = readKinds(urlText(raw.show)).join()
  return { ...readReplaySearch(raw), ...(show !== '' && { show }) }
}

export function withKind(kinds: readonly RowKind[], kind: RowKind): readonly RowKind[] {
  return ROW_KINDS.filter((one) => kinds.includes(one) !== (one === kind))
}
