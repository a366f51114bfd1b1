import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
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

export interface Counted {
  /** Fingerprints of those that are issues by now. */
  readonly issues: ReadonlySet<string>
  /** Those of them that were none before. */
  readonly opened: number
  /** Those that were seen often enough, but are none yet. */
  readonly heldBack: number
}

export type Sightings = ReturnType<typeof createSightings>

export const createSightings = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** @param mayOpen how many may become issues; what is held back does when it is seen again */
  add: (projectId: number, sightings: readonly Sighting[], now: number, mayOpen: number): Promise<Counted> =>
    ledger.transaction(async (transaction) => {
      const issues = new Set<string>()
      let opened = 0
      let heldBack = 0
      for (const sighting of sightings) {
        const state = await addOne(transaction, projectId, sighting, { now, mayOpen: opened < mayOpen })
        if (state === 'open' || state === 'opened') issues.add(sighting.fingerprint)
        if (state === 'opened') opened += 1
        if (state === 'held back') heldBack += 1
      }
      await forgetBeyondLimit(transaction, projectId)
      return { issues, opened, heldBack }
    }),

  /** When each problem of a rule was seen last, by fingerprint. */
  seenAt: async (projectId: number, detector: string): Promise<ReadonlyMap<string, number>> => {
    const rows = await ledger.db
      .selectFrom('finding_sightings')
      .select(['fingerprint', 'last_at'])
      .where('project_id', '=', projectId)
      .where('detector', '=', detector)
      .execute()
    return new Map(rows.map(({ fingerprint, last_at }) => [fingerprint, last_at]))
  },

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
  { now, mayOpen }: { readonly now: number; readonly mayOpen: boolean },
): Promise<'counted' | 'held back' | 'opened' | 'open'> => {
  const known = await transaction
    .selectFrom('finding_sightings')
    .select(['times_seen', 'first_at', 'is_issue'])
    .where('project_id', '=', projectId)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst()
  const goesOn =
    known !== undefined && (known.is_issue === 1 || now - known.first_at < LIMITS.FINDING_SEEN_HOURS * HOUR_MS)
  const timesSeen = times + (goesOn ? known.times_seen : 0)
  const isOpen = known?.is_issue === 1
  const opens = !isOpen && timesSeen >= seen
  const row = {
    detector,
    times_seen: timesSeen,
    first_at: goesOn ? known.first_at : now,
    last_at: now,
    is_issue: isOpen || (opens && mayOpen) ? 1 : 0,
  } as const
  await transaction
    .insertInto('finding_sightings')
    .values({ ...row, project_id: projectId, fingerprint })
    .onConflict((conflict) => conflict.columns(['project_id', 'fingerprint']).doUpdateSet(row))
    .execute()
  if (isOpen) return 'open'
  if (!opens) return 'counted'
  return mayOpen ? 'opened' : 'held back'
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
