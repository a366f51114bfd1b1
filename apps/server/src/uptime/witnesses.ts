import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import { LIMITS } from './limits.ts'
import type { Sickness } from './sick.ts'

interface Caller {
  readonly organizationId: number
  readonly host: string
  readonly check: number
}

interface Call {
  readonly at: number
  readonly others: Promise<number>
}

/**
 * Others who say whether one host is away, or this server is cut off. An organisation calls them once in so long, however
 * many of its hosts are away.
 */
export const createWitnesses = ({
  askOthers,
  called,
  logger,
  now,
  sickness,
}: {
  /** Makes others due at once than a host that cannot be reached. @returns how many will say something */
  readonly askOthers: (away: Pick<Caller, 'host' | 'organizationId'>, now: number) => Promise<number>
  /** They are due. */
  readonly called: () => void
  readonly logger: Logger
  readonly now: () => number
  readonly sickness: Pick<Sickness, 'isFew' | 'doubtUntil'>
}) => {
  let calls: readonly (Call & Pick<Caller, 'organizationId'>)[] = []

  /** None when the ledger fails: then nobody can say. */
  const ask = async (away: Caller, at: number): Promise<number> => {
    try {
      const others = await askOthers(away, at)
      called()
      return others
    } catch (error) {
      logger.warn('others than an address that is away could not be asked', { error: stackOf(error) })
      return 0
    }
  }

  const callOf = (away: Caller, at: number): Call => {
    calls = calls.filter((call) => at - call.at < LIMITS.UPTIME_SICK_MS && call.at <= at)
    const { organizationId } = away
    const known = calls.find((call) => call.organizationId === organizationId)
    if (known !== undefined) return known
    const call = { organizationId, at, others: ask(away, at) }
    calls = [...calls, call]
    return call
  }

  return (away: Caller) => {
    let call: { readonly since: number; readonly others: Promise<number> } | null = null
    return {
      /** It cannot be reached. Where many are asked, they speak anyway. */
      call: (): void => {
        if (!sickness.isFew()) return
        const since = now()
        call = { since, others: callOf(away, since).others }
      },
      /** Until when it is in doubt, as none of them answers; null when it is not. */
      silentUntil: async (): Promise<number | null> =>
        call === null ? null : sickness.doubtUntil(away, { since: call.since, others: await call.others }),
    }
  }
}

export type Witnesses = ReturnType<typeof createWitnesses>
