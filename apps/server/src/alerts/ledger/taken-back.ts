import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { Incident } from './incidents.ts'

/**
 * Incidents that somebody ended by what they did to an issue. They are over at once, and that is told when nobody has taken
 * it back for a while; whoever takes it back later has them go on as well.
 */

const idsOf = (incidents: readonly Pick<Incident, 'id'>[]): number[] => incidents.map(({ id }) => id)

/**
 * Open incidents of an issue are over. Those that flap are looked at when they are calm, unless the issue is gone. What waits
 * to be told of them waits on: it goes with the end that is told, and is told when that is taken back.
 *
 * @param end.factId what somebody did
 */
export const endUntilTold = async (
  transaction: LedgerTransaction,
  issueId: number,
  { at, factId, isGone }: { readonly at: number; readonly factId: number; readonly isGone: boolean },
): Promise<readonly Incident[]> => {
  const open = await transaction
    .selectFrom('alert_incidents')
    .select(['id', 'state'])
    .where('issue_id', '=', issueId)
    .where('ended_at', 'is', null)
    .execute()
  const flapping = isGone ? [] : open.filter(({ state }) => state === 'flapping')
  for (const part of chunks(idsOf(flapping), ROWS_PER_STATEMENT)) {
    await transaction.updateTable('alert_incidents').set({ changed_at: at }).where('id', 'in', part).execute()
  }
  const ending = isGone ? open : open.filter(({ state }) => state !== 'flapping')
  const ended: Incident[] = []
  for (const part of chunks(idsOf(ending), ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .updateTable('alert_incidents')
      .set(({ ref }) => ({
        state: 'over',
        ended_at: at,
        changed_at: at,
        over_by: factId,
        over_due_at: at + LIMITS.ALERT_UNDO_MS,
        over_from: ref('state'),
      }))
      .where('id', 'in', part)
      .where('ended_at', 'is', null)
      .returningAll()
      .execute()
    ended.push(...rows)
  }
  return ended.toSorted((left, right) => left.id - right.id)
}

/** Ends that nobody has taken back in time, the oldest first. A clock that was set back leaves none untold. */
export const dueEnds = (
  db: Pick<LedgerTransaction, 'selectFrom'>,
  now: number,
  limit: number,
): Promise<readonly Incident[]> =>
  db
    .selectFrom('alert_incidents')
    .selectAll()
    .where((where) =>
      where.or([where('over_due_at', '<=', now), where('over_due_at', '>', now + LIMITS.ALERT_UNDO_MS)]),
    )
    .orderBy('over_due_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** When the next of them is due; `Infinity` for none. */
export const nextEndAt = async (db: Pick<LedgerTransaction, 'selectFrom'>): Promise<number> => {
  const row = await db
    .selectFrom('alert_incidents')
    .select('over_due_at')
    .where('over_due_at', 'is not', null)
    .orderBy('over_due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.over_due_at ?? Infinity
}

/** Ends of an issue that nobody was told of yet. */
export const untoldEndsOf = (transaction: LedgerTransaction, issueId: number): Promise<readonly Incident[]> =>
  transaction
    .selectFrom('alert_incidents')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('over_by', 'is not', null)
    .where('over_due_at', 'is not', null)
    .orderBy('id')
    .execute()

/** Which of these incidents ended without anybody having been told, and when that is due. */
export const untoldEndsAmong = async (
  transaction: LedgerTransaction,
  incidentIds: readonly number[],
): Promise<ReadonlyMap<number, number>> => {
  const found = new Map<number, number>()
  for (const part of chunks(incidentIds, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('alert_incidents')
      .select(['id', 'over_due_at'])
      .where('id', 'in', part)
      .where('over_due_at', 'is not', null)
      .execute()
    for (const { id, over_due_at: dueAt } of rows) if (dueAt !== null) found.set(id, dueAt)
  }
  return found
}

/**
 * Those of them that nobody else has told or taken back: they are told now. One that was taken back and ended again since is
 * another end, with a time of its own.
 */
export const claimEnds = async (
  transaction: LedgerTransaction,
  ends: readonly Incident[],
): Promise<readonly Incident[]> => {
  const claimed = new Set<number>()
  for (const [by, own] of Map.groupBy(ends, ({ over_by: factId }) => factId)) {
    for (const part of chunks(idsOf(own), ROWS_PER_STATEMENT)) {
      const rows = await transaction
        .updateTable('alert_incidents')
        .set({ over_due_at: null })
        .where('id', 'in', part)
        .where('over_by', by === null ? 'is' : '=', by)
        .where('over_due_at', 'is not', null)
        .returning('id')
        .execute()
      for (const { id } of rows) claimed.add(id)
    }
  }
  return ends.filter(({ id }) => claimed.has(id))
}

/** An issue came back by itself: that its incidents ended before cannot be taken back any more. */
export const settleEnds = async (transaction: LedgerTransaction, issueId: number): Promise<void> => {
  await transaction
    .updateTable('alert_incidents')
    .set({ over_by: null, over_from: null })
    .where('issue_id', '=', issueId)
    .where('over_by', 'is not', null)
    .execute()
}

/** What may go on of an issue: what was ended last, of rules that still speak and have nothing newer of it. */
const mayGoOn = async (transaction: LedgerTransaction, issueId: number, at: number): Promise<readonly Incident[]> => {
  const ended = await transaction
    .selectFrom('alert_incidents')
    .selectAll()
    .where('issue_id', '=', issueId)
    .where('over_by', 'is not', null)
    .where('ended_at', '>', at - LIMITS.ALERT_TAKEN_BACK_MS)
    .orderBy('id')
    .execute()
  const last = Math.max(...ended.map(({ over_by: by }) => by ?? 0))
  const own = ended.filter(({ over_by: by }) => by === last)
  if (own.length === 0) return []
  const rules = await transaction
    .selectFrom('alert_rules')
    .select('id')
    .where(
      'id',
      'in',
      own.map(({ rule_id: id }) => id),
    )
    .where('is_enabled', '=', 1)
    .where('deleted_at', 'is', null)
    .execute()
  const open = await transaction
    .selectFrom('alert_incidents')
    .select('rule_id')
    .where('issue_id', '=', issueId)
    .where('ended_at', 'is', null)
    .execute()
  const speaking = new Set(rules.map(({ id }) => id))
  for (const { rule_id: id } of open) speaking.delete(id)
  return own.filter(({ rule_id: id }) => speaking.has(id))
}

export interface TakenBack {
  /** As they stood while they were over. */
  readonly incidents: readonly Incident[]
  /** Those of whose end nobody was told. */
  readonly untold: ReadonlySet<number>
}

/** What somebody did last to an issue is taken back: the incidents that it ended go on. */
export const takeBackEnds = async (transaction: LedgerTransaction, issueId: number, at: number): Promise<TakenBack> => {
  const incidents = await mayGoOn(transaction, issueId, at)
  const untold = new Set<number>()
  const back: Incident[] = []
  for (const part of chunks(incidents, ROWS_PER_STATEMENT)) {
    const claimed = await claimEnds(transaction, part)
    for (const { id } of claimed) untold.add(id)
    const rows = await transaction
      .updateTable('alert_incidents')
      .set(({ fn, val }) => ({
        state: fn.coalesce('over_from', val('firing' as const)),
        ended_at: null,
        changed_at: at,
        over_by: null,
        over_from: null,
      }))
      .where('id', 'in', idsOf(part))
      .where('over_by', 'is not', null)
      .returning('id')
      .execute()
    const mine = new Set(idsOf(rows))
    back.push(...part.filter(({ id }) => mine.has(id)))
  }
  return { incidents: back, untold }
}

/** What ended long ago goes on no more, whoever opens its issue again. */
export const forgetTakingBack = async (db: Pick<LedgerTransaction, 'updateTable'>, now: number): Promise<void> => {
  await db
    .updateTable('alert_incidents')
    .set({ over_by: null, over_from: null })
    .where('over_by', 'is not', null)
    .where('over_due_at', 'is', null)
    .where('ended_at', '<=', now - LIMITS.ALERT_TAKEN_BACK_MS)
    .execute()
}
