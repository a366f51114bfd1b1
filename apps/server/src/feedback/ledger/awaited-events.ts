import { sql } from 'kysely'
import type { EventSurroundings } from '../../issues/index.ts'
import { HOUR_MS } from '../../lib/durations.ts'
import type { Ledger } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'
import { eventIdOfReport } from './event-of-report.ts'
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

/**
 * Those of the last hour whose event is here, whichever of the two came first; at most `FEEDBACK_STEP_ROWS`. Organisations
 * take turns, and each begins with any of its reports: some events never come to be read, and must not stand before others.
 */
const find =
  ({ db, dialect }: Ledger) =>
  async (now: number): Promise<readonly AwaitedEvent[]> => {
    const rows = await db
      .selectFrom((reports) =>
        reports
          .selectFrom('feedback')
          .innerJoin('event_index', (join) =>
            join
              .onRef('event_index.project_id', '=', 'feedback.project_id')
              .on('event_index.event_id', '=', eventIdOfReport(dialect)),
          )
          .select([
            'feedback.id',
            'feedback.organization_id',
            'feedback.project_id',
            'feedback.associated_event_id',
            'event_index.issue_id',
            'event_index.timestamp',
          ])
          .select(sql<number>`row_number() OVER (PARTITION BY feedback.organization_id ORDER BY random())`.as('turn'))
          .where('feedback.associated_event_id', 'is not', null)
          // Every event has an environment, so a report that took one has been here.
          .where('feedback.environment', '=', '')
          // By each project's own index.
          .where('feedback.project_id', 'in', (projects) =>
            projects.selectFrom('projects').select('projects.id').where('deleted_at', 'is', null),
          )
          .where('feedback.created_at', '>', now - HOUR_MS)
          .as('awaited'),
      )
      .selectAll('awaited')
      .orderBy('turn')
      // Where there are more organisations than rows.
      .orderBy(sql`random()`)
      .limit(LIMITS.FEEDBACK_STEP_ROWS)
      .execute()
    return rows.map((row) => ({
      feedbackId: row.id,
      organizationId: row.organization_id,
      projectId: row.project_id,
      eventId: row.associated_event_id ?? '',
      storedIssueId: row.issue_id,
      timestamp: row.timestamp,
    }))
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
