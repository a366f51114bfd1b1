import type { Ledger } from '../storage/index.ts'
import { decideStep } from './ledger/decide.ts'
import type { Monitors } from './ledger/monitors.ts'
import { LIMITS } from './limits.ts'

/**
 * Decides what did not come. It goes by what was received and is digested, so a digest that lags makes nobody miss
 * anything; and a time at which the server was away, or its clock leapt, is one of which nobody knows.
 *
 * `decide` is for `Occasion.take`.
 */
export const createDecisions = ({
  changed,
  decided,
  ledger,
  monitors,
  presence,
  settledUntil,
}: {
  readonly ledger: Ledger
  readonly monitors: Pick<Monitors, 'exist'>
  readonly settledUntil: () => number
  /** Notes that the server is here, or that it was not: that has to be known before anything counts as missed. */
  readonly presence: (now: number) => Promise<void>
  readonly changed: (organizationId: number) => void
  /** Something may have to be told. */
  readonly decided: () => void
}) => {
  let decidingUntil: number | null = null
  const decideAll = async (until: number): Promise<void> => {
    for (;;) {
      const { isPart, organizationIds } = await decideStep(ledger, until)
      for (const organizationId of organizationIds) changed(organizationId)
      if (organizationIds.size > 0) decided()
      if (!isPart) return
    }
  }
  return {
    decide: async (now: number): Promise<number> => {
      if (!(await monitors.exist())) return Number.POSITIVE_INFINITY
      await presence(now)
      const until = settledUntil()
      decidingUntil = until
      try {
        await decideAll(until)
      } finally {
        decidingUntil = null
      }
      return now + LIMITS.MONITOR_PRESENCE_MS
    },
    /** As of when runs are being decided; null while they are not. */
    decidingUntil: (): number | null => decidingUntil,
  }
}
