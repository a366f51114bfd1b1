import type { Work } from '../../../lib/work.ts'
import type { Frame, NormalisedEvent } from '../../../event/event.ts'
import { findBuiltInRule, findFingerprintRule, type FingerprintRule } from './fingerprint-rules.ts'
import type { JudgedEvent } from './in-app.ts'
import { messageText } from './message.ts'
import { parameterise } from './parameterise.ts'

/** What decides the hash, before any variable is filled in (protocol.md 5.4). */
export interface ResolvedFingerprint {
  readonly source: 'default' | 'rule' | 'sdk' | 'built-in'
  /** Without variables; `null` stands for `{{ default }}`. */
  readonly values: readonly (string | null)[]
  readonly rule: FingerprintRule | undefined
  readonly title: string | undefined
}

const DEFAULT = /^\{\{\s*default\s*\}\}$/
const VARIABLE = /\{\{\s*(\S{1,200}?)\s*\}\}/g

const BY_DEFAULT: ResolvedFingerprint = { source: 'default', values: [null], rule: undefined, title: undefined }

export const resolveFingerprint = (
  event: NormalisedEvent,
  judged: JudgedEvent,
  rules: readonly FingerprintRule[],
  work: Work,
): ResolvedFingerprint => {
  const rule = findFingerprintRule(rules, event, judged, work)
  if (rule !== undefined) return fromRule(rule, 'rule', event, judged, work)
  const sent = event.fingerprint
  if (sent !== undefined && sent.length > 0 && !sent.every((value) => DEFAULT.test(value))) {
    const message = messageText(event)
    const values = sent.map((value) => {
      if (DEFAULT.test(value)) return null
      return value === message ? parameterise(value) : expand(value, event, judged, work)
    })
    return { source: 'sdk', values, rule: undefined, title: undefined }
  }
  const builtIn = findBuiltInRule(event)
  return builtIn === undefined ? BY_DEFAULT : fromRule(builtIn, 'built-in', event, judged, work)
}

const fromRule = (
  rule: FingerprintRule,
  source: 'rule' | 'built-in',
  event: NormalisedEvent,
  judged: JudgedEvent,
  work: Work,
): ResolvedFingerprint => ({
  source,
  values: rule.fingerprint.map((value) => (DEFAULT.test(value) ? null : expand(value, event, judged, work))),
  rule,
  title: rule.title === undefined ? undefined : expand(rule.title, event, judged, work),
})

/** Variables filled in, as far as `work` suffices: a text may name a long one many times. */
const expand = (text: string, event: NormalisedEvent, judged: JudgedEvent, work: Work): string => {
  if (!text.includes('{{')) return text
  if (!work.spend(text.split('{{').length * VARIABLE_STEPS)) return text
  return text.replace(VARIABLE, (variable, name: string) => {
    const value = readVariable(name, event, judged) ?? `<unrecognized-variable-${name}>`
    return work.spend(value.length) ? value : variable
  })
}

/** Each pair of braces may begin a name, which is looked for as far as the longest reaches. */
const VARIABLE_STEPS = 400

/** Undefined when there is no such variable. */
const readVariable = (name: string, event: NormalisedEvent, judged: JudgedEvent): string | undefined => {
  const exception = event.exception?.values.at(-1)
  switch (name) {
    case 'transaction':
      return event.transaction || '<no-transaction>'
    case 'message':
      return messageText(event) || '<no-message>'
    case 'type':
    case 'error.type':
      return exception?.type || '<no-type>'
    case 'value':
    case 'error.value':
      return exception?.value || '<no-value>'
    case 'function':
    case 'stack.function':
      return crashFrame(judged)?.function || '<no-function>'
    case 'module':
    case 'stack.module':
      return crashFrame(judged)?.module || '<no-module>'
    case 'package':
    case 'stack.package':
      return crashFrame(judged)?.package || '<no-package>'
    case 'path':
    case 'stack.abs_path':
      return crashFrame(judged)?.abs_path ?? crashFrame(judged)?.filename ?? '<no-abs-path>'
    case 'stack.filename':
      return crashFrame(judged)?.filename || '<no-filename>'
    case 'level':
      return event.level
    case 'logger':
      return event.logger || '<no-logger>'
    case 'release':
      return event.release || '<no-release>'
    case 'environment':
      return event.environment || '<no-environment>'
    default: {
      if (!name.startsWith('tags.')) return undefined
      const tag = name.slice(5)
      return event.tags.find(([key]) => key === tag)?.[1] || `<no-value-for-tag-${tag}>`
    }
  }
}

/** The in-app frame nearest to the crash, else the crashing frame. */
const crashFrame = (judged: JudgedEvent): Frame | undefined => {
  const stack =
    judged.exceptions.findLast((candidate) => candidate !== undefined) ??
    judged.stacktrace ??
    judged.threads.find((candidate) => candidate !== undefined)
  if (stack === undefined) return undefined
  return stack.frames.findLast((_, index) => stack.flags[index]?.inApp === true) ?? stack.frames.at(-1)
}
