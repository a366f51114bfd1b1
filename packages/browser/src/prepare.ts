import { chain, guard, now } from './guard.ts'
import { normalise } from './normalise.ts'
import { applyScope, type Scope } from './scope.ts'
import { debugImages } from './stack.ts'
import type { BrowserOptions, Breadcrumb, Event, EventHint, EventProcessor } from './types.ts'

/** Characters of one string of a breadcrumb. There are a hundred of them, and an event that is too large loses them all. */
const MAX_CRUMB_STRING = 2048

const pageOf = (): Pick<Event, 'request'> => {
  if (typeof document === 'undefined') return {}
  const { referrer } = document
  return {
    request: {
      url: location.href,
      headers: { ...(referrer && { Referer: referrer }), 'User-Agent': navigator.userAgent },
    },
  }
}

/**
 * Fills an event with what options, page and scope know, and asks the processors.
 *
 * @returns null when a processor dropped it; a promise only when a processor made one
 */
export const prepareEvent = (
  given: Event,
  hint: EventHint,
  options: BrowserOptions,
  scope: Scope,
  processors: readonly EventProcessor[],
): Event | null | PromiseLike<Event | null> => {
  const { release, environment = 'production', dist, maxBreadcrumbs = 100, normalizeDepth = 3 } = options
  const event: Event = { platform: 'javascript', timestamp: now(), environment, release, dist, ...pageOf(), ...given }
  guard(() => scope.update(hint.captureContext))
  guard(() => applyScope(event, scope, maxBreadcrumbs))
  const frames = event.exception?.values?.flatMap((value) => value.stacktrace?.frames ?? []) ?? []
  const images = debugImages(frames)
  if (images.length > 0) event.debug_meta = { images: [...(event.debug_meta?.images ?? []), ...images] }

  const ask = (asked: Event | null, index: number): Event | null | PromiseLike<Event | null> => {
    const processor = processors[index]
    if (asked === null || processor === undefined) return asked
    // A processor that fails costs what it would have added, not the event.
    return chain(
      guard(() => processor(asked, hint), asked),
      (next) => ask(next, index + 1),
    )
  }
  return chain(ask(event, 0), (made) => {
    if (made === null) return null
    const depth = normalizeDepth > 0 ? normalizeDepth : 100
    for (const key of ['extra', 'user', 'tags', 'contexts']) if (made[key]) made[key] = normalise(made[key], depth)
    made.breadcrumbs = made.breadcrumbs?.map((crumb) => normalise(crumb, depth + 1, MAX_CRUMB_STRING) as Breadcrumb)
    return made
  })
}
