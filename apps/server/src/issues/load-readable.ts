import { isPassing } from '../lib/store-fault.ts'
import { chunks } from '../storage/ledger/chunks.ts'
import type { EventPlace, EventView, LoadedEvent } from './events.view.ts'
import { LIMITS } from './limits.ts'

type Loads = Pick<EventView, 'load' | 'loadSome'>

/** One by one: over one of them telemetry failed, and the others can be read. */
const loadEach = async ({ load }: Loads, places: readonly EventPlace[]): Promise<readonly LoadedEvent[]> => {
  const found: LoadedEvent[] = []
  for (const place of places) {
    try {
      const event = await load(place)
      if (event !== null) found.push(event)
    } catch (error) {
      if (isPassing(error)) throw error
    }
  }
  return found
}

/**
 * Many events of one project, a few at a time, so that never more of them are in memory. Those that are gone, or that nobody
 * can read, are left out.
 *
 * @throws what telemetry throws while it is away
 */
export async function* loadReadable(events: Loads, places: readonly EventPlace[]): AsyncGenerator<LoadedEvent> {
  for (const some of chunks(places, LIMITS.EVENTS_LOADED_TOGETHER)) {
    try {
      yield* (await events.loadSome(some)).values()
    } catch (error) {
      if (isPassing(error)) throw error
      yield* await loadEach(events, some)
    }
  }
}
