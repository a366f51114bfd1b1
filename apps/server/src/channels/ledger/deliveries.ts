import type { Selectable } from 'kysely'
import type { MomentPage } from '../../lib/moment-page.ts'
import type { Ledger } from '../../storage/index.ts'
import type { Message } from '../message.ts'
import type { MessageState, OutboxAttemptTable, OutboxTable } from './schema.ts'

export interface DeliveryRecord {
  readonly id: number
  readonly headline: string
  readonly kind: string
  readonly state: MessageState
  readonly attempts: number
  readonly error: string | null
  readonly createdAt: number
  readonly sentAt: number | null
  readonly dueAt: number | null
}

const toRecord = (row: Selectable<OutboxTable>): DeliveryRecord => {
  const { headline, kind } = JSON.parse(row.message) as Message
  return {
    id: row.id,
    headline,
    kind,
    state: row.state,
    attempts: row.attempts,
    error: row.error,
    createdAt: row.created_at,
    sentAt: row.sent_at,
    dueAt: row.due_at,
  }
}

/** Which channel's, of which organisation. */
export interface DeliveryPlace {
  readonly organizationId: number
  readonly channelId: number
}

export type Deliveries = ReturnType<typeof createDeliveries>

/** What became of the messages to a channel. */
export const createDeliveries = ({ ledger }: { readonly ledger: Ledger }) => {
  const of = ({ organizationId, channelId }: DeliveryPlace) =>
    ledger.db
      .selectFrom('outbox')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('channel_id', '=', channelId)

  const find = async (place: DeliveryPlace, id: number): Promise<DeliveryRecord | null> => {
    const row = await of(place).where('id', '=', id).executeTakeFirst()
    return row === undefined ? null : toRecord(row)
  }

  return {
    find,
    /** Newest first; one more than a page holds says that there are more. */
    list: async (
      place: DeliveryPlace,
      states: readonly MessageState[],
      { behind, limit }: MomentPage,
    ): Promise<readonly DeliveryRecord[]> => {
      const rows = await of(place)
        .$if(behind !== null, (query) => query.where('id', '<', behind?.id ?? 0))
        .$if(states.length > 0, (query) => query.where('state', 'in', states))
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return rows.map(toRecord)
    },
    /** The last ones, in their order. */
    attempts: async (id: number, limit: number): Promise<readonly Selectable<OutboxAttemptTable>[]> => {
      const rows = await ledger.db
        .selectFrom('outbox_attempts')
        .selectAll()
        .where('outbox_id', '=', id)
        .orderBy('number', 'desc')
        .limit(limit)
        .execute()
      return rows.toReversed()
    },
    /** Sends it once more, under the same id; one that waits or is on its way goes by itself. */
    again: async (place: DeliveryPlace, id: number, now: number): Promise<boolean> => {
      const { numUpdatedRows } = await ledger.db
        .updateTable('outbox')
        .set({ state: 'waiting', due_at: now, within_id: null, expires_at: null, error: null })
        .where('organization_id', '=', place.organizationId)
        .where('channel_id', '=', place.channelId)
        .where('id', '=', id)
        .where('due_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
