import type { NormalisedEvent } from '../event/event.ts'
import { loadReadable, type AssigneeRecord, type IssueServices } from '../issues/index.ts'
import type { Clock } from '../lib/clock.ts'
import { inSlices } from '../lib/sliced-work.ts'
import type { Ledger } from '../storage/index.ts'
import { createBudget } from './budget.ts'
import { decide, type CompiledLines, type DecideOptions, type Decision } from './decide.ts'
import { ownersOfIssues } from './ledger/issue-owners.ts'
import { findKnownOwners, type KnownOwners } from './ledger/known-owners.ts'
import type { OwnershipStore } from './ledger/ownership-store.ts'
import { matchedEvent, type MatchedEvent } from './matched-event.ts'

/** Whose an event is, by the lines of its project. */
export interface EventOwners {
  readonly decision: Decision
  /** Of the line that decided, as the organisation has them; the first is the one to assign. */
  readonly owners: readonly AssigneeRecord[]
}

export type Owners = ReturnType<typeof ownersOver>

interface Place {
  readonly organizationId: number
  readonly projectId: number
}

export const ownersOver = ({
  clock,
  ledger,
  store,
  issues,
  events,
}: Pick<IssueServices, 'issues' | 'events'> & {
  readonly clock: Clock
  readonly ledger: Ledger
  readonly store: OwnershipStore
}) => {
  const budget = createBudget(clock)
  /** Null when the project has no lines, so that nobody needs to read the event. */
  const rulesOf = async ({ organizationId, projectId }: Place) => {
    const { ownership, read } = await store.read(projectId)
    if (read.lines.length === 0) return null
    const known = await findKnownOwners(ledger, organizationId, read.lines, ownership.codeowners?.names ?? {})
    return {
      ownership,
      decide: (event: NormalisedEvent) =>
        budget.spend(projectId, (steps) =>
          ownersBy(read, known, matchedEvent(event), { walk: ownership.walk, steps, losers: 0 }),
        ),
    }
  }

  /** Of a project; those that are gone, or such that nobody can read them, are left out: no fact about an issue waits for that. */
  async function* eventsOf({ organizationId, projectId }: Place, eventIds: readonly string[]) {
    const located = await issues.locateEvents(organizationId, projectId, eventIds)
    const places = [...located].map(([eventId, location]) => ({ organizationId, eventId, ...location }))
    yield* loadReadable(events, places)
  }

  const eventOf = async (place: Place, eventId: string): Promise<NormalisedEvent | null> => {
    for await (const { event } of eventsOf(place, [eventId])) return event
    return null
  }

  return {
    rulesOf,
    eventsOf,
    fallsThrough: store.fallsThrough,
    /** Of an event of it, or as it was found when it was new. */
    ownersOf: async (
      issue: Place & { readonly issueId: number },
      eventId: string | null,
    ): Promise<{ readonly users: number[]; readonly teams: number[]; readonly rule: string | null }> => {
      const rules = eventId === null ? null : await rulesOf(issue)
      const event = rules === null || eventId === null ? null : await eventOf(issue, eventId)
      if (rules !== null && event !== null) {
        const { decision, owners } = await rules.decide(event)
        return { ...idsOf(owners), rule: decision.line?.text ?? null }
      }
      const found = (await ownersOfIssues(ledger, [issue.issueId])).get(issue.issueId) ?? []
      return { ...idsOf(found), rule: found[0]?.rule ?? null }
    },
  }
}

const idsOf = (owners: readonly { readonly type: 'user' | 'team'; readonly id: number }[]) => ({
  users: owners.filter(({ type }) => type === 'user').map(({ id }) => id),
  teams: owners.filter(({ type }) => type === 'team').map(({ id }) => id),
})

/** In slices: lines and frames may be many, and other requests wait. */
export const ownersBy = async (
  lines: CompiledLines,
  known: KnownOwners,
  event: MatchedEvent,
  options: Omit<DecideOptions, 'isKnown'>,
): Promise<EventOwners> => {
  const decision = await inSlices(decide(lines, event, { ...options, isKnown: (owner) => known.has(owner) }))
  return { decision, owners: decision.owners.flatMap((owner) => known.get(owner) ?? []) }
}
