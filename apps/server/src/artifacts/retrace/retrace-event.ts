import type { Exception, Frame, NormalisedEvent, ProcessingError, Stacktrace } from '../../event/event.ts'
import { Work } from '../../lib/work.ts'
import { plainDebugId } from '../debug-id.ts'
import { LIMITS } from '../limits.ts'
import { EventClasses } from './event-classes.ts'
import type { OpenMapping } from './open-mapping.ts'
import { frameAt, retraced, type Retraced } from './retrace-frame.ts'
import { sameAgain } from './same-again.ts'

/** Platforms whose frames may have been renamed by ProGuard or R8. */
const PLATFORMS: ReadonlySet<string> = new Set(['java', 'android'])

const isOfJvm = (frame: Frame, platform: string): boolean =>
  PLATFORMS.has(frame.platform ?? platform) && frame.module !== undefined && frame.data?.['symbolicated'] !== true

/** The mappings that an event names, by what they are found by. */
export const mappingsWantedBy = (event: NormalisedEvent): readonly string[] => {
  const images = event.debug_meta?.['images']
  if (!Array.isArray(images)) return []
  const found = new Set<string>()
  for (const image of images as readonly unknown[]) {
    const { type, uuid, debug_id: debugId } = (image ?? {}) as Readonly<Record<string, unknown>>
    const id = type === 'proguard' ? (plainDebugId(uuid) ?? plainDebugId(debugId)) : null
    if (id !== null && found.size < LIMITS.PROGUARD_PER_EVENT) found.add(id)
  }
  return [...found]
}

/** A mapping that an event names, or why there is none. */
export type FoundMapping =
  | { readonly kind: 'mapping'; readonly open: OpenMapping; readonly id: string }
  | { readonly kind: 'none'; readonly type: string; readonly reason: string }

export const NO_MAPPING = 'proguard_missing_mapping'

/** Note of an event whose frames were not all read. */
export const RETRACE_SKIPPED = 'retrace_skipped'

export const hasFramesToRetrace = (event: NormalisedEvent): boolean =>
  mappingsWantedBy(event).length > 0 && (PLATFORMS.has(event.platform) || event.exception !== undefined)

/** The event with the frames, and the type of its exceptions, as they were written; what no mapping knows stays as it came. */
export const retraceEvent = (event: NormalisedEvent, mappings: ReadonlyMap<string, FoundMapping>): NormalisedEvent => {
  const work = new Work(LIMITS.RETRACE_STEPS_PER_EVENT)
  const known = [...mappings.values()].filter((one) => one.kind === 'mapping')
  const open = known.map((one) => ({ id: one.id, classes: new EventClasses(one.open, work) }))
  const errors: ProcessingError[] = [...mappings].flatMap(([id, one]) =>
    one.kind === 'none' ? [{ type: one.type, name: id, reason: one.reason }] : [],
  )
  if (open.length === 0) return { ...event, errors: [...event.errors, ...errors] }
  const ownPackage = packageOf(event.release ?? '')
  const numbers = known.map((one) => `${one.open.number} ${one.id}`)
  const key = [event.platform, ownPackage, ...numbers].join('\n')
  const with_ = { open, work, platform: event.platform, ownPackage, key }
  const exceptions = event.exception?.values.map((exception) => retracedException(exception, with_))
  const threads = event.threads?.values.map((thread) => {
    const better = thread.stacktrace === undefined ? null : retracedStack(thread.stacktrace, with_, '')
    return better === null ? thread : { ...thread, stacktrace: better }
  })
  const alone = event.stacktrace === undefined ? null : retracedStack(event.stacktrace, with_, '')
  if (work.isSpent) errors.push(SKIPPED)
  return {
    ...event,
    ...(exceptions === undefined ? {} : { exception: { ...event.exception, values: exceptions } }),
    ...(threads === undefined ? {} : { threads: { ...event.threads, values: threads } }),
    ...(alone === null ? {} : { stacktrace: alone }),
    errors: [...event.errors, ...errors],
  }
}

const SKIPPED: ProcessingError = {
  type: RETRACE_SKIPPED,
  name: 'stacktrace',
  reason: `Reading the frames of this event by its mapping takes more than ${LIMITS.RETRACE_STEPS_PER_EVENT} steps, which is all that one event may take: the other frames are shown as they came.`,
}

interface With {
  readonly open: readonly { readonly id: string; readonly classes: EventClasses }[]
  readonly work: Work
  readonly platform: string
  readonly ownPackage: string
  /** All that the frames of a stack follow from, but for what was thrown. */
  readonly key: string
}

/** `com.acme.shop@1.2+3` → `com.acme.shop`; '' for a release that names no package of Java. */
const packageOf = (release: string): string => /^([a-z][\w]*(?:\.\w+)+)@/i.exec(release)?.[1] ?? ''

const retracedException = (exception: Exception, with_: With): Exception => {
  const { module, stacktrace, type } = exception
  const name = type === undefined ? '' : module === undefined ? type : `${module}.${type}`
  // Read before: its name is the original one, which may be what another class is called in the app.
  const isRead = exception.raw_type !== undefined || exception.raw_stacktrace !== undefined
  const original = name === '' || isRead ? null : originalOf(with_, name)
  const better = stacktrace === undefined ? null : retracedStack(stacktrace, with_, original ?? name)
  const named = original === null ? exception : renamed(exception, original)
  if (stacktrace === undefined || better === null) return named
  return { ...named, stacktrace: better, raw_stacktrace: exception.raw_stacktrace ?? stacktrace }
}

const originalOf = ({ open }: With, name: string): string | null => {
  for (const { classes } of open) {
    const found = classes.headOf(name, 'obfuscated')
    if (found !== null) return found.original
  }
  return null
}

/** With the name that it came with beside: by that it is known as read, also where none of its frames changed. */
const renamed = ({ module, ...exception }: Exception, name: string): Exception => {
  const dot = name.lastIndexOf('.')
  return {
    ...exception,
    type: name.slice(dot + 1),
    ...(dot === -1 ? {} : { module: name.slice(0, dot) }),
    ...(exception.type === undefined ? {} : { raw_type: exception.type }),
    ...(module === undefined ? {} : { raw_module: module }),
  }
}

/** @param thrown type of the exception, by which the compiler's own innermost frames are known; null where nothing changed */
const retracedStack = (stack: Stacktrace, with_: With, thrown: string): Stacktrace | null => {
  const made: (readonly Frame[])[] = []
  let outlineLine: number | null = null
  let isAny = false
  let count = 0
  // Innermost first: what stands in shared code is told by whoever called it.
  for (const [fromInnermost, frame] of stack.frames.toReversed().entries()) {
    const found: Found | null = isOfJvm(frame, with_.platform) ? foundFor(with_, frame, outlineLine) : null
    outlineLine = found?.traced.outlineLine ?? null
    if (found === null) {
      made.push([frame])
      count += 1
      continue
    }
    isAny = true
    const { id, traced } = found
    const without = traced.withoutInner.find((one) => one.thrown === thrown)
    const cut = fromInnermost === 0 && without !== undefined ? without.frames : 0
    const places = traced.places.slice(0, traced.places.length - cut)
    // What was inlined is left out where the stack would grow beyond all bounds, and what was called never.
    const room = Math.max(1, LIMITS.RETRACED_FRAMES - count)
    const frames = places.slice(0, room).map((place) => frameAt(frame, place, { mapping: id, ...with_ }))
    with_.work.spend(frames.length * LIMITS.RETRACE_FRAME_STEPS)
    made.push(frames)
    count += frames.length
  }
  if (!isAny) return null
  const frames = made.toReversed().flat()
  // Where the work ended, they follow from the other stacks of the event as well.
  return { ...stack, frames: with_.work.isSpent ? frames : sameAgain(stack.frames, `${with_.key}\n${thrown}`, frames) }
}

interface Found {
  readonly id: string
  readonly traced: Retraced
}

const foundFor = ({ open, work }: With, frame: Frame, outlineLine: number | null): Found | null => {
  for (const { id, classes } of open) {
    const traced = retraced(classes, frame, outlineLine, work)
    // Where the work ended meanwhile, not all was read that says what the frame stands for.
    if (work.isSpent) return null
    if (traced !== null) return { id, traced }
  }
  return null
}
