import { uploadCommand } from '../../../lib/upload-command.ts'
import type { EventView, FrameView, NoteView } from './event-view.ts'

/** Why frames of an event are shown as a bundler wrote them. */
export interface UnmappedView {
  /** One for each file; none where nothing was ever uploaded. */
  readonly reasons: readonly { readonly file: string; readonly reason: string }[]
  /** What to type where the build is. */
  readonly command: string
}

/** Kinds of notes that say why a frame has no source; they are shown beside the frames. */
const TYPES: ReadonlySet<string> = new Set([
  'js_no_source',
  'js_invalid_source',
  'js_invalid_sourcemap_location',
  'js_missing_sources_content',
])

export const isAboutSources = ({ type }: NoteView): boolean => TYPES.has(type)

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
  const reasons = event.notes.filter(isAboutSources).map(({ field, reason }) => ({ file: field, reason }))
  // Where maps were applied, the frames without one have reasons of their own.
  const stacks = [...event.exceptions.map(({ rawStack, stack }) => (rawStack === null ? stack : null)), event.stack]
  const builtFiles = new Set(event.builtFiles)
  const isMinified =
    event.platform === 'javascript' && stacks.some((stack) => stack !== null && looksMinified(stack.frames, builtFiles))
  if (reasons.length === 0 && !isMinified) return null
  return {
    reasons,
    command: uploadCommand({ server, organization, project: event.projectSlug, release: event.release }),
  }
}
