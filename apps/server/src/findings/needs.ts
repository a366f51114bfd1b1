import type { SpanSums, TraceNews } from '../traces/index.ts'
import type { FindingSettings } from './settings.ts'

/**
 * The least that the spans of a trace must be for any rule to find something in it: most traces are not read again. A look
 * in the store asks the same (`telemetry/traced-spans.ts`).
 */
export interface Needs {
  readonly dbAlike: number
  readonly dbAlikeMs: number
  readonly dbLongestMs: number
  readonly dbTotalMs: number
  readonly httpAlike: number
  readonly httpAlikeMs: number
  readonly httpCount: number
  readonly httpTotalMs: number
  readonly httpBytes: number
  readonly httpLongestMs: number
  readonly resourceBytes: number
  readonly resourceLongestMs: number
  readonly frameLongestMs: number
  readonly mainThreadMs: number
}

/** Nothing is as large. */
const NEVER = Number.MAX_SAFE_INTEGER

export const needsOf = ({ detectors }: FindingSettings): Needs => {
  const of = (id: string, threshold: string): number => {
    const settings = detectors.get(id)
    return settings?.enabled === true ? (settings.thresholds[threshold] ?? NEVER) : NEVER
  }
  return {
    dbAlike: Math.min(of('n_plus_one_db', 'count'), of('mn_plus_one_db', 'count')),
    dbAlikeMs: Math.min(of('n_plus_one_db', 'total'), of('mn_plus_one_db', 'total')) * MN_SHARE,
    dbLongestMs: of('slow_db', 'duration'),
    dbTotalMs: of('consecutive_db', 'saved'),
    httpAlike: of('n_plus_one_api', 'count'),
    httpAlikeMs: of('n_plus_one_api', 'total'),
    httpCount: of('consecutive_http', 'count'),
    httpTotalMs: of('consecutive_http', 'saved'),
    httpBytes: of('large_payload', 'bytes'),
    httpLongestMs: of('large_payload', 'duration'),
    resourceBytes: Math.min(of('uncompressed_asset', 'bytes'), of('render_blocking', 'bytes')),
    resourceLongestMs: Math.min(of('uncompressed_asset', 'duration'), LATE_PAINT_MS),
    frameLongestMs: of('long_task', 'blocking'),
    mainThreadMs: Math.min(of('file_io_main_thread', 'total'), of('db_main_thread', 'total')),
  }
}

/** Of repeated work only a part are queries. */
const MN_SHARE = 0.01
/** A third of the shortest time to a first paint that counts as late. */
const LATE_PAINT_MS = 25

const NOTHING: SpanSums = { count: 0, alike: 0, total: 0, longest: 0, largest: 0 }

export const mayHaveFinding = ({ sums, blocksMainThread }: Omit<TraceNews, 'traceId'>, needs: Needs): boolean => {
  const { db = NOTHING, http = NOTHING, resource = NOTHING, file = NOTHING } = sums
  const frames = Math.max(sums['ui.long-animation-frame']?.longest ?? 0, sums['ui.long-task']?.longest ?? 0)
  return (
    (db.alike >= needs.dbAlike && db.total >= needs.dbAlikeMs) ||
    db.longest >= needs.dbLongestMs ||
    (db.count > 1 && db.total >= needs.dbTotalMs) ||
    (http.alike >= needs.httpAlike && http.total >= needs.httpAlikeMs) ||
    (http.count >= needs.httpCount && http.total >= needs.httpTotalMs) ||
    (http.largest >= needs.httpBytes && http.longest >= needs.httpLongestMs) ||
    (resource.largest >= needs.resourceBytes && resource.longest >= needs.resourceLongestMs) ||
    frames >= needs.frameLongestMs ||
    (blocksMainThread && Math.max(db.total, file.total) >= needs.mainThreadMs)
  )
}

/** What came of a trace in several items. */
export const addSums = (
  one: Omit<TraceNews, 'traceId'>,
  more: Omit<TraceNews, 'traceId'>,
): Omit<TraceNews, 'traceId'> => {
  const sums: Record<string, SpanSums> = { ...one.sums }
  for (const [key, added] of Object.entries(more.sums)) {
    const { count, alike, total, longest, largest } = sums[key] ?? NOTHING
    sums[key] = {
      count: count + added.count,
      alike: alike + added.alike,
      total: total + added.total,
      longest: Math.max(longest, added.longest),
      largest: Math.max(largest, added.largest),
    }
  }
  return {
    sums,
    hasRoot: one.hasRoot || more.hasRoot,
    blocksMainThread: one.blocksMainThread || more.blocksMainThread,
  }
}
