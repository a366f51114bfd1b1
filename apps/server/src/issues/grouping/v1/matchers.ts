import { createGlob, type Glob } from '../../../lib/glob.ts'
import type { Work } from '../../../lib/work.ts'
import type { Exception, Frame, NormalisedEvent } from '../../../event/event.ts'
import { familyOf } from './platform.ts'

/**
 * Matchers that stack trace rules (protocol.md 5.2) and fingerprint rules (5.4) have in common: `key:pattern`,
 * `!key:pattern`, values in double quotes when they hold spaces.
 */
export interface Matcher {
  readonly key: MatcherKey
  /** Name of the tag for `tags`. */
  readonly tag: string
  readonly negated: boolean
  readonly pattern: string
  readonly glob: Glob
  /** For `app`: which frames it means. */
  readonly inApp: boolean
  /** For `family`. */
  readonly families: ReadonlySet<string>
}

export type MatcherKey =
  | 'type'
  | 'value'
  | 'mechanism'
  | 'function'
  | 'module'
  | 'path'
  | 'package'
  | 'app'
  | 'family'
  | 'message'
  | 'logger'
  | 'level'
  | 'tags'
  | 'sdk'
  | 'release'
  | 'category'

const KEYS: ReadonlyMap<string, MatcherKey> = new Map([
  ['type', 'type'],
  ['error.type', 'type'],
  ['value', 'value'],
  ['error.value', 'value'],
  ['mechanism', 'mechanism'],
  ['error.mechanism', 'mechanism'],
  ['function', 'function'],
  ['stack.function', 'function'],
  ['module', 'module'],
  ['stack.module', 'module'],
  ['path', 'path'],
  ['stack.abs_path', 'path'],
  ['stack.filename', 'path'],
  ['package', 'package'],
  ['stack.package', 'package'],
  ['app', 'app'],
  ['stack.in_app', 'app'],
  ['in_app', 'app'],
  ['family', 'family'],
  ['message', 'message'],
  ['logger', 'logger'],
  ['level', 'level'],
  ['sdk', 'sdk'],
  ['sdk.name', 'sdk'],
  ['release', 'release'],
  ['category', 'category'],
])

const PATHS: ReadonlySet<MatcherKey> = new Set(['path', 'package'])
const CASE_BLIND: ReadonlySet<MatcherKey> = new Set(['path', 'package', 'message', 'family', 'level', 'sdk'])

const YES = new Set(['yes', 'true', '1'])

/** Null when the key is unknown. */
export const createMatcher = (key: string, pattern: string, negated: boolean): Matcher | null => {
  const known = key.startsWith('tags.') ? 'tags' : KEYS.get(key)
  if (known === undefined) return null
  const glob = createGlob(pattern, { ignoreCase: CASE_BLIND.has(known), path: PATHS.has(known) })
  return {
    key: known,
    tag: known === 'tags' ? key.slice(5) : '',
    negated,
    pattern,
    glob,
    inApp: YES.has(pattern.toLowerCase()),
    families: new Set(known === 'family' ? pattern.split(',') : []),
  }
}

/** Words of a rule line; `"…"` keeps spaces, `\"` a quote. Comments begin with `#` at the start of the line. */
export const splitWords = (line: string): readonly string[] => {
  const words: string[] = []
  let word = ''
  let quoted = false
  let started = false
  for (let index = 0; index < line.length; index++) {
    const character = line.charAt(index)
    if (character === '\\' && quoted && index + 1 < line.length) {
      index++
      word += line.charAt(index)
    } else if (character === '"') {
      quoted = !quoted
      started = true
    } else if (!quoted && (character === ' ' || character === '\t')) {
      if (started) words.push(word)
      word = ''
      started = false
    } else {
      word += character
      started = true
    }
  }
  if (started) words.push(word)
  return words
}

export const parseMatcher = (word: string): Matcher | null => {
  const negated = word.startsWith('!')
  const at = word.indexOf(':')
  return at === -1 ? null : createMatcher(word.slice(negated ? 1 : 0, at), word.slice(at + 1), negated)
}

/** All answers are false as well when `work` does not suffice: ask it before an answer is used. */
export const matchesFrame = (matcher: Matcher, frame: Frame, platform: string, inApp: boolean, work: Work): boolean => {
  const { glob } = matcher
  switch (matcher.key) {
    case 'function':
      return glob.matches(frame.function ?? '<unknown>', work)
    case 'module':
      return glob.matches(frame.module ?? '<unknown>', work)
    case 'path':
      return (
        (frame.abs_path !== undefined && matchesPath(glob, frame.abs_path, work)) ||
        (frame.filename !== undefined && matchesPath(glob, frame.filename, work))
      )
    case 'package':
      return frame.package !== undefined && matchesPath(glob, frame.package, work)
    case 'app':
      return matcher.inApp === inApp
    case 'family':
      return matcher.families.has('all') || matcher.families.has(familyOf(platform))
    case 'type':
    case 'value':
    case 'mechanism':
    case 'message':
    case 'logger':
    case 'level':
    case 'tags':
    case 'sdk':
    case 'release':
    case 'category':
      return false
  }
}

/** A relative path matches as if it began with `/`, as in Sentry's rules. */
const matchesPath = (glob: Glob, path: string, work: Work): boolean =>
  glob.matches(path, work) || (!path.startsWith('/') && glob.matches(`/${path}`, work))

export const matchesException = (matcher: Matcher, exception: Exception, work: Work): boolean => {
  switch (matcher.key) {
    case 'type':
      return matcher.glob.matches(exception.type ?? '<unknown>', work)
    case 'value':
      return matcher.glob.matches(exception.value ?? '<unknown>', work)
    case 'mechanism':
      return matcher.glob.matches(exception.mechanism?.type ?? '<unknown>', work)
    case 'function':
    case 'module':
    case 'path':
    case 'package':
    case 'app':
    case 'family':
    case 'message':
    case 'logger':
    case 'level':
    case 'tags':
    case 'sdk':
    case 'release':
    case 'category':
      return false
  }
}

export const matchesEvent = (matcher: Matcher, event: NormalisedEvent, work: Work): boolean => {
  const { glob } = matcher
  switch (matcher.key) {
    case 'message':
      return [
        event.logentry?.formatted,
        event.logentry?.message,
        ...(event.exception?.values ?? []).map((e) => e.value),
      ].some((text) => text !== undefined && glob.matches(text, work))
    case 'logger':
      return glob.matches(event.logger, work)
    case 'level':
      return glob.matches(event.level, work)
    case 'tags':
      return event.tags.some(([key, value]) => key === matcher.tag && glob.matches(value, work))
    case 'sdk':
      return (
        event.sdk !== undefined && (glob.matches(event.sdk.name, work) || glob.matches(shortSdk(event.sdk.name), work))
      )
    case 'release':
      return glob.matches(event.release ?? '', work)
    case 'family':
      return matcher.families.has('all') || matcher.families.has(familyOf(event.platform))
    case 'type':
    case 'value':
    case 'mechanism':
    case 'function':
    case 'module':
    case 'path':
    case 'package':
    case 'app':
    case 'category':
      return false
  }
}

const shortSdk = (name: string): string => name.split('.').slice(0, 2).join('.')
