import { createHash } from 'node:crypto'
import { drop, type DigestItem, type Drop, type ItemKind, type ItemPart } from '../ingest/index.ts'
import { err, ok } from '../lib/result.ts'
import { insertRowsOfItems, type RowWriter } from '../storage/telemetry/row-writer.ts'
import { filteredSession } from './filtered.ts'
import { IN_FUTURE, TOO_OLD } from './read/clock.ts'
import { readSessionCounts, type LostCounts } from './read/read-session-counts.ts'
import type { SessionCount } from './session.ts'
import { newsOf } from './session-news.ts'
import { encodeCount, SESSION_COUNTS } from './telemetry/session-rows.ts'
import type { NumberOfUser } from './user-number.ts'

interface CountsToStore {
  readonly counts: readonly SessionCount[]
  readonly version: string
  readonly parts: readonly ItemPart[]
}

const partsOf = ({ ahead, beyondLimit, tooOld, unreadable }: LostCounts): readonly ItemPart[] => {
  const parts: readonly ItemPart[] = [
    { quantity: unreadable, outcome: { kind: 'invalid', reason: 'invalid_session' } },
    { quantity: tooOld, outcome: { kind: 'invalid', reason: 'session_too_old' } },
    { quantity: ahead, outcome: { kind: 'invalid', reason: 'session_in_future' } },
    { quantity: beyondLimit, outcome: { kind: 'invalid', reason: 'too_many_sessions' } },
  ]
  return parts.filter(({ quantity }) => quantity > 0)
}

/** Why none of its counts can be used. */
const nothingOf = ({ ahead, tooOld }: LostCounts): Drop => {
  if (tooOld > 0) return TOO_OLD
  return ahead > 0 ? IN_FUTURE : drop('invalid', 'invalid_session', 'None of its counts can be read.')
}

/**
 * Two servers that did the same in one minute send the same bytes, so these say nothing of whether something came twice:
 * the moment at which it was sent does. Where a sender does not say it, each arrival is one.
 */
const firstIdOf = ({ header, item }: DigestItem, arrival: string): bigint => {
  const hash = createHash('sha256').update(header.sentAt === null ? arrival : `${header.sentAt}:`)
  return hash.update(item.payload).digest().readBigUInt64BE(0)
}

/** The name of the kind. */
export const SESSION_COUNT_ITEMS = 'session counts'

/** Sessions that servers added up, as rows of `session_counts`. */
export const createSessionCountItems = ({
  writer,
  userNumber,
}: {
  readonly writer: Pick<RowWriter, 'insertRows'>
  readonly userNumber: NumberOfUser
}): ItemKind<CountsToStore> => ({
  name: SESSION_COUNT_ITEMS,
  takes: ['sessions'],
  expand: (item, context) => {
    const read = readSessionCounts(item)
    if (!read.ok) return read
    const { attributes, counts, lost } = read.value
    if (counts.length === 0) return err(nothingOf(lost))
    const filtered = filteredSession(item, attributes, context)
    if (filtered !== null) return err(filtered)
    return ok({ counts, version: attributes.release, parts: partsOf(lost) })
  },
  quantityOf: ({ counts }) => counts.length,
  partsOf: ({ parts }) => parts,
  write: (stored, to) => {
    const rows = stored.map(({ entry: { id, item, value } }) => {
      const firstId = firstIdOf(item, id())
      return value.counts.map((count, place) =>
        encodeCount(item, count, {
          id: String(BigInt.asUintN(64, firstId + BigInt(place))),
          userNumber,
        }),
      )
    })
    return insertRowsOfItems(writer, SESSION_COUNTS, rows, to)
  },
  announce: (stored) =>
    newsOf(stored.map(({ entry: { item, value } }) => ({ sender: item.sender, version: value.version }))),
})
