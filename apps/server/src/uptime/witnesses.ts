import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import { LIMITS } from './limits.ts'
import type { Sickness } from './sick.ts'

/**
 * Others who say whether one host is away, or this server is cut off. They are called once in so long, however many hosts
 * are away.
 */
export const createWitnesses = ({
  askOthers,
  called,
  logger,
  now,
  sickness,
}: {
  /** Makes others due at once than a host that cannot be reached. @returns how many */
  readonly askOthers: (host: string, now: number) => Promise<number>
  /** They are due. */
  readonly called: () => void
  readonly logger: Logger
  readonly now: () => number
  readonly sickness: Pick<Sickness, 'isFew' | 'doubtUntil'>
}) => {
  let last: { readonly at: number; readonly others: Promise<number> } | null = null

  /** None when the ledger fails: then nobody can say. */
  const ask = async (host: string, at: number): Promise<number> => {
    try {
      const others = await askOthers(host, at)
      called()
      return others
    } catch (error) {
      logger.warn('others than an address that is away could not be asked', { error: stackOf(error) })
      return 0
    }
  }

  return (host: string, check: number) => {
    let call: { readonly since: number; readonly others: Promise<number> } | null = null
    return {
      /** It cannot be reached. Where many are asked, they speak anyway. */
      call: (): void => {
        if (!sickness.isFew()) return
        const since = now()
        if (last === null || since - last.at >= LIMITS.UPTIME_SICK_MS || since < last.at) {
          last = { at: since, others: ask(host, since) }
        }
        call = { since, others: last.others }
      },
      /** Until when it is in doubt, as none of them answers; null when it is not. */
      silentUntil: async (): Promise<number | null> =>
        call === null ? null : sickness.doubtUntil({ check, host }, { since: call.since, others: await call.others }),
    }
  }
}

export type Witnesses = ReturnType<typeof createWitnesses>
