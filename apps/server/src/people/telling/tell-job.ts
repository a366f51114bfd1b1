import { stackOf } from '../../lib/error-text.ts'
import type { Logger } from '../../lib/logger.ts'
import type { Occasion } from '../../lib/occasion.ts'
import type { UntoldIssue } from '../ledger/untold.ts'

/**
 * Tells people of what is resolved: plans by itself where nobody said anything, waits for releases, and sends what is due. Run
 * again and again; all that it knows stands in the ledger.
 */
export const createTellJob = (parts: {
  readonly untold: () => Promise<readonly UntoldIssue[]>
  readonly planByItself: (issue: UntoldIssue, now: number) => Promise<void>
  readonly sends: {
    readonly dropUnresolved: (now: number) => Promise<void>
    readonly noteReleases: () => Promise<void>
    readonly due: (now: number) => Promise<readonly number[]>
    readonly nextAt: () => Promise<number | null>
    readonly send: (
      issueId: number,
      now: number,
    ) => Promise<{ readonly organizationId: number; readonly more: boolean } | null>
  }
  readonly occasion: Occasion
  readonly logger: Logger
  /** Told of each organisation in which people were told. */
  readonly told: (organizationId: number) => void
}): { readonly run: () => Promise<void> } => {
  const { sends, untold, planByItself, occasion, logger, told } = parts

  const sendAll = async (issueId: number, now: number): Promise<void> => {
    for (;;) {
      const sent = await sends.send(issueId, now)
      if (sent === null) return
      told(sent.organizationId)
      if (!sent.more) return
    }
  }

  return {
    run: () =>
      occasion.take(async (now) => {
        // What was resolved anew is planned anew, with all of its time.
        await sends.dropUnresolved(now)
        for (const issue of await untold()) await planByItself(issue, now)
        await sends.noteReleases()
        for (const issueId of await sends.due(now)) {
          // The others do not wait for one that fails; it comes again.
          await sendAll(issueId, now).catch((error: unknown) => {
            logger.warn('people could not be told of a resolved issue', { issue: issueId, error: stackOf(error) })
          })
        }
        return (await sends.nextAt()) ?? Infinity
      }),
  }
}
