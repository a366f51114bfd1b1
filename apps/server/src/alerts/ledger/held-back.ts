import { HOUR_MS } from '../../lib/durations.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import type { Message } from '../../channels/index.ts'
import { LIMITS } from '../limits.ts'
import { isWorseLevel } from '../telling/levels.ts'

/** What rules may not say any more in an hour: how much it was, and the worst of it. */

export interface HeldFiring {
  readonly organizationId: number
  readonly ruleId: number
  readonly level: Message['level']
  readonly headline: string
}

export const holdBack = async (
  transaction: LedgerTransaction,
  receivers: readonly string[],
  { headline, level, organizationId, ruleId }: HeldFiring,
  now: number,
): Promise<void> => {
  for (const part of chunks(receivers, ROWS_PER_STATEMENT)) {
    const known = await transaction
      .selectFrom('alert_held_back')
      .selectAll()
      .where('rule_id', '=', ruleId)
      .where('receiver', 'in', part)
      .execute()
    const before = new Map(known.map((row) => [row.receiver, row]))
    const rows = part.map((receiver) => {
      const own = before.get(receiver)
      const said = own === undefined || own.held === 0 || isWorseLevel(level, own.level) ? { level, headline } : own
      return {
        rule_id: ruleId,
        receiver,
        organization_id: organizationId,
        since: own?.since ?? now,
        due_at: own?.due_at ?? now + LIMITS.ALERT_GATHER_LONG_MS,
        told: own?.told ?? 0,
        held: (own?.held ?? 0) + 1,
        level: said.level,
        headline: said.headline,
      }
    })
    await transaction
      .insertInto('alert_held_back')
      .values(rows)
      .onConflict((conflict) =>
        conflict.columns(['rule_id', 'receiver']).doUpdateSet((row) => ({
          held: row.ref('excluded.held'),
          level: row.ref('excluded.level'),
          headline: row.ref('excluded.headline'),
        })),
      )
      .execute()
  }
}

export interface HeldBack extends HeldFiring {
  readonly receiver: string
  readonly since: number
  readonly held: number
  /** Lines that said so before, of the same hour. */
  readonly told: number
}

/** Takes what is due: soon after the first was held back, and when its hour is over. */
export const takeHeldBack = async (transaction: LedgerTransaction, now: number): Promise<readonly HeldBack[]> => {
  const rows = await transaction
    .selectFrom('alert_held_back')
    .selectAll()
    .where((where) => where.or([where('due_at', '<=', now), where('since', '>', now)]))
    .execute()
  const taken: HeldBack[] = []
  for (const row of rows) {
    const hourEnd = row.since + HOUR_MS
    if (now >= hourEnd || row.since > now) {
      await transaction
        .deleteFrom('alert_held_back')
        .where('rule_id', '=', row.rule_id)
        .where('receiver', '=', row.receiver)
        .execute()
    } else {
      await transaction
        .updateTable('alert_held_back')
        .set({ held: 0, told: row.told + 1, due_at: hourEnd })
        .where('rule_id', '=', row.rule_id)
        .where('receiver', '=', row.receiver)
        .execute()
    }
    if (row.held === 0) continue
    taken.push({
      organizationId: row.organization_id,
      ruleId: row.rule_id,
      receiver: row.receiver,
      since: row.since,
      held: row.held,
      told: row.told,
      level: row.level as Message['level'],
      headline: row.headline,
    })
  }
  return taken
}

export const forgetHeldBack = async (transaction: LedgerTransaction, ruleId: number): Promise<void> => {
  await transaction.deleteFrom('alert_held_back').where('rule_id', '=', ruleId).execute()
}

/** When the next line is due; `Infinity` when nothing is held back. */
export const nextHeldBackAt = async (db: Pick<LedgerTransaction, 'selectFrom'>): Promise<number> => {
  const row = await db.selectFrom('alert_held_back').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row?.due_at ?? Infinity
}
