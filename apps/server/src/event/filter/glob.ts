import { createGlob, type Glob } from '../../lib/glob.ts'
import type { Work } from '../../lib/work.ts'

/** Lists belong to settings, which live as long as they stay the same. */
const compiled = new WeakMap<readonly string[], readonly Glob[]>()

/** True when one of the project's patterns matches, in any case. False as well when `work` does not suffice. */
export const matchesAnyGlob = (patterns: readonly string[], text: string | undefined, work: Work): boolean => {
  if (text === undefined) return false
  let globs = compiled.get(patterns)
  if (globs === undefined) {
    globs = patterns
      .map((pattern) => pattern.trim())
      .filter((pattern) => pattern !== '')
      .map((pattern) => createGlob(pattern, { ignoreCase: true }))
    compiled.set(patterns, globs)
  }
  return globs.some((glob) => glob.matches(text, work))
}
