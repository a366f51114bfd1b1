import { RecentMap } from '../lib/recent-map.ts'
import { LIMITS } from './limits.ts'

interface Known {
  failures: number
  underWay: number
  /** 0: it does not rest. */
  restsUntil: number
  restMs: number
}

/** All mails go by one server: its failures are those of all. */
export const MAIL_HOST = 'mail'

/**
 * What is known of the hosts that messages go to. One that failed several times in a row rests, and when it has rested one
 * message tries it before the others go on: whoever is away is not asked by each message that waits.
 */
export const createHosts = () => {
  const hosts = new RecentMap<string, Known>(LIMITS.DELIVERY_HOSTS)
  const of = (host: string): Known => {
    const known = hosts.get(host)
    if (known !== undefined) return known
    const made = { failures: 0, underWay: 0, restsUntil: 0, restMs: 0 }
    hosts.set(host, made)
    return made
  }
  return {
    /** 0 where it does not rest. */
    restsUntil: (host: string): number => hosts.peek(host)?.restsUntil ?? 0,
    /** @returns when one may come; whoever is told `now` goes there, and says afterwards whether it answered */
    enter: (host: string, now: number): number => {
      const known = of(host)
      if (known.restsUntil > now) return known.restsUntil
      // One that has rested is tried by one.
      const most = known.restsUntil > 0 ? 1 : LIMITS.DELIVERIES_PER_HOST_AT_ONCE
      if (known.underWay >= most) return now + LIMITS.OUTBOX_INTERVAL_MS
      known.underWay += 1
      return now
    },
    /** @returns until when it rests from now on; 0 where it does not */
    failed: (host: string, now: number): number => {
      const known = of(host)
      known.underWay = Math.max(0, known.underWay - 1)
      known.failures += 1
      const hasRested = known.restsUntil > 0
      if (known.failures < LIMITS.DELIVERY_HOST_FAILURES && !hasRested) return 0
      known.restMs = hasRested
        ? Math.min(known.restMs * 2, LIMITS.DELIVERY_HOST_LONGEST_REST_MS)
        : LIMITS.DELIVERY_HOST_REST_MS
      known.restsUntil = now + known.restMs
      return known.restsUntil
    },
    /** @returns whether it was away before */
    answered: (host: string): boolean => {
      const known = of(host)
      const wasAway = known.failures > 0
      known.underWay = Math.max(0, known.underWay - 1)
      known.failures = 0
      known.restsUntil = 0
      known.restMs = 0
      return wasAway
    },
  }
}

export type Hosts = ReturnType<typeof createHosts>
