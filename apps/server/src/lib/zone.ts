/**
 * Clocks of time zones. `Intl` knows them, but takes microseconds for each question and much memory for each calendar: so
 * one calendar is made for each zone, the changes of each year are looked for once, and the rest is arithmetic.
 */
export interface Zone {
  /** What its clock is ahead of UTC at an instant, in milliseconds. */
  readonly offsetAt: (at: number) => number
  /** The change of its clock that is nearest after an instant, or at it; null when there is none within two years. */
  readonly changeAfter: (at: number) => Change | null
}

export interface Change {
  readonly at: number
  /** Offsets before and from then on. */
  readonly before: number
  readonly after: number
}

/** Shorter than any summer time, and than the weeks for which Morocco leaves it. */
const SAMPLE_MS = 7 * 86_400_000

const zones = new Map<string, Zone>()

/** Null when nobody knows it. */
export const zoneOf = (name: string): Zone | null => {
  const key = name.toLowerCase()
  const known = zones.get(key)
  if (known !== undefined) return known
  const ask = offsetsOf(name)
  if (ask === null) return null
  const zone = createZone(ask)
  // There are a few hundred names; offsets that somebody writes for one are not kept.
  if (/^[a-z]/.test(key)) zones.set(key, zone)
  return zone
}

/** Asks `Intl` for the offset at an instant. */
const offsetsOf = (name: string): ((at: number) => number) | null => {
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
  } catch {
    return null
  }
  return (at) => {
    const parts: Record<string, number> = {}
    for (const { type, value } of format.formatToParts(at)) parts[type] = Number(value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - Math.floor(at / 1000) * 1000
  }
}

const createZone = (ask: (at: number) => number): Zone => {
  /** Of a year, with the offset at its beginning. */
  const years = new Map<number, { readonly first: number; readonly changes: readonly Change[] }>()

  const yearOf = (year: number): { readonly first: number; readonly changes: readonly Change[] } => {
    const known = years.get(year)
    if (known !== undefined) return known
    const start = Date.UTC(year, 0, 1)
    const end = Date.UTC(year + 1, 0, 1)
    const first = ask(start)
    const changes: Change[] = []
    let [low, before] = [start, first]
    while (low < end) {
      const high = Math.min(low + SAMPLE_MS, end)
      const after = ask(high)
      if (after !== before) changes.push({ at: changeBetween(low, high, before), before, after })
      ;[low, before] = [high, after]
    }
    const found = { first, changes }
    years.set(year, found)
    return found
  }

  const changeBetween = (from: number, to: number, before: number): number => {
    let [low, high] = [from, to]
    while (high - low > 1000) {
      const middle = Math.floor((low + high) / 2000) * 1000
      if (ask(middle) === before) low = middle
      else high = middle
    }
    return high
  }

  return {
    offsetAt: (at) => {
      const { changes, first } = yearOf(new Date(at).getUTCFullYear())
      let offset = first
      for (const change of changes) {
        if (change.at > at) break
        offset = change.after
      }
      return offset
    },
    changeAfter: (at) => {
      const year = new Date(at).getUTCFullYear()
      for (const one of [year, year + 1, year + 2]) {
        for (const change of yearOf(one).changes) if (change.at >= at) return change
      }
      return null
    },
  }
}
