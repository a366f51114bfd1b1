import type { Frame, NormalisedEvent, ProcessingError, Stacktrace } from '../../event/event.ts'
import type { ArtifactLookup } from '../ledger/lookup.ts'
import type { OriginalPlace } from '../maps/prepared-map.ts'
import { findMaps, type MapOfFile, type Place } from './find-maps.ts'
import type { HeldMaps } from './held-maps.ts'
import { mappedFrame, placeOf } from './map-frame.ts'
import type { OpenMap } from './open-map.ts'
import { addressOf, canBeMapped, filesWantedBy } from './wanted.ts'

/** What was found for the files of an event's frames, by their addresses. */
export type FoundMaps = ReadonlyMap<string, Opened>

export interface FrameResolver {
  /** Which of the projects have anything that frames could be looked up in. */
  readonly projects: (projectIds: readonly number[]) => Promise<ReadonlySet<number>>
  /** Null for an event that no map could say more about. */
  readonly find: (projectId: number, event: NormalisedEvent) => Promise<FoundMaps | null>
}

interface ResolverParts {
  readonly lookup: ArtifactLookup
  readonly maps: Pick<HeldMaps, 'open'>
}

/** A map that was opened, or why a file of a stack has none. */
type Opened =
  | { readonly kind: 'open'; readonly open: OpenMap; readonly url: string; readonly found: 'debug-id' | 'release' }
  | Extract<MapOfFile, { kind: 'none' }>

export const createFrameResolver = ({ lookup, maps }: ResolverParts): FrameResolver => ({
  projects: lookup.projects,
  find: async (projectId, event) => {
    const wanted = filesWantedBy(event)
    if (wanted.length === 0) return null
    const place: Place = { projectId, release: event.release ?? '', dist: event.dist ?? '' }
    const opened = new Map<string, Opened>()
    for (const [address, map] of await findMaps(lookup, place, wanted)) opened.set(address, await openedOf(maps, map))
    return opened
  },
})

const NOT_READY: Opened = {
  kind: 'none',
  type: 'js_no_source',
  reason: 'Its source map was uploaded, and was still being read when this event came.',
}

const openedOf = async (maps: Pick<HeldMaps, 'open'>, map: MapOfFile): Promise<Opened> => {
  if (map.kind === 'none') return map
  const { file, found } = map
  const open = file.prepared_key === null ? null : await maps.open(file.prepared_key)
  return open === null ? NOT_READY : { kind: 'open', open, url: file.url, found }
}

const BEYOND =
  'Its source map says nothing about this place: it belongs to another build, or the code comes from no source.'

/** Each file's reason once: a stack has many frames of one file. */
class Faults {
  readonly errors: ProcessingError[] = []
  private readonly noted = new Set<string>()

  note(address: string, type: string, reason: string): void {
    const key = `${address} ${type}`
    if (this.noted.has(key)) return
    this.noted.add(key)
    this.errors.push({ type, name: address, reason })
  }
}

/** The event with its frames as they were written; what cannot be mapped stays as it came, and says why. */
export const mapFrames = (event: NormalisedEvent, opened: FoundMaps): NormalisedEvent => {
  const faults = new Faults()
  const mapped = (stack: Stacktrace): Stacktrace | null => {
    const frames = mappedFrames(stack.frames, event.platform, opened, faults)
    return frames === null ? null : { ...stack, frames }
  }
  const exceptions = event.exception?.values.map((exception) => {
    const { stacktrace } = exception
    const better = stacktrace === undefined ? null : mapped(stacktrace)
    if (stacktrace === undefined || better === null) return exception
    return { ...exception, stacktrace: better, raw_stacktrace: exception.raw_stacktrace ?? stacktrace }
  })
  const threads = event.threads?.values.map((thread) => {
    const better = thread.stacktrace === undefined ? null : mapped(thread.stacktrace)
    return better === null ? thread : { ...thread, stacktrace: better }
  })
  const alone = event.stacktrace === undefined ? null : mapped(event.stacktrace)
  return {
    ...event,
    ...(exceptions === undefined ? {} : { exception: { ...event.exception, values: exceptions } }),
    ...(threads === undefined ? {} : { threads: { ...event.threads, values: threads } }),
    ...(alone === null ? {} : { stacktrace: alone }),
    errors: [...event.errors, ...faults.errors],
  }
}

/** @returns null when none of them could be mapped */
const mappedFrames = (
  frames: readonly Frame[],
  platform: string,
  opened: FoundMaps,
  faults: Faults,
): readonly Frame[] | null => {
  let caller: OriginalPlace | null = null
  let isAny = false
  const better = frames.map((frame) => {
    const callerOfThis = caller
    caller = null
    const found = canBeMapped(frame, platform) ? opened.get(addressOf(frame)) : undefined
    if (found === undefined) return frame
    if (found.kind === 'none') {
      faults.note(addressOf(frame), found.type, found.reason)
      return frame
    }
    const at = placeOf(frame, found.open)
    const place = at === null ? null : found.open.map.find(at.line, at.column)
    if (at === null || place === null) {
      faults.note(addressOf(frame), 'js_invalid_sourcemap_location', BEYOND)
      return frame
    }
    caller = place
    isAny = true
    return mappedFrame(frame, place, {
      open: found.open,
      mapUrl: found.url,
      at,
      caller: callerOfThis,
      found: found.found,
    })
  })
  return isAny ? better : null
}
