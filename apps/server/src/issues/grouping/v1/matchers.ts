import type { Exception, Frame, NormalisedEvent } from '../../event.ts'
import { createGlob, type Glob } from './glob.ts'
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

/** Null when the key is unknown. */
export const createMatcher = (key: string, pattern: string, negated: boolean): Matcher | null => {
  const known = key.startsWith('tags.') ? 'tags' : KEYS.get(key)
  if (known === undefined) return null
  const glob = createGlob(pattern, { ignoreCase: CASE_BLIND.has(known), path: PATHS.has(known) })
  return { key: known, tag: known === 'tags' ? key.slice(5) : '', negated, pattern, glob }
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

const YES = new Set(['yes', 'true', '1'])

export const matchesFrame = (matcher: Matcher, frame: Frame, platform: string, inApp: boolean): boolean => {
  const { glob } = matcher
  switch (matcher.key) {
    case 'function':
      return glob.matches(frame.function ?? '<unknown>')
    case 'module':
      return glob.matches(frame.module ?? '<unknown>')
    case 'path':
      return (
        (frame.abs_path !== undefined && matchesPath(glob, frame.abs_path)) ||
        (frame.filename !== undefined && matchesPath(glob, frame.filename))
      )
    case 'package':
      return frame.package !== undefined && matchesPath(glob, frame.package)
    case 'app':
      return YES.has(matcher.pattern.toLowerCase()) === inApp
    case 'family':
      return matcher.pattern.split(',').some((family) => family === 'all' || family === familyOf(platform))
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
const matchesPath = (glob: Glob, path: string): boolean =>
  glob.matches(path) || (!path.startsWith('/') && glob.matches(`/${path}`))

export const matchesException = (matcher: Matcher, exception: Exception): boolean => {
  switch (matcher.key) {
    case 'type':
      return matcher.glob.matches(exception.type ?? '<unknown>')
    case 'value':
      return matcher.glob.matches(exception.value ?? '<unknown>')
    case 'mechanism':
      return matcher.glob.matches(exception.mechanism?.type ?? '<unknown>')
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

export const matchesEvent = (matcher: Matcher, event: NormalisedEvent): boolean => {
  const { glob } = matcher
  switch (matcher.key) {
    case 'message':
      return [
        event.logentry?.formatted,
        event.logentry?.message,
        ...(event.exception?.values ?? []).map((e) => e.value),
      ].some((text) => text !== undefined && glob.matches(text))
    case 'logger':
      return glob.matches(event.logger)
    case 'level':
      return glob.matches(event.level)
    case 'tags':
      return event.tags.some(([key, value]) => key === matcher.tag && glob.matches(value))
    case 'sdk':
      return event.sdk !== undefined && (glob.matches(event.sdk.name) || glob.matches(shortSdk(event.sdk.name)))
    case 'release':
      return glob.matches(event.release ?? '')
    case 'family':
      return matcher.pattern.split(',').some((family) => family === 'all' || family === familyOf(event.platform))
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
