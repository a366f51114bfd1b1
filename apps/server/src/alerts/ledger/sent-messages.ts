import type { LedgerTransaction } from '../../storage/index.ts'
import type { AlertMessageTable } from './schema.ts'

const HOUR_MS = 3_600_000

export interface SentMessage {
  readonly organizationId: number
  readonly ruleId: number
  readonly incidentId: number | null
  readonly key: string
  readonly receiver: string
  readonly stage: AlertMessageTable['stage']
}

export const noteSent = async (
  transaction: LedgerTransaction,
  messages: readonly SentMessage[],
  now: number,
): Promise<void> => {
  if (messages.length === 0) return
  await transaction
    .insertInto('alert_messages')
    .values(
      messages.map(({ incidentId, key, organizationId, receiver, ruleId, stage }) => ({
        organization_id: organizationId,
        rule_id: ruleId,
        incident_id: incidentId,
        key,
        receiver,
        stage,
        sent_at: now,
      })),
    )
    .execute()
}

/** How many messages a rule sent to a receiver within the last hour. */
export const sentLately = async (
  transaction: LedgerTransaction,
  ruleId: number,
  receiver: string,
  now: number,
): Promise<number> => {
  const { messages } = await transaction
    .selectFrom('alert_messages')
    .select(({ fn }) => fn.countAll<number>().as('messages'))
    .where('rule_id', '=', ruleId)
    .where('receiver', '=', receiver)
    .where('sent_at', '>', now - HOUR_MS)
    // A clock that was set back does not keep anything back.
    .where('sent_at', '<=', now)
    .executeTakeFirstOrThrow()
  return messages
}

/** One more message of the rule is kept back, until the hour is over and one line says how many were. */
export const holdBack = async (
  transaction: LedgerTransaction,
  held: { readonly organizationId: number; readonly ruleId: number; readonly channelId: number },
  now: number,
): Promise<void> => {
  await transaction
    .insertInto('alert_held_back')
    .values({
      rule_id: held.ruleId,
      channel_id: held.channelId,
      organization_id: held.organizationId,
      since: now,
      held: 1,
    })
    .onConflict((conflict) =>
      conflict.columns(['rule_id', 'channel_id']).doUpdateSet((row) => ({ held: row('alert_held_back.held', '+', 1) })),
    )
    .execute()
}

export interface HeldBack {
  readonly organizationId: number
  readonly ruleId: number
  readonly channelId: number
  readonly since: number
  readonly held: number
}

/** Takes those whose hour is over. */
export const takeHeldBack = async (transaction: LedgerTransaction, now: number): Promise<readonly HeldBack[]> => {
  const rows = await transaction
    .deleteFrom('alert_held_back')
    .where((where) => where.or([where('since', '<=', now - HOUR_MS), where('since', '>', now)]))
    .returningAll()
    .execute()
  return rows.map((row) => ({
    organizationId: row.organization_id,
    ruleId: row.rule_id,
    channelId: row.channel_id,
    since: row.since,
    held: row.held,
  }))
}

/** When the next hour is over; `Infinity` when nothing is kept back. */
export const nextHeldBackAt = async (db: Pick<LedgerTransaction, 'selectFrom'>): Promise<number> => {
  const row = await db.selectFrom('alert_held_back').select('since').orderBy('since').limit(1).executeTakeFirst()
  return row === undefined ? Infinity : row.since + HOUR_MS
}
