import { sql } from 'kysely'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { Incident } from './incidents.ts'
import { oneAtATime } from './one-at-a-time.ts'

/**
 * Incidents that are over for another reason than what they are about. Whoever heard that they began is told so a moment
 * later: a pager that nobody tells stays open.
 */

export type EndReason =
  | 'the alert was deleted'
  | 'the alert was switched off'
  | 'the alert measures something else now'
  | 'none of its projects is left'
  | 'its project was deleted'
  | 'the alert watches its project no more'
  | 'nothing happened for long'
  | 'its issue was closed'
  | 'the person whom it was about was deleted'

/** What is set of open incidents: of what nobody heard there is no end to tell. */
export const endedFor = (why: EndReason, now: number) => ({
  state: 'over' as const,
  ended_at: now,
  changed_at: now,
  untold_end: sql<string | null>`CASE WHEN told_at IS NULL THEN NULL ELSE ${sql.lit(why)} END`,
})

/** These are over already, and nobody was told. */
export const leaveUntold = async (
  transaction: LedgerTransaction,
  incidents: readonly Incident[],
  why: EndReason,
): Promise<void> => {
  for (const part of chunks(incidents, ROWS_PER_STATEMENT)) {
    const ids = part.map(({ id }) => id)
    await transaction.updateTable('alert_incidents').set({ untold_end: why }).where('id', 'in', ids).execute()
  }
}

/** Of deleted projects nothing is heard any more. What is measured there ends with the next minute that is evaluated. */
export const endIncidentsOfDeletedProjects = async (
  { db, dialect, transaction }: Pick<Ledger, 'db' | 'dialect' | 'transaction'>,
  now: number,
): Promise<void> => {
  const projects = await db.selectFrom('projects').select('id').where('deleted_at', 'is not', null).execute()
  for (const part of chunks(projects, ROWS_PER_STATEMENT)) {
    const ids = part.map(({ id }) => id)
    await transaction(async (own) => {
      await oneAtATime(own, dialect)
      await own
        .updateTable('alert_incidents')
        .set(endedFor('its project was deleted', now))
        .where('project_id', 'in', ids)
        .where('fact_id', 'is not', null)
        .where('ended_at', 'is', null)
        .execute()
    })
  }
}

/** Takes those of one rule, so that each is told once. None when there are no more. */
export const takeUntoldEnds = async (
  transaction: LedgerTransaction,
): Promise<readonly (Incident & { readonly why: string })[]> => {
  const first = await transaction
    .selectFrom('alert_incidents')
    .select('rule_id')
    .where('untold_end', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  if (first === undefined) return []
  const rows = await transaction
    .selectFrom('alert_incidents')
    .selectAll()
    .where('rule_id', '=', first.rule_id)
    .where('untold_end', 'is not', null)
    .orderBy('id')
    .limit(LIMITS.ALERT_STEP_ROWS)
    .execute()
  const taken = new Set<number>()
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    const ids = part.map(({ id }) => id)
    const mine = await transaction
      .updateTable('alert_incidents')
      .set({ untold_end: null })
      .where('id', 'in', ids)
      .where('untold_end', 'is not', null)
      .returning('id')
      .execute()
    for (const { id } of mine) taken.add(id)
  }
  return rows.flatMap(({ untold_end: why, ...incident }) =>
    why === null || !taken.has(incident.id) ? [] : [{ ...incident, untold_end: null, why }],
  )
}

/** Receivers that another alert told of the same, which goes on: `thread receiver`. */
export const stillTold = async (
  transaction: LedgerTransaction,
  incidents: readonly Incident[],
): Promise<ReadonlySet<string>> => {
  const found = new Set<string>()
  const issueIds = [...new Set(incidents.flatMap(({ issue_id: id }) => id ?? []))]
  for (const part of chunks(issueIds, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('alert_incidents')
      .innerJoin('alert_messages', 'alert_messages.incident_id', 'alert_incidents.id')
      .select(['alert_incidents.subject', 'alert_messages.receiver'])
      .distinct()
      .where('alert_incidents.issue_id', 'in', part)
      .where('alert_incidents.ended_at', 'is', null)
      .execute()
    for (const { receiver, subject } of rows) found.add(`${subject} ${receiver}`)
  }
  return found
}
