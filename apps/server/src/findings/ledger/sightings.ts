import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/** That a problem was seen. */
export interface Sighting {
  /** 32 hex characters. */
  readonly fingerprint: string
  readonly detector: string
  /** How often it must be seen within a day before it is an issue. */
  readonly seen: number
  readonly times: number
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export type Sightings = ReturnType<typeof createSightings>

export const createSightings = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** @returns fingerprints of those that are issues by now */
  add: (projectId: number, sightings: readonly Sighting[], now: number): Promise<ReadonlySet<string>> =>
    ledger.transaction(async (transaction) => {
      const issues = new Set<string>()
      for (const sighting of sightings) {
        if (await addOne(transaction, projectId, sighting, now)) issues.add(sighting.fingerprint)
      }
      await forgetBeyondLimit(transaction, projectId)
      return issues
    }),

  /** Lets go what was not seen for long. */
  forgetOld: async (now: number): Promise<void> => {
    await ledger.db
      .deleteFrom('finding_sightings')
      .where('last_at', '<', now - LIMITS.FINDING_SIGHTING_DAYS * DAY_MS)
      .execute()
  },
})

const addOne = async (
  transaction: LedgerTransaction,
  projectId: number,
  { fingerprint, detector, seen, times }: Sighting,
  now: number,
): Promise<boolean> => {
  const known = await transaction
    .selectFrom('finding_sightings')
    .select(['times_seen', 'first_at', 'is_issue'])
    .where('project_id', '=', projectId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  const goesOn =
    known !== undefined && (known.is_issue === 1 || now - known.first_at < LIMITS.FINDING_SEEN_HOURS * HOUR_MS)
  const timesSeen = times + (goesOn ? known.times_seen : 0)
  const isIssue = known?.is_issue === 1 || timesSeen >= seen
  const row = {
    detector,
    times_seen: timesSeen,
    first_at: goesOn ? known.first_at : now,
    last_at: now,
    is_issue: isIssue ? 1 : 0,
  } as const
  await transaction
    .insertInto('finding_sightings')
    .values({ ...row, project_id: projectId, fingerprint })
    .onConflict((conflict) => conflict.columns(['project_id', 'fingerprint']).doUpdateSet(row))
    .execute()
  return isIssue
}

/** Those that were not seen for longest go first. */
const forgetBeyondLimit = async (transaction: LedgerTransaction, projectId: number): Promise<void> => {
  const beyond = await transaction
    .selectFrom('finding_sightings')
    .select('last_at')
    .where('project_id', '=', projectId)
    .orderBy('last_at', 'desc')
    .offset(LIMITS.FINDING_SIGHTINGS)
    .limit(1)
    .executeTakeFirst()
  if (beyond === undefined) return
  await transaction
    .deleteFrom('finding_sightings')
    .where('project_id', '=', projectId)
    .where('last_at', '<=', beyond.last_at)
    .execute()
}
