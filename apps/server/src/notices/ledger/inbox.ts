import { sql, type ExpressionBuilder, type Selectable, type SqlBool } from 'kysely'
import type { Message } from '../../channels/index.ts'
import type { MomentPage } from '../../lib/moment-page.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { containing } from '../../storage/ledger/containing.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import type { LedgerSchema } from '../../storage/ledger/schema.ts'
import type { ChangedEntries, EntryChange, EntryState, InboxEntry, InboxItem, InboxView } from '../inbox.ts'
import { LIMITS } from '../limits.ts'
import type { NoticeKind } from '../notice.ts'
import type { Snooze } from '../snooze.ts'
import { DELETED } from './moved-issues.ts'
import { AWAKE } from './notify.ts'
import type { NoticeEntryTable } from './schema.ts'

/** Whose inbox it is. */
export interface InboxOwner {
  readonly organizationId: number
  readonly userId: number
}

export type Inbox = ReturnType<typeof createInbox>

/** What people were told, line by line. Nobody sees or changes another one's. */
export const createInbox = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** What waits for the person first, then the newest first. One more than asked for says that there are more. */
  list: list(ledger),
  find: find(ledger),
  /** What the lines are about since they were last done with, the newest first, of each at most `limit`. */
  items: items(ledger),
  /** Lines that nobody looked at, how many of them wait for the person, and how many sleep. */
  count: count(ledger),
  /**
   * Changes lines. Mails that wait to be sent about what somebody looked at are not needed any more.
   *
   * @returns what was before, to be put back
   */
  change: change(ledger),
  /** Puts lines back as they were, but for those about which more came since. @returns how many were put back */
  restore: restore(ledger),
  /** All of it goes when somebody leaves the organisation. */
  forget: forget(ledger),
})

/** The issue that a line is about was not deleted: as long as it is, nobody can look at it. */
const isThere = (eb: ExpressionBuilder<LedgerSchema, 'notice_entries'>) =>
  eb('notice_entries.cause', 'not like', `${DELETED}%`)

const waitFirst = (view: InboxView): boolean => view === 'unread' || view === 'all'

/** More than any instant: what waits comes before all that does not. */
const WAITING_RANK = 1e13

const rankOf = (view: InboxView) =>
  waitFirst(view)
    ? sql<number>`notice_entries.waits * ${sql.lit(WAITING_RANK)} + notice_entries.last_at`
    : sql<number>`notice_entries.last_at`

/** Where a line stands in a view, for the page that begins behind it. */
export const placeInInbox = (
  view: InboxView,
  { id, lastAt, waits }: Pick<InboxEntry, 'id' | 'lastAt' | 'waits'>,
): { readonly at: number; readonly id: number } => ({ id, at: lastAt + (waitFirst(view) && waits ? WAITING_RANK : 0) })

const list =
  (ledger: Ledger) =>
  async (
    owner: InboxOwner,
    { view, query, page }: { readonly view: InboxView; readonly query: string; readonly page: MomentPage },
  ): Promise<readonly InboxEntry[]> => {
    const rows = await entriesOf(ledger.db, ledger.dialect, owner, { view, query })
      .leftJoin('users', 'users.id', 'notice_entries.actor_id')
      .selectAll('notice_entries')
      .select(['users.name', 'users.email'])
      .$if(page.behind !== null, (rows) =>
        rows.where(({ and, eb, or }) =>
          or([
            eb(rankOf(view), '<', page.behind?.at ?? 0),
            and([eb(rankOf(view), '=', page.behind?.at ?? 0), eb('notice_entries.id', '<', page.behind?.id ?? 0)]),
          ]),
        ),
      )
      .$if(waitFirst(view), (rows) => rows.orderBy('notice_entries.waits', 'desc'))
      .orderBy('notice_entries.last_at', 'desc')
      .orderBy('notice_entries.id', 'desc')
      .limit(page.limit + 1)
      .execute()
    return rows.map(toEntry)
  }

const find =
  (ledger: Ledger) =>
  async ({ organizationId, userId }: InboxOwner, id: number): Promise<InboxEntry | null> => {
    const row = await ledger.db
      .selectFrom('notice_entries')
      .leftJoin('users', 'users.id', 'notice_entries.actor_id')
      .selectAll('notice_entries')
      .select(['users.name', 'users.email'])
      .where('notice_entries.id', '=', id)
      .where('notice_entries.organization_id', '=', organizationId)
      .where('notice_entries.user_id', '=', userId)
      .executeTakeFirst()
    return row === undefined ? null : toEntry(row)
  }

const items =
  (ledger: Ledger) =>
  async (
    entries: readonly Pick<InboxEntry, 'id' | 'told'>[],
    limit: number,
  ): Promise<ReadonlyMap<number, readonly InboxItem[]>> => {
    const found = new Map<number, readonly InboxItem[]>()
    for (const { id: entryId, told } of entries) {
      const rows = await ledger.db
        .selectFrom('notice_items')
        .leftJoin('users', 'users.id', 'notice_items.actor_id')
        .select(['notice_items.id', 'kind', 'actor_id', 'level', 'title', 'detail', 'path', 'at'])
        .select(['users.name', 'users.email'])
        .where('entry_id', '=', entryId)
        .orderBy('notice_items.id', 'desc')
        .limit(Math.min(limit, told))
        .execute()
      found.set(
        entryId,
        rows.map((row) => ({
          id: row.id,
          kind: row.kind as NoticeKind,
          actor: toActor(row),
          level: row.level as Message['level'],
          title: row.title,
          detail: row.detail,
          path: row.path,
          at: row.at,
        })),
      )
    }
    return found
  }

const count =
  (ledger: Ledger) =>
  async ({ organizationId, userId }: InboxOwner) => {
    const rows = await ledger.db
      .selectFrom('notice_entries')
      .select((eb) => [
        'waits',
        eb.case().when('snooze', 'is not', null).then(1).else(0).end().as('asleep'),
        eb.fn.countAll<number>().as('count'),
      ])
      .where('organization_id', '=', organizationId)
      .where('user_id', '=', userId)
      .where('done_at', 'is', null)
      .where(isThere)
      .where((eb) => eb.or([eb('read_at', 'is', null), eb('snooze', 'is not', null)]))
      .groupBy(['waits', 'asleep'])
      .execute()
    const sum = (counted: (row: (typeof rows)[number]) => boolean): number =>
      rows.filter(counted).reduce((total, { count }) => total + count, 0)
    return {
      unread: sum(({ asleep }) => asleep === 0),
      waiting: sum(({ asleep, waits }) => asleep === 0 && waits === 1),
      snoozed: sum(({ asleep }) => asleep === 1),
    }
  }

const change =
  (ledger: Ledger) =>
  (owner: InboxOwner, which: ChangedEntries, change: EntryChange, now: number): Promise<readonly EntryState[]> =>
    ledger.transaction(async (transaction) => {
      const rows = await changedEntries(transaction, ledger.dialect, owner, which)
      const events = await eventsOf(transaction, change.snooze?.until === 'worse' ? rows : [])
      for (const row of rows) {
        const columns = {
          ...(change.isRead === undefined ? {} : { read_at: change.isRead ? (row.read_at ?? now) : null }),
          ...(change.isDone === undefined ? {} : { done_at: change.isDone ? now : null }),
          // Whoever puts a line away for later, or is done with it, has looked at it.
          ...(change.isDone === true ? { ...AWAKE, read_at: row.read_at ?? now } : {}),
          // Whoever takes it out again knows why. An undo finds why it had come back before.
          ...(change.isDone === false || change.snooze === null ? { woken: '' } : {}),
          ...(change.snooze === undefined ? {} : snoozeColumns(change.snooze, events.get(row.issue_id) ?? null)),
        }
        await transaction.updateTable('notice_entries').set(columns).where('id', '=', row.id).execute()
      }
      if (change.isRead === true || change.isDone === true || isObject(change.snooze)) {
        await markMails(transaction, owner, rows, now)
      }
      return rows.map(toState)
    })

const restore =
  (ledger: Ledger) =>
  (owner: InboxOwner, states: readonly EntryState[], now: number): Promise<number> =>
    ledger.transaction(async (transaction) => {
      let restored = 0
      const rows = await changedEntries(transaction, ledger.dialect, owner, { ids: states.map(({ id }) => id) })
      const events = await eventsOf(transaction, rows)
      const wanted: Row[] = []
      for (const { id, isRead, isDone, snooze, lastAt } of states) {
        const before = rows.find((row) => row.id === id)
        const result = await transaction
          .updateTable('notice_entries')
          .set((eb) => ({
            read_at: isRead ? eb.fn.coalesce('read_at', eb.val(now)) : null,
            done_at: isDone ? eb.fn.coalesce('done_at', eb.val(now)) : null,
            ...snoozeColumns(snooze, events.get(before?.issue_id ?? null) ?? null),
          }))
          .where('id', '=', id)
          .where('organization_id', '=', owner.organizationId)
          .where('user_id', '=', owner.userId)
          .where('last_at', '<=', lastAt)
          .executeTakeFirst()
        restored += Number(result.numUpdatedRows)
        if (before !== undefined && result.numUpdatedRows > 0n && !isRead && !isDone && snooze === null) {
          wanted.push(before)
        }
      }
      await markMails(transaction, owner, wanted, null)
      return restored
    })

const forget =
  (ledger: Ledger) =>
  async ({ organizationId, userId }: InboxOwner): Promise<void> => {
    for (const table of ['notice_mails', 'notice_items', 'notice_entries'] as const) {
      await ledger.db
        .deleteFrom(table)
        .where('organization_id', '=', organizationId)
        .where('user_id', '=', userId)
        .execute()
    }
  }

const isObject = (value: Snooze | null | undefined): value is Snooze => value !== null && value !== undefined

const snoozeColumns = (snooze: Snooze | null, events: number | null) => {
  if (snooze === null) return AWAKE
  return {
    ...AWAKE,
    snooze: snooze.until,
    ...(snooze.until === 'time' ? { snooze_until: snooze.at } : {}),
    ...(snooze.until === 'release' ? { snooze_release: snooze.release ?? '' } : {}),
    ...(snooze.until === 'worse' ? { snooze_events: events === null ? null : events * LIMITS.NOTICE_WORSE_TIMES } : {}),
  }
}

/** Events of the issues that lines are about. */
const eventsOf = async (
  transaction: LedgerTransaction,
  rows: readonly Row[],
): Promise<ReadonlyMap<number | null, number>> => {
  const events = new Map<number | null, number>()
  const ids = rows.map((row) => row.issue_id).filter((id): id is number => id !== null)
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    const issues = await transaction.selectFrom('issues').select(['id', 'times_seen']).where('id', 'in', part).execute()
    for (const { id, times_seen: seen } of issues) events.set(id, seen)
  }
  return events
}

/** @param droppedAt null: they are wanted again */
const markMails = async (
  transaction: LedgerTransaction,
  { organizationId, userId }: InboxOwner,
  rows: readonly Row[],
  droppedAt: number | null,
): Promise<void> => {
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction
      .updateTable('notice_mails')
      .set({ dropped_at: droppedAt })
      .where('user_id', '=', userId)
      .where('organization_id', '=', organizationId)
      .where(
        'cause',
        'in',
        part.map(({ cause }) => cause),
      )
      .execute()
  }
}

type Row = Selectable<NoticeEntryTable>

const entriesOf = (
  db: Pick<Ledger['db'], 'selectFrom'>,
  dialect: Ledger['dialect'],
  { organizationId, userId }: InboxOwner,
  { view, query }: { readonly view: InboxView; readonly query: string },
) =>
  db
    .selectFrom('notice_entries')
    .where('notice_entries.organization_id', '=', organizationId)
    .where('notice_entries.user_id', '=', userId)
    .where(isThere)
    .where('notice_entries.done_at', view === 'done' ? 'is not' : 'is', null)
    .$if(view === 'unread', (rows) => rows.where('notice_entries.read_at', 'is', null))
    .$if(view === 'unread' || view === 'all', (rows) => rows.where('notice_entries.snooze', 'is', null))
    .$if(view === 'snoozed', (rows) => rows.where('notice_entries.snooze', 'is not', null))
    .$if(query !== '', (rows) =>
      rows.where((eb) =>
        eb.or([containing(dialect, 'notice_entries.title', query), eb.exists(foundThing(eb, dialect, query))]),
      ),
    )

/**
 * Of what a line is about since it was last done with, the newest, if one has the text in its title or in what was said:
 * the title of a line of many things names the newest of them alone.
 */
const foundThing = (eb: ExpressionBuilder<LedgerSchema, 'notice_entries'>, dialect: Ledger['dialect'], query: string) =>
  eb
    .selectFrom((inner) =>
      inner
        .selectFrom('notice_items')
        .select(['notice_items.title', 'notice_items.detail'])
        .whereRef('notice_items.entry_id', '=', 'notice_entries.id')
        // By an index of the organisation, which the signs keep out of it, all of its things would be read for each line.
        .where(sql<SqlBool>`+notice_items.organization_id = notice_entries.organization_id`)
        .where(sql<SqlBool>`+notice_items.user_id = notice_entries.user_id`)
        .whereRef('notice_items.at', '>=', 'notice_entries.first_at')
        .orderBy('notice_items.id', 'desc')
        .limit(LIMITS.NOTICE_ITEMS_SEARCHED)
        .as('thing'),
    )
    .select('thing.title')
    .where((thing) => thing.or([containing(dialect, 'thing.title', query), containing(dialect, 'thing.detail', query)]))

const changedEntries = async (
  transaction: LedgerTransaction,
  dialect: Ledger['dialect'],
  owner: InboxOwner,
  which: ChangedEntries,
): Promise<readonly Row[]> => {
  if (!('ids' in which)) {
    return entriesOf(transaction, dialect, owner, { view: 'unread', query: which.query })
      .selectAll('notice_entries')
      .where('notice_entries.last_at', '<=', which.unreadUpTo)
      .orderBy('notice_entries.last_at', 'desc')
      .limit(LIMITS.NOTICE_ENTRIES_CHANGED)
      .execute()
  }
  const rows: Row[] = []
  for (const part of chunks([...new Set(which.ids)], ROWS_PER_STATEMENT)) {
    const found = await transaction
      .selectFrom('notice_entries')
      .selectAll()
      .where('organization_id', '=', owner.organizationId)
      .where('user_id', '=', owner.userId)
      .where('id', 'in', part)
      .execute()
    rows.push(...found)
  }
  return rows
}

const snoozeOf = (row: Pick<Row, 'snooze' | 'snooze_until' | 'snooze_release'>): Snooze | null => {
  if (row.snooze === 'time') return { until: 'time', at: row.snooze_until ?? 0 }
  if (row.snooze === 'release') return { until: 'release', release: row.snooze_release || null }
  return row.snooze === 'worse' || row.snooze === 'answer' ? { until: row.snooze } : null
}

const toState = (row: Row): EntryState => ({
  id: row.id,
  isRead: row.read_at !== null,
  isDone: row.done_at !== null,
  snooze: snoozeOf(row),
  lastAt: row.last_at,
})

const toActor = (row: {
  readonly actor_id: number | null
  readonly name: string | null
  readonly email: string | null
}): InboxEntry['actor'] =>
  row.actor_id === null || row.email === null ? null : { id: row.actor_id, name: row.name ?? '', email: row.email }

const toEntry = (row: Row & { readonly name: string | null; readonly email: string | null }): InboxEntry => ({
  ...toState(row),
  cause: row.cause,
  kind: row.kind as NoticeKind,
  projectId: row.project_id,
  issueId: row.issue_id,
  reportId: row.report_id,
  actor: toActor(row),
  level: row.level as Message['level'],
  title: row.title,
  reason: row.reason,
  waits: row.waits === 1,
  told: row.told,
  firstAt: row.first_at,
  woken: row.done_at === null && row.snooze === null ? row.woken : '',
  // Only `notify` writes it.
  message: JSON.parse(row.message) as Message,
})
