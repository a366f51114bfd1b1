import { DECODED_SIZES, ENCODED_SIZES, TRANSFER_SIZES } from '../../traces/index.ts'
import {
  isBrowser,
  longestMs,
  numberFact,
  shownBytes,
  shownMs,
  siblingsOf,
  sumMs,
  textFact,
  unionMs,
  type Candidate,
  type Detector,
  type Thresholds,
} from '../finding.ts'
import type { Segment, SegmentSpan } from '../segment.ts'

const isRequest = ({ category, text }: SegmentSpan): boolean => category === 'http' && text !== ''

const isGet = ({ text }: SegmentSpan): boolean => text.startsWith('GET ')

const GRAPHQL = /graphql/i
/** What pages load by themselves, ahead of time, or to switch features. */
const NO_API = /\/_next\/(?:data|static|image)\b|__nextjs|launchdarkly|[?&]_rsc=|googleapis\.com/i
const ASSET = /\.(?:js|mjs|css|png|jpe?g|gif|svg|webp|avif|ico|woff2?|ttf|otf|mp[34]|webm|wasm|map)(?:[?#]|$)/i

const PREFETCH = ['http.request.prefetch', 'http.request.header.purpose'] as const

const isPrefetch = (span: SegmentSpan): boolean =>
  span.facts[PREFETCH[0]] === true || textFact(span, PREFETCH[1]) === 'prefetch'

const isApi = (span: SegmentSpan): boolean =>
  isRequest(span) && !GRAPHQL.test(span.name) && !NO_API.test(span.name) && !ASSET.test(span.name) && !isPrefetch(span)

const at = ({ spans }: Segment, places: readonly number[]): SegmentSpan[] =>
  places.flatMap((place) => spans[place] ?? [])

/** Requests that begin within so many milliseconds are one burst. */
const BURST_MS = 15

export const nPlusOneApi: Detector = {
  id: 'n_plus_one_api',
  type: 'performance_n_plus_one_api_calls',
  typeId: 1010,
  title: 'N+1 API calls',
  rule: 'A page asks the same address for one thing after another, all at once: GET requests that differ in an id or in their query alone, each starting within 15 ms of the one before.',
  thresholds: [
    { name: 'count', label: 'Requests alike', unit: 'count', default: 5, min: 3, max: 1000 },
    { name: 'total', label: 'Take together at least', unit: 'ms', default: 300, min: 1, max: 60_000 },
  ],
  needs: { kind: 'http', least: ({ count = 0, total = 0 }) => ({ alike: count, total }) },
  facts: PREFETCH,
  seen: 3,
  needsShare: true,
  perTransaction: true,
  find: (segment, thresholds) =>
    /^(?:pageload|navigation|ui\.)/.test(segment.op)
      ? [...siblingsOf(segment)].flatMap(([parent, siblings]) => findBursts(segment, parent, siblings, thresholds))
      : [],
}

const findBursts = (
  segment: Segment,
  parent: number,
  siblings: readonly number[],
  { count = 0, total = 0 }: Thresholds,
): Candidate[] => {
  const byText = Map.groupBy(
    siblings.filter((place) => {
      const span = segment.spans[place]
      return span !== undefined && isApi(span) && isGet(span)
    }),
    (place) => segment.spans[place]?.text ?? '',
  )
  return [...byText].flatMap(([text, places]) => {
    const bursts: number[][] = []
    for (const place of places) {
      const burst = bursts.at(-1)
      const before = segment.spans[burst?.at(-1) ?? -1]
      const span = segment.spans[place]
      const follows = before !== undefined && span !== undefined && span.start - before.start < BURST_MS * 1000
      if (burst !== undefined && follows) burst.push(place)
      else bursts.push([place])
    }
    return bursts.flatMap((burst): Candidate[] => {
      const spans = at(segment, burst)
      // The very same address again and again is another problem: that of a cache, or of a loop.
      const differ = new Set(spans.map(({ name }) => name)).size
      if (burst.length < count || differ < 2 || sumMs(spans) < total) return []
      const together = unionMs(spans)
      return [
        {
          offenders: burst,
          ...(parent < 0 ? {} : { parent }),
          text,
          key: [text],
          sentence: `${burst.length} requests alike were sent at once, for ${differ} addresses; together they took ${shownMs(together)}.`,
          saved: Math.max(0, together - longestMs(spans)),
          formula: `the time in which they ran (${shownMs(together)}) − the longest of them (${shownMs(longestMs(spans))}): one request in their place`,
        },
      ]
    })
  })
}

export const consecutiveHttp: Detector = {
  id: 'consecutive_http',
  type: 'performance_consecutive_http',
  typeId: 1009,
  title: 'Consecutive HTTP requests',
  rule: 'A server sends at least three slow requests one after another, to at most two hosts, with hardly anything in between.',
  thresholds: [
    { name: 'count', label: 'Requests', unit: 'count', default: 3, min: 2, max: 100 },
    { name: 'duration', label: 'Each takes at least', unit: 'ms', default: 500, min: 10, max: 60_000 },
    { name: 'gap', label: 'Pause between them of at most', unit: 'ms', default: 500, min: 1, max: 60_000 },
    { name: 'saved', label: 'Could save at least', unit: 'ms', default: 2000, min: 10, max: 600_000 },
  ],
  needs: {
    kind: 'http',
    least: ({ count = 0, duration = 0, saved = 0 }) => ({ count, longest: duration, total: saved }),
  },
  facts: PREFETCH,
  seen: 5,
  needsShare: true,
  perTransaction: true,
  find: (segment, thresholds) =>
    isBrowser(segment)
      ? []
      : [...siblingsOf(segment)].flatMap(([parent, siblings]) => findChain(segment, parent, siblings, thresholds)),
}

const HOSTS = 2

const findChain = (
  segment: Segment,
  parent: number,
  siblings: readonly number[],
  { count = 0, duration = 0, gap = 0, saved: least = 0 }: Thresholds,
): Candidate[] => {
  if (segment.spans[parent]?.category === 'gen_ai') return []
  const runs: number[][] = [[]]
  for (const place of siblings) {
    const span = segment.spans[place]
    if (span === undefined || !isRequest(span)) continue
    const run = runs.at(-1) ?? []
    const last = segment.spans[run.at(-1) ?? -1]
    const fits = isApi(span) && span.duration / 1000 >= duration
    const pause = last === undefined ? 0 : (span.start - last.end) / 1000
    if (fits && pause >= 0 && pause < gap) run.push(place)
    else runs.push(fits ? [place] : [])
  }
  return runs.flatMap((run): Candidate[] => {
    const spans = at(segment, run)
    const hosts = new Set(spans.map(({ domain }) => domain))
    const total = sumMs(spans)
    const longest = longestMs(spans)
    if (run.length < count || hosts.size > HOSTS || total - longest < least) return []
    const texts = [...new Set(spans.map(({ text }) => text))]
    return [
      {
        offenders: run,
        ...(parent < 0 ? {} : { parent }),
        text: texts[0] ?? '',
        key: texts.toSorted(),
        sentence: `${run.length} requests ran one after another, ${shownMs(total)} together.`,
        saved: total - longest,
        formula: `their time (${shownMs(total)}) − the longest of them (${shownMs(longest)}): all at the same time`,
      },
    ]
  })
}

/** The first that it tells: as it was sent, else what is nearest to that. */
const BYTES = [...ENCODED_SIZES, ...TRANSFER_SIZES, ...DECODED_SIZES] as const

export const largePayload: Detector = {
  id: 'large_payload',
  type: 'performance_large_http_payload',
  typeId: 1015,
  title: 'Large HTTP payload',
  rule: 'An answer of an API is larger than the limit, and it took a while. Files and what is loaded ahead of time do not count.',
  thresholds: [
    { name: 'bytes', label: 'Larger than', unit: 'bytes', default: 300_000, min: 1000, max: 1_000_000_000 },
    { name: 'duration', label: 'Takes at least', unit: 'ms', default: 100, min: 1, max: 60_000 },
  ],
  needs: { kind: 'http', least: ({ bytes = 0, duration = 0 }) => ({ largest: bytes, longest: duration }) },
  facts: [...PREFETCH, ...BYTES],
  seen: 3,
  needsShare: true,
  perTransaction: false,
  find: (segment, { bytes: most = 0, duration = 0 }) =>
    segment.spans.flatMap((span, place): Candidate[] => {
      const took = span.duration / 1000
      const bytes = numberFact(span, ...BYTES)
      if (bytes === null || bytes <= most || took < duration || !isApi(span) || !isData(span)) return []
      return [
        {
          offenders: [place],
          ...(span.parent < 0 ? {} : { parent: span.parent }),
          text: span.text,
          key: [span.text],
          sentence: `An answer of ${shownBytes(bytes)} took ${shownMs(took)}.`,
          saved: took * (1 - most / bytes),
          formula: `its duration (${shownMs(took)}) × the part of it above the limit (${shownBytes(bytes)} − ${shownBytes(most)})`,
        },
      ]
    }),
}

/** JSON, or what has no extension at all: not a file. */
const isData = ({ text }: SegmentSpan): boolean =>
  !/\.[a-z0-9*]{1,5}$/i.test(pathOf(text)) || /\.json$/i.test(pathOf(text))

const pathOf = (text: string): string => {
  const path = text.replace(/^\S+ /, '').replace(/^\w+:\/\/[^/]*/, '')
  return path.slice(path.lastIndexOf('/') + 1)
}
