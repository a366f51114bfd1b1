import type { CapabilityJob, ServerParts } from '../capability.ts'
import { followFacts, type StoredFact } from '../facts/index.ts'
import { featuresOf, loadReadable, outlineOf, type Features, type IssueServices } from '../issues/index.ts'
import type { Ledger } from '../storage/index.ts'
import { keepSignatures, unsignedIssues, type SignedIssue } from './ledger/signatures.ts'
import { LIMITS } from './limits.ts'

type Reads = Pick<IssueServices, 'events'>

interface Place {
  readonly organizationId: number
  readonly projectId: number
}

/** Of the newest event of an issue; null when none is kept. */
export const featuresOfIssue = async (
  { events }: Reads,
  { organizationId, projectId }: Place,
  storedIds: readonly number[],
): Promise<Features | null> => {
  const scope = { organizationId, projectIds: [projectId], issueIds: storedIds }
  const newest = await events.outermost({ ...scope, period: null, environments: [], filter: null }, 'latest', null)
  return newest === null ? null : featuresOf(outlineOf(newest.event))
}

const NOTHING: Features = { functions: [], type: '', words: [] }

/**
 * Gives every new issue its signature, by the event that opened it: what that is known by stands in what was noted. Where
 * it does not, as the note is older than this, the issue is one of those that were there before.
 */
export const createSigning = ({
  clock,
  ledger,
  live,
  logger,
}: Pick<ServerParts, 'clock' | 'ledger' | 'live' | 'logger'>): CapabilityJob =>
  followFacts({
    ledger,
    live,
    clock,
    logger,
    name: 'similar issues',
    batch: LIMITS.SIMILAR_BATCH,
    take: async (transaction, facts) =>
      keepSignatures(transaction, await living(transaction, facts.flatMap(signedBy)), clock.now()),
  })

const signedBy = ({ data, issueId, kind, projectId }: StoredFact): readonly SignedIssue[] =>
  kind !== 'issue_opened' || data.features === undefined || issueId === null || projectId === null
    ? []
    : [{ issueId, projectId, features: data.features }]

/** What was deleted meanwhile gets none. */
const living = async (
  transaction: Parameters<typeof keepSignatures>[0],
  signed: readonly SignedIssue[],
): Promise<readonly SignedIssue[]> => {
  if (signed.length === 0) return []
  const rows = await transaction
    .selectFrom('issues')
    .select('id')
    .where(
      'id',
      'in',
      signed.map(({ issueId }) => issueId),
    )
    .execute()
  const known = new Set(rows.map(({ id }) => id))
  return signed.filter(({ issueId }) => known.has(issueId))
}

/** Of issues of one project. One whose events are gone has nothing that another could be like, and so has one that nobody can read. */
const featuresOfSome = async (
  { events }: Reads,
  place: Place,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, Features>> => {
  const features = new Map<number, Features>(issueIds.map((id) => [id, NOTHING]))
  const newest = await events.newest({ ...place, issueIds })
  for await (const found of loadReadable(events, newest)) {
    features.set(found.place.storedIssueId, featuresOf(outlineOf(found.event)))
  }
  return features
}

/** Gives issues that were there before their signature, the newest first, a few at a time. */
export const createCatchingUp = ({
  clock,
  events,
  ledger,
}: Pick<ServerParts, 'clock'> & Reads & { readonly ledger: Ledger }): CapabilityJob => {
  let before = Number.MAX_SAFE_INTEGER
  let isDone = false
  return {
    name: 'signatures of older issues',
    everyMs: LIMITS.SIMILAR_STEP_MS,
    isDue: () => !isDone,
    run: async () => {
      const found = await unsignedIssues(ledger, before, LIMITS.SIMILAR_STEP_ISSUES)
      const signed: SignedIssue[] = []
      for (const [projectId, own] of Map.groupBy(found, (issue) => issue.projectId)) {
        const organizationId = own[0]?.organizationId ?? 0
        const ids = own.map(({ id }) => id)
        const features = await featuresOfSome({ events }, { organizationId, projectId }, ids)
        signed.push(...[...features].map(([issueId, its]) => ({ issueId, projectId, features: its })))
      }
      await ledger.transaction(async (transaction) =>
        keepSignatures(transaction, await living(transaction, signed), clock.now()),
      )
      before = found.at(-1)?.id ?? before
      isDone = found.length < LIMITS.SIMILAR_STEP_ISSUES
    },
  }
}
