import { sql, type RawBuilder } from 'kysely'
import type { LedgerDialect } from '../../storage/ledger/dialect.ts'

/**
 * The event that a row of `feedback` is about, as `event_index` has it: to join the two. Whoever likes can name any number
 * of events that nobody sent, so reports are looked for together with their event: a limit of reports alone, they could use up.
 */
export const eventIdOfReport = (dialect: LedgerDialect): RawBuilder<Uint8Array> =>
  dialect === 'sqlite' ? sql`unhex(feedback.associated_event_id)` : sql`decode(feedback.associated_event_id, 'hex')`
