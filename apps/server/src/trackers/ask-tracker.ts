import { explainFailure, type Outgoing } from '../lib/outgoing.ts'
import { readRetryAfter, withoutSecrets } from '../channels/index.ts'
import { fieldOf, listOf, textOf } from './kinds/answers.ts'
import { TrackerFailure } from './kinds/failure.ts'
import type { AnyTrackerKind } from './kinds/index.ts'
import type { Ask, Target } from './kinds/kind.ts'
import { LIMITS } from './limits.ts'

const SECOND_MS = 1000

/** What a tracker says is wrong, in whichever of the usual ways. */
const saidBy = (json: unknown): string => {
  const parts = [
    textOf(json, 'message'),
    textOf(json, 'error'),
    ...listOf(json, 'errorMessages').map((one) => textOf(one)),
    ...Object.values((fieldOf(json, 'errors') as object | undefined) ?? {}).map(
      (one) => textOf(one) || textOf(one, 'message') || textOf(one, 'code'),
    ),
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` It says: ${parts.join(' ').slice(0, LIMITS.TRACKER_SENTENCE_CHARS)}`
}

/** For how long a tracker that counts calls wants none; 0 where that is not what it says. */
const restOf = (status: number, headers: Readonly<Record<string, string>>, now: number): number => {
  if (status !== 429 && status !== 403) return 0
  const asked = readRetryAfter(headers['retry-after'], now)
  const resetsAt = Number(headers['x-ratelimit-reset'] ?? 0) * SECOND_MS
  const isSpent = headers['x-ratelimit-remaining'] === '0' && Number.isFinite(resetsAt)
  return Math.max(asked, isSpent ? resetsAt - now : 0, status === 429 ? SECOND_MS : 0)
}

const PASSING = new Set([408, 425, 429])

const failureOf = (
  {
    status,
    headers,
    json,
  }: { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly json: unknown },
  now: number,
): TrackerFailure => {
  const afterMs = restOf(status, headers, now)
  const said = saidBy(json)
  if (afterMs > 0 || PASSING.has(status)) {
    return new TrackerFailure(`The tracker wants fewer calls for a while (${status}).`, { afterMs })
  }
  if (status >= 500) return new TrackerFailure(`The tracker answered ${status}.${said}`)
  const sentence =
    status === 401
      ? 'The tracker does not know the token (401): it ended or was taken back. Enter a new one.'
      : status === 403
        ? `The token may not do this (403). Give it the right to read and write issues.${said}`
        : status === 404
          ? 'The tracker has no such place, or the token does not see it (404). Check the name and the token.'
          : status >= 300 && status < 400
            ? `The tracker leads elsewhere (${status}). Enter the address and the name as they are now.`
            : `The tracker refused it (${status}).${said}`
  return new TrackerFailure(sentence, { isFinal: true })
}

/** Calls a tracker as one of its kind is called. Nothing of what it throws has a secret in it. */
export const createAsk =
  (
    { outgoing, now }: { readonly outgoing: Pick<Outgoing, 'send'>; readonly now: () => number },
    kind: AnyTrackerKind,
    target: Target,
  ): Ask =>
  async ({ method, path, body, takes = [] }) => {
    const secrets = Object.values(target.secrets).filter((secret) => typeof secret === 'string')
    const answered = await outgoing.send(`${kind.base(target)}${path}`, {
      method,
      headers: {
        ...kind.headers(target),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      timeoutMs: LIMITS.TRACKER_TIMEOUT_MS,
      maxBytes: LIMITS.TRACKER_ANSWER_BYTES,
      maxRedirects: 0,
    })
    if (!answered.ok) {
      const { why } = answered.error
      const isFinal = why === 'no_web_address' || why === 'private_address'
      throw new TrackerFailure(explainFailure(answered.error), { isFinal })
    }
    const { status, headers, bytes } = answered.value
    const json = readAnswer(bytes)
    if ((status >= 200 && status < 300) || takes.includes(status)) return { status, json }
    const failure = failureOf({ status, headers, json }, now())
    throw new TrackerFailure(withoutSecrets(failure.message, secrets), failure)
  }

/** Undefined for what is no JSON, e.g. the page of a proxy. */
const readAnswer = (bytes: Uint8Array): unknown => {
  if (bytes.byteLength === 0) return undefined
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    // Kinds say themselves that it is not what they expected.
    return undefined
  }
}
