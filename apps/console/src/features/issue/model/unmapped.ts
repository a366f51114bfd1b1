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
const TYPES: ReadonlySet<string> = new Set(['js_no_source', 'js_invalid_source', 'js_invalid_sourcemap_location'])

export const isAboutSources = ({ type }: NoteView): boolean => TYPES.has(type)

/** Nobody writes lines so long by hand. */
const MINIFIED_COLUMN = 300

const looksMinified = ({ line, column, source }: FrameView): boolean =>
  source.length === 0 && line !== null && line <= 3 && column !== null && column >= MINIFIED_COLUMN

/** @param server where uploads go: the address of the console */
export function unmappedOf(
  event: EventView,
  { server, organization }: { readonly server: string; readonly organization: string },
): UnmappedView | null {
  const reasons = event.notes.filter(isAboutSources).map(({ field, reason }) => ({ file: field, reason }))
  const stacks = [...event.exceptions.map(({ stack }) => stack), event.stack]
  const isMinified =
    event.platform === 'javascript' && stacks.some((stack) => stack?.frames.some(looksMinified) === true)
  if (reasons.length === 0 && !isMinified) return null
  return {
    reasons,
    command: uploadCommand({ server, organization, project: event.projectSlug, release: event.release }),
  }
}
