import { firstIdOf } from '../event/index.ts'
import type { ItemKind } from '../ingest/index.ts'
import { err, ok } from '../lib/result.ts'
import type { EncodedRow, RowWriter } from '../storage/telemetry/row-writer.ts'
import { filteredSession } from './filtered.ts'
import { newsOf } from './session-news.ts'
import { readSession } from './read/read-session.ts'
import { encodeUpdate, SESSION_UPDATES } from './telemetry/session-rows.ts'
import type { NumberOfUser } from './user-number.ts'

interface UpdateToStore {
  readonly row: EncodedRow
  readonly version: string
}

/** The name of the kind. */
export const SESSION_ITEMS = 'sessions'

/** Updates of sessions, as rows of `session_updates`. */
export const createSessionItems = ({
  writer,
  userNumber,
}: {
  readonly writer: Pick<RowWriter, 'insertRows'>
  readonly userNumber: NumberOfUser
}): ItemKind<UpdateToStore> => ({
  name: SESSION_ITEMS,
  takes: ['session'],
  expand: (item, context) => {
    const read = readSession(item)
    if (!read.ok) return read
    const { update, userAgent } = read.value
    const filtered = filteredSession(item, { release: update.release, userAgent }, context)
    if (filtered !== null) return err(filtered)
    const row = encodeUpdate(item, update, { id: String(firstIdOf(item)), userNumber })
    return ok({ row, version: update.release })
  },
  // What an SDK sends again is the same update.
  keyOf: (item, { row }) => `${item.sender.projectId}:${row.place.id}`,
  write: (stored, to) =>
    writer.insertRows(
      SESSION_UPDATES,
      stored.map(({ entry }) => entry.value.row),
      to,
    ),
  announce: (stored) =>
    newsOf(stored.map(({ entry: { item, value } }) => ({ sender: item.sender, version: value.version }))),
})
