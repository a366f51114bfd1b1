import type { CapabilityJob, ServerParts } from '../capability.ts'
import { followFacts, type StoredFact } from '../facts/index.ts'
import { assignToOwner, type AssigneeRecord, type IssuesChanged } from '../issues/index.ts'
import { noteOwners, type FoundOwner } from './ledger/issue-owners.ts'
import { LIMITS } from './limits.ts'
import type { Owners } from './owners.ts'

/** Whose a new issue is. */
interface Found {
  readonly fact: StoredFact<'issue_opened'>
  readonly issueId: number
  readonly owners: readonly FoundOwner[]
  /** Who gets it; null when the project assigns nothing by itself. */
  readonly assignee: AssigneeRecord | null
}

/** Looks at every new issue: notes whose it is, and assigns it to the first of them, when the project wants that. */
export const createAssignment = ({
  changed,
  clock,
  ledger,
  live,
  logger,
  owners,
}: Pick<ServerParts, 'clock' | 'ledger' | 'live' | 'logger'> & {
  readonly owners: Owners
  /** Open pages are to hear of what was assigned. */
  readonly changed: (change: IssuesChanged) => void
}): CapabilityJob => {
  /** By issue: a transaction may be run again. */
  const assigned = new Map<number, { readonly organizationId: number; readonly projectId: number }>()

  /** @param rulesOf remembers what it read: issues come many at a time, of few projects */
  const find = async (fact: StoredFact<'issue_opened'>, rulesOf: Owners['rulesOf']): Promise<Found | null> => {
    const { organizationId, projectId, issueId, data } = fact
    if (projectId === null || issueId === null) return null
    const place = { organizationId, projectId }
    const rules = await rulesOf(place)
    const event = rules === null ? null : await owners.eventOf(place, data.event.eventId)
    if (rules === null || event === null) return null
    const { decision, owners: known } = await rules.decide(event)
    if (decision.isCutShort) {
      logger.warn('whose a new issue is was not found out: its project has too many rules for so long a stack', {
        project: projectId,
        issue: issueId,
      })
    }
    const { line } = decision
    if (line === null) return null
    const foundAt = clock.now()
    return {
      fact,
      issueId,
      owners: known.map(({ id, type }) => ({ id, type, source: line.source, rule: line.text, foundAt })),
      assignee: rules.ownership.autoAssignment ? (known[0] ?? null) : null,
    }
  }

  const job = followFacts({
    ledger,
    live,
    clock,
    logger,
    name: 'ownership',
    batch: LIMITS.OWNERSHIP_BATCH,
    prepare: async (facts) => {
      const found: Found[] = []
      const known = new Map<number, ReturnType<Owners['rulesOf']>>()
      const rulesOf: Owners['rulesOf'] = (place) => {
        const rules = known.get(place.projectId) ?? owners.rulesOf(place)
        known.set(place.projectId, rules)
        return rules
      }
      for (const fact of facts) {
        if (fact.kind !== 'issue_opened') continue
        const one = await find(fact, rulesOf)
        if (one !== null) found.push(one)
      }
      return found
    },
    take: async (transaction, _facts, found = []) => {
      const now = clock.now()
      for (const { assignee, fact, issueId, owners: own } of found) {
        const rule = own[0]?.rule ?? ''
        const isAssigned = await assignToOwner(transaction, ledger, { fact, issueId, assignee, rule, now })
        if (isAssigned === 'gone') continue
        await noteOwners(transaction, issueId, own)
        const { organizationId, projectId } = fact
        if (isAssigned === 'assigned' && projectId !== null) assigned.set(issueId, { organizationId, projectId })
      }
    },
  })
  return {
    ...job,
    run: async () => {
      await job.run()
      for (const [issueId, place] of assigned) changed({ ...place, issueIds: [issueId], opened: [], at: clock.now() })
      assigned.clear()
    },
  }
}
