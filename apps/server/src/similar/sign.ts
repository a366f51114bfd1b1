import { setImmediate } from 'node:timers/promises'
import type { CapabilityJob, ServerParts } from '../capability.ts'
import { followFacts } from '../facts/index.ts'
import type { IssueServices } from '../issues/index.ts'
import type { Ledger } from '../storage/index.ts'
import { featuresOf, type Features } from './features.ts'
import { keepSignatures, unsignedIssues, type SignedIssue } from './ledger/signatures.ts'
import { LIMITS } from './limits.ts'

type Reads = Pick<IssueServices, 'events' | 'issues'>

interface Place {
  readonly organizationId: number
  readonly projectId: number
}

/** Of the newest event of an issue; null when none is kept. */
export const featuresOfIssue = async (
  { events }: Pick<Reads, 'events'>,
  { organizationId, projectId }: Place,
  storedIds: readonly number[],
): Promise<Features | null> => {
  const scope = { organizationId, projectIds: [projectId], issueIds: storedIds }
  const newest = await events.outermost({ ...scope, period: null, environments: [], filter: null }, 'latest', null)
  return newest === null ? null : featuresOf(newest.event)
}

const NOTHING: Features = { functions: [], type: '', words: [] }

/** Gives every new issue its signature, by the event that opened it. */
export const createSigning = ({
  clock,
  events,
  issues,
  ledger,
  live,
  logger,
}: Pick<ServerParts, 'clock' | 'ledger' | 'live' | 'logger'> & Reads): CapabilityJob =>
  followFacts({
    ledger,
    live,
    clock,
    logger,
    name: 'similar issues',
    batch: LIMITS.SIMILAR_BATCH,
    prepare: async (facts) => {
      const signed: SignedIssue[] = []
      for (const { data, issueId, kind, organizationId, projectId } of facts) {
        if (kind !== 'issue_opened' || issueId === null || projectId === null) continue
        const { eventId } = data.event
        const [location] = await issues.locateEvent(organizationId, [projectId], eventId)
        const stored = location === undefined ? null : await events.load({ organizationId, eventId, ...location })
        if (stored !== null) signed.push({ issueId, projectId, features: featuresOf(stored.event) })
        // A thousand functions are hashed 64 times each, and other requests wait.
        await setImmediate()
      }
      return signed
    },
    take: async (transaction, _facts, signed = []) =>
      keepSignatures(transaction, await living(transaction, signed), clock.now()),
  })

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

/** Gives issues that were there before their signature, the newest first, a few at a time. */
export const createCatchingUp = ({
  clock,
  events,
  ledger,
}: Pick<ServerParts, 'clock'> & Pick<Reads, 'events'> & { readonly ledger: Ledger }): CapabilityJob => {
  let before = Number.MAX_SAFE_INTEGER
  let isDone = false
  return {
    name: 'signatures of older issues',
    everyMs: LIMITS.SIMILAR_STEP_MS,
    isDue: () => !isDone,
    run: async () => {
      const found = await unsignedIssues(ledger, before, LIMITS.SIMILAR_STEP_ISSUES)
      const signed: SignedIssue[] = []
      for (const { id, ...place } of found) {
        // One whose events are gone has nothing that another could be like.
        const features = (await featuresOfIssue({ events }, place, [id])) ?? NOTHING
        signed.push({ issueId: id, projectId: place.projectId, features })
      }
      await ledger.transaction(async (transaction) =>
        keepSignatures(transaction, await living(transaction, signed), clock.now()),
      )
      before = found.at(-1)?.id ?? before
      isDone = found.length < LIMITS.SIMILAR_STEP_ISSUES
    },
  }
}
