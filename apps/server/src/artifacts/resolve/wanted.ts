import type { Frame, NormalisedEvent, Stacktrace } from '../../event/event.ts'
import { plainDebugId } from '../debug-id.ts'
import { hasFramesToRetrace } from '../retrace/retrace-event.ts'

/** Platforms whose frames are JavaScript. */
const PLATFORMS: ReadonlySet<string> = new Set(['javascript', 'node'])

/** The address of a frame's file: its path in full, where the SDK sent it. */
export const addressOf = (frame: Frame): string => frame.abs_path ?? frame.filename ?? ''

/** Whether a source map could say more about it. */
export const canBeMapped = (frame: Frame, platform: string): boolean => {
  const { data, lineno } = frame
  if (!PLATFORMS.has(frame.platform ?? platform)) return false
  if (lineno === undefined || lineno < 1 || data?.['symbolicated'] === true) return false
  const address = addressOf(frame)
  return address !== '' && !/^(?:node:|native|\[native|<anonymous>|webpack:|internal\/)/.test(address)
}

/** All stacks of an event that the frames of its page come from. */
const stacksOf = (event: NormalisedEvent): readonly Stacktrace[] => [
  ...(event.exception?.values ?? []).flatMap(({ stacktrace }) => stacktrace ?? []),
  ...(event.threads?.values ?? []).flatMap(({ stacktrace }) => stacktrace ?? []),
  ...(event.stacktrace === undefined ? [] : [event.stacktrace]),
]

/** Debug ids of files by their addresses, as the SDK found them in the page. */
const debugIdsOf = (event: NormalisedEvent): ReadonlyMap<string, string> => {
  const images = event.debug_meta?.['images']
  const found = new Map<string, string>()
  for (const image of Array.isArray(images) ? (images as readonly unknown[]) : []) {
    const { type, code_file: file, debug_id: id } = (image ?? {}) as Readonly<Record<string, unknown>>
    const debugId = plainDebugId(id)
    if (type === 'sourcemap' && typeof file === 'string' && debugId !== null) found.set(file, debugId)
  }
  return found
}

/** A file that frames of an event are in. */
export interface WantedFile {
  readonly address: string
  readonly debugId: string | null
}

/** Each file once; none where nothing can be mapped. */
export const filesWantedBy = (event: NormalisedEvent): readonly WantedFile[] => {
  const ids = debugIdsOf(event)
  const files = new Map<string, WantedFile>()
  for (const { frames } of stacksOf(event)) {
    for (const frame of frames) {
      if (!canBeMapped(frame, event.platform)) continue
      const address = addressOf(frame)
      files.set(address, { address, debugId: ids.get(address) ?? ids.get(frame.filename ?? '') ?? null })
    }
  }
  return [...files.values()]
}

export const hasFramesToMap = (event: NormalisedEvent): boolean =>
  hasFramesToRetrace(event) ||
  stacksOf(event).some(({ frames }) => frames.some((frame) => canBeMapped(frame, event.platform)))

/**
 * Whether frames of an event changed when they were mapped: a stack of which nothing is known stays the same object.
 *
 * @param came the event that was mapped
 */
export const hasNewFrames = (came: NormalisedEvent, mapped: NormalisedEvent): boolean => {
  const before = new Set(stacksOf(came))
  return stacksOf(mapped).some((stack) => !before.has(stack))
}
