import { guard } from '../guard.ts'
import type * as Attribution from './attribution.ts'
import type { Tracer } from './tracer.ts'
import type { Attributes } from './types.ts'

/** Of each kind and page view: the longest. */
const MAX_KEPT = 20
/** A frame that kept the page waiting for less is none that anybody felt. Milliseconds. */
const MIN_BLOCKING_MS = 50
const MIN_INTERACTION_MS = 40

/** As far as they are read; the library of TypeScript does not know all of them. */
export interface Frame extends PerformanceEntry {
  readonly interactionId?: undefined
  readonly blockingDuration?: number
  readonly styleAndLayoutStart?: number
  readonly scripts?: readonly {
    readonly duration: number
    readonly invoker: string
    readonly invokerType: string
    readonly sourceURL: string
    readonly sourceFunctionName: string
    readonly sourceCharPosition: number
  }[]
}
export interface Interaction extends PerformanceEntry {
  /** 0 for what is no click and no key. */
  readonly interactionId: number
  readonly processingStart: number
  readonly processingEnd: number
  readonly target: Node | null
}

/** What those who watch the page share. */
export interface Watch {
  readonly tracer: Tracer
  /** Interactions that have a span already. */
  readonly told: Set<number>
  /** Once it is loaded. */
  attribution?: typeof Attribution
}

/** Browsers tell of clicks (by mouse, finger or pen) and keys, by the names of Sentry's SDKs. */
export const interactionOf = (event: string): string => (/^(key|input)/.test(event) ? 'press' : 'click')

/** False where the browser does not measure this. */
const observe = <Entry extends PerformanceEntry>(
  { client }: Tracer,
  type: string,
  take: (entry: Entry) => void,
): boolean =>
  guard(() => {
    if (!PerformanceObserver.supportedEntryTypes.includes(type)) return false
    const observer = new PerformanceObserver((list) => guard(() => (list.getEntries() as Entry[]).forEach(take)))
    // The threshold is that of interactions; others have none.
    observer.observe({ type, buffered: true, durationThreshold: MIN_INTERACTION_MS })
    client.on('close', () => observer.disconnect())
    return true
  }, false)

/**
 * The longest of a page view, which become spans when it is left.
 *
 * @param describe asked at once: elements may be gone by then
 */
const keep = <Entry extends Frame | Interaction>(
  { tracer }: Watch,
  describe: (entry: Entry) => Attributes | undefined,
  report: (entry: Entry, said: Attributes) => void,
): ((entry: Entry) => void) => {
  let kept: { readonly entry: Entry; readonly said: Attributes | undefined }[] = []
  let room = MAX_KEPT
  let view = tracer.root
  tracer.onLeave.push((root) => {
    if (view !== root) room = MAX_KEPT
    view = root
    for (const { entry, said } of kept.slice(0, room)) report(entry, said ?? describe(entry) ?? {})
    room -= Math.min(room, kept.length)
    kept = []
  })
  return (entry) => {
    // A click is several events.
    const { interactionId, duration } = entry
    const before = kept.find((one) => interactionId && one.entry.interactionId === interactionId)
    if (before && before.entry.duration >= duration) return
    kept = [...kept.filter((one) => one !== before), { entry, said: describe(entry) }]
      .sort((one, other) => other.entry.duration - one.entry.duration)
      .slice(0, MAX_KEPT)
  }
}

/** When the page did not answer, and which clicks and keys had to wait. */
export const watchBlocking = (watch: Watch): void => {
  const { tracer, told } = watch
  const add = (op: string, name: string, { startTime, duration }: PerformanceEntry, said: Attributes): void =>
    tracer.add(op, name, startTime, startTime + duration, said)

  const frames = (op: string) =>
    keep<Frame>(
      watch,
      (entry) => watch.attribution?.ofFrame(entry),
      (entry, said) => add(op, 'Main UI thread blocked', entry, said),
    )
  const long = frames('ui.long_animation_frame')
  const isMeasured = observe<Frame>(tracer, 'long-animation-frame', (entry) => {
    if ((entry.blockingDuration ?? 0) >= MIN_BLOCKING_MS) long(entry)
  })
  if (!isMeasured) observe(tracer, 'longtask', frames('ui.long_task'))

  const interactions = keep<Interaction>(
    watch,
    (entry) => watch.attribution?.ofInteraction(entry),
    (entry, said) => {
      const type = interactionOf(entry.name)
      if (!told.has(entry.interactionId)) add(`ui.interaction.${type}`, type, entry, said)
    },
  )
  observe<Interaction>(tracer, 'event', (entry) => {
    if (entry.interactionId) interactions(entry)
  })
}
