import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { createServices, FROM, HOUR, insertSpans, tableOf, type Ask, type SampleSpan } from './test/sample-spans.ts'

const ROWS = 10_000

/** The same spans on every run, in no order that a query could profit from. */
const spread = (index: number, most: number): number => ((index * 7919 + 104_729) % 1_000_003) % most

const OPS = ['db', 'db.redis', 'http.client', 'ui.render'] as const
const STATUSES = ['ok', 'internal_error', 'cancelled', '', 'unknown', 'not_found'] as const
const RATES = [1, 1, 0.5, 0.1] as const
const CODES = [0, 200, 201, 404, 500, 503] as const

interface Sample extends Required<Pick<SampleSpan, 'op' | 'status' | 'user' | 'rate' | 'httpStatus' | 'duration'>> {
  readonly weight: number
  readonly span: SampleSpan
  readonly lcp: number | null
  readonly items: number | null
  readonly hit: boolean | null
  readonly exclusive: number
  readonly frames: number
  readonly isRoot: boolean
}

const SAMPLES: readonly Sample[] = Array.from({ length: ROWS }, (_, index) => {
  const pick = <Value>(list: readonly Value[], salt: number): Value => list[spread(index + salt, list.length)] as Value
  const rate = pick(RATES, 17)
  const duration = 1 + spread(index, 20_000) / 10
  const user = index % 5 === 0 ? '' : `id:${spread(index, 400)}`
  const lcp = index % 3 === 0 ? 500 + spread(index, 50_000) / 10 : null
  const items = index % 4 === 0 ? spread(index, 90) : null
  const hit = index % 6 === 0 ? spread(index, 3) === 0 : null
  const frames = 1 + spread(index, 60)
  const exclusive = duration / 2
  const base = { op: pick(OPS, 3), status: pick(STATUSES, 5), user, rate, httpStatus: pick(CODES, 11), duration }
  return {
    ...base,
    weight: 1 / rate,
    lcp,
    items,
    hit,
    exclusive,
    frames,
    isRoot: index % 7 === 0,
    span: {
      ...base,
      isSegment: index % 7 === 0,
      childrenTime: duration - exclusive,
      at: FROM + spread(index, HOUR),
      // Every second of them came as a text.
      strings: items !== null && index % 8 === 0 ? { 'cart.items': String(items) } : {},
      numbers: {
        // What an SDK says of it is not what counts.
        'sentry.exclusive_time': 7,
        'frames.slow': frames,
        ...(items !== null && index % 8 !== 0 && { 'cart.items': items }),
        ...(lcp !== null && { 'browser.web_vital.lcp.value': lcp }),
      },
      flags: hit === null ? {} : { 'cache.hit': hit },
    },
  }
})

const sumOf = (samples: readonly Sample[], of: (sample: Sample) => number): number =>
  samples.reduce((sum, sample) => sum + of(sample), 0)
const weightOf = (keep: (sample: Sample) => boolean = () => true): number =>
  sumOf(SAMPLES.filter(keep), ({ weight }) => weight)
const weighted = (keep: (sample: Sample) => boolean, of: (sample: Sample) => number): number =>
  sumOf(SAMPLES.filter(keep), (sample) => of(sample) * sample.weight)
const all = (): boolean => true

const average = (keep: (sample: Sample) => boolean, of: (sample: Sample) => number): number =>
  weighted(keep, of) / weightOf(keep)

/** The value below which so much of the weight lies. */
const quantile = (
  share: number,
  of: (sample: Sample) => number | null,
  weigh: (sample: Sample) => number = ({ weight }) => weight,
): number => {
  const sorted = SAMPLES.flatMap((sample) => {
    const value = of(sample)
    return value === null ? [] : [{ value, weight: weigh(sample) }]
  }).toSorted((one, other) => one.value - other.value)
  const wanted = share * sorted.reduce((sum, { weight }) => sum + weight, 0)
  let sum = 0
  for (const { value, weight } of sorted) {
    sum += weight
    if (sum >= wanted) return value
  }
  return NaN
}

const usersOf = (keep: (sample: Sample) => boolean): number =>
  new Set(SAMPLES.filter((sample) => sample.user !== '' && keep(sample)).map(({ user }) => user)).size

const misery = (threshold: number): number => {
  const unhappy = usersOf(({ duration }) => duration > threshold * 4)
  return (unhappy + 5.8875) / (usersOf(all) + 5.8875 + 111.8625)
}

const apdex = (of: (sample: Sample) => number | null, threshold: number): number => {
  const has = (sample: Sample): boolean => of(sample) !== null
  const fast = weightOf((sample) => has(sample) && (of(sample) ?? 0) <= threshold)
  const bearable = weightOf(
    (sample) => has(sample) && (of(sample) ?? 0) > threshold && (of(sample) ?? 0) <= threshold * 4,
  )
  return (fast + bearable / 2) / weightOf(has)
}

/** By the formula of the reference, with the error function as a series. */
const erf = (x: number): number => {
  let sum = 0
  let term = x
  for (let n = 0; n < 200; n += 1) {
    sum += term / (2 * n + 1)
    term *= -(x * x) / (n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}
const score = (value: number, good: number, middling: number): number => {
  const spreadOf = Math.abs(Math.log(good) - Math.log(middling)) / (Math.SQRT2 * 0.906_193_802_4)
  return 0.5 * (1 - erf((Math.log(value) - Math.log(middling)) / (Math.SQRT2 * spreadOf)))
}
const lcpScore = ({ lcp }: Sample): number => score(lcp ?? 0, 1200, 2400)
const hasLcp = ({ lcp }: Sample): boolean => lcp !== null
const hasItems = ({ items }: Sample): boolean => items !== null
const durationOf = ({ duration }: Sample): number => duration
const isDb = ({ op }: Sample): boolean => op === 'db'
const isRoot = (sample: Sample): boolean => sample.isRoot
const failed = ({ status }: Sample): boolean => !['', 'ok', 'cancelled', 'unknown'].includes(status)
const SECONDS = HOUR / 1000

const variance = (values: readonly number[]): number => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)
}

/** What each is by its definition. Percentiles of many are approximate: within a hundredth. */
const EXACT: readonly (readonly [string, () => number])[] = [
  ['count()', () => weightOf()],
  ['count(span.duration)', () => weightOf()],
  ['count(cart.items)', () => weightOf(hasItems)],
  ['count_sample()', () => ROWS],
  ['count_unique(user)', () => usersOf(all)],
  ['count_if(span.duration,greater,1s)', () => weightOf(({ duration }) => duration > 1000)],
  ['count_if(span.duration,lessOrEquals,250)', () => weightOf(({ duration }) => duration <= 250)],
  ['count_if(span.op,equals,db)', () => weightOf(isDb)],
  ['count_if(span.op,notEquals,db)', () => weightOf((sample) => !isDb(sample))],
  [
    'count_if(`span.op:[db,db.redis] span.duration:>100ms`)',
    () => weightOf((sample) => sample.op.startsWith('db') && sample.duration > 100),
  ],
  ['count_op(http.client)', () => weightOf(({ op }) => op === 'http.client')],
  ['count_scores(measurements.score.lcp)', () => weightOf(hasLcp)],
  ['avg(span.duration)', () => average(all, durationOf)],
  ['avg()', () => average(all, durationOf)],
  ['avg_sample(span.duration)', () => sumOf(SAMPLES, durationOf) / ROWS],
  ['avg_if(span.duration,span.op,db)', () => average(isDb, durationOf)],
  ['avg_if(`span.op:db`,span.duration)', () => average(isDb, durationOf)],
  ['avg(cache.hit)', () => weightOf(({ hit }) => hit === true) / weightOf(({ hit }) => hit !== null)],
  ['avg(tags[cache.hit,boolean])', () => weightOf(({ hit }) => hit === true) / weightOf(({ hit }) => hit !== null)],
  ['sum(span.duration)', () => weighted(all, durationOf)],
  ['sum(cart.items)', () => weighted(hasItems, ({ items }) => items ?? 0)],
  ['sum_if(`!span.op:db`,span.duration)', () => weighted((sample) => !isDb(sample), durationOf)],
  ['min(span.duration)', () => Math.min(...SAMPLES.map(durationOf))],
  ['max(span.duration)', () => Math.max(...SAMPLES.map(durationOf))],
  ['p100(span.duration)', () => Math.max(...SAMPLES.map(durationOf))],
  ['max(cart.items)', () => Math.max(...SAMPLES.map(({ items }) => items ?? 0))],
  ['var(span.duration)', () => variance(SAMPLES.map(durationOf))],
  ['stddev(span.duration)', () => Math.sqrt(variance(SAMPLES.map(durationOf)))],
  ['epm()', () => weightOf() / (SECONDS / 60)],
  ['eps()', () => weightOf() / SECONDS],
  ['failure_rate()', () => weightOf(failed) / weightOf()],
  ['failure_rate_if(`span.op:db`)', () => weightOf((sample) => isDb(sample) && failed(sample)) / weightOf(isDb)],
  ['failure_rate_if(span.op,db)', () => weightOf((sample) => isDb(sample) && failed(sample)) / weightOf(isDb)],
  ['failure_count()', () => weightOf(failed)],
  ['failure_count_if(`span.op:db`)', () => weightOf((sample) => isDb(sample) && failed(sample))],
  ['spm()', () => weightOf() / (SECONDS / 60)],
  ['tpm()', () => weightOf(isRoot) / (SECONDS / 60)],
  ['tps()', () => weightOf(isRoot) / SECONDS],
  ['http_response_count(5)', () => weightOf(({ httpStatus }) => httpStatus >= 500)],
  ['count_at_least(span.duration,1s)', () => weightOf(({ duration }) => duration >= 1000)],
  ['count_at_least(cart.items,50)', () => weightOf(({ items }) => items !== null && items >= 50)],
  ['count_web_vitals(measurements.lcp,any)', () => weightOf(hasLcp)],
  ['count_web_vitals(measurements.lcp,good)', () => weightOf(({ lcp }) => lcp !== null && lcp <= 2500)],
  ['count_web_vitals(measurements.lcp, meh)', () => weightOf(({ lcp }) => lcp !== null && lcp > 2500 && lcp <= 4000)],
  ['count_web_vitals(measurements.lcp,poor)', () => weightOf(({ lcp }) => lcp !== null && lcp > 4000)],
  ['trace_status_rate(not_found)', () => weightOf(({ status }) => status === 'not_found') / weightOf()],
  [
    'http_response_rate(5)',
    () => weightOf(({ httpStatus }) => httpStatus >= 500) / weightOf(({ httpStatus }) => httpStatus > 0),
  ],
  ['cache_miss_rate()', () => weightOf(({ hit }) => hit === false) / weightOf(({ hit }) => hit !== null)],
  ['apdex()', () => apdex(durationOf, 300)],
  ['apdex(500)', () => apdex(durationOf, 500)],
  ['apdex(span.duration,0.5s)', () => apdex(durationOf, 500)],
  ['apdex(measurements.lcp,1200)', () => apdex(({ lcp }) => lcp, 1200)],
  ['count_miserable(user,300)', () => usersOf(({ duration }) => duration > 1200)],
  ['user_misery(300)', () => misery(300)],
  ['performance_score(measurements.score.lcp)', () => average(hasLcp, lcpScore)],
  [
    'opportunity_score(measurements.score.lcp)',
    () => (weightOf(hasLcp) - weighted(hasLcp, lcpScore)) / weightOf(hasLcp),
  ],
  // No other vital occurs, so this one has all of the weight.
  [
    'opportunity_score(measurements.score.total)',
    () => (weightOf(hasLcp) - weighted(hasLcp, lcpScore)) / weightOf(hasLcp),
  ],
  ['time_spent_percentage()', () => 1],
  [
    'avg_compare(span.duration,span.op,db,http.client)',
    () => {
      const before = average(isDb, durationOf)
      return (average(({ op }) => op === 'http.client', durationOf) - before) / before
    },
  ],
  ['division(frames.slow,span.duration)', () => weighted(all, ({ frames }) => frames) / weighted(all, durationOf)],
  [
    'equation|count_if(`(has:span.status !span.status:[ok,cancelled,unknown]) OR http.response.status_code:>=500`) / count()',
    () => weightOf((sample) => failed(sample) || sample.httpStatus >= 500) / weightOf(),
  ],
  ['equation|count_if(`span.op:db`) / count() * 100', () => (weightOf(isDb) / weightOf()) * 100],
  [
    'equation|(sum(span.duration) - sum(span.self_time)) / -2',
    () => (weighted(all, durationOf) - weighted(all, ({ exclusive }) => exclusive)) / -2,
  ],
  ['per_second(cart.items)', () => weighted(hasItems, ({ items }) => items ?? 0) / SECONDS],
]

const APPROXIMATE: readonly (readonly [string, () => number])[] = [
  ['p50(span.duration)', () => quantile(0.5, durationOf)],
  ['p75(span.duration)', () => quantile(0.75, durationOf)],
  ['p90(span.duration)', () => quantile(0.9, durationOf)],
  ['p95()', () => quantile(0.95, durationOf)],
  ['p99(span.duration)', () => quantile(0.99, durationOf)],
  ['percentile(span.duration,0.25)', () => quantile(0.25, durationOf)],
  ['p75(measurements.lcp)', () => quantile(0.75, ({ lcp }) => lcp)],
  ['p50(cart.items)', () => quantile(0.5, ({ items }) => items)],
  ['p50_sample(span.duration)', () => quantile(0.5, durationOf, () => 1)],
  ['p95_if(`span.op:db`,span.duration)', () => quantile(0.95, (sample) => (isDb(sample) ? sample.duration : null))],
]

describe.each(TELEMETRY_ENGINES)('functions over 10,000 spans on $name', ({ open }) => {
  let opened: OpenedTelemetry
  let ask: Ask
  beforeAll(async () => {
    opened = await open()
    ask = tableOf(createServices(opened))
    await insertSpans(
      opened,
      SAMPLES.map(({ span }) => span),
    )
  })
  afterAll(() => opened.close())

  const asked = async (functions: readonly string[]): Promise<Readonly<Record<string, unknown>>> => {
    const { rows } = await ask({ field: functions })
    return rows[0] ?? {}
  }

  it('T35 equal what they are by their definition', async () => {
    for (let from = 0; from < EXACT.length; from += 20) {
      const some = EXACT.slice(from, from + 20)
      const row = await asked(some.map(([name]) => name))
      for (const [name, wanted] of some) {
        const found = Number(row[name])
        expect(Math.abs(found - wanted()), `${name}: ${found}, not ${wanted()}`).toBeLessThan(
          Math.max(1e-9, Math.abs(wanted()) * 1e-6),
        )
      }
    }
  })

  it('T35 percentiles are within a hundredth of those of the sorted list', async () => {
    const row = await asked(APPROXIMATE.map(([name]) => name))
    for (const [name, wanted] of APPROXIMATE) {
      const found = Number(row[name])
      expect(Math.abs(found - wanted()) / wanted(), `${name}: ${found}, not ${wanted()}`).toBeLessThan(0.01)
    }
  })
})
