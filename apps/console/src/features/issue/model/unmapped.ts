import { mappingCommand, uploadCommand } from '../../../lib/upload-command.ts'
import type { EventView, FrameView, NoteView } from './event-view.ts'

/** Why frames of an event are shown as a bundler wrote them, as R8 renamed them, or as addresses. */
export interface UnmappedView {
  readonly kind: 'maps' | 'mapping' | 'native'
  /** One for each file; none where nothing was ever uploaded. */
  readonly reasons: readonly { readonly file: string; readonly reason: string }[]
  /** What to type where the build is; null where that would change nothing. */
  readonly command: string | null
}

/** Kinds of notes that say why a frame has no source; they are shown beside the frames. */
const TYPES: ReadonlySet<string> = new Set([
  'js_no_source',
  'js_invalid_source',
  'js_invalid_sourcemap_location',
  'js_missing_sources_content',
])

const ABOUT_MAPPINGS = 'proguard_'
const NO_MAPPING = 'proguard_missing_mapping'
const ABOUT_NATIVE: ReadonlySet<string> = new Set(['native_missing_dsym', 'native_not_resolved'])

const isAboutMaps = ({ type }: NoteView): boolean => TYPES.has(type)

export const isAboutSources = (note: NoteView): boolean =>
  isAboutMaps(note) || note.type === NO_MAPPING || ABOUT_NATIVE.has(note.type)

/** Nobody writes lines so long by hand. */
const MINIFIED_COLUMN = 300

/** What a minifier calls functions: `fa`, `Er`, `t`. */
const MINIFIED_NAME = /^[\w$]{1,2}$/

/** One short name may be somebody's own; a stack of nothing else is not. */
const MINIFIED_NAMES = 2

const looksMinified = (frames: readonly FrameView[], builtFiles: ReadonlySet<string>): boolean => {
  const bare = frames.filter(({ source }) => source.length === 0)
  const named = bare.filter(({ functionName, inApp }) => inApp && /^[\w$]+$/.test(functionName))
  return (
    bare.some(({ column, path }) => builtFiles.has(path) || (column !== null && column >= MINIFIED_COLUMN)) ||
    (named.length >= MINIFIED_NAMES && named.every(({ functionName }) => MINIFIED_NAME.test(functionName)))
  )
}

/** @param server where uploads go: the address of the console */
export function unmappedOf(
  event: EventView,
  { server, organization }: { readonly server: string; readonly organization: string },
): UnmappedView | null {
  const place = { server, organization, project: event.projectSlug }
  const reasonsOf = (isAbout: (note: NoteView) => boolean): UnmappedView['reasons'] =>
    event.notes.filter(isAbout).map(({ field, reason }) => ({ file: field, reason }))
  const mappings = reasonsOf(({ type }) => type === NO_MAPPING)
  const [missing] = mappings
  if (missing !== undefined) {
    return {
      kind: 'mapping',
      reasons: mappings,
      command: mappingCommand({ ...place, uuid: withHyphens(missing.file) }),
    }
  }
  const native = reasonsOf(({ type }) => ABOUT_NATIVE.has(type))
  if (native.length > 0) return { kind: 'native', reasons: native, command: null }
  const reasons = reasonsOf(isAboutMaps)
  // Where maps were applied, the frames without one have reasons of their own.
  const stacks = [...event.exceptions.map(({ rawStack, stack }) => (rawStack === null ? stack : null)), event.stack]
  const builtFiles = new Set(event.builtFiles)
  const isMinified =
    event.platform === 'javascript' && stacks.some((stack) => stack !== null && looksMinified(stack.frames, builtFiles))
  if (reasons.length === 0 && !isMinified) return null
  return { kind: 'maps', reasons, command: uploadCommand({ ...place, release: event.release }) }
}

/**
 * The mappings by which frames of the event were read as they were written; none where none was. An event that keeps how
 * a stack came was read; of frames of the JVM by a mapping, and those that its notes miss did not take part.
 */
export function retracedBy({ exceptions, mappings, notes }: EventView): readonly string[] {
  const isRead = exceptions.some(
    ({ rawStack, stack }) => rawStack !== null && stack?.frames.some(({ className }) => className !== '') === true,
  )
  if (!isRead) return []
  const missing = new Set(notes.filter(({ type }) => type.startsWith(ABOUT_MAPPINGS)).map(({ field }) => plain(field)))
  return [...new Set(mappings.map(plain))].filter((id) => !missing.has(id)).map(withHyphens)
}

const plain = (id: string): string => id.replaceAll('-', '').toLowerCase()

const withHyphens = (id: string): string => id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
