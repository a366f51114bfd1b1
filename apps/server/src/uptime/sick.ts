import { UNREACHABLE, type Failure } from './check.ts'
import { LIMITS } from './limits.ts'

/** Results of the last minute, which say whether this server reaches anybody. */
export const createSickness = (now: () => number) => {
  let seen: { readonly at: number; readonly host: string; readonly isUnreachable: boolean }[] = []
  const recent = () => {
    const since = now() - LIMITS.UPTIME_SICK_MS
    seen = seen.filter(({ at }) => at >= since)
    return seen
  }
  return {
    note: (host: string, failure: Failure | null): void => {
      seen.push({ at: now(), host, isUnreachable: failure !== null && UNREACHABLE.has(failure.kind) })
    },
    /** Over half of the hosts could not be reached. Of a few hosts that says more about them. */
    isSick: (): boolean => {
      const hosts = Map.groupBy(recent(), ({ host }) => host)
      if (hosts.size < LIMITS.UPTIME_SICK_HOSTS) return false
      const away = [...hosts.values()].filter((results) => results.at(-1)?.isUnreachable === true)
      return away.length * 2 > hosts.size
    },
  }
}

export type Sickness = ReturnType<typeof createSickness>
