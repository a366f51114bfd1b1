import type { Runs } from './dataset.ts'

/** A number of rows that may be sums of others, and one with few values that is about the same. */
export interface Coarser {
  readonly exactly: string
  readonly about: string
}

/**
 * SQL of numbers over the rows of a group, as all pages compute them: rows that stand for others, because their sender kept
 * only some, count as often.
 */
export class RowNumbers {
  /** How many things a row stands for; `1` when only the rows count. */
  readonly weight: string
  readonly #condition: string | null
  readonly #coarser: Coarser | null

  /**
   * @param condition of the rows that count; null for all
   * @param coarser what percentiles take: a row that is a sum of many would pull a digest far from where they are
   */
  constructor(weight: string, condition: string | null = null, coarser: Coarser | null = null) {
    this.weight = weight
    this.#condition = condition
    this.#coarser = coarser
  }

  /** `name(of)`, or only of the rows that count and fulfil a further condition. */
  over(name: string, of: string, further?: string): string {
    const conditions = [this.#condition, further].filter((one) => one !== null && one !== undefined)
    if (conditions.length === 0) return `${name}(${of})`
    const [plain, parameters = ''] = name.split('(')
    const called = parameters === '' ? `${plain}If` : `${plain}If(${parameters}`
    return `${called}(${of}, ${conditions.join(' AND ')})`
  }

  sum(of: string, further?: string): string {
    return this.over('sum', of === '1' ? this.weight : `${of} * ${this.weight}`, further)
  }

  /** How many things there are. */
  rows(further?: string): string {
    return this.over('sum', this.weight, further)
  }

  /** How many there are, as a whole number. */
  count(further?: string): string {
    return `toUInt64(round(${this.rows(further)}))`
  }

  average(of: string, further?: string): string {
    if (this.weight === '1') return this.over('avg', of, further)
    const has = further === undefined ? `isNotNull(${of})` : `isNotNull(${of}) AND ${further}`
    return `${this.sum(of, further)} / ${this.rows(has)}`
  }

  percentile(share: number, of: string): string {
    if (this.#coarser?.exactly === of) {
      const weighed = `${this.#coarser.about}, toUInt64(round(${this.weight}))`
      return rounded(this.over(`quantileExactWeighted(${share})`, weighed))
    }
    return rounded(this.#digest('quantile', [share], of))
  }

  /**
   * Several of one number that each row has, by their places in `shares`: the same values as `percentile`, from one digest
   * instead of one for each. Not for a number that may be NULL: of nothing it is NaN.
   */
  percentiles(shares: readonly number[], of: string): readonly string[] {
    const found = this.#digest('quantiles', shares, of)
    return shares.map((_, index) => rounded(`arrayElement(${found}, ${index + 1})`))
  }

  #digest(name: 'quantile' | 'quantiles', shares: readonly number[], of: string): string {
    const value = `toFloat64(${of})`
    const listed = shares.join(', ')
    // Rows that stand for others count as often; a part of a row cannot count.
    return this.weight === '1'
      ? this.over(`${name}TDigest(${listed})`, value)
      : this.over(`${name}TDigestWeighted(${listed})`, `${value}, toUInt32(round(${this.weight}))`)
  }

  /** 0 of nothing. */
  share(part: string, whole: string): string {
    return `ifNull(${part} / nullIf(${whole}, 0), 0)`
  }

  /** @param fast and `bearable` are in the unit of `value` */
  apdex(value: string, fast: string, bearable: string): string {
    const half = this.rows(`${value} > ${fast} AND ${value} <= ${bearable}`)
    return this.share(`(${this.rows(`${value} <= ${fast}`)} + ${half} / 2)`, this.rows(`isNotNull(${value})`))
  }

  /** How many different ones there are; who was seen in some rows was not seen more often in those that were not kept. */
  different(of: string, further: string): string {
    return this.over('uniq', of, further)
  }

  /** How many runs there were, or how many of them crashed: what is told of one run in several rows, or twice, counts once. */
  runs({ count, crashed, isOne, run, total }: Runs, of: 'all' | 'crashed'): string {
    const [further, number] = of === 'all' ? [isOne, total] : [`${isOne} AND ${crashed} > 0`, crashed]
    const counts = this.over('groupUniqArray', `(${count}, ${number})`, `NOT ${isOne}`)
    return `(${this.different(run, further)} + arraySum(arrayMap(one -> tupleElement(one, 2), ${counts})))`
  }

  /** The same of people. */
  runners({ crashed, user }: Runs, of: 'all' | 'crashed'): string {
    return this.different(user, of === 'all' ? `${user} != 0` : `${user} != 0 AND ${crashed} > 0`)
  }

  /** How many of the users had something that takes longer than is bearable, by what `different` counts. */
  misery(users: string, miserable: string): string {
    return `if(${users} = 0, 0, (${miserable} + ${MISERABLE_PRIOR}) / (${users} + ${MISERABLE_PRIOR + CONTENT_PRIOR}))`
  }
}

const rounded = (found: string): string => `round(toFloat64(${found}), 6)`

/** Misery of few users says little: it is pulled towards 5 % by the weight of 118 imagined ones, as Sentry does. */
const MISERABLE_PRIOR = 5.8875
const CONTENT_PRIOR = 111.8625

/** What is bearable takes so many times as long as what is fast. */
export const BEARABLE = 4

/**
 * How many a row stands for that was kept at this share.
 *
 * A share of 0.1 is stored with a few digits: ten, not 9.9999998.
 */
export const weightOfShare = (column: string): string =>
  `if(${column} > 0 AND ${column} < 1, round(1 / ${column}, 3), 1)`
