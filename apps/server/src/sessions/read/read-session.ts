import { isObject } from '@firsthand/protocol'
import { readJson, readTraceId } from '../../event/index.ts'
import { drop, type DigestItem, type Drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { STATUSES, type SessionStatus, type SessionUpdate } from '../session.ts'
import { sessionClock, untimely } from './clock.ts'
import { readAttributes, readCount, readMechanism, readUser } from './words.ts'

export interface ReadSession {
  readonly update: SessionUpdate
  readonly userAgent: string
}

const unreadable = (sentence: string): Result<never, Drop> => err(drop('invalid', 'invalid_session', sentence))

const NO_RELEASE = drop('invalid', 'invalid_release', 'The session names no release (attrs.release).')

/** More is no number of errors or of updates. */
const UINT32 = 0xffff_ffff
/** What is longer is a mistake of a clock. */
const LONGEST_MS = 366 * 24 * 60 * 60_000

/** A status that nobody knows is one of a session that goes on. */
const readStatus = (value: unknown): SessionStatus => STATUSES.find((one) => one === value) ?? 'ok'

/** What SDKs send of one session, again whenever something changed. */
export const readSession = (item: DigestItem): Result<ReadSession, Drop> => {
  const json = readJson(item.item.payload)
  if (!json.ok) return json
  const { value: raw } = json.value
  if (!isObject(raw)) return unreadable('The payload of a session must be an object.')
  const session = readTraceId(raw['sid'])
  const timeOf = sessionClock(item)
  const said = timeOf(raw['timestamp'])
  const startedAt = timeOf(raw['started']) ?? said
  if (session === null || startedAt === null) {
    return unreadable('A session must have an id (sid) and say when it began (started).')
  }
  const attributes = readAttributes(raw)
  if (attributes === null) return err(NO_RELEASE)
  const problem = untimely(startedAt, item.receivedAt)
  if (problem !== null) return err(problem)
  const { release, environment, userAgent } = attributes
  const { duration, seq: sequence, status } = raw
  return ok({
    userAgent,
    update: {
      session,
      startedAt,
      at: Math.max(startedAt, said ?? startedAt),
      sequence: typeof sequence === 'number' ? readCount(sequence, Number.MAX_SAFE_INTEGER) : null,
      isFirst: raw['init'] === true,
      status: readStatus(status),
      errors: Math.max(readCount(raw['errors'], UINT32), status === 'errored' ? 1 : 0),
      durationMs:
        typeof duration === 'number' && duration >= 0 && Number.isFinite(duration)
          ? Math.min(duration * 1000, LONGEST_MS)
          : null,
      user: readUser(raw['did']),
      release,
      environment,
      mechanism: readMechanism(raw['abnormal_mechanism']),
    },
  })
}
