import type { EventPlace, EventSurroundings } from '../issues/index.ts'
import type { Occasion } from '../lib/occasion.ts'
import type { AwaitedEvents } from './ledger/awaited-events.ts'

/**
 * Reports of older SDKs (`user_report`) name the event they are about and say nothing of the page, the browser, the release
 * or the replay: these they take from it, whichever of the two came first. Run again and again.
 *
 * @param parts.surroundings null while telemetry does not have the event yet
 * @param parts.changed told of the organisations whose reports took something
 */
export const createTakeFromEvents = (parts: {
  readonly awaited: AwaitedEvents
  readonly surroundings: (place: EventPlace) => Promise<EventSurroundings | null>
  readonly occasion: Occasion
  readonly changed: (organizationId: number) => void
}): { readonly run: () => Promise<void> } => ({
  run: () =>
    parts.occasion.take(async (now) => {
      const awaited = await parts.awaited.find(now)
      const changed = new Set<number>()
      for (const { feedbackId, ...place } of awaited) {
        const event = await parts.surroundings(place)
        if (event === null) continue
        await parts.awaited.take(feedbackId, event)
        changed.add(place.organizationId)
      }
      for (const organizationId of changed) parts.changed(organizationId)
      // What telemetry does not have yet comes within a moment.
      return awaited.length === 0 ? Infinity : now
    }),
})
