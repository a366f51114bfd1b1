import { sql } from 'kysely'
import type { EventSurroundings } from '../../issues/index.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { wordsOf } from './words.ts'

/** A report that says nothing of where it was written, and the event it is about, which does. */
export interface AwaitedEvent {
  readonly feedbackId: number
  readonly organizationId: number
  readonly projectId: number
  /** 32 hex characters. */
  readonly eventId: string
  readonly storedIssueId: number
  /** Milliseconds since the epoch. */
  readonly timestamp: number
}

export type AwaitedEvents = ReturnType<typeof createAwaitedEvents>

/** Reports about events (`user_report`) that have not taken from them yet what they do not say themselves. */
export const createAwaitedEvents = ({ ledger }: { readonly ledger: Ledger }) => ({
  find: find(ledger),
  take: take(ledger),
})

/** Those of the last hour whose event is here, whichever of the two came first; at most `FEEDBACK_STEP_ROWS`. */
const find =
  ({ db }: Ledger) =>
  async (now: number): Promise<readonly AwaitedEvent[]> => {
    const rows = await db
      .selectFrom('feedback')
      .select(['id', 'organization_id', 'project_id', 'associated_event_id'])
      .where('associated_event_id', 'is not', null)
      // Every event has an environment, so a report that took one has been here.
      .where('environment', '=', '')
      // By each project's own index; the sum keeps SQLite from reading all reports in the order of their ids.
      .where('project_id', 'in', db.selectFrom('projects').select('projects.id').where('deleted_at', 'is', null))
      .where('created_at', '>', now - HOUR_MS)
      .orderBy(sql`id + 0`, 'desc')
      .limit(LIMITS.FEEDBACK_AWAITED_ROWS)
      .execute()
    const found: AwaitedEvent[] = []
    for (const [projectId, own] of Map.groupBy(rows, (row) => row.project_id)) {
      const events = await db
        .selectFrom('event_index')
        .select(['event_id', 'issue_id', 'timestamp'])
        .where('project_id', '=', projectId)
        .where(
          'event_id',
          'in',
          own.map((row) => Buffer.from(row.associated_event_id ?? '', 'hex')),
        )
        .execute()
      const byId = new Map(events.map((event) => [Buffer.from(event.event_id).toString('hex'), event]))
      for (const row of own) {
        const eventId = row.associated_event_id ?? ''
        const event = byId.get(eventId)
        if (event === undefined) continue
        const { issue_id: storedIssueId, timestamp } = event
        found.push({
          feedbackId: row.id,
          organizationId: row.organization_id,
          projectId,
          eventId,
          storedIssueId,
          timestamp,
        })
      }
    }
    return found.slice(0, LIMITS.FEEDBACK_STEP_ROWS)
  }

/** What the report says itself stands. */
const take =
  (ledger: Ledger) =>
  (feedbackId: number, event: EventSurroundings): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('feedback')
        .select(['message', 'name', 'email', 'url', 'browser', 'os', 'release', 'replay_id', 'trace_id'])
        .where('id', '=', feedbackId)
        .executeTakeFirst()
      if (row === undefined) return
      const url = row.url || event.url
      await transaction
        .updateTable('feedback')
        .set({
          url,
          words: wordsOf({ ...row, url }),
          browser: row.browser || event.browser,
          os: row.os || event.os,
          environment: event.environment || 'production',
          release: row.release || event.release,
          replay_id: row.replay_id ?? (event.replayId || null),
          trace_id: row.trace_id ?? (event.traceId || null),
        })
        .where('id', '=', feedbackId)
        .execute()
    })
