import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'

/** Where firings go: a channel, or people. */
export const PEOPLE = 0

export interface Firing {
  readonly organizationId: number
  readonly ruleId: number
  /** Of a channel, or `PEOPLE`. */
  readonly channelId: number
  /** What belongs together: all of a rule, or all that comes with a new release. */
  readonly subject: string
  /** Of the message, when it is told at once. */
  readonly thread: string
  readonly item: { readonly level: string; readonly text: string; readonly path: string }
  readonly people: readonly number[] | null
}

/** A clock that was set back leaves none open for longer than they last. */
const isOpen = (dueAt: number, waiting: number, now: number): boolean =>
  waiting > 0 || (now < dueAt && dueAt <= now + LIMITS.ALERT_GATHER_LONG_MS)

/**
 * The first firing is told at once. What follows within `ALERT_GATHER_MS` waits to be told together with others, as one
 * message each time that `due_at` comes; when nothing waits then, the next one is a first again.
 *
 * @returns whether it is to be told now
 */
export const gather = async (transaction: LedgerTransaction, firing: Firing, now: number): Promise<boolean> => {
  const { channelId, item, organizationId, people, ruleId, subject, thread } = firing
  const known = await transaction
    .selectFrom('alert_gatherings')
    .select(['id', 'due_at', 'waiting'])
    .where('channel_id', '=', channelId)
    .where('subject', '=', subject)
    .where('organization_id', '=', organizationId)
    .executeTakeFirst()
  if (known !== undefined && isOpen(known.due_at, known.waiting, now)) {
    const counted = await transaction
      .updateTable('alert_gatherings')
      .set((row) => ({ waiting: row('waiting', '+', 1) }))
      .where('id', '=', known.id)
      .executeTakeFirst()
    // Another server may just have ended it: then this one is a first.
    if (counted.numUpdatedRows > 0n) {
      if (known.waiting < LIMITS.ALERT_GATHERED_NAMED) {
        await transaction
          .insertInto('alert_gathered')
          .values({ ...item, gathering_id: known.id, people: people === null ? null : JSON.stringify(people) })
          .execute()
      }
      return false
    }
  }
  const begun = { rule_id: ruleId, thread, opened_at: now, due_at: now + LIMITS.ALERT_GATHER_MS, told: 0, waiting: 0 }
  await transaction
    .insertInto('alert_gatherings')
    .values({ ...begun, organization_id: organizationId, channel_id: channelId, subject })
    .onConflict((conflict) => conflict.columns(['channel_id', 'subject', 'organization_id']).doUpdateSet(begun))
    .execute()
  return true
}

/** What is to be told together now. */
export interface Gathered {
  readonly id: number
  readonly organizationId: number
  readonly ruleId: number
  readonly channelId: number
  readonly thread: string
  readonly openedAt: number
  readonly told: number
  readonly waiting: number
  readonly items: readonly {
    readonly level: string
    readonly text: string
    readonly path: string
    readonly people: readonly number[] | null
  }[]
}

/** A flood is told of after a minute, after five, and then every five minutes. */
const nextSummaryAt = (row: { readonly told: number; readonly opened_at: number }, now: number): number => {
  const later = now + LIMITS.ALERT_GATHER_LONG_MS
  return row.told > 0 ? later : Math.min(later, Math.max(now, row.opened_at + LIMITS.ALERT_GATHER_LONG_MS))
}

const GATHERINGS_AT_ONCE = 50

/** Takes what is due; gatherings in which nothing waits end. */
export const takeGathered = async (transaction: LedgerTransaction, now: number): Promise<readonly Gathered[]> => {
  const due = await transaction
    .selectFrom('alert_gatherings')
    .selectAll()
    .where((where) => where.or([where('due_at', '<=', now), where('due_at', '>', now + LIMITS.ALERT_GATHER_LONG_MS)]))
    .orderBy('due_at')
    .limit(GATHERINGS_AT_ONCE)
    .execute()
  const taken: Gathered[] = []
  for (const row of due) {
    // The row of another server's turn is not taken twice: whoever changes it first has it.
    const changed = await transaction
      .updateTable('alert_gatherings')
      .set({
        told: row.told + 1,
        waiting: 0,
        due_at: nextSummaryAt(row, now),
      })
      .where('id', '=', row.id)
      .where('told', '=', row.told)
      .where('waiting', '=', row.waiting)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) continue
    if (row.waiting === 0) {
      await transaction.deleteFrom('alert_gatherings').where('id', '=', row.id).execute()
      continue
    }
    const items = await transaction
      .deleteFrom('alert_gathered')
      .where('gathering_id', '=', row.id)
      .returning(['id', 'level', 'text', 'path', 'people'])
      .execute()
    taken.push({
      id: row.id,
      organizationId: row.organization_id,
      ruleId: row.rule_id,
      channelId: row.channel_id,
      thread: row.thread,
      openedAt: row.opened_at,
      told: row.told,
      waiting: row.waiting,
      items: items
        .toSorted((left, right) => left.id - right.id)
        .map(({ level, text, path, people }) => ({
          level,
          text,
          path,
          people: people === null ? null : (JSON.parse(people) as number[]),
        })),
    })
  }
  return taken
}

/** When the next of them is due; `Infinity` when none is open. */
export const nextGatheringAt = async (db: Pick<LedgerTransaction, 'selectFrom'>): Promise<number> => {
  const row = await db.selectFrom('alert_gatherings').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row?.due_at ?? Infinity
}
