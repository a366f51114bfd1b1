import type { KeyContext } from '../../accounts/settings.ts'

/** Rate limits of keys, counted in memory: a restart forgets at most one window. */
export interface Quotas {
  /**
   * Asks for one more item. Windows are aligned to multiples of their length, so all items of a window share one end.
   *
   * @param now milliseconds since the epoch
   */
  take(key: KeyContext, now: number): QuotaVerdict
}

type QuotaVerdict = { readonly granted: true } | { readonly granted: false; readonly retryAfterSeconds: number }

interface Window {
  readonly endsAt: number
  readonly windowSeconds: number
  count: number
}

const GRANTED: QuotaVerdict = { granted: true }

/** Windows that are remembered; beyond it the ended ones are forgotten. */
const MAX_WINDOWS = 10_000

export const createQuotas = (): Quotas => {
  const windows = new Map<number, Window>()

  const windowOf = (key: KeyContext, windowSeconds: number, now: number): Window => {
    const known = windows.get(key.keyId)
    if (known !== undefined && known.endsAt > now && known.windowSeconds === windowSeconds) return known
    if (windows.size >= MAX_WINDOWS) {
      for (const [id, window] of windows) if (window.endsAt <= now) windows.delete(id)
    }
    const lengthMs = windowSeconds * 1000
    const window = { endsAt: (Math.floor(now / lengthMs) + 1) * lengthMs, windowSeconds, count: 0 }
    windows.set(key.keyId, window)
    return window
  }

  return {
    take(key, now) {
      const limit = key.rateLimit
      if (limit === null || limit.windowSeconds <= 0) return GRANTED
      const window = windowOf(key, limit.windowSeconds, now)
      if (window.count < limit.count) {
        window.count++
        return GRANTED
      }
      return { granted: false, retryAfterSeconds: Math.max(1, Math.ceil((window.endsAt - now) / 1000)) }
    },
  }
}
