import type { Selectable } from 'kysely'
import { enqueueMessages, type Message } from '../../channels/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { composeDigest } from '../digest-message.ts'
import { LIMITS } from '../limits.ts'
import type { NoticeKind } from '../notice.ts'
import { quietUntil } from '../quiet-hours.ts'
import { paceOf } from '../settings.ts'
import { wordOfKinds } from '../unsubscribe-token.ts'
import { noteMail } from './notify.ts'
import { readPeople } from './people.ts'
import type { NoticeMailTable } from './schema.ts'

type Row = Selectable<NoticeMailTable>

/**
 * Sends what waited, each person's of an organisation in one mail: all of it, also what could wait for longer.
 *
 * @returns when the next is due; Infinity for none
 */
export const sendDigests = async (ledger: Ledger, now: number): Promise<number> => {
  const due = await ledger.db
    .selectFrom('notice_mails')
    .select(['user_id', 'organization_id'])
    .distinct()
    .where('due_at', '<=', now)
    .where('dropped_at', 'is', null)
    .limit(LIMITS.NOTICE_DIGESTS)
    .execute()
  for (const { user_id: userId, organization_id: organizationId } of due) {
    await ledger.transaction((transaction) => sendDigest(transaction, organizationId, userId, now))
  }
  if (due.length === LIMITS.NOTICE_DIGESTS) return now
  const next = await ledger.db
    .selectFrom('notice_mails')
    .select((eb) => eb.fn.min('due_at').as('at'))
    .where('dropped_at', 'is', null)
    .executeTakeFirst()
  return next?.at ?? Infinity
}

const sendDigest = async (
  transaction: LedgerTransaction,
  organizationId: number,
  userId: number,
  now: number,
): Promise<void> => {
  const waiting = () =>
    transaction
      .deleteFrom('notice_mails')
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .where('dropped_at', 'is', null)
  const person = (await readPeople(transaction, organizationId, [userId])).get(userId)
  if (person === undefined) {
    await waiting().execute()
    return
  }
  const quietEnd = quietUntil(person.settings.quiet, person.zone, now)
  if (quietEnd !== null) {
    await transaction
      .updateTable('notice_mails')
      .set({ due_at: quietEnd })
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .where('due_at', '<', quietEnd)
      .execute()
    return
  }
  // Whoever wants no more of a kind does not want what waited, either.
  const rows = (await waiting().returningAll().execute())
    .filter(({ kind, project_id }) => paceOf(person.settings, kind as NoticeKind, 'mail', project_id) !== 'never')
    .toSorted((a, b) => a.id - b.id)
  const [first] = rows
  if (first === undefined) return
  const { key, kinds, message } = rows.length === 1 ? alone(first) : together(rows)
  await enqueueMessages(transaction, [{ organizationId, to: { userId, unsubscribe: kinds }, key, message }], now)
  await noteMail(transaction, userId, now)
}

interface Sent {
  readonly key: string
  /** What one stops by the link at the foot of the mail: all that is in it, and nothing else. */
  readonly kinds: string
  readonly message: Message
}

const messageOf = ({ message }: Row): Message => JSON.parse(message) as Message

const alone = (row: Row): Sent => ({ key: row.key, kinds: row.kind, message: messageOf(row) })

/** The same rows are the same mail, however often it is tried. */
const together = (rows: readonly Row[]): Sent => {
  const key = `digest:${rows[0]?.user_id}:${rows[0]?.id}:${rows.at(-1)?.id}`
  const gathered = rows.map((row) => ({ cause: row.cause, message: messageOf(row) }))
  return { key, kinds: wordOfKinds(rows.map(({ kind }) => kind)), message: composeDigest(gathered, key) }
}
