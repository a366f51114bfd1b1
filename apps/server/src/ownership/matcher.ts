import { createGlob, type Glob } from '../lib/glob.ts'
import type { Work } from '../lib/work.ts'
import type { OwnershipLine } from './line.ts'
import type { MatchedEvent, MatchedFrame } from './matched-event.ts'

/** How a line is compared. Lines about a URL or a tag are about the whole event, all others about a frame. */
export interface Matcher {
  readonly isOfEvent: boolean
  /** The folder or file, from the root of the repository, in which every path is that it matches; '' for any. */
  readonly within: string
  matchesEvent(event: MatchedEvent, work: Work): boolean
  matchesFrame(frame: MatchedFrame, work: Work): boolean
}

const never = (): boolean => false

export const matcherOf = ({ kind, pattern, tag }: OwnershipLine): Matcher => {
  switch (kind) {
    case 'path': {
      const glob = createGlob(pattern.replaceAll('\\', '/'), { ignoreCase: true })
      const matches = (value: string, work: Work): boolean =>
        value !== '' && glob.matches(value.replaceAll('\\', '/'), work)
      return ofFrame((frame, work) => matches(frame.filename, work) || matches(frame.absPath, work))
    }
    case 'module': {
      const glob = createGlob(pattern, { ignoreCase: true })
      return ofFrame((frame, work) => frame.module !== '' && glob.matches(frame.module, work))
    }
    case 'codeowners': {
      const globs = codeownersGlobs(pattern)
      const matches: Matcher['matchesFrame'] = (frame, work) =>
        frame.isInApp !== false && pathsOf(frame).some((path) => globs.some((glob) => glob.matches(path, work)))
      return { ...ofFrame(matches), within: literalFolder(pattern) }
    }
    case 'url': {
      const glob = createGlob(pattern, { ignoreCase: true })
      return ofEvent(({ url }, work) => url !== '' && glob.matches(url, work))
    }
    case 'tag': {
      const glob = createGlob(pattern)
      return ofEvent(({ tags }, work) => (tags.get(tag) ?? []).some((value) => glob.matches(value, work)))
    }
  }
}

const ofFrame = (matchesFrame: Matcher['matchesFrame']): Matcher => ({
  isOfEvent: false,
  within: '',
  matchesEvent: never,
  matchesFrame,
})

const ofEvent = (matchesEvent: Matcher['matchesEvent']): Matcher => ({
  isOfEvent: true,
  within: '',
  matchesEvent,
  matchesFrame: never,
})

/** A path of a frame as it may stand in the repository: `webpack:///./src/a.ts?1` → `src/a.ts`. */
export const pathInRepository = (path: string): string =>
  path
    .replaceAll('\\', '/')
    .replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/^(?:\/|\.{1,2}\/|~\/)+/, '')

/** The paths of a frame, as they may stand in the repository. */
export const pathsOf = ({ absPath, filename }: MatchedFrame): readonly string[] =>
  [filename, absPath].filter((path) => path !== '').map(pathInRepository)

/** `/apps/shop/*.ts` is about nothing outside of `apps/shop`. */
const literalFolder = (pattern: string): string => {
  const body = pattern.replace(/^\/+/, '').replace(/\/+$/, '')
  const isAnchored = pattern.startsWith('/') || body.includes('/')
  if (!isAnchored || body.includes('\\')) return ''
  const segments = body.split('/')
  const wild = segments.findIndex((segment) => /[*?]/.test(segment))
  return segments.slice(0, wild < 0 ? segments.length : wild).join('/')
}

/** Patterns of `.gitignore`: without a slash in it at any depth, else from the root; a folder stands for what is in it. */
const codeownersGlobs = (pattern: string): readonly Glob[] => {
  const isFolder = pattern.endsWith('/')
  const body = pattern.replace(/^\/+/, '').replace(/\/+$/, '')
  const isAnchored = pattern.startsWith('/') || body.includes('/')
  const base = isAnchored ? body : `**/${body}`
  // `docs/*` is what lies in the folder itself, as GitHub explains it.
  const onlyItself = isAnchored && /(?:^|\/)\*$/.test(body)
  const wanted = [...(isFolder ? [] : [base]), ...(onlyItself && !isFolder ? [] : [`${base}/**`])]
  // `a/**/b` stands for `a/b` as well.
  return wanted
    .flatMap((glob) => (glob.includes('/**/') ? [glob, glob.replaceAll('/**/', '/')] : [glob]))
    .map((glob) => createGlob(glob, { path: true }))
}
