import { hash } from 'node:crypto'
import { DAY_MS } from '../../lib/durations.ts'
import type { Frame, NormalisedEvent, ProcessingError, Stacktrace } from '../../event/event.ts'
import type { SharedStack } from '../events.store.ts'
import { isRecurring, oncePerRecurring } from '../../lib/recurring.ts'
import { json, line, milliseconds, text } from '../../storage/telemetry/tab-separated.ts'

/** Columns of `stacks` in the order in which `stackLine` writes them. */
export const STACK_COLUMNS = ['organization_id', 'project_id', 'id', 'kept_until', 'frames'] as const

/** What stands in a stored event for frames that are in `stacks`. */
interface FramesReference {
  readonly stack: string
}

/** A name by content: whoever has the same frames, in whatever process, gives them the same. */
const idOf = oncePerRecurring((frames: readonly Frame[]): string =>
  hash('sha256', JSON.stringify(frames), 'hex').slice(0, 32),
)

/** The event with references in place of frames that recur, and the frames. */
export const takeOutStacks = (
  event: NormalisedEvent,
): { readonly event: NormalisedEvent | object; readonly stacks: readonly SharedStack[] } => {
  const exceptions = event.exception?.values
  if (exceptions?.some(({ stacktrace }) => stacktrace !== undefined && isRecurring(stacktrace.frames)) !== true) {
    return { event, stacks: [] }
  }
  const stacks: SharedStack[] = []
  const keptUntil = sundayOf(event.timestamp * 1000)
  const values = exceptions.map((exception) => {
    const { stacktrace } = exception
    if (stacktrace === undefined || !isRecurring(stacktrace.frames)) return exception
    const id = idOf(stacktrace.frames)
    stacks.push({ id, frames: stacktrace.frames, keptUntil })
    const frames: FramesReference = { stack: id }
    return { ...exception, stacktrace: { ...stacktrace, frames } }
  })
  return { event: { ...event, exception: { values } }, stacks }
}

/** 1970-01-01 was a Thursday. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** The last millisecond of the week, Monday to Sunday in UTC. */
const sundayOf = (at: number): number => {
  const week = Math.floor((Math.max(0, Math.round(at)) - FIRST_MONDAY_MS) / (7 * DAY_MS))
  return FIRST_MONDAY_MS + (week + 1) * 7 * DAY_MS - 1
}

export const stackLine = (
  { organizationId, projectId }: { readonly organizationId: number; readonly projectId: number },
  { id, frames, keptUntil }: SharedStack,
): string => line([organizationId, projectId, text(id), milliseconds(keptUntil), json(JSON.stringify(frames))])

/** An event that arrives when its week is over and being deleted may outlive the stack by hours. */
const STACK_EXPIRED: ProcessingError = {
  type: 'stack_expired',
  name: 'exception.values.stacktrace.frames',
  value: null,
  reason: 'the frames were deleted with the other events of that week',
}

interface Parsed {
  readonly event: NormalisedEvent
  readonly bytes: number
  /** Where frames are still to be put. */
  readonly places: readonly { readonly stacktrace: Stacktrace; readonly id: string }[]
}

interface StoredEvent {
  readonly event: NormalisedEvent
  readonly bytes: number
}

type LoadStacks = (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>

const parse = (payload: string): Parsed => {
  const event = JSON.parse(payload) as NormalisedEvent
  const places: { readonly stacktrace: Stacktrace; readonly id: string }[] = []
  for (const { stacktrace } of event.exception?.values ?? []) {
    const frames: readonly Frame[] | FramesReference | undefined = stacktrace?.frames
    if (stacktrace !== undefined && frames !== undefined && 'stack' in frames) {
      places.push({ stacktrace, id: String(frames.stack) })
    }
  }
  return { event, bytes: Buffer.byteLength(payload), places }
}

const idsOf = (parsed: readonly Parsed[]): string[] => [
  ...new Set(parsed.flatMap(({ places }) => places.map(({ id }) => id))),
]

const putIn = ({ event, bytes: before, places }: Parsed, stacks: ReadonlyMap<string, string>): StoredEvent => {
  let bytes = before
  for (const { stacktrace, id } of places) {
    const frames = stacks.get(id)
    if (frames === undefined) event.errors.push({ ...STACK_EXPIRED })
    else bytes += Buffer.byteLength(frames)
    stacktrace.frames = frames === undefined ? [] : (JSON.parse(frames) as Frame[])
  }
  return { event, bytes }
}

/** Reads what `takeOutStacks` wrote. `load` gives the JSON of frames by their ids. */
export const readStoredEvent = async (payload: string, load: LoadStacks): Promise<StoredEvent> => {
  const parsed = parse(payload)
  const ids = idsOf([parsed])
  return putIn(parsed, ids.length === 0 ? new Map() : await load(ids))
}

const orNull = <Value>(read: () => Value): Value | null => {
  try {
    return read()
  } catch {
    return null
  }
}

/** The same of several, in their order; null for what nobody can read. */
export const readStoredEvents = async (
  payloads: readonly string[],
  load: LoadStacks,
): Promise<readonly (StoredEvent | null)[]> => {
  const parsed = payloads.map((payload) => orNull(() => parse(payload)))
  const ids = idsOf(parsed.filter((one) => one !== null))
  const stacks = ids.length === 0 ? new Map<string, string>() : await load(ids)
  return parsed.map((one) => (one === null ? null : orNull(() => putIn(one, stacks))))
}
