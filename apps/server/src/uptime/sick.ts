import { UNREACHABLE, type Failure } from './check.ts'
import { LIMITS } from './limits.ts'

interface Asked {
  readonly check: number
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

/** A check that cannot be reached. */
interface Away {
  readonly since: number
  /** When it was asked last. */
  readonly at: number
  readonly wasUp: boolean
}

/**
 * Results of the last minute, which say whether this server reaches anybody. What they say of a failure is believed for a
 * while only: whoever is away for longer is told of, whatever it is that is broken.
 */
export const createSickness = (now: () => number) => {
  let seen: Seen[] = []
  /** Since when nobody at all has answered; null while somebody does. */
  let silentSince: number | null = null
  /** The two hosts that answered last: one of them is another one than any host. */
  let answered: readonly { readonly host: string; readonly at: number }[] = []
  const away = new Map<number, Away>()
  /** How many were away of those that had been up, when this server was cut off; 0 when that is over. */
  let most = 0
  const awayThatWereUp = (): number => [...away.values()].filter(({ wasUp }) => wasUp).length
  /** What was deleted or switched off is asked no more. */
  const forget = (): void => {
    for (const [check, { at }] of away) if (now() - at > LIMITS.UPTIME_AWAY_KEPT_MS) away.delete(check)
  }
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
    note: ({ check, failure, host, organizationId, wasUp }: Asked): void => {
      const isUnreachable = failure !== null && UNREACHABLE.has(failure.kind)
      if (isUnreachable) {
        const before = away.get(check)
        away.set(check, { since: before?.since ?? now(), at: now(), wasUp: wasUp || before?.wasUp === true })
      } else {
        away.delete(check)
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
    /** Most cannot be reached, be it that this server is cut off or, after a while, that they are told of as down. */
    isCutOff: (): boolean => {
      forget()
      if (awayThatWereUp() * 2 <= most) most = 0
      return most > 0 || isSick()
    },
    /**
     * Until when it is believed of one that is away that this server is cut off; null when it is not, or no more. While
     * nobody at all answers, that is for longer.
     */
    cutOffUntil: (check: number): number | null => {
      if (!isSick()) return null
      most = Math.max(most, awayThatWereUp())
      const since = away.get(check)?.since ?? now()
      const isSilent = answered.every(({ at }) => at < since)
      const bounds = [LIMITS.UPTIME_CUT_OFF_MS, ...(isSilent ? [LIMITS.UPTIME_SILENT_MS] : [])]
      return bounds.map((ms) => since + ms).find((until) => until > now()) ?? null
    },
    /**
     * Until when one that was up may be away because this server is: where few are asked, when no other one has answered
     * since. They may as well be away together, so that is believed after a while. Null when there is no doubt.
     *
     * @param others how many were asked since
     */
    doubtUntil: (
      { check, host }: { readonly check: number; readonly host: string },
      { others, since }: { readonly since: number; readonly others: number },
    ): number | null => {
      if (others === 0 || answered.some((one) => one.host !== host && one.at >= since)) return null
      silentSince ??= since
      const until = Math.min(silentSince, away.get(check)?.since ?? since) + LIMITS.UPTIME_DOUBT_MS
      return until > now() ? until : null
    },
  }
}

const isMostlyAway = (seen: readonly Seen[]): boolean => {
  const hosts = [...Map.groupBy(seen, ({ host, organizationId }) => `${organizationId} ${host}`).values()]
  return hosts.filter((results) => results.at(-1)?.isUnreachable === true).length * 2 > hosts.length
}

export type Sickness = ReturnType<typeof createSickness>
