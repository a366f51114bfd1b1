import { MINUTE_MS } from './durations.ts'

/** How long something took: `88 ms`, `4 s`, `12 min`, `3 h 5 min`, `14 days`. */
export const lengthText = (ms: number): string => {
  if (ms < 1000) return `${Math.round(ms)} ms`
  const seconds = Math.round(ms / 1000)
  return seconds < 120 ? `${seconds} s` : lengthInMinutes(ms)
}

/** How long something lasted of which nobody knows more than the minute: at least one. */
export const lengthInMinutes = (ms: number): string => {
  const minutes = Math.max(1, Math.round(ms / MINUTE_MS))
  if (minutes < 120) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 48) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
  return `${Math.round(minutes / 1440)} days`
}
