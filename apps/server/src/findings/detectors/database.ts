import {
  longestMs,
  shownMs,
  siblingsOf,
  sumMs,
  unionMs,
  type Candidate,
  type Detector,
  type Thresholds,
} from '../finding.ts'
import type { Segment, SegmentSpan } from '../segment.ts'

/** What a driver does around a query: no query of its own. */
const AROUND_QUERIES =
  /^(?:(?:pg|pg-pool|mysql2?|mongodb|knex|tedious|generic-pool)[.: -]?(?:pool)?[.: -]?(?:connect|acquire|getconnection)\b.*|connect|pool\b.*|acquire\b.*|begin\b.*|start transaction\b.*|commit|rollback\b.*|savepoint\b.*|release\b.*|set\b.*|select %s;?)$/i

const AROUND_OPS: ReadonlySet<string> = new Set([
  'db.connection',
  'db.connect',
  'db.pool',
  'db.transaction',
  'db.sql.transaction',
])

const isAround = ({ op, text, name }: SegmentSpan): boolean =>
  AROUND_OPS.has(op) || AROUND_QUERIES.test(text) || AROUND_QUERIES.test(name.slice(0, 100))

/** Redis answers in less than a millisecond, and its keys are not known: many commands alike are no mistake. */
const isQuery = (span: SegmentSpan): boolean =>
  span.category === 'db' &&
  span.op !== 'db.redis' &&
  span.text !== '' &&
  !/(?:^|^[A-Z_]+ )\*$/.test(span.text) &&
  !isAround(span)

const isSelect = ({ text }: SegmentSpan): boolean => /^(?:select|with)\b/i.test(text)

/** SDKs cut long statements. */
const isCut = ({ name }: SegmentSpan): boolean => name.endsWith('…') || name.endsWith('...')

const at = ({ spans }: Segment, places: readonly number[]): SegmentSpan[] =>
  places.flatMap((place) => spans[place] ?? [])

export const slowDb: Detector = {
  id: 'slow_db',
  type: 'performance_slow_db_query',
  typeId: 1001,
  title: 'Slow database query',
  rule: 'One SELECT takes longer than the limit.',
  thresholds: [{ name: 'duration', label: 'Takes at least', unit: 'ms', default: 1000, min: 50, max: 600_000 }],
  needs: { kind: 'db', least: ({ duration = 0 }) => ({ longest: duration }) },
  facts: [],
  seen: 100,
  needsShare: true,
  perTransaction: false,
  find: (segment, { duration: least = 0 }) =>
    segment.spans.flatMap((span, place): Candidate[] => {
      const took = span.duration / 1000
      if (took < least || !isQuery(span) || !isSelect(span) || isCut(span)) return []
      return [
        {
          offenders: [place],
          ...(span.parent < 0 ? {} : { parent: span.parent }),
          text: span.text,
          key: [span.text],
          sentence: `One query took ${shownMs(took)}.`,
          saved: took - least,
          formula: `its duration (${shownMs(took)}) − the limit (${shownMs(least)})`,
        },
      ]
    }),
}

export const nPlusOneDb: Detector = {
  id: 'n_plus_one_db',
  type: 'performance_n_plus_one_db_queries',
  typeId: 1006,
  title: 'N+1 database queries',
  rule: 'After a first query the same query runs again and again below the same span: once for each of its rows. Connections, pools and transactions in between do not count, and the queries may overlap.',
  thresholds: [
    { name: 'count', label: 'Queries alike', unit: 'count', default: 5, min: 3, max: 1000 },
    { name: 'total', label: 'Take together at least', unit: 'ms', default: 50, min: 1, max: 60_000 },
  ],
  needs: { kind: 'db', least: ({ count = 0, total = 0 }) => ({ alike: count, total }) },
  facts: [],
  seen: 3,
  needsShare: true,
  perTransaction: true,
  find: (segment, thresholds) => {
    const sourceOf = createSourceOf(segment)
    return [...siblingsOf(segment)].flatMap(([parent, siblings]) =>
      findRepeated({ segment, sourceOf }, parent, siblings, thresholds),
    )
  },
}

type SourceOf = (first: SegmentSpan) => number | null

const findRepeated = (
  { segment, sourceOf }: { readonly segment: Segment; readonly sourceOf: SourceOf },
  parent: number,
  siblings: readonly number[],
  { count = 0, total = 0 }: Thresholds,
): Candidate[] => {
  const found: Candidate[] = []
  let run: number[] = []
  const end = (): void => {
    const candidate = run.length < count ? null : candidateOf({ segment, sourceOf }, parent, run, total)
    if (candidate !== null) found.push(candidate)
    run = []
  }
  for (const place of siblings) {
    const span = segment.spans[place]
    if (span === undefined || isAround(span)) continue
    const first = segment.spans[run[0] ?? -1]
    if (first !== undefined && first.text !== span.text) end()
    if (isQuery(span) && !isCut(span)) run.push(place)
    else end()
  }
  end()
  return found
}

const candidateOf = (
  { segment, sourceOf }: { readonly segment: Segment; readonly sourceOf: SourceOf },
  parent: number,
  run: readonly number[],
  least: number,
): Candidate | null => {
  const spans = at(segment, run)
  const [first] = spans
  const together = unionMs(spans)
  if (first === undefined || together < least) return null
  const cause = sourceOf(first)
  if (cause === null) return null
  const source = segment.spans[cause]
  const above = segment.spans[parent]
  return {
    offenders: run,
    cause,
    ...(parent < 0 ? {} : { parent }),
    text: first.text,
    key: [above?.op ?? '', source?.text ?? '', first.text],
    sentence: `${run.length} queries alike ran after one that gave their rows; together they took ${shownMs(together)}.`,
    saved: together - longestMs(spans),
    formula: `the time in which they ran (${shownMs(together)}) − the longest of them (${shownMs(longestMs(spans))}): one query in their place`,
  }
}

/**
 * The query before them, of another text: the one that gave the rows. A segment may have thousands of repetitions, so its
 * queries are put in order once, each with the last one of another text before it.
 */
const createSourceOf = ({ spans }: Segment): SourceOf => {
  const queries = spans
    .flatMap((span, place) => (isQuery(span) ? [{ place, start: span.start, text: span.text }] : []))
    .toSorted((one, other) => one.start - other.start)
  const otherBefore: number[] = []
  queries.forEach(({ text }, index) => {
    const before = queries[index - 1]
    otherBefore.push(before?.text === text ? (otherBefore[index - 1] ?? -1) : index - 1)
  })
  return (first) => {
    let from = 0
    let to = queries.length
    while (from < to) {
      const middle = (from + to) >> 1
      if ((queries[middle]?.start ?? Infinity) <= first.start) from = middle + 1
      else to = middle
    }
    const last = from - 1
    const index = queries[last]?.text === first.text ? (otherBefore[last] ?? -1) : last
    return queries[index]?.place ?? null
  }
}

export const consecutiveDb: Detector = {
  id: 'consecutive_db',
  type: 'performance_consecutive_db_queries',
  typeId: 1007,
  title: 'Consecutive database queries',
  rule: 'Queries run one after another, although some of them need nothing of the others (they have neither a condition nor a value) and could run at the same time.',
  thresholds: [
    { name: 'duration', label: 'Each takes at least', unit: 'ms', default: 30, min: 1, max: 60_000 },
    { name: 'saved', label: 'Could save at least', unit: 'ms', default: 100, min: 10, max: 60_000 },
    { name: 'share', label: 'Of their time', unit: 'percent', default: 10, min: 1, max: 100 },
  ],
  needs: { kind: 'db', least: ({ saved = 0 }) => ({ count: 2, total: saved }) },
  facts: [],
  seen: 15,
  needsShare: true,
  perTransaction: true,
  find: (segment, thresholds) => {
    if (/\bphp\b/.test(segment.sdkName) || /graphql/i.test(segment.op)) return []
    return [...siblingsOf(segment)].flatMap(([parent, siblings]) =>
      findConsecutive(segment, parent, siblings, thresholds),
    )
  },
}

const isIndependent = ({ text }: SegmentSpan): boolean => !/\bWHERE\b|%s/i.test(text)

const findConsecutive = (
  segment: Segment,
  parent: number,
  siblings: readonly number[],
  { duration = 0, saved: least = 0, share = 0 }: Thresholds,
): Candidate[] => {
  const runs: number[][] = [[]]
  for (const place of siblings) {
    const span = segment.spans[place]
    if (span === undefined || isAround(span)) continue
    const run = runs.at(-1) ?? []
    const last = segment.spans[run.at(-1) ?? -1]
    const fits = isQuery(span) && isSelect(span) && !isCut(span)
    if (fits && (last === undefined || span.start >= last.end)) run.push(place)
    else runs.push(fits ? [place] : [])
  }
  return runs.flatMap((run): Candidate[] => {
    const spans = at(segment, run)
    const independent = run.filter((place) => {
      const span = segment.spans[place]
      return span !== undefined && isIndependent(span) && span.duration / 1000 > duration
    })
    const texts = [...new Set(at(segment, independent).map(({ text }) => text))]
    if (spans.length < 2 || texts.length === 0 || new Set(spans.map(({ text }) => text)).size < 2) return []
    const total = sumMs(spans)
    const dependent = sumMs(spans.filter((span) => !isIndependent(span)))
    const longest = longestMs(at(segment, independent))
    const saved = total - Math.max(longest, dependent)
    if (saved < least || saved < (total * share) / 100) return []
    return [
      {
        offenders: independent,
        ...(run[0] === undefined || independent.includes(run[0]) ? {} : { cause: run[0] }),
        ...(parent < 0 ? {} : { parent }),
        text: texts[0] ?? '',
        key: texts.toSorted(),
        sentence: `${spans.length} queries ran one after another, ${shownMs(total)} together; ${independent.length === 1 ? 'one of them needs' : `${independent.length} of them need`} nothing of the others.`,
        saved,
        formula: `their time (${shownMs(total)}) − the longer of: the longest that needs nothing (${shownMs(longest)}), those that need something together (${shownMs(dependent)})`,
      },
    ]
  })
}

export const mnPlusOneDb: Detector = {
  id: 'mn_plus_one_db',
  type: 'performance_m_n_plus_one_db_queries',
  typeId: 1011,
  title: 'Repeated work with database queries',
  rule: 'The same sequence of two to eight spans with a query in it runs again and again below one span.',
  thresholds: [
    { name: 'count', label: 'Times it runs', unit: 'count', default: 3, min: 3, max: 1000 },
    { name: 'total', label: 'Takes together at least', unit: 'ms', default: 50, min: 1, max: 60_000 },
    { name: 'share', label: 'Of it in queries', unit: 'percent', default: 5, min: 1, max: 100 },
  ],
  needs: {
    kind: 'db',
    least: ({ count = 0, total = 0, share = 0 }) => ({ alike: count, total: (total * share) / 100 }),
  },
  facts: [],
  seen: 3,
  needsShare: true,
  perTransaction: true,
  find: (segment, thresholds) => findPatterns(segment, thresholds),
}

const PATTERN_SPANS = 8
/** The span that all of them are below may be so far above. */
const PATTERN_LEVELS = 3

const findPatterns = (segment: Segment, { count = 0, total = 0, share = 0 }: Thresholds): Candidate[] => {
  const { spans } = segment
  const keys = numbered(spans.map((span) => `${span.op} ${span.text === '' ? span.name : span.text}`))
  const found: Candidate[] = []
  let from = 1
  while (from < spans.length) {
    const [length, times] = repetitionAt(keys, from)
    const places = Array.from({ length: length * times }, (_, index) => from + index)
    const candidate = times < count ? null : patternCandidate(segment, places, length, { total, share })
    // A sequence that is none of the kind is not looked at again from each of its spans.
    if (candidate === null) from += Math.max(1, places.length - length)
    else {
      found.push(candidate)
      from += places.length
    }
  }
  return found
}

/** The same number for the same text: texts may be long, and each is compared many times. */
const numbered = (texts: readonly string[]): number[] => {
  const numbers = new Map<string, number>()
  return texts.map((text) => {
    const number = numbers.get(text) ?? numbers.size
    numbers.set(text, number)
    return number
  })
}

/** The shortest sequence that repeats from here on, and how often it runs. */
const repetitionAt = (keys: readonly number[], from: number): readonly [length: number, times: number] => {
  for (let length = 2; length <= PATTERN_SPANS; length += 1) {
    let same = 0
    while (from + length + same < keys.length && keys[from + same] === keys[from + length + same]) same += 1
    const times = Math.floor(same / length) + 1
    if (times >= 3) return [length, times]
  }
  return [0, 0]
}

const patternCandidate = (
  segment: Segment,
  places: readonly number[],
  length: number,
  { total, share }: { readonly total: number; readonly share: number },
): Candidate | null => {
  const spans = at(segment, places)
  const pattern = spans.slice(0, length)
  const queries = spans.filter(isQuery)
  const query = pattern.find(isQuery)
  const [first] = pattern
  if (query === undefined || first === undefined || first.name.startsWith('prisma:client:serialize')) return null
  // All alike is what N+1 is about.
  if (new Set(pattern.filter((span) => !isAround(span)).map(({ op, text, name }) => `${op} ${text || name}`)).size < 2)
    return null
  const together = unionMs(spans)
  if (together < total || unionMs(queries) < (together * share) / 100) return null
  const parent = commonParent(segment, places)
  if (parent === null) return null
  const times = places.length / length
  return {
    offenders: places,
    parent,
    text: query.text,
    key: [segment.spans[parent]?.op ?? '', ...pattern.map(({ op, text }) => `${op} ${text}`)],
    sentence: `The same ${length} steps with a query ran ${times} times; together they took ${shownMs(together)}.`,
    saved: together - together / times,
    formula: `the time in which they ran (${shownMs(together)}) − one of the ${times} times`,
  }
}

const commonParent = ({ spans }: Segment, places: readonly number[]): number | null => {
  const ancestors = (place: number): number[] => {
    const above: number[] = []
    for (
      let next = spans[place]?.parent ?? -1;
      next >= 0 && above.length < PATTERN_LEVELS;
      next = spans[next]?.parent ?? -1
    )
      above.push(next)
    return above
  }
  const inside = new Set(places)
  let common: readonly number[] | null = null
  for (const place of places) {
    const parent = spans[place]?.parent ?? -1
    // Of what stands inside of the sequence only its upper ends count.
    if (inside.has(parent)) continue
    const own = ancestors(place)
    common = common === null ? own : common.filter((one) => own.includes(one))
  }
  return common?.[0] ?? null
}
