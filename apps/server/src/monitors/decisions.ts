import type { Ledger } from '../storage/index.ts'
import { decideStep } from './ledger/decide.ts'
import type { Monitors } from './ledger/monitors.ts'
import { LIMITS } from './limits.ts'

/**
 * Decides what did not come, and tells what is to be told. It goes by what was received and is digested, so a digest that
 * lags makes nobody miss anything; and a time at which the server was away, or its clock leapt, is one of which nobody
 * knows.
 *
 * @returns for `Occasion.take`
 */
export const createDecisions = ({
  changed,
  ledger,
  monitors,
  presence,
  settledUntil,
  tell,
}: {
  readonly ledger: Ledger
  readonly monitors: Pick<Monitors, 'exist'>
  readonly settledUntil: () => number
  readonly tell: () => Promise<boolean>
  readonly presence: (now: number) => Promise<unknown>
  readonly changed: (organizationId: number) => void
}) => {
  let notedAt = 0
  return async (now: number): Promise<number> => {
    if (!(await monitors.exist())) return Number.POSITIVE_INFINITY
    if (now < notedAt || now - notedAt >= LIMITS.MONITOR_PRESENCE_MS) {
      await presence(now)
      notedAt = now
    }
    const until = settledUntil()
    for (;;) {
      const { isPart, organizationIds } = await decideStep(ledger, until)
      for (const organizationId of organizationIds) changed(organizationId)
      if (!isPart) break
    }
    const isMore = await tell()
    return isMore ? now : now + LIMITS.MONITOR_PRESENCE_MS
  }
}
