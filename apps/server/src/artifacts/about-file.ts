import { plainDebugId } from './debug-id.ts'
import type { ArtifactKind } from './bundle/manifest.ts'

/** What a file says of itself: of which build it is, and where its map is. */
export interface AboutFile {
  readonly debugId: string | null
  /** Relative to its address; null also for a map within the file. */
  readonly sourceMap: string | null
}

/** How much of the beginning and of the end of a file is looked at. */
export const LOOKED_AT_BYTES = 64 * 1024

const REFERENCE_CHARACTERS = 4096
const DEBUG_ID = /^[ \t]*\/\/[#@] debugId=([0-9a-f-]{32,45})[ \t]*$/gim
const SOURCE_MAP = /^[ \t]*\/\/[#@] sourceMappingURL=(\S+)[ \t]*$/gm
/** Not within a text: there the quotation mark would have a backslash. The older name is the one that Sentry's servers read first. */
const MAP_DEBUG_IDS = [
  /(?<!\\)"debug_id"\s*:\s*"([0-9a-f-]{32,45})"/gi,
  /(?<!\\)"debugId"\s*:\s*"([0-9a-f-]{32,45})"/gi,
]

/** @param begin and `end`: of the file, which may be the same bytes; both as text */
export const aboutFile = (kind: ArtifactKind, begin: string, end: string): AboutFile => {
  if (kind === 'source_map') {
    const found = MAP_DEBUG_IDS.map((pattern) => lastOf(begin, pattern) ?? lastOf(end, pattern))
    return { debugId: plainDebugId(found.find((id) => id !== null)), sourceMap: null }
  }
  const sourceMap = lastOf(end, SOURCE_MAP)
  return {
    debugId: plainDebugId(lastOf(end, DEBUG_ID)),
    sourceMap: sourceMap === null || /^data:/i.test(sourceMap) ? null : sourceMap.slice(0, REFERENCE_CHARACTERS),
  }
}

export const aboutBytes = (kind: ArtifactKind, bytes: Uint8Array): AboutFile => {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = text.toString('utf8', Math.max(0, text.length - LOOKED_AT_BYTES))
  return aboutFile(kind, text.toString('utf8', 0, LOOKED_AT_BYTES), end)
}

/** A bundle holds the comments of what was bundled: the last one is its own. */
const lastOf = (text: string, pattern: RegExp): string | null => [...text.matchAll(pattern)].at(-1)?.[1] ?? null
