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
  const recent = (): readonly Seen[] => {
    const since = now() - LIMITS.UPTIME_SICK_MS
    seen = seen.filter(({ at }) => at >= since)
    return seen
  }
  return {
    note: ({ failure, host, organizationId, wasUp }: Asked): void => {
      const isUnreachable = failure !== null && UNREACHABLE.has(failure.kind)
      if (!wasUp && isUnreachable) return
      seen.push({ at: now(), organizationId, host, isUnreachable })
    },
    /**
     * Over half of the hosts cannot be reached, and so it is for most organisations: one of them, whose hosts are away,
     * does not speak for the others. Of a few hosts that says more about them.
     */
    isSick: (): boolean => {
      const all = recent()
      if (new Set(all.map(({ host }) => host)).size < LIMITS.UPTIME_SICK_HOSTS) return false
      const organizations = [...Map.groupBy(all, ({ organizationId }) => organizationId).values()]
      const away = organizations.filter((own) => isMostlyAway(own))
      return isMostlyAway(all) && away.length * 2 > organizations.length
    },
  }
}

const isMostlyAway = (seen: readonly Seen[]): boolean => {
  const hosts = [...Map.groupBy(seen, ({ host, organizationId }) => `${organizationId} ${host}`).values()]
  return hosts.filter((results) => results.at(-1)?.isUnreachable === true).length * 2 > hosts.length
}

export type Sickness = ReturnType<typeof createSickness>
