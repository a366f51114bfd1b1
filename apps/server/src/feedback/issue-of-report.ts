import { firstLineOf } from './feedback-json.ts'
import type { FeedbackRecord } from './inbox.store.ts'

/**
 * The event by which a report becomes an issue of its own. It takes the same road as every event, so that the issue has
 * what issues have: an event to look at, tags, a place in searches.
 */
export const issueEventOf = (
  record: FeedbackRecord,
  eventId: string,
  title: string | null,
): Readonly<Record<string, unknown>> => {
  const { details, release, traceId } = record
  return {
    event_id: eventId,
    timestamp: record.createdAt / 1000,
    platform: record.project.platform === '' ? 'other' : record.project.platform,
    level: 'info',
    logger: 'feedback',
    message: title ?? firstLineOf(record.message),
    fingerprint: ['feedback', record.eventId],
    environment: record.environment === '' ? 'production' : record.environment,
    ...(release === '' ? {} : { release }),
    ...(details.user === null ? {} : { user: details.user }),
    ...(record.url === '' ? {} : { request: { url: record.url } }),
    tags: [...record.tags.map(({ key, value }) => [key, value]), ['feedback.source', record.source]],
    breadcrumbs: { values: details.breadcrumbs },
    contexts: {
      feedback: { message: record.message, name: record.name, contact_email: record.email, url: record.url },
      ...(traceId === null ? {} : { trace: { trace_id: traceId, span_id: traceId.slice(0, 16) } }),
    },
  }
}
