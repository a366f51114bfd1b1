import { err, ok, type Result } from '../lib/result.ts'
import {
  BEARABLE,
  columnRefusalOf,
  findAttribute,
  findNumber,
  parseQuantity,
  readUnit,
  RowNumbers,
  type AttributeType,
  type Bind,
  type Coarser,
  type Dataset,
  type FoundAttribute,
  type RowFilter,
} from '../search/index.ts'
import { isCall, type Argument, type Call } from './call.ts'
import { nearest } from './nearest.ts'

/** Functions over the rows of a group: what Sentry's clients know, by its definitions. */

export type ColumnType = AttributeType | 'rate'

export interface Aggregate {
  /** ClickHouse, over columns of the dataset. */
  readonly sql: string
  readonly type: ColumnType
  readonly unit?: string
  /** How sure one can be of it when only some rows were kept: as of a sum of them, or as of something typical of them. */
  readonly estimate?: 'sum' | 'typical'
  readonly lookup?: FoundAttribute['lookup']
  /** The condition of the rows that its last arguments name. */
  readonly narrowed?: string
}

/** What a question is asked of, as far as its functions need it. */
export interface Asked {
  readonly dataset: Dataset
  readonly bind: Bind
  /** How many things a row stands for; `1` when only the rows count. */
  readonly weight: string
  /** What is measured, where rows may be sums of others. */
  readonly coarser?: Coarser | undefined
  /** Length of the time that a value is of: the period, or one step of a series. */
  readonly seconds: number
  /** A condition from a search. The error is a sentence for the caller. */
  readonly filter: (search: string) => Result<RowFilter['sql'], string>
  /** A value over all rows of the question, or of its time whatever is searched for. */
  readonly overall: (sql: string, of: 'question' | 'time') => string
}

type Made = Result<Aggregate, string>

/** One call whose condition was read: it counts rows for which `condition` holds. */
class Maker extends RowNumbers {
  readonly asked: Asked
  readonly #arguments: readonly string[]
  #problem: string | null = null
  #asked = 0

  constructor(asked: Asked, given: readonly string[], condition: string | null, weight: string) {
    super(weight, condition, asked.coarser ?? null)
    this.asked = asked
    this.#arguments = given
  }

  /** The error of the first argument that was none, or what was made. */
  done(aggregate: Aggregate): Made {
    if (this.#arguments.length > this.#asked) {
      this.fail(this.#asked === 0 ? 'It takes no arguments.' : `It takes at most ${this.#asked} of them.`)
    }
    return this.#problem === null ? ok(aggregate) : err(this.#problem)
  }

  text(index: number): string | undefined {
    if (Number.isFinite(index)) this.#asked = Math.max(this.#asked, index + 1)
    const text = this.#arguments[index]
    return text === '' ? undefined : text
  }

  fail(sentence: string): void {
    this.#problem ??= sentence
  }

  attribute(index: number, usual?: string): FoundAttribute {
    const name = this.text(index) ?? usual
    if (name === undefined || name === '') this.fail('It needs the name of an attribute.')
    if (isCall(name ?? '')) {
      this.fail(`"${name ?? ''}" is a function, and it takes attributes. Divide functions by equation|count() / epm().`)
    }
    const refusal = columnRefusalOf(this.asked.dataset, name ?? '')
    if (refusal !== null) this.fail(refusal)
    return findAttribute(this.asked.dataset, name ?? '', this.asked.bind)
  }

  /** An attribute as a number, whatever it was sent as. */
  number(index: number, usual: string | undefined = this.asked.dataset.measured): FoundAttribute {
    const found = this.attribute(index, usual)
    if (isNumber(found.type)) return found
    if (found.type !== 'boolean' && isOfAnyType(found)) {
      return findNumber(this.asked.dataset, this.text(index) ?? usual ?? '', this.asked.bind)
    }
    this.fail(`"${this.text(index) ?? usual ?? ''}" is no number.`)
    return found
  }

  /** The same, and of what is true or false how much is true: the average of it is a share. */
  numberOrFlag(index: number): Pick<FoundAttribute, 'sql' | 'type'> {
    const { sql, type } = this.text(index) === undefined ? this.number(index) : this.attribute(index)
    return type === 'boolean' ? { sql: `toFloat64(${sql})`, type: 'percentage' } : this.number(index)
  }

  /** A number that is written, with the unit of the attribute. */
  quantity(index: number, of: FoundAttribute, usual?: number): number {
    const text = this.text(index)
    if (text === undefined && usual !== undefined) return usual
    const quantity = of.type === 'duration' || of.type === 'size' || of.type === 'percentage' ? of.type : 'any'
    const number = text === undefined ? null : parseQuantity(text, quantity)
    if (number === null) this.fail(`"${text ?? ''}" is not a number.`)
    return number ?? 0
  }
}

/** Its name does not say what it was sent as. */
const isOfAnyType = ({ search }: FoundAttribute): boolean => search.kind === 'attribute' || search.kind === 'tag'

const isNumber = (type: AttributeType): boolean => type !== 'string' && type !== 'boolean'

/** Whether a row has it. */
const present = ({ sql, type }: FoundAttribute): string => (type === 'string' ? `${sql} != ''` : `isNotNull(${sql})`)

const PERCENTILES: Readonly<Record<string, number>> = { p50: 0.5, p75: 0.75, p90: 0.9, p95: 0.95, p99: 0.99 }

type Make = (maker: Maker) => Aggregate

const count: Make = (maker) => {
  const attribute = maker.text(0) === undefined ? null : maker.attribute(0)
  return { sql: maker.count(attribute === null ? undefined : present(attribute)), type: 'integer', estimate: 'sum' }
}

const percentile =
  (share: number): Make =>
  (maker) => {
    const { sql, type } = maker.number(0)
    return { sql: maker.percentile(share, sql), type: type === 'integer' ? 'number' : type, estimate: 'typical' }
  }

/** A value as it is among those of the rows, of the attribute's own type. */
const outermost =
  (name: 'min' | 'max'): Make =>
  (maker) => {
    const { sql, type } = maker.number(0)
    return { sql: maker.over(name, sql), type }
  }

const spread =
  (name: 'varSamp' | 'stddevSamp'): Make =>
  (maker) => {
    const { sql, type } = maker.number(0)
    return { sql: maker.over(name, sql), type: type === 'duration' && name === 'stddevSamp' ? type : 'number' }
  }

const rate =
  (seconds: number): Make =>
  (maker) => ({
    sql: `${maker.rows()} * ${seconds} / ${maker.asked.bind(maker.asked.seconds, 'Float64')}`,
    type: 'rate',
    unit: seconds === 1 ? '1/second' : '1/minute',
    estimate: 'sum',
  })

/** A sum of numbers, or how many there were that have anything else, for each so many seconds. */
const perTime =
  (seconds: number): Make =>
  (maker) => {
    const { dataset, bind } = maker.asked
    const rateOf = (sum: string): Aggregate => ({
      sql: `${sum} * ${seconds} / ${bind(maker.asked.seconds, 'Float64')}`,
      type: 'rate',
      unit: seconds === 1 ? '1/second' : '1/minute',
    })
    const found = maker.attribute(0, dataset.measured)
    if (found.type === 'string' && !isOfAnyType(found)) return rateOf(maker.rows(present(found)))
    const { sql, type } = maker.number(0)
    if (type !== 'number' && type !== 'integer') return rateOf(maker.rows())
    const isMeasured = (maker.text(0) ?? dataset.measured) === dataset.measured
    return rateOf(`ifNull(${maker.sum(isMeasured ? (dataset.rated ?? sql) : sql)}, 0)`)
  }

const failed = (maker: Maker): string => {
  const { failed: condition } = maker.asked.dataset
  if (condition === undefined) maker.fail('Its rows do not fail.')
  return condition ?? '0'
}

const shareOf = (maker: Maker, part: string, whole?: string): Aggregate => ({
  sql: maker.share(maker.rows(part), maker.rows(whole)),
  type: 'percentage',
  estimate: 'typical',
})

/** `apdex(300)` and `apdex(measurements.lcp,300)`: what is measured, and the threshold. */
const measured = (maker: Maker, from: number): { readonly value: string; readonly threshold: number } => {
  const first = maker.text(from)
  const startsWithNumber = first === undefined || parseQuantity(first, 'duration') !== null
  if (startsWithNumber && maker.asked.dataset.apdexThreshold === undefined) {
    maker.fail('Its rows take no time. Name what is measured first.')
  }
  const value = startsWithNumber ? maker.number(Infinity) : maker.number(from)
  const at = startsWithNumber ? from : from + 1
  return { value: value.sql, threshold: maker.quantity(at, value, maker.asked.dataset.apdexThreshold) }
}

const apdex: Make = (maker) => {
  const { value, threshold } = measured(maker, 0)
  const fast = maker.asked.bind(threshold, 'Float64')
  const bearable = maker.asked.bind(threshold * BEARABLE, 'Float64')
  return { sql: maker.apdex(value, fast, bearable), type: 'number', estimate: 'typical' }
}

const miserable = (maker: Maker, user: FoundAttribute, { value, threshold }: ReturnType<typeof measured>): string => {
  const unbearable = `${value} > ${maker.asked.bind(threshold * BEARABLE, 'Float64')}`
  return maker.different(user.sql, `${present(user)} AND ifNull(${unbearable}, 0)`)
}

const userMisery: Make = (maker) => {
  const user = maker.attribute(Infinity, 'user')
  const users = maker.different(user.sql, present(user))
  return { sql: maker.misery(users, miserable(maker, user, measured(maker, 0))), type: 'number' }
}

const TOTAL_SCORE = 'measurements.score.total'

/**
 * How good a vital was on average; in total each by its weight. Not the average of totals: most SDKs send each vital of a
 * page load as a span of its own, and there is one of a rare vital for many of a frequent one.
 */
const performanceScore: Make = (maker) => {
  const { scores } = maker.asked.dataset
  if (scores === undefined || maker.text(0) !== TOTAL_SCORE) {
    return { sql: maker.average(maker.number(0, '').sql), type: 'percentage', estimate: 'typical' }
  }
  const parts = [...scores].map(([name, weight]) => {
    const average = maker.average(findAttribute(maker.asked.dataset, name, maker.asked.bind).sql)
    return { sum: `ifNull(${average}, 0) * ${weight}`, weight: `if(isNull(${average}), 0, ${weight})` }
  })
  const sum = parts.map((part) => part.sum).join(' + ')
  const weights = parts.map((part) => part.weight).join(' + ')
  return { sql: `(${sum}) / nullIf(${weights}, 0)`, type: 'percentage', estimate: 'typical' }
}

/** How much better a vital could be: of its own, or of all of them by their weights. */
const opportunity: Make = (maker) => {
  const { scores = new Map<string, number>() } = maker.asked.dataset
  const asked = maker.text(0) ?? ''
  const of = scores.has(asked) ? [[asked, 1] as const] : [...scores]
  if (!scores.has(asked) && asked !== TOTAL_SCORE) {
    maker.fail(`"${asked}" is no score. Use ${TOTAL_SCORE} or one of: ${[...scores.keys()].join(', ')}.`)
  }
  const parts = of.map(([name, weight]) => {
    const { sql } = findAttribute(maker.asked.dataset, name, maker.asked.bind)
    const has = `isNotNull(${sql})`
    const all = maker.asked.overall(`sumIf(${maker.weight}, ${has})`, 'question')
    const missed = `(${maker.rows(has)} - ifNull(${maker.sum(sql)}, 0))`
    return { sum: `ifNull(${missed} / nullIf(${all}, 0), 0) * ${weight}`, weight: `if(${all} > 0, ${weight}, 0)` }
  })
  const sum = parts.map((part) => part.sum).join(' + ')
  const weights = parts.map((part) => part.weight).join(' + ')
  return { sql: `ifNull((${sum}) / nullIf(${weights}, 0), 0)`, type: 'number' }
}

const timeSpent: Make = (maker) => {
  const { sql } = maker.number(0, 'span.self_time')
  const all = maker.asked.overall(`sum(${sql} * ${maker.weight})`, 'time')
  return { sql: maker.share(maker.sum(sql), all), type: 'percentage' }
}

/** `attribute = value`, as a search would find it. */
const equals = (maker: Maker, attribute: number, value: number): string =>
  condition(maker, attribute, 'equals', maker.text(value) ?? '')

const averageCompared: Make = (maker) => {
  const { sql } = maker.number(0)
  const [before, after] = [maker.average(sql, equals(maker, 1, 2)), maker.average(sql, equals(maker, 1, 3))]
  return { sql: `(${after} - ${before}) / nullIf(${before}, 0)`, type: 'percentage' }
}

const division: Make = (maker) => {
  const [part, whole] = [maker.number(0, ''), maker.number(1, '')]
  return { sql: `${maker.sum(part.sql)} / nullIf(${maker.sum(whole.sql)}, 0)`, type: 'number', estimate: 'typical' }
}

/** Rows with a status of a class, and all that have one. */
const responses = (maker: Maker, example: string): { readonly part: string; readonly whole: string } => {
  const { sql } = maker.number(Infinity, 'http.response.status_code')
  const wanted = maker.text(0) ?? ''
  if (!/^[1-5]$/.test(wanted)) maker.fail(`It needs a class of codes: ${example}.`)
  const part = `ifNull(intDiv(${sql}, 100) = ${maker.asked.bind(Number(wanted) || 0, 'UInt32')}, 0)`
  return { part, whole: `isNotNull(${sql})` }
}

const counted = (maker: Maker, part: string): Aggregate => ({
  sql: maker.count(part),
  type: 'integer',
  estimate: 'sum',
})

/** How often a vital was good, middling or poor. */
const countVitals: Make = (maker) => {
  const { bind, dataset } = maker.asked
  const { vitals = new Map<string, readonly [number, number]>() } = dataset
  const [name, quality] = [maker.text(0) ?? '', maker.text(1) ?? '']
  const limits = vitals.get(name)
  if (limits === undefined) maker.fail(`It needs a vital, one of: ${[...vitals.keys()].join(', ')}.`)
  const [good, poor] = (limits ?? [0, 0]).map((limit) => bind(limit, 'Float64'))
  const { sql } = maker.number(0, '')
  const qualities: Readonly<Record<string, string>> = {
    good: `${sql} <= ${good ?? ''}`,
    meh: `${sql} > ${good ?? ''} AND ${sql} <= ${poor ?? ''}`,
    poor: `${sql} > ${poor ?? ''}`,
    any: `isNotNull(${sql})`,
  }
  const wanted = Object.hasOwn(qualities, quality) ? qualities[quality] : undefined
  if (wanted === undefined) maker.fail(`It needs one of: ${Object.keys(qualities).join(', ')}.`)
  return counted(maker, `ifNull(${wanted ?? '0'}, 0)`)
}

/** The share of sessions, or of people, that did not crash; of none it is nothing. */
const crashFreeRate: Make = (maker) => {
  const { runs } = maker.asked.dataset
  const of = maker.text(0) ?? 'session'
  if (runs === undefined) maker.fail('Its rows tell of no sessions.')
  if (of !== 'session' && of !== 'user') maker.fail('It is of session or of user: crash_free_rate(session).')
  const numbers = (which: 'all' | 'crashed'): string =>
    runs === undefined ? '0' : of === 'user' ? maker.runners(runs, which) : maker.runs(runs, which)
  const sql = `1 - ${numbers('crashed')} / nullIf(${numbers('all')}, 0)`
  return { sql, type: 'percentage', estimate: 'typical' }
}

/** Of transactions alone, also among all spans. */
const transactionRate =
  (seconds: number): Make =>
  (maker) => ({
    sql: `${maker.rows(maker.attribute(Infinity, 'is_transaction').sql)} * ${seconds} / ${maker.asked.bind(maker.asked.seconds, 'Float64')}`,
    type: 'rate',
    unit: seconds === 1 ? '1/second' : '1/minute',
    estimate: 'sum',
  })

const FUNCTIONS: Readonly<Record<string, Make>> = {
  count,
  ...Object.fromEntries(Object.entries(PERCENTILES).map(([name, share]) => [name, percentile(share)])),
  p100: outermost('max'),
  max: outermost('max'),
  min: outermost('min'),
  percentile: (maker) => {
    const share = Number(maker.text(1) ?? 'missing')
    if (!(share >= 0 && share <= 1)) maker.fail('It needs a share from 0 to 1: percentile(span.duration,0.95).')
    return percentile(share >= 0 && share <= 1 ? share : 0)(maker)
  },
  avg: (maker) => {
    const { sql, type } = maker.numberOrFlag(0)
    return { sql: maker.average(sql), type: type === 'integer' ? 'number' : type, estimate: 'typical' }
  },
  sum: (maker) => {
    const { sql, type } = maker.number(0)
    return { sql: maker.sum(sql), type: type === 'percentage' ? 'number' : type, estimate: 'sum' }
  },
  var: spread('varSamp'),
  stddev: spread('stddevSamp'),
  last: (maker) => {
    const { sql, type } = maker.number(0)
    return { sql: maker.over('argMax', `${sql}, ${maker.asked.dataset.time}`), type }
  },
  any: (maker) => {
    const { sql, type, lookup } = maker.attribute(0)
    return { sql: maker.over('min', sql), type, ...(lookup !== undefined && { lookup }) }
  },
  count_unique: (maker) => {
    const found = maker.attribute(0, 'user')
    return { sql: maker.different(found.sql, present(found)), type: 'integer' }
  },
  epm: rate(60),
  eps: rate(1),
  per_second: perTime(1),
  per_minute: perTime(60),
  failure_rate: (maker) => shareOf(maker, failed(maker)),
  failure_count: (maker) => counted(maker, failed(maker)),
  http_response_rate: (maker) => {
    const { part, whole } = responses(maker, 'http_response_rate(5)')
    return shareOf(maker, part, whole)
  },
  count_at_least: (maker) => {
    const found = maker.number(0, '')
    const least = maker.asked.bind(maker.quantity(1, found), 'Float64')
    return counted(maker, `ifNull(${found.sql} >= ${least}, 0)`)
  },
  apdex,
  count_miserable: (maker) => ({
    sql: miserable(maker, maker.attribute(0, 'user'), measured(maker, 1)),
    type: 'integer',
  }),
  user_misery: userMisery,
  avg_compare: averageCompared,
  division,
  first_seen: (maker) => ({
    sql: `toUnixTimestamp64Milli(${maker.over('min', maker.asked.dataset.time)})`,
    type: 'date',
  }),
  last_seen: (maker) => ({
    sql: `toUnixTimestamp64Milli(${maker.over('max', maker.asked.dataset.time)})`,
    type: 'date',
  }),
  latest_event: (maker) => ({
    sql: maker.over('argMax', `${maker.attribute(Infinity, 'id').sql}, ${maker.asked.dataset.time}`),
    type: 'string',
  }),
}

/**
 * Those that only datasets answer which name them: of other rows they would say "nothing" or 0 as if that were an answer.
 */
const FUNCTIONS_OF_SOME: Readonly<Record<string, Make>> = {
  count_op: (maker) => {
    const { sql } = maker.attribute(Infinity, 'span.op')
    return { sql: maker.count(`${sql} = ${maker.asked.bind(maker.text(0) ?? '')}`), type: 'integer', estimate: 'sum' }
  },
  count_scores: (maker) => {
    return { sql: maker.count(`isNotNull(${maker.number(0, '').sql})`), type: 'integer', estimate: 'sum' }
  },
  spm: rate(60),
  tpm: transactionRate(60),
  tps: transactionRate(1),
  trace_status_rate: (maker) => {
    const { sql } = maker.attribute(Infinity, 'trace.status')
    return shareOf(maker, `${sql} = ${maker.asked.bind(maker.text(0) ?? '')}`)
  },
  http_response_count: (maker) => counted(maker, responses(maker, 'http_response_count(5)').part),
  count_web_vitals: countVitals,
  cache_miss_rate: (maker) => {
    const { sql } = maker.attribute(Infinity, 'cache.hit')
    return shareOf(maker, `ifNull(${sql} = false, 0)`, `isNotNull(${sql})`)
  },
  crash_free_rate: crashFreeRate,
  performance_score: performanceScore,
  opportunity_score: opportunity,
  time_spent_percentage: timeSpent,
}

const ALL_FUNCTIONS = { ...FUNCTIONS, ...FUNCTIONS_OF_SOME }

const isOf = ({ functions = [] }: Dataset, name: string): boolean =>
  Object.hasOwn(FUNCTIONS, name) || (Object.hasOwn(FUNCTIONS_OF_SOME, name) && functions.includes(name))

/** What functions there are, for those who name another: the nearest, or all when none is near. */
const instead = (dataset: Dataset, wanted: string): string => {
  const names = Object.keys(ALL_FUNCTIONS)
    .filter((name) => isOf(dataset, name))
    .toSorted()
  const near = nearest(wanted, names)
  if (near.length > 0) return `Did you mean ${near.map((name) => `${name}()`).join(' or ')}?`
  return `Use one of: ${names.join(', ')}; each also as …_if(\`search\`,…).`
}

const COMPARISONS: Readonly<Record<string, string>> = {
  equals: '=',
  notEquals: '!=',
  less: '<',
  greater: '>',
  lessOrEquals: '<=',
  greaterOrEquals: '>=',
}

/** A condition in the older form, `attribute, comparison, value`. */
const condition = (maker: Maker, attribute: number, comparison: string, value: string): string => {
  const sign = COMPARISONS[comparison]
  if (sign === undefined) {
    maker.fail(`"${comparison}" is no comparison. Use one of: ${Object.keys(COMPARISONS).join(', ')}.`)
  }
  const found = maker.attribute(attribute)
  const { bind } = maker.asked
  const isOrder = sign !== '=' && sign !== '!='
  if (found.type === 'string' && !isOrder) return `${found.sql} ${sign ?? '='} ${bind(value)}`
  if (found.type === 'boolean') {
    const wanted = value === 'true' || value === '1'
    if (!wanted && value !== 'false' && value !== '0') maker.fail(`"${value}" is neither true nor false.`)
    return `ifNull(${found.sql} ${sign ?? '='} ${String(wanted)}, 0)`
  }
  const number = maker.number(attribute)
  const wanted = parseQuantity(value, quantityOf(number.type))
  if (wanted === null) maker.fail(`"${value}" is not a number.`)
  return `ifNull(${number.sql} ${sign ?? '='} ${bind(wanted ?? 0, 'Float64')}, 0)`
}

const quantityOf = (type: AttributeType) =>
  type === 'duration' || type === 'size' || type === 'percentage' ? type : 'any'

/** Conditions in the older form stand alone in them: `failure_rate_if(span.op,db)`. */
const WITHOUT_ARGUMENTS: ReadonlySet<string> = new Set([
  'cache_miss_rate',
  'epm',
  'eps',
  'failure_count',
  'failure_rate',
  'spm',
  'tpm',
  'tps',
])

/** Which rows count: those that a search in the first argument finds, or those of an older form. */
const readCondition = (
  asked: Asked,
  base: string,
  given: readonly Argument[],
): Result<{ readonly condition: string; readonly rest: readonly Argument[] }, string> => {
  const [first, ...rest] = given
  if (first?.isSearch === true) {
    const filter = asked.filter(first.text)
    return filter.ok ? ok({ condition: filter.value, rest }) : filter
  }
  const texts = given.map(({ text }) => text)
  const reader = new Maker(asked, texts, null, asked.weight)
  const isCount = base === 'count'
  const isBare = isCount || WITHOUT_ARGUMENTS.has(base)
  const key = isBare ? 0 : 1
  const [comparison, value] = texts.length === key + 3 ? [texts[key + 1], texts[key + 2]] : ['equals', texts[key + 1]]
  if (value === undefined || texts.length > key + 3) {
    const example = isBare ? `${base}_if(span.duration,greater,1s)` : `${base}_if(span.duration,span.op,equals,db)`
    return err(`It needs a condition: ${base}_if(\`span.op:db\`${isCount ? '' : ',span.duration'}), or ${example}.`)
  }
  const found = condition(reader, key, comparison ?? '', value)
  for (const [index] of texts.entries()) reader.text(index)
  const made = reader.done({ sql: found, type: 'boolean' })
  return made.ok ? ok({ condition: found, rest: isBare ? [] : given.slice(0, 1) }) : made
}

interface Narrowed {
  readonly condition: string | null
  readonly unit: string
  readonly rest: readonly Argument[]
}

/** `sum(value,requests,counter,none)`: the last arguments say which rows count; `-` leaves one open. */
const readNarrowing = (asked: Asked, given: readonly Argument[]): Result<Narrowed, string> => {
  const { conditions = [], unit = -1 } = asked.dataset.narrowedBy ?? {}
  if (conditions.length === 0 || given.length <= conditions.length)
    return ok({ condition: null, unit: '', rest: given })
  const last = given.slice(-conditions.length)
  const found: string[] = []
  for (const [index, { sql, values, nothing }] of conditions.entries()) {
    const text = last[index]?.text ?? ''
    if (text === '-' || text === '') continue
    if (values?.includes(text) === false) return err(`"${text}" is none of: ${values.join(', ')}.`)
    found.push(`${sql} = ${asked.bind(text === nothing ? '' : text)}`)
  }
  return ok({
    condition: found.length === 0 ? null : found.join(' AND '),
    unit: last[unit]?.text ?? '',
    rest: given.slice(0, -conditions.length),
  })
}

/** Functions whose values are in the unit of what they are computed from. */
const KEEPS_UNIT = new Set([
  ...Object.keys(PERCENTILES),
  ...'p100 max min percentile avg sum stddev last any'.split(' '),
])

/** `p95(value,checkout,distribution,second)` is a time: the unit says so, which rows have as text. */
const inUnit = (made: Aggregate, base: string, { dataset }: Asked, { unit, rest }: Narrowed): Aggregate => {
  const isMeasured = (rest[0]?.text ?? dataset.measured) === dataset.measured
  const known = isMeasured && KEEPS_UNIT.has(base) && made.type === 'number' ? readUnit(unit) : null
  return known === null ? made : { ...made, type: known.quantity, unit }
}

/** The error is a sentence for the caller. */
export const makeAggregate = (call: Call, asked: Asked): Made => {
  const isSample = call.name.endsWith('_sample')
  const named = isSample ? call.name.slice(0, -'_sample'.length) : call.name
  const isConditional = named.endsWith('_if')
  const base = isConditional ? named.slice(0, -'_if'.length) : named
  const make = Object.hasOwn(ALL_FUNCTIONS, base) ? ALL_FUNCTIONS[base] : undefined
  const sentence = (problem: string): Made => err(`"${call.name}()" cannot be asked so. ${problem}`)
  if (make === undefined) {
    return err(`"${call.name}()" is not known. ${instead(asked.dataset, base)}`)
  }
  if (!isOf(asked.dataset, base)) {
    return err(`"${call.name}()" is not about ${asked.dataset.itemType}. ${instead(asked.dataset, base)}`)
  }
  const conditional = isConditional ? readCondition(asked, base, call.arguments) : ok(null)
  if (!conditional.ok) return sentence(conditional.error)
  const narrowing = readNarrowing(asked, conditional.value?.rest ?? call.arguments)
  if (!narrowing.ok) return sentence(narrowing.error)
  const narrowed = narrowing.value
  const stray = narrowed.rest.find(({ isSearch }) => isSearch)
  if (stray !== undefined) return sentence(`A search stands in ${base}_if alone.`)
  const conditions = [conditional.value?.condition, narrowed.condition].filter((one) => typeof one === 'string')
  const maker = new Maker(
    asked,
    narrowed.rest.map(({ text }) => text),
    conditions.length === 0 ? null : conditions.map((one) => `(${one})`).join(' AND '),
    isSample ? '1' : asked.weight,
  )
  const made = maker.done(make(maker))
  if (!made.ok) return sentence(made.error)
  const aggregate = inUnit(made.value, base, asked, narrowed)
  return ok(narrowed.condition === null ? aggregate : { ...aggregate, narrowed: narrowed.condition })
}
