import { isRecurring, markRecurring, oncePerRecurring } from '../../lib/recurring.ts'
import type { Frame, NormalisedEvent, Stacktrace } from '../../event/event.ts'

/**
 * The event as it was read when version 1 of grouping was shipped: frames without file, function, module and address, and
 * exceptions without type and value, were not kept. Version 1 must not see them, or its hashes would not be the ones that
 * the issues of its time are known by.
 */
export const asVersionOneReads = (event: NormalisedEvent): NormalisedEvent => {
  const { exception, threads, stacktrace } = event
  if (exception === undefined && threads === undefined && stacktrace === undefined) return event
  const read: NormalisedEvent = { ...event }
  if (exception !== undefined) {
    const values = exception.values
      .filter(({ type, value }) => type !== undefined || value !== undefined)
      .map(withKnownFrames)
    if (values.length > 0) read.exception = { values }
    else delete read.exception
  }
  if (threads !== undefined) read.threads = { values: threads.values.map(withKnownFrames) }
  if (stacktrace !== undefined) {
    const own = withKnownFrames({ stacktrace }).stacktrace
    if (own === undefined) delete read.stacktrace
    else read.stacktrace = own
  }
  return read
}

const withKnownFrames = <Owner extends { stacktrace?: Stacktrace }>(owner: Owner): Owner => {
  if (owner.stacktrace === undefined) return owner
  const frames = knownFrames(owner.stacktrace.frames)
  if (frames === owner.stacktrace.frames) return owner
  const { stacktrace, ...rest } = owner
  return frames.length === 0 ? (rest as Owner) : { ...owner, stacktrace: { ...stacktrace, frames } }
}

const isKnown = ({ filename, function: called, module, instruction_addr: address }: Frame): boolean =>
  filename !== undefined || called !== undefined || module !== undefined || address !== undefined

/** The same list when nothing is left out. */
const knownFrames = oncePerRecurring((frames: readonly Frame[]): readonly Frame[] => {
  if (frames.every(isKnown)) return frames
  const known = frames.filter(isKnown)
  return isRecurring(frames) ? markRecurring(known) : known
})
