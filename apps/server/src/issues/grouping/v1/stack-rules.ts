import type { Work } from '../../../lib/work.ts'
import type { Exception, Frame } from '../../../event/event.ts'
import { matchesException, matchesFrame, parseMatcher, splitWords, type Matcher } from './matchers.ts'

/**
 * A project's stack trace rules (protocol.md 5.2), one per line: `stack.module:legacy.* -app -group`,
 * `family:native stack.function:panic ^-group`, `error.type:Timeout max-frames=3`. Later rules win.
 */
export interface StackRules {
  readonly rules: readonly StackRule[]
  /** Lines that could not be read, for the settings screen. */
  readonly errors: readonly RuleError[]
}

export interface RuleError {
  /** 1-based. */
  readonly line: number
  readonly message: string
}

export interface StackRule {
  readonly text: string
  readonly frameMatchers: readonly Matcher[]
  readonly exceptionMatchers: readonly Matcher[]
  readonly actions: readonly StackAction[]
}

export type StackAction =
  | {
      readonly kind: 'flag'
      readonly flag: 'app' | 'group'
      readonly value: boolean
      /** `up`: the frames nearer to the crash than the one that matched; `down`: its callers. */
      readonly range: 'self' | 'up' | 'down'
    }
  | { readonly kind: 'max-frames'; readonly count: number }
  | { readonly kind: 'min-frames'; readonly count: number }

const MAX_RULES = 500
const EXCEPTION_KEYS = new Set(['type', 'value', 'mechanism'])
const FRAME_KEYS = new Set(['function', 'module', 'path', 'package', 'app', 'family'])

export const parseStackRules = (text: string): StackRules => {
  const rules: StackRule[] = []
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

/** The rule, or a sentence that says what is wrong with the line. */
const parseRule = (line: string): StackRule | string => {
  const frameMatchers: Matcher[] = []
  const exceptionMatchers: Matcher[] = []
  const actions: StackAction[] = []
  for (const word of splitWords(line)) {
    const action = parseAction(word)
    if (action !== null) {
      actions.push(action)
      continue
    }
    const matcher = parseMatcher(word)
    if (matcher === null) return `"${word}" is neither a matcher such as stack.module:name nor an action such as -app.`
    if (EXCEPTION_KEYS.has(matcher.key)) exceptionMatchers.push(matcher)
    else if (FRAME_KEYS.has(matcher.key)) frameMatchers.push(matcher)
    else return `"${word}" cannot be used in a stack trace rule.`
  }
  if (actions.length === 0) return 'The line has no action, such as +app, -app, -group or max-frames=5.'
  if (frameMatchers.length + exceptionMatchers.length === 0)
    return 'The line has no matcher, such as stack.module:name.'
  return { text: line, frameMatchers, exceptionMatchers, actions }
}

const parseAction = (word: string): StackAction | null => {
  const flag = /^([v^]?)([+-])(app|group)$/.exec(word)
  if (flag !== null) {
    const [, prefix, sign, name] = flag
    const range = prefix === '^' ? 'up' : prefix === 'v' ? 'down' : 'self'
    return { kind: 'flag', flag: name === 'app' ? 'app' : 'group', value: sign === '+', range }
  }
  const count = /^(max-frames|min-frames)=(\d{1,4})$/.exec(word)
  if (count === null) return null
  return count[1] === 'max-frames'
    ? { kind: 'max-frames', count: Number(count[2]) }
    : { kind: 'min-frames', count: Number(count[2]) }
}

/** What rules decide about one frame. */
export interface FrameFlags {
  inApp: boolean
  contributes: boolean
  /** Why, when a rule decided. */
  hint: string | undefined
}

export interface StackBounds {
  maxFrames: number
  minFrames: number
}

/** Applies the rules in order, as far as `work` suffices; changes `flags` and `bounds` in place. */
export const applyStackRules = (
  rules: readonly StackRule[],
  frames: readonly Frame[],
  platform: string,
  exception: Exception | undefined,
  flags: readonly FrameFlags[],
  bounds: StackBounds,
  work: Work,
): void => {
  for (const rule of rules) {
    const holds = (m: Matcher): boolean => exception !== undefined && matchesException(m, exception, work) !== m.negated
    if (!rule.exceptionMatchers.every(holds)) continue
    const matched: number[] = []
    for (const [index, frame] of frames.entries()) {
      const inApp = flags[index]?.inApp ?? false
      const framePlatform = frame.platform ?? platform
      if (rule.frameMatchers.every((m) => matchesFrame(m, frame, framePlatform, inApp, work) !== m.negated))
        matched.push(index)
    }
    work.spend(frames.length)
    if (work.isSpent) return
    if (matched.length === 0) continue
    for (const action of rule.actions) {
      if (!work.spend(frames.length)) return
      if (action.kind === 'flag') setFlags(flags, matched, action, rule.text)
      else if (action.kind === 'max-frames') bounds.maxFrames = action.count
      else bounds.minFrames = action.count
    }
  }
}

/** @param matched rising */
const setFlags = (
  flags: readonly FrameFlags[],
  matched: readonly number[],
  action: Extract<StackAction, { kind: 'flag' }>,
  text: string,
): void => {
  const hint = `by the project's rule: ${text}`
  const set = (first: number, end: number): void => {
    for (let index = first; index < end; index++) {
      const flag = flags[index]
      if (flag === undefined) continue
      if (action.flag === 'app') flag.inApp = action.value
      else flag.contributes = action.value
      flag.hint = hint
    }
  }
  // Ranges of several frames overlap: the longest holds the others.
  if (action.range === 'up') set((matched[0] ?? flags.length) + 1, flags.length)
  else if (action.range === 'down') set(0, matched.at(-1) ?? 0)
  else for (const at of matched) set(at, at + 1)
}
