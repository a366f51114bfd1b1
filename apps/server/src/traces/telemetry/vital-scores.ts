/**
 * How good a page load was, from 0 to 1, by each of its vitals: a log-normal curve through two points, of which the first
 * scores 0.9 and the second 0.5, as Sentry draws it. Phones are measured by slower ones.
 */

type Vital = 'lcp' | 'inp' | 'fcp' | 'cls' | 'ttfb'

/** `[scores 0.9, scores 0.5]`; milliseconds, but for CLS. */
type Points = readonly [number, number]

interface VitalScore {
  readonly vital: Vital
  readonly desktop: Points
  readonly mobile: Points
  /** Its share of the total of a page load that has all vitals. */
  readonly weight: number
  /** Good up to the first, poor beyond the second, on any device. */
  readonly limits: Points
}

export const VITAL_SCORES: readonly VitalScore[] = [
  { vital: 'lcp', desktop: [1200, 2400], mobile: [2500, 4000], weight: 0.3, limits: [2500, 4000] },
  { vital: 'inp', desktop: [200, 500], mobile: [200, 500], weight: 0.3, limits: [200, 500] },
  { vital: 'fcp', desktop: [900, 1600], mobile: [1800, 3000], weight: 0.15, limits: [1800, 3000] },
  { vital: 'cls', desktop: [0.1, 0.25], mobile: [0.1, 0.25], weight: 0.15, limits: [0.1, 0.25] },
  { vital: 'ttfb', desktop: [200, 400], mobile: [800, 1800], weight: 0.1, limits: [800, 1800] },
]

const MOBILE = "(spans.os IN ('Android', 'iOS') OR spans.browser ILIKE '%mobile%')"

/** The argument at which the error function says 0.8, which makes a score of 0.9 (or 0.1). */
const AT_NINE_TENTHS = 0.906_193_802_4

const valueOf = (vital: Vital): string => `spans.numbers['browser.web_vital.${vital}.value']`
const hasVital = (vital: Vital): string => `mapContains(spans.numbers, 'browser.web_vital.${vital}.value')`

const ratio = (value: string, [good, middling]: Points): string => {
  const spread = Math.abs(Math.log(good) - Math.log(middling)) / (Math.SQRT2 * AT_NINE_TENTHS)
  return `0.5 * (1 - erf((log(${value}) - ${Math.log(middling)}) / ${Math.SQRT2 * spread}))`
}

const find = (vital: Vital): VitalScore => {
  const score = VITAL_SCORES.find((one) => one.vital === vital)
  if (score === undefined) throw new Error(`${vital} has no score`)
  return score
}

/** Null where there is no such vital. */
export const vitalScore = (vital: Vital): string => {
  const { desktop, mobile } = find(vital)
  // Nothing is faster, or moves less, than nothing.
  const value = `greatest(${valueOf(vital)}, 1e-9)`
  const same = desktop.every((point, index) => point === mobile[index])
  const curve = same ? ratio(value, desktop) : `if(${MOBILE}, ${ratio(value, mobile)}, ${ratio(value, desktop)})`
  return `if(${hasVital(vital)}, ${curve}, NULL)`
}

/** Of all vitals that there are, by their weights; null where there is none. */
export const totalScore = (): string => {
  const sum = VITAL_SCORES.map(({ vital, weight }) => `ifNull(${vitalScore(vital)}, 0) * ${weight}`).join(' + ')
  const weights = VITAL_SCORES.map(({ vital, weight }) => `if(${hasVital(vital)}, ${weight}, 0)`).join(' + ')
  return `(${sum}) / nullIf(${weights}, 0)`
}
