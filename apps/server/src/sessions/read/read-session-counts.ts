import { isObject } from '@firsthand/protocol'
import { readJson } from '../../event/index.ts'
import { drop, type DigestItem, type Drop } from '../../ingest/index.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import { LIMITS } from '../limits.ts'
import type { SessionCount } from '../session.ts'
import { IN_FUTURE, sessionClock, TOO_OLD, untimely } from './clock.ts'
import { readAttributes, readCount, readUser, type SessionAttributes } from './words.ts'

export interface ReadSessionCounts {
  readonly counts: readonly SessionCount[]
  readonly attributes: SessionAttributes
  readonly lost: LostCounts
}

/** How many are not counted, by what is wrong with them. */
export interface LostCounts {
  readonly unreadable: number
  readonly tooOld: number
  readonly ahead: number
  readonly beyondLimit: number
}

const NO_LIST = drop(
  'invalid',
  'invalid_session',
  'The payload of a sessions item must be an object with a list `aggregates`.',
)
const NO_RELEASE = drop('invalid', 'invalid_release', 'The sessions name no release (attrs.release).')

/** What servers send: sessions added up by the minute in which they began. */
export const readSessionCounts = (item: DigestItem): Result<ReadSessionCounts, Drop> => {
  const json = readJson(item.item.payload)
  if (!json.ok) return json
  const { value: raw } = json.value
  if (!isObject(raw) || !Array.isArray(raw['aggregates'])) {
    return err(NO_LIST)
  }
  const attributes = readAttributes(raw)
  if (attributes === null) return err(NO_RELEASE)
  const timeOf = sessionClock(item)
  const sent: readonly unknown[] = raw['aggregates']
  const looked = sent.slice(0, LIMITS.SESSION_COUNTS_PER_ITEM)
  const read = looked.flatMap((one) => {
    const count = isObject(one) ? readOne(one, timeOf(one['started']), attributes) : null
    return count === null ? [] : [{ count, problem: untimely(count.startedAt, item.receivedAt) }]
  })
  return ok({
    attributes,
    counts: read.filter(({ problem }) => problem === null).map(({ count }) => count),
    lost: {
      unreadable: looked.length - read.length,
      tooOld: read.filter(({ problem }) => problem === TOO_OLD).length,
      ahead: read.filter(({ problem }) => problem === IN_FUTURE).length,
      beyondLimit: sent.length - looked.length,
    },
  })
}

/** Null when it counts nothing. */
const readOne = (
  raw: Readonly<Record<string, unknown>>,
  startedAt: number | null,
  { release, environment }: SessionAttributes,
): SessionCount | null => {
  const numberOf = (name: string): number => readCount(raw[name], LIMITS.SESSION_COUNT_MAX)
  const numbers = {
    exited: numberOf('exited'),
    errored: numberOf('errored'),
    unhandled: numberOf('unhandled'),
    abnormal: numberOf('abnormal'),
    crashed: numberOf('crashed'),
  }
  if (startedAt === null || Object.values(numbers).every((count) => count === 0)) return null
  return { startedAt, user: readUser(raw['did']), release, environment, ...numbers }
}
