import { hasFramesToMap, hasFramesToRetrace, mapFrames, type FrameResolver } from '../artifacts/resolve/index.ts'
import type { NormalisedEvent } from '../event/event.ts'
import { createEventTitle } from '../event/index.ts'
import { stackOf } from '../lib/error-text.ts'
import type { Logger } from '../lib/logger.ts'
import type { EventView, LoadedEvent } from './events.view.ts'

/** Why frames have no source, as it was when the event came. */
const ABOUT_SOURCES: ReadonlySet<string> = new Set([
  'js_no_source',
  'js_invalid_source',
  'js_invalid_sourcemap_location',
  'js_missing_sources_content',
  'proguard_missing_mapping',
  'retrace_skipped',
])

interface LateFrameParts {
  readonly events: Pick<EventView, 'load' | 'outermost'>
  readonly frames: FrameResolver
  readonly logger: Logger
}

/**
 * Events that came before the maps of their code were uploaded are read by them now: what is stored stays as it came, and
 * whoever looks at an event sees what is known of it today.
 */
export const withLateFrames = ({ events, frames, logger }: LateFrameParts): Pick<EventView, 'load' | 'outermost'> => {
  const better = async <Event extends LoadedEvent>(stored: Event): Promise<Event> => {
    try {
      const mapped = await mappedLate(frames, stored.place.projectId, stored.event)
      const notes = await frames.aboutNative(stored.place.projectId, stored.event)
      if (mapped === null && notes.length === 0) return stored
      const event = mapped ?? stored.event
      return { ...stored, event: { ...event, errors: [...event.errors, ...notes] }, ...titleOf(stored, event) }
    } catch (error) {
      // It can be read as it came.
      logger.error('events: the frames of a stored event could not be mapped', { error: stackOf(error) })
      return stored
    }
  }
  return {
    load: async (place) => {
      const stored = await events.load(place)
      return stored === null ? null : better(stored)
    },
    outermost: async (scope, which, within) => {
      const stored = await events.outermost(scope, which, within)
      return stored === null ? null : better(stored)
    },
  }
}

/** The event by the maps of today; null where there are none for it. */
export const mappedLate = async (
  frames: FrameResolver,
  projectId: number,
  event: NormalisedEvent,
): Promise<NormalisedEvent | null> => {
  if (!hasFramesToMap(event)) return null
  // An event that names a mapping is told that it is missing, also where nothing was ever uploaded.
  if (!hasFramesToRetrace(event) && !(await frames.projects([projectId])).has(projectId)) return null
  const found = await frames.find(projectId, event)
  if (found === null) return null
  return mapFrames({ ...event, errors: event.errors.filter(({ type }) => !ABOUT_SOURCES.has(type)) }, found)
}

/** Where the frames, or the name of the exception, said what it is called by, the better ones do. */
const titleOf = (
  { culprit, event, grouping, title }: LoadedEvent,
  mapped: NormalisedEvent,
): Pick<LoadedEvent, 'culprit' | 'title'> => {
  const of = (one: NormalisedEvent) => {
    const at = grouping?.mainException
    return createEventTitle(one, { main: at === undefined ? undefined : one.exception?.values[at] })
  }
  const before = of(event)
  const after = of(mapped)
  return {
    culprit: before.culprit === culprit ? after.culprit : culprit,
    title: before.title === title ? after.title : title,
  }
}
