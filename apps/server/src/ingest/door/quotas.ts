import type { KeyContext } from '../../accounts/settings.ts'
import { isWithin } from '../../lib/clock.ts'
import type { SpikeProtection } from './spike-protection.ts'

/** Rate limits of keys, counted in memory: a restart forgets at most one window. Behind them stands spike protection. */
export interface Quotas {
  /**
   * Asks for one more item. Windows are aligned to multiples of their length, so all items of a window share one end.
   *
   * @param now milliseconds since the epoch
   */
  take(key: KeyContext, now: number): QuotaVerdict
}

type QuotaVerdict =
  | { readonly granted: true }
  | {
      readonly granted: false
      readonly reason: 'key_quota' | 'spike_protection'
      readonly retryAfterSeconds: number
    }

interface Window {
  readonly startedAt: number
  readonly windowSeconds: number
  count: number
}

const GRANTED: QuotaVerdict = { granted: true }

/** Windows that are remembered; beyond it the ended ones are forgotten. */
const MAX_WINDOWS = 10_000

/** @param spikes asked last, so that it counts only what the key lets in */
export const createQuotas = (spikes: Pick<SpikeProtection, 'take'> | null = null): Quotas => {
  const windows = new Map<number, Window>()

  const windowOf = (key: KeyContext, windowSeconds: number, now: number): Window => {
    const known = windows.get(key.keyId)
    if (known !== undefined && isOpen(known, now) && known.windowSeconds === windowSeconds) return known
    if (windows.size >= MAX_WINDOWS) {
      for (const [id, window] of windows) if (!isOpen(window, now)) windows.delete(id)
    }
    const lengthMs = windowSeconds * 1000
    const window = { startedAt: Math.floor(now / lengthMs) * lengthMs, windowSeconds, count: 0 }
    windows.set(key.keyId, window)
    return window
  }

  const takeOfKey = (key: KeyContext, now: number): QuotaVerdict => {
    const limit = key.rateLimit
    if (limit === null || limit.windowSeconds <= 0) return GRANTED
    const window = windowOf(key, limit.windowSeconds, now)
    if (window.count < limit.count) {
      window.count++
      return GRANTED
    }
    const restMs = window.startedAt + window.windowSeconds * 1000 - now
    return { granted: false, reason: 'key_quota', retryAfterSeconds: Math.max(1, Math.ceil(restMs / 1000)) }
  }

  return {
    take(key, now) {
      const verdict = takeOfKey(key, now)
      if (!verdict.granted || spikes === null) return verdict
      const spike = spikes.take(key, now)
      return spike.granted ? GRANTED : { ...spike, reason: 'spike_protection' }
    },
  }
}

/** A clock that was set back begins a new window, so that nobody is told to wait for longer than one lasts. */
const isOpen = (window: Window, now: number): boolean => isWithin(window.startedAt, window.windowSeconds * 1000, now)
