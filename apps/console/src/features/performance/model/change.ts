/** How a number moved against the period before. */
export interface Change {
  /** `+29%`, `×4.1`, `±0%`, `−12%`. */
  readonly text: string
  /** Worse is slower, by enough to be said in colour. */
  readonly verdict: 'worse' | 'better' | 'same'
}

/** Smaller moves are noise: no colour, no arrow. */
const TELLING = 0.15
const TIMES_FROM = 2

/** Of fewer on either side a number says little: it is told, and not in colour. */
const TELLING_COUNT = 20
/** One failure is no pattern, however few there were besides. */
const TELLING_FAILURES = 2
const FAILING_FROM = 0.01

/**
 * Null when there is nothing to compare with.
 * @param counted from how many samples each of the two was made, however many these stand for; the smaller number
 */
export function changeOf(now: number, before: number | undefined, counted: number): Change | null {
  if (before === undefined || before <= 0) return null
  const ratio = now / before
  const percent = Math.round((ratio - 1) * 100)
  return {
    text:
      ratio >= TIMES_FROM
        ? `×${ratio.toFixed(ratio < 10 ? 1 : 0)}`
        : percent === 0
          ? '±0%'
          : `${percent > 0 ? '+' : '−'}${Math.abs(percent)}%`,
    verdict: counted < TELLING_COUNT ? 'same' : ratio - 1 > TELLING ? 'worse' : 1 - ratio > TELLING ? 'better' : 'same',
  }
}

interface Compared {
  readonly p95: number
  readonly samples: number
}

/** How the p95 of a transaction moved. */
export function changeOfRow({ p95, samples, before }: Compared & { readonly before: Compared | null }): Change | null {
  return changeOf(p95, before?.p95, Math.min(samples, before?.samples ?? 0))
}

/** Whether so many of the samples failed that it is said in colour. */
export function isFailing(failureRate: number | null, samples: number): boolean {
  const failed = Math.round((failureRate ?? 0) * samples)
  return samples >= TELLING_COUNT && failed >= TELLING_FAILURES && failed / samples >= FAILING_FROM
}

/** What Sentry adds to those who are miserable and to those who are not, so that few users weigh little. */
const MISERABLE_ADDED = 5.8875
const USERS_ADDED = 117.75

/** Misery of nobody is a dash, not the share that the smoothing makes of it. */
export function formatMisery(misery: number, users: number): string {
  const miserable = misery * (users + USERS_ADDED) - MISERABLE_ADDED
  return miserable < 0.5 ? '–' : formatShare(misery)
}

/** Why a misery is a dash; undefined for a number. */
export function whyNoMisery(misery: number, users: number): string | undefined {
  if (users === 0) return 'Nobody is known to have waited: the SDK names no users'
  return formatMisery(misery, users) === '–' ? 'Nobody waited more than four times the threshold' : undefined
}

/** `0.8%`, `4.1%`, `32%`; null is an en dash. */
export function formatShare(share: number | null): string {
  if (share === null) return '–'
  const percent = share * 100
  return `${percent === 0 || percent >= 9.95 ? Math.round(percent) : percent.toFixed(1)}%`
}

/** `0.93`. */
export function formatApdex(apdex: number | null): string {
  return apdex === null ? '–' : apdex.toFixed(2)
}

/** `0.2`, `18.4`, `611`. */
export function formatRate(perMinute: number): string {
  if (perMinute > 0 && perMinute < 0.05) return '<0.1'
  return perMinute >= 99.95 ? Math.round(perMinute).toLocaleString('en-US') : perMinute.toFixed(1)
}

const MINUTES_PER_HOUR = 60
const MINUTES_PER_DAY = 1440

/** `18.4`; what is rare, by the hour or the day: `4.8 /h`, `3.0 /d`. */
export function formatPerMinute(perMinute: number): string {
  if (perMinute === 0 || perMinute >= 0.1) return formatRate(perMinute)
  const perHour = perMinute * MINUTES_PER_HOUR
  return perHour >= 1 ? `${formatRate(perHour)} /h` : `${formatRate(perMinute * MINUTES_PER_DAY)} /d`
}

/** With its unit, where no head of a column says it: `18.4 /min`, `4.8 /h`. */
export function formatThroughput(perMinute: number): string {
  const text = formatPerMinute(perMinute)
  return text.includes('/') ? text : `${text} /min`
}

const ONE: Readonly<Record<string, string>> = { s: 'second', m: 'minute', h: 'hour', d: 'day', w: 'week' }
const MANY: Readonly<Record<string, string>> = { s: 's', m: 'min', h: 'h', d: 'days', w: 'weeks' }

/** What a time is compared with: `the 24 h before`. */
export function timeBeforeText(time: { readonly statsPeriod: string; readonly start?: string | undefined }): string {
  const [, count, unit = ''] = /^(\d+)([smhdw])$/.exec(time.statsPeriod) ?? []
  if (time.start !== undefined || count === undefined) return 'the equally long time before'
  return count === '1' ? `the ${ONE[unit]} before` : `the ${count} ${MANY[unit]} before`
}
