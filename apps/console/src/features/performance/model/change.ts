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

/** Null when there is nothing to compare with. */
export function changeOf(now: number, before: number | undefined): Change | null {
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
    verdict: ratio - 1 > TELLING ? 'worse' : 1 - ratio > TELLING ? 'better' : 'same',
  }
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
