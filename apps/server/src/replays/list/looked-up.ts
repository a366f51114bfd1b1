import { Unanswerable } from '../../lib/unanswerable.ts'
import type { Period } from '../../search/index.ts'
import { joinedVisitor } from '../journeys/joined-visitor.ts'
import type { HeldNames } from '../ledger/deletion-jobs.ts'
import { LIMITS } from '../limits.ts'
import type { ReplayScope } from '../replay.ts'
import type { Granted } from '../services.ts'
import { namedIn, type LookedUpNames, type ViewerName } from './named-in.ts'

export type NameLookUp = Granted<{
  issues: 'records' | 'shortIds'
  replays: 'namesOf'
  stars: 'of'
  viewers: 'seenSince'
}>

/** What a search names is looked up before it is compiled: issues that were merged, visitors with several ids, who saw what. */
export const lookUpNames = async (
  services: NameLookUp,
  scope: ReplayScope,
  {
    written,
    period,
    userId,
    held = null,
  }: {
    readonly written: string
    readonly period: Period
    /** Of the caller. */
    readonly userId: number
    /** What was looked up before, where that is to hold. */
    readonly held?: HeldNames | null
  },
): Promise<LookedUpNames> => {
  const { issues, stars, viewers, visitors } = namedIn(written)
  const seen = async (viewer: ViewerName) =>
    [viewer, await seenBy(services, scope, { viewer: viewer === 'me' ? userId : viewer, period })] as const
  const known = async (name: string) =>
    [name, await joinedVisitor(services, scope, { ids: [name], emails: [name] }, period)] as const
  const [issueIds, seenOf, visitorsOf, starred] = await Promise.all([
    held === null ? storedIssues(services, scope.organizationId, issues) : new Map(held.issues),
    Promise.all([...new Set(viewers)].map(seen)),
    held === null ? Promise.all([...new Set(visitors)].map(known)) : held.visitors,
    stars ? services.stars.of(scope.projectIds) : [],
  ])
  return { issues: issueIds, seen: new Map(seenOf), visitors: new Map(visitorsOf), starred }
}

/** Also what was reported before the issue was merged into this one. */
const storedIssues = async (
  { issues }: Granted<{ issues: 'records' | 'shortIds' }>,
  organizationId: number,
  shortIds: readonly string[],
): Promise<LookedUpNames['issues']> => {
  if (shortIds.length === 0) return new Map()
  const found = await issues.shortIds(organizationId, shortIds)
  const records = await issues.records(organizationId, [...found.values()])
  return new Map(
    [...found].map(([shortId, id]) => [shortId, records.find((one) => one.id === id)?.storedIds ?? [id]] as const),
  )
}

/** What somebody opened since the period began: nothing of it can be seen before. @throws Unanswerable for too much */
const seenBy = async (
  { viewers }: Granted<{ viewers: 'seenSince' }>,
  { projectIds }: ReplayScope,
  { period, viewer }: { readonly period: Period; readonly viewer: number },
) => {
  const since = period.from - LIMITS.REPLAY_CLOCK_JUMP_MS
  const found = await viewers.seenSince(projectIds, viewer, { since, limit: LIMITS.REPLAYS_SEEN_SEARCHED + 1 })
  if (found.length > LIMITS.REPLAYS_SEEN_SEARCHED) {
    throw new Unanswerable(
      `More than ${LIMITS.REPLAYS_SEEN_SEARCHED} replays were opened in this time, too many to search by. Choose a shorter time or fewer projects.`,
    )
  }
  return found
}
