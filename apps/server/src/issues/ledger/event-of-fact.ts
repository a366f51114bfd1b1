import { fittingTags, shorten, shortenOrNull } from '../../facts/index.ts'
import type { EventSummary } from '../grouped.ts'
import type { EventOfFact } from '../issue-facts.ts'

/** What is noted of the event by which something happened to its issue. */
export const eventOfFact = ({ event, title, unhandled }: EventSummary): EventOfFact => {
  const tags = fittingTags(event.tags)
  const user = { id: shortenOrNull(event.user?.id), email: shortenOrNull(event.user?.email) }
  return {
    eventId: event.event_id,
    at: Math.round(event.timestamp * 1000),
    level: event.level,
    title: shorten(title.title),
    culprit: shorten(title.culprit),
    type: event.type,
    errorType: shortenOrNull(title.metadata['type']),
    errorValue: shortenOrNull(title.metadata['value']),
    platform: shorten(event.platform),
    logger: shorten(event.logger),
    environment: shortenOrNull(event.environment),
    release: shortenOrNull(event.release),
    transaction: shortenOrNull(event.transaction),
    url: shortenOrNull(event.request?.url),
    isUnhandled: unhandled,
    user: user.id === null && user.email === null ? null : user,
    tags,
    tagsLeftOut: event.tags.length - tags.length,
  }
}
