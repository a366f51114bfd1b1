import { explainFailure, type OutgoingAnswer, type OutgoingFailure } from '../lib/outgoing.ts'
import type { Failure, FailureKind, UptimeCheck } from './check.ts'

/** What is wrong with an answer, the first thing that is; null while all is well. */
export const judge = (check: UptimeCheck, answer: OutgoingAnswer): Failure | null => {
  if (!matchesStatus(check.statuses, answer.status)) {
    return { kind: 'status', reason: `It answered ${answer.status}; expected ${check.statuses}.` }
  }
  return judgeText(check, answer) ?? judgeJson(check, answer) ?? judgeLatency(check, answer)
}

/** Why there is no answer. */
export const failureOf = (failure: OutgoingFailure): Failure => ({
  kind: KINDS[failure.why],
  reason: explainFailure(failure),
})

const KINDS: Readonly<Record<OutgoingFailure['why'], FailureKind>> = {
  no_web_address: 'blocked',
  unknown_host: 'dns',
  private_address: 'blocked',
  not_allowed: 'blocked',
  too_many_redirects: 'redirects',
  too_large: 'connect',
  too_slow: 'timeout',
  insecure: 'tls',
  failed: 'connect',
}

/** `200-299, 401`: null when it says nothing. */
export const readStatuses = (text: string): readonly (readonly [from: number, to: number])[] | null => {
  const parts = text.split(',').map((part) => /^\s*([1-5]\d\d)(?:\s*-\s*([1-5]\d\d))?\s*$/.exec(part))
  const ranges: [number, number][] = []
  for (const part of parts) {
    if (part === null) return null
    const from = Number(part[1])
    const to = Number(part[2] ?? part[1])
    if (to < from) return null
    ranges.push([from, to])
  }
  return ranges
}

const matchesStatus = (statuses: string, status: number): boolean =>
  readStatuses(statuses)?.some(([from, to]) => status >= from && status <= to) === true

const textOf = ({ bytes }: OutgoingAnswer): string => Buffer.from(bytes).toString()

const judgeText = ({ textAbsent, textPresent }: UptimeCheck, answer: OutgoingAnswer): Failure | null => {
  if (textPresent === '' && textAbsent === '') return null
  const text = textOf(answer)
  if (textPresent !== '' && !text.includes(textPresent)) {
    return { kind: 'text', reason: `The answer does not have the text "${textPresent}".` }
  }
  if (textAbsent !== '' && text.includes(textAbsent)) {
    return { kind: 'text', reason: `The answer has the text "${textAbsent}".` }
  }
  return null
}

const judgeJson = (check: UptimeCheck, answer: OutgoingAnswer): Failure | null => {
  const { jsonPath, jsonValue } = check
  if (jsonPath === '') return null
  let json: unknown
  try {
    json = JSON.parse(textOf(answer))
  } catch {
    return { kind: 'json', reason: 'The answer is no JSON.' }
  }
  const value = valueAt(json, jsonPath)
  if (value === undefined) return { kind: 'json', reason: `The answer has nothing at ${jsonPath}.` }
  const shown = typeof value === 'string' ? value : JSON.stringify(value)
  if (jsonValue === '' || shown === jsonValue) return null
  const is = wasSent(check, shown) ? 'something that was sent' : shown.slice(0, SHOWN)
  return { kind: 'json', reason: `${jsonPath} is ${is}, not ${jsonValue}.` }
}

const SHOWN = 100
/** As short as that, it is no secret and may well be in it by chance. */
const TOLD_CHARS = 4

/** What is sent is sealed, and some addresses answer with it: nobody reads it there, in whole or in part. */
const wasSent = ({ body, headers }: UptimeCheck, shown: string): boolean =>
  shown.length > TOLD_CHARS &&
  [body, ...headers.map(([, value]) => value)].some(
    (sent) => sent.includes(shown) || (sent.length > TOLD_CHARS && shown.includes(sent)),
  )

/** `a.b[0].c`, with or without a leading `$.`. */
const valueAt = (json: unknown, path: string): unknown => {
  let value = json
  for (const [, name, index] of path.replace(/^\$\.?/, '').matchAll(/([^.[\]]+)|\[(\d{1,6})\]/g)) {
    if (typeof value !== 'object' || value === null) return undefined
    const key = name ?? index ?? ''
    value = Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined
  }
  return value
}

const judgeLatency = ({ latencyMs }: UptimeCheck, { times }: OutgoingAnswer): Failure | null =>
  latencyMs === null || times.total <= latencyMs
    ? null
    : { kind: 'latency', reason: `It took ${times.total} ms; expected at most ${latencyMs} ms.` }
