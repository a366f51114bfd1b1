import type { Clock } from '../../lib/clock.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { LIMITS } from '../limits.ts'

/** Hosts that are remembered. */
const HOSTS = 10_000

/** How often a host may be asked, whoever wants it. @returns whether it may be now, which counts */
export const createHostBudget = (clock: Clock): ((host: string) => boolean) => {
  const hosts = new RecentMap<string, { readonly since: number; requests: number }>(HOSTS)
  return (host) => {
    const now = clock.now()
    const known = hosts.get(host)
    const current =
      known === undefined || Math.abs(now - known.since) >= LIMITS.SITE_HOST_WINDOW_MS
        ? { since: now, requests: 0 }
        : known
    if (current !== known) hosts.set(host, current)
    if (current.requests >= LIMITS.SITE_HOST_REQUESTS) return false
    current.requests += 1
    return true
  }
}
