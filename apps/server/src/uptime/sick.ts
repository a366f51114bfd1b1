import { UNREACHABLE, type Failure } from './check.ts'
import { LIMITS } from './limits.ts'

interface Asked {
  readonly organizationId: number
  readonly host: string
  /** It answered before: of what never did, nobody can say that this server is cut off from it. */
  readonly wasUp: boolean
  readonly failure: Failure | null
}

interface Seen {
  readonly at: number
  readonly organizationId: number
  readonly host: string
  readonly isUnreachable: boolean
}

/** Results of the last minute, which say whether this server reaches anybody. */
export const createSickness = (now: () => number) => {
  let seen: Seen[] = []
  /** Since when nobody at all has answered; null while somebody does. */
  let silentSince: number | null = null
  /** The two hosts that answered last: one of them is another one than any host. */
  let answered: readonly { readonly host: string; readonly at: number }[] = []
  const recent = (): readonly Seen[] => {
    const since = now() - LIMITS.UPTIME_SICK_MS
    seen = seen.filter(({ at }) => at >= since)
    return seen
  }
  const isFew = (): boolean => new Set(recent().map(({ host }) => host)).size < LIMITS.UPTIME_SICK_HOSTS
  const isSick = (): boolean => {
    if (isFew()) return false
    const all = recent()
    const organizations = [...Map.groupBy(all, ({ organizationId }) => organizationId).values()]
    const away = organizations.filter((own) => isMostlyAway(own))
    return isMostlyAway(all) && away.length * 2 > organizations.length
  }
  return {
    /** So few hosts were asked lately that they say nothing about this server. */
    isFew,
    note: ({ failure, host, organizationId, wasUp }: Asked): void => {
      const isUnreachable = failure !== null && UNREACHABLE.has(failure.kind)
      if (!isUnreachable) {
        silentSince = null
        answered = [{ host, at: now() }, ...answered.filter((one) => one.host !== host)].slice(0, 2)
      }
      if (!wasUp && isUnreachable) return
      seen.push({ at: now(), organizationId, host, isUnreachable })
    },
    /**
     * Over half of the hosts cannot be reached, and so it is for most organisations: one of them, whose hosts are away,
     * does not speak for the others. Of a few hosts that says more about them.
     */
    isSick,
    /**
     * Whether one that was up may be away because this server is: where few are asked, when no other one has answered since.
     * They may as well be away together, so that is believed after a while.
     *
     * @param others how many were asked since
     */
    isInDoubt: (host: string, { others, since }: { readonly since: number; readonly others: number }): boolean => {
      if (others === 0 || answered.some((one) => one.host !== host && one.at >= since)) return false
      silentSince ??= since
      return now() - silentSince < LIMITS.UPTIME_DOUBT_MS
    },
  }
}

const isMostlyAway = (seen: readonly Seen[]): boolean => {
  const hosts = [...Map.groupBy(seen, ({ host, organizationId }) => `${organizationId} ${host}`).values()]
  return hosts.filter((results) => results.at(-1)?.isUnreachable === true).length * 2 > hosts.length
}

export type Sickness = ReturnType<typeof createSickness>
