import { RecentMap } from '../lib/recent-map.ts'
import { LIMITS } from './limits.ts'

interface Known {
  failures: number
  /** By organisation. */
  readonly underWay: Map<number, number>
  /** 0: it does not rest. */
  restsUntil: number
  restMs: number
}

/** All mails go by one server: its failures are those of all. */
export const MAIL_HOST = 'mail'

/** By organisation, how many messages are on their way. */
type Counts = ReadonlyMap<number, number>

const isFull = (restsUntil: number, underWay: Counts, organizationId: number): boolean => {
  // One that has rested is tried by one.
  const most = restsUntil > 0 ? 1 : LIMITS.DELIVERIES_PER_HOST_AT_ONCE
  const all = [...underWay.values()].reduce((sum, count) => sum + count, 0)
  return all >= most || (underWay.get(organizationId) ?? 0) >= LIMITS.DELIVERIES_PER_HOST_OF_ORGANIZATION
}

/**
 * What is known of the hosts that messages go to. One that failed several times in a row rests, and when it has rested one
 * message tries it before the others go on: whoever is away is not asked by each message that waits. Of what one host takes
 * at once, as Slack does of all, no organisation has all.
 */
export const createHosts = () => {
  const hosts = new RecentMap<string, Known>(LIMITS.DELIVERY_HOSTS)
  const of = (host: string): Known => {
    const known = hosts.get(host)
    if (known !== undefined) return known
    const made: Known = { failures: 0, underWay: new Map(), restsUntil: 0, restMs: 0 }
    hosts.set(host, made)
    return made
  }
  return {
    /** 0 where it does not rest. */
    restsUntil: (host: string): number => hosts.peek(host)?.restsUntil ?? 0,
    /** Whether these are as many as may be on their way there, in all or of an organisation. */
    isFull: (host: string, underWay: Counts, organizationId: number): boolean =>
      isFull(hosts.peek(host)?.restsUntil ?? 0, underWay, organizationId),
    /** @returns whether one may go there; whoever does leaves in any case */
    enter: (host: string, organizationId: number, now: number): boolean => {
      const known = of(host)
      if (known.restsUntil > now || isFull(known.restsUntil, known.underWay, organizationId)) return false
      known.underWay.set(organizationId, (known.underWay.get(organizationId) ?? 0) + 1)
      return true
    },
    leave: (host: string, organizationId: number): void => {
      const { underWay } = of(host)
      const left = (underWay.get(organizationId) ?? 1) - 1
      if (left > 0) underWay.set(organizationId, left)
      else underWay.delete(organizationId)
    },
    /** @returns until when it rests from now on; 0 where it does not */
    failed: (host: string, now: number): number => {
      const known = of(host)
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
      known.failures = 0
      known.restsUntil = 0
      known.restMs = 0
      return wasAway
    },
  }
}

export type Hosts = ReturnType<typeof createHosts>
