import type { CapabilityJob, ServerParts } from '../capability.ts'
import type { NormalisedEvent } from '../event/event.ts'
import { followFacts, type StoredFact } from '../facts/index.ts'
import { assignToOwner, type AssigneeRecord, type IssuesChanged } from '../issues/index.ts'
import { noteOwners, type FoundOwner } from './ledger/issue-owners.ts'
import { LIMITS } from './limits.ts'
import type { Owners } from './owners.ts'

interface ProjectPlace {
  readonly organizationId: number
  readonly projectId: number
}

interface Opened {
  readonly fact: StoredFact<'issue_opened'>
  readonly issueId: number
}

/** Whose a new issue is. */
interface Found extends Opened {
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

  const find = async (
    { fact, issueId }: Opened,
    event: NormalisedEvent,
    rules: NonNullable<Awaited<ReturnType<Owners['rulesOf']>>>,
  ): Promise<Found | null> => {
    const { decision, owners: known } = await rules.decide(event)
    if (decision.isCutShort) {
      logger.warn('whose a new issue is was not found out: its project has too many rules for so long a stack', {
        project: fact.projectId,
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

  /** New issues of one project: they come many at a time. */
  const findSome = async (place: ProjectPlace, opened: readonly Opened[]): Promise<readonly Found[]> => {
    const rules = await owners.rulesOf(place)
    if (rules === null) return []
    const byEvent = new Map(opened.map((one) => [one.fact.data.event.eventId, one]))
    const found: Found[] = []
    for await (const { event, place: at } of owners.eventsOf(place, [...byEvent.keys()])) {
      const one = byEvent.get(at.eventId)
      const own = one === undefined ? null : await find(one, event, rules)
      if (own !== null) found.push(own)
    }
    return found.toSorted((left, right) => left.fact.id - right.fact.id)
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
      for (const [projectId, own] of Map.groupBy(facts, (fact) => fact.projectId)) {
        const [first] = own
        const opened = own.flatMap((fact): Opened[] =>
          fact.kind === 'issue_opened' && fact.issueId !== null ? [{ fact, issueId: fact.issueId }] : [],
        )
        if (first === undefined || projectId === null || opened.length === 0) continue
        found.push(...(await findSome({ organizationId: first.organizationId, projectId }, opened)))
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
