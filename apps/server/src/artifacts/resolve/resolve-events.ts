import type { Frame, NormalisedEvent, ProcessingError, Stacktrace } from '../../event/event.ts'
import { RecentMap } from '../../lib/recent-map.ts'
import { isRecurring, markRecurring } from '../../lib/recurring.ts'
import { LIMITS } from '../limits.ts'
import type { DebugFileLookup } from '../debug-files/ledger/debug-file-view.ts'
import { imagesWantedBy, notesOf } from '../debug-files/native-notes.ts'
import type { ArtifactLookup } from '../ledger/lookup.ts'
import type { OriginalPlace } from '../maps/prepared-map.ts'
import { askForMappings, findMappings, type AskedMappings } from '../retrace/find-mappings.ts'
import type { HeldMappings } from '../retrace/held-mappings.ts'
import { mappingsWantedBy, retraceEvent, type FoundMapping } from '../retrace/retrace-event.ts'
import type { SiteOfFiles } from '../site/site-of-files.ts'
import { findMaps, type MapOfFile, type Place } from './find-maps.ts'
import type { HeldMaps } from './held-maps.ts'
import { mappedFrame, placeOf } from './map-frame.ts'
import type { OpenMap } from './open-map.ts'
import { addressOf, canBeMapped, filesWantedBy, type WantedFile } from './wanted.ts'

/** What was found for an event. */
export interface FoundMaps {
  /** For the files of its frames, by their addresses. */
  readonly files: ReadonlyMap<string, Opened>
  /** For code that was renamed when it was built, by the ids that the event names. */
  readonly mappings: ReadonlyMap<string, FoundMapping>
}

export interface FrameResolver {
  /** Which of the projects have anything that frames could be looked up in. */
  readonly projects: (projectIds: readonly number[]) => Promise<ReadonlySet<number>>
  /**
   * Null for an event that no map could say more about.
   *
   * @param asked what was found for events that are read together: most of them ask for the same files
   */
  readonly find: (projectId: number, event: NormalisedEvent, asked?: Asked) => Promise<FoundMaps | null>
  /** For events that are read together: asks at once for what can be. */
  readonly ask: (events: readonly EventOfProject[]) => Promise<Asked>
  /** Why native frames of an event are shown as addresses: as it is today, so it is for whoever reads the event. */
  readonly aboutNative: (projectId: number, event: NormalisedEvent) => Promise<readonly ProcessingError[]>
}

interface EventOfProject {
  readonly projectId: number
  readonly event: NormalisedEvent
}

/** What was asked for, so that it need not be asked for again. */
export interface Asked {
  /** By project, release, dist and files. */
  readonly files: Map<string, ReadonlyMap<string, MapOfFile>>
  readonly mappings: AskedMappings
}

const nothingAsked = (): Asked => ({ files: new Map(), mappings: new Map() })

interface ResolverParts {
  readonly lookup: ArtifactLookup
  readonly maps: Pick<HeldMaps, 'open'>
  readonly debugFiles?: {
    readonly lookup: DebugFileLookup
    readonly held: Pick<HeldMappings, 'open'>
  }
  /** Where projects may have it asked. */
  readonly site?: SiteOfFiles
}

/** A map that was opened, or why a file of a stack has none. */
type Opened =
  | {
      readonly kind: 'open'
      readonly open: OpenMap
      /** By content: the same key is the same map. */
      readonly key: string
      readonly url: string
      readonly found: 'debug-id' | 'release'
    }
  | Extract<MapOfFile, { kind: 'none' }>

export const createFrameResolver = ({ debugFiles, lookup, maps, site }: ResolverParts): FrameResolver => ({
  projects: async (projectIds) => {
    const own = await lookup.projects(projectIds)
    const ofSites = (await site?.projects(projectIds)) ?? []
    const ofFiles = (await debugFiles?.lookup.projects(projectIds)) ?? []
    return new Set([...own, ...ofSites, ...ofFiles])
  },
  find: async (projectId, event, asked = nothingAsked()) => {
    const wanted = filesWantedBy(event)
    const ids = debugFiles === undefined ? [] : mappingsWantedBy(event)
    if (wanted.length === 0 && ids.length === 0) return null
    const opened = new Map<string, Opened>()
    if (wanted.length > 0) {
      const place: Place = { projectId, release: event.release ?? '', dist: event.dist ?? '' }
      const key = JSON.stringify([place, wanted])
      const files = asked.files.get(key) ?? (await filesOf({ lookup, site }, place, wanted))
      asked.files.set(key, files)
      for (const [address, map] of files) opened.set(address, await openedOf(maps, map))
    }
    const mappings =
      debugFiles === undefined ? new Map() : await findMappings(debugFiles, projectId, ids, asked.mappings)
    return { files: opened, mappings }
  },
  ask: async (events) => {
    const asked = nothingAsked()
    const wanted = events.flatMap(({ event, projectId }) =>
      mappingsWantedBy(event).map((debugId) => ({ projectId, debugId })),
    )
    if (debugFiles !== undefined) await askForMappings(debugFiles.lookup, wanted, asked.mappings)
    return asked
  },
  aboutNative: async (projectId, event) => {
    const wanted = imagesWantedBy(event)
    if (debugFiles === undefined || wanted.length === 0) return []
    const ids = wanted.map(({ debugId }) => debugId)
    return notesOf(wanted, await debugFiles.lookup.known(projectId, ids))
  },
})

const filesOf = async (
  { lookup, site }: { readonly lookup: ArtifactLookup; readonly site: SiteOfFiles | undefined },
  place: Place,
  wanted: readonly WantedFile[],
): Promise<ReadonlyMap<string, MapOfFile>> => {
  const files = await findMaps(lookup, place, wanted)
  return site === undefined ? files : site.beside(place, wanted, files)
}

const NOT_READY: Opened = {
  kind: 'none',
  type: 'js_no_source',
  reason: 'Its source map was uploaded, and was still being read when this event came.',
}

const openedOf = async (maps: Pick<HeldMaps, 'open'>, map: MapOfFile): Promise<Opened> => {
  if (map.kind === 'none') return map
  const { file, found } = map
  const { prepared_key: key, url } = file
  if (key === null) return NOT_READY
  const open = await maps.open(key)
  return open === null ? NOT_READY : { kind: 'open', open, key, url, found }
}

const BEYOND =
  'Its source map says nothing about this place: it belongs to another build, or the code comes from no source.'

/** @param path of the source */
const withoutText = (path: string): string =>
  `Its source map names ${path.slice(0, 200)} and has no text of it, and that file was not uploaded with it. Build with the sources in the map (sourcesContent), or upload them as well.`

/** Each file's reason once: a stack has many frames of one file, and an event may have many stacks. */
class Faults {
  readonly errors: ProcessingError[] = []
  private readonly noted = new Set<string>()

  note(error: ProcessingError): void {
    const key = `${error.name} ${error.type}`
    if (this.noted.has(key)) return
    this.noted.add(key)
    this.errors.push(error)
  }
}

/** The event with its frames as they were written; what cannot be mapped stays as it came, and says why. */
export const mapFrames = (event: NormalisedEvent, { files, mappings }: FoundMaps): NormalisedEvent => {
  const mapped = files.size === 0 ? event : mapByFiles(event, files)
  return mappings.size === 0 ? mapped : retraceEvent(mapped, mappings)
}

const mapByFiles = (event: NormalisedEvent, opened: FoundMaps['files']): NormalisedEvent => {
  const faults = new Faults()
  const mapped = (stack: Stacktrace): Stacktrace | null => {
    const { errors, frames } = mappedOnce(stack.frames, event.platform, opened)
    errors.forEach((error) => faults.note(error))
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

interface MappedStack {
  /** Null when none of them could be mapped. */
  readonly frames: readonly Frame[] | null
  readonly errors: readonly ProcessingError[]
}

/**
 * Frames that recur are mapped once, as long as their maps are the same: the mapped ones recur as well then, and what
 * follows from them is remembered, too. Bounded by what they take as text.
 */
const mappedOnce = (frames: readonly Frame[], platform: string, opened: FoundMaps['files']): MappedStack => {
  if (!isRecurring(frames)) return mappedFrames(frames, platform, opened)
  const key = [platform, ...[...opened].map(([address, found]) => `${address} ${keyOf(found)}`)].join('\n')
  const known = mappedBefore.get(frames)
  if (known?.key === key) return known.stack
  const { errors, frames: better } = mappedFrames(frames, platform, opened)
  const text = JSON.stringify(better)
  // Lines that are parts of a source would keep all of it in memory.
  const own = better === null ? null : markRecurring(JSON.parse(text) as readonly Frame[])
  const stack = { frames: own, errors }
  mappedBefore.set(frames, { key, stack }, text.length + key.length)
  return stack
}

const keyOf = (found: Opened): string =>
  found.kind === 'open' ? `${found.key} ${found.found} ${found.url}` : `${found.type} ${found.reason}`

const mappedBefore = new RecentMap<readonly Frame[], { readonly key: string; readonly stack: MappedStack }>(
  LIMITS.MAPPED_FRAMES_BYTES,
)

const mappedFrames = (frames: readonly Frame[], platform: string, opened: FoundMaps['files']): MappedStack => {
  const faults = new Faults()
  let caller: OriginalPlace | null = null
  let isAny = false
  const better = frames.map((frame) => {
    const callerOfThis = caller
    caller = null
    const found = canBeMapped(frame, platform) ? opened.get(addressOf(frame)) : undefined
    if (found === undefined) return frame
    if (found.kind === 'none') {
      faults.note({ type: found.type, name: addressOf(frame), reason: found.reason })
      return frame
    }
    const at = placeOf(frame, found.open)
    const place = at === null ? null : found.open.map.find(at.line, at.column)
    if (at === null || place === null) {
      faults.note({ type: 'js_invalid_sourcemap_location', name: addressOf(frame), reason: BEYOND })
      return frame
    }
    caller = place
    isAny = true
    const own = mappedFrame(frame, place, {
      open: found.open,
      mapUrl: found.url,
      at,
      caller: callerOfThis,
      found: found.found,
    })
    // Nobody misses the lines of libraries.
    if (own.in_app === true && found.open.linesOf(place.source) === null) {
      faults.note({
        type: 'js_missing_sources_content',
        name: addressOf(frame),
        reason: withoutText(own.filename ?? ''),
      })
    }
    return own
  })
  return { frames: isAny ? better : null, errors: faults.errors }
}
