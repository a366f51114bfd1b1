import { followFacts, type FollowFacts } from '../../facts/index.ts'
import { LIMITS } from '../limits.ts'
import { movesLines, tellOfFacts } from './notices-of-facts.ts'

/**
 * Tells people of facts. Lines that went with their issue, or came back, are nothing new that could be found in an inbox
 * afterwards: open pages are told of them here, once they are true.
 *
 * @param moved of the organisation to whose lines it happened
 */
export const followNotices = (
  parts: Pick<FollowFacts<undefined>, 'clock' | 'ledger' | 'live' | 'logger'>,
  moved: (organizationId: number) => void,
): ReturnType<typeof followFacts> => {
  const organizations = new Set<number>()
  const job = followFacts({
    ...parts,
    name: 'notices',
    batch: LIMITS.NOTICE_FACTS,
    take: (transaction, facts) => {
      for (const fact of facts) if (movesLines(fact)) organizations.add(fact.organizationId)
      return tellOfFacts(transaction, facts, parts.clock.now())
    },
  })
  return {
    ...job,
    run: async () => {
      try {
        await job.run()
      } finally {
        for (const organizationId of organizations) moved(organizationId)
        organizations.clear()
      }
    },
  }
}
