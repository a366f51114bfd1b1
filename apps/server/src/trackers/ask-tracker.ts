import { explainFailure, type Outgoing } from '../lib/outgoing.ts'
import { readRetryAfter, withoutSecrets } from '../channels/index.ts'
import { fieldOf, listOf, textOf } from './kinds/answers.ts'
import { TrackerFailure } from './kinds/failure.ts'
import { kindOf, type AnyTrackerKind } from './kinds/index.ts'
import type { Ask, Target } from './kinds/kind.ts'
import type { Trackers } from './ledger/trackers.ts'
import { LIMITS } from './limits.ts'
import { restAfter, throwWhileResting } from './rest.ts'
import { targetOf, type TrackerRecord } from './tracker.ts'

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
  return parts.length === 0 ? '' : ` It says: ${parts.join(' ')}`
}

/** For how long a tracker that counts calls wants none; 0 where that is not what it says. */
const restOf = (status: number, headers: Readonly<Record<string, string>>, now: number): number => {
  if (status !== 429 && status !== 403 && status !== 503) return 0
  const asked = readRetryAfter(headers['retry-after'], now)
  const resetsAt = Number(headers['x-ratelimit-reset'] ?? 0) * SECOND_MS
  const isSpent = headers['x-ratelimit-remaining'] === '0' && Number.isFinite(resetsAt)
  return Math.max(
    asked,
    isSpent ? resetsAt - now : 0,
    status === 429 && asked === 0 && !isSpent ? LIMITS.TRACKER_FEWER_CALLS_MS : 0,
  )
}

const PASSING = new Set([408, 425, 429])

const WHY_PASSING: ReadonlyMap<number, string> = new Map([
  [408, 'did not get the whole question in time'],
  [425, 'does not answer so early'],
])

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
    const why = WHY_PASSING.get(status) ?? 'wants fewer calls for a while'
    return new TrackerFailure(`The tracker ${why} (${status}).`, { afterMs })
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

interface AskParts {
  readonly outgoing: Pick<Outgoing, 'send'>
  readonly now: () => number
}

interface CallParts extends AskParts {
  readonly trackers: Pick<Trackers, 'leaveAlone' | 'noteAnswer'>
  readonly despiteRest?: boolean
}

/** What is sealed, and how it goes out: Jira's token stands in it with an address before it, encoded. */
const secretsIn = (kind: AnyTrackerKind, target: Target): readonly string[] => [
  ...Object.values<string | undefined>(target.secrets).filter((secret) => secret !== undefined),
  kind.headers(target)['authorization']?.split(' ').at(-1) ?? '',
]

/**
 * Calls a tracker as one of its kind is called, unless it is to be left alone. Nothing of what it throws has a secret in it, though a tracker may say what it
 * was sent.
 */
export const callTracker = async <Answer>(
  parts: CallParts,
  tracker: Pick<TrackerRecord, 'id' | 'version' | 'kind' | 'settings' | 'sealed' | 'quietUntil' | 'failures'>,
  call: (kind: AnyTrackerKind, target: Target, ask: Ask) => Promise<Answer>,
): Promise<Answer> => {
  const kind = kindOf(tracker.kind)
  const target = targetOf(tracker)
  const { now, trackers, despiteRest = false } = parts
  throwWhileResting(tracker, { now: now(), despiteRest })
  const noteAnswer = async (): Promise<void> => {
    if (tracker.quietUntil !== null) await trackers.noteAnswer(tracker)
  }
  try {
    const answer = await call(kind, target, createAsk(parts, kind, target))
    await noteAnswer()
    return answer
  } catch (error) {
    if (!(error instanceof TrackerFailure)) throw error
    // Cut afterwards: half a secret would not be found.
    error.message = withoutSecrets(error.message, secretsIn(kind, target)).slice(0, LIMITS.TRACKER_SENTENCE_CHARS)
    const rest = restAfter(tracker, error, now())
    if (rest === null) await noteAnswer()
    else await trackers.leaveAlone(tracker, rest)
    throw error
  }
}

const createAsk =
  ({ outgoing, now }: AskParts, kind: AnyTrackerKind, target: Target): Ask =>
  async ({ method, path, body, takes = [] }) => {
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
    if ((status >= 200 && status < 300) || takes.includes(status)) return { status, json, type: typeOf(headers) }
    throw failureOf({ status, headers, json }, now())
  }

const typeOf = (headers: Readonly<Record<string, string>>): string =>
  /^[\w.+-]{1,40}\/[\w.+-]{1,60}/.exec(headers['content-type'] ?? '')?.[0].toLowerCase() ?? ''

/** Reads what a tracker tells everybody: nothing of ours goes along. Undefined for what it does not tell. */
export const lookAtPublic =
  ({ outgoing }: Pick<AskParts, 'outgoing'>) =>
  async (address: string): Promise<unknown> => {
    const answered = await outgoing.send(address, {
      method: 'GET',
      headers: { accept: 'application/json' },
      timeoutMs: LIMITS.TRACKER_TIMEOUT_MS,
      maxBytes: LIMITS.TRACKER_ANSWER_BYTES,
      maxRedirects: 0,
    })
    return answered.ok && answered.value.status === 200 ? readAnswer(answered.value.bytes) : undefined
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
