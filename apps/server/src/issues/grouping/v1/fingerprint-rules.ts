import type { Work } from '../../../lib/work.ts'
import type { NormalisedEvent } from '../../../event/event.ts'
import type { JudgedEvent } from './in-app.ts'
import { createMatcher, matchesEvent, matchesException, matchesFrame, splitWords, type Matcher } from './matchers.ts'
import type { RuleError } from './stack-rules.ts'

/**
 * A project's fingerprint rules (protocol.md 5.4), one per line; the first that matches wins:
 * `error.type:DatabaseUnavailable tags.region:eu -> {{ default }}, region title="DB down in {{ tags.region }}"`.
 */
export interface FingerprintRules {
  readonly rules: readonly FingerprintRule[]
  readonly errors: readonly RuleError[]
}

export interface FingerprintRule {
  readonly text: string
  readonly matchers: readonly Matcher[]
  readonly fingerprint: readonly string[]
  readonly title?: string
}

const MAX_RULES = 500

export const parseFingerprintRules = (text: string): FingerprintRules => {
  const rules: FingerprintRule[] = []
  const errors: RuleError[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    if (rules.length === MAX_RULES) {
      errors.push({ line: index + 1, message: `More than ${MAX_RULES} rules; this line and the rest are ignored.` })
      break
    }
    const rule = parseRule(line)
    if (typeof rule === 'string') errors.push({ line: index + 1, message: rule })
    else rules.push(rule)
  }
  return { rules, errors }
}

const parseRule = (line: string): FingerprintRule | string => {
  const arrow = line.indexOf('->')
  if (arrow === -1) return 'The line has no "->" between its matchers and its fingerprint.'
  const matchers: Matcher[] = []
  for (const word of splitWords(line.slice(0, arrow))) {
    const negated = word.startsWith('!')
    const colon = word.indexOf(':')
    const matcher =
      colon === -1 ? null : createMatcher(word.slice(negated ? 1 : 0, colon), word.slice(colon + 1), negated)
    if (matcher === null) return `"${word}" is not a matcher such as error.type:TypeError.`
    matchers.push(matcher)
  }
  if (matchers.length === 0) return 'The line has no matcher, such as error.type:TypeError.'
  const right = line.slice(arrow + 2)
  const title = /\btitle="((?:[^"\\]|\\.)*)"/.exec(right)
  const list = title === null ? right : right.slice(0, title.index) + right.slice(title.index + title[0].length)
  const fingerprint = list
    .split(',')
    .map((value) => value.trim().replace(/^"(.*)"$/s, '$1'))
    .filter((value) => value !== '')
  if (fingerprint.length === 0) return 'The line has no fingerprint after "->".'
  const rule = { text: line, matchers, fingerprint }
  return title === null ? rule : { ...rule, title: (title[1] ?? '').replaceAll(/\\(.)/g, '$1') }
}

const FRAME_KEYS = new Set<Matcher['key']>(['function', 'module', 'path', 'package', 'app'])
const EXCEPTION_KEYS = new Set<Matcher['key']>(['type', 'value', 'mechanism'])

/**
 * Matchers about frames must hold for one and the same frame, those about exceptions for one and the same exception. When
 * `work` does not suffice, no rule is found.
 */
export const findFingerprintRule = (
  rules: readonly FingerprintRule[],
  event: NormalisedEvent,
  judged: JudgedEvent,
  work: Work,
): FingerprintRule | undefined => {
  for (const rule of rules) {
    const matches = matchesRule(rule, event, judged, work)
    if (work.isSpent) return undefined
    if (matches) return rule
  }
  return undefined
}

const matchesRule = (
  { matchers }: FingerprintRule,
  event: NormalisedEvent,
  judged: JudgedEvent,
  work: Work,
): boolean => {
  const frameMatchers: Matcher[] = []
  const exceptionMatchers: Matcher[] = []
  for (const matcher of matchers) {
    if (FRAME_KEYS.has(matcher.key)) frameMatchers.push(matcher)
    else if (EXCEPTION_KEYS.has(matcher.key)) exceptionMatchers.push(matcher)
    else if (matchesEvent(matcher, event, work) === matcher.negated) return false
  }
  if (exceptionMatchers.length > 0) {
    const exceptions = event.exception?.values ?? []
    const found = exceptions.some(
      (exception) =>
        work.spend(1) &&
        exceptionMatchers.every((matcher) => matchesException(matcher, exception, work) !== matcher.negated),
    )
    if (!found) return false
  }
  if (frameMatchers.length === 0) return true
  const stacks = [...judged.exceptions, ...judged.threads, judged.stacktrace]
  return stacks.some((stack) =>
    stack?.frames.some(
      (frame, index) =>
        work.spend(1) &&
        frameMatchers.every(
          (matcher) =>
            matchesFrame(matcher, frame, frame.platform ?? event.platform, stack.flags[index]?.inApp ?? false, work) !==
            matcher.negated,
        ),
    ),
  )
}

const CHUNK_LOAD =
  /^(?:ChunkLoadError: )?(?:Loading (?:CSS )?chunk [\w~-]{1,200} failed|Failed to fetch dynamically imported module|error loading dynamically imported module|Importing a module script failed|Unable to preload CSS for |Failed to load chunk )/i
const HYDRATION =
  /^(?:Hydration failed|Text content does not match server-rendered HTML|There was an error while hydrating|Minified React error #(?:418|419|421|422|423|425)\b|This Suspense boundary received an update before it finished hydrating|Hydration completed but contains mismatches|hydration[-_ ]mismatch)/i

/** Rules that every project has, behind its own and the SDK's fingerprint. */
export const findBuiltInRule = (event: NormalisedEvent): FingerprintRule | undefined => {
  if (event.exception === undefined) return undefined
  for (const { type, value } of event.exception.values) {
    if (type === 'ChunkLoadError' || (value !== undefined && CHUNK_LOAD.test(value))) return CHUNK_LOAD_RULE
    if (value !== undefined && HYDRATION.test(value)) return HYDRATION_RULE
  }
  return undefined
}

const CHUNK_LOAD_RULE: FingerprintRule = {
  text: 'built in: chunks of an old build that can no longer be loaded are one issue',
  matchers: [],
  fingerprint: ['chunk-load-error'],
}

const HYDRATION_RULE: FingerprintRule = {
  text: 'built in: hydration errors are one issue per transaction',
  matchers: [],
  fingerprint: ['hydration-error', '{{ transaction }}'],
}
