import { sql, type Selectable, type SqlBool } from 'kysely'
import { enqueueMessages, type Message } from '../../channels/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { localTime } from '../local-time.ts'
import { cut, detailOf, pathOf } from '../message-text.ts'
import { titleOfMany, type ManyThings } from '../line-of-many.ts'
import { waitsForSomebody, type Notice } from '../notice.ts'
import { quietUntil } from '../quiet-hours.ts'
import { paceOf, WAYS } from '../settings.ts'
import { wakesNow } from '../snooze.ts'
import { readPeople, type ToldPerson } from './people.ts'
import { projectsOf } from './projects-of.ts'
import type { NoticeEntryTable } from './schema.ts'

const MINUTE_MS = 60_000

/**
 * Tells people, each as they want it: a line of the inbox, and a mail now, gathered with others, or not at all. Who did it
 * is not told, nor is who is no member, nor anybody under the same key again.
 */
export const notify = async (
  transaction: LedgerTransaction,
  notices: readonly Notice[],
  now: number,
): Promise<void> => {
  const projects = await projectsOf(transaction, notices)
  for (const [organizationId, own] of Map.groupBy(notices, (notice) => notice.organizationId)) {
    const people = await readPeople(
      transaction,
      organizationId,
      own.flatMap(({ userIds }) => userIds.slice(0, LIMITS.NOTICE_PEOPLE)),
    )
    for (const notice of own) {
      for (const userId of new Set(notice.userIds.slice(0, LIMITS.NOTICE_PEOPLE))) {
        const person = people.get(userId)
        if (person === undefined || userId === notice.actorId) continue
        const mailedAt = await tell(transaction, notice, person, projects.of(notice), now)
        if (mailedAt !== null) people.set(userId, { ...person, lastMailAt: mailedAt })
      }
    }
  }
}

/** @returns when a mail of those that are gathered was sent, if one was */
const tell = async (
  transaction: LedgerTransaction,
  notice: Notice,
  person: ToldPerson,
  projectId: number | null,
  now: number,
): Promise<number | null> => {
  const { kind } = notice
  // Who wants to hear of it by no way leaves it to whatever else tells them of the same.
  if (WAYS.every((way) => paceOf(person.settings, kind, way, projectId) === 'never')) return null
  const item = await putItem(transaction, notice, person.id, notice.key, now)
  if (item === undefined && !(await lacksMail(transaction, notice, person, projectId, now))) return null
  const inbox = paceOf(person.settings, kind, 'inbox', projectId)
  const cause =
    inbox === 'digest' ? `${kind}/${localTime(now, person.zone).date}` : cut(notice.cause, LIMITS.NOTICE_KEY_CHARS)
  if (item !== undefined && inbox !== 'never') {
    const entry = await putIntoInbox(transaction, notice, { userId: person.id, cause, projectId }, now)
    if (notice.many === undefined) {
      await transaction.updateTable('notice_items').set({ entry_id: entry.id }).where('id', '=', item.id).execute()
    } else {
      await putThings(transaction, notice, notice.many, { userId: person.id, entryId: entry.id }, now)
    }
    // Whoever put a line to sleep is not woken by its mails.
    if (entry.isAsleep) return null
  }
  return sendMail(transaction, notice, person, { cause, projectId }, now)
}

/** @returns none where this person was told under the same key before */
const putItem = (
  transaction: LedgerTransaction,
  { actorId, kind, message, organizationId, reportId }: Notice,
  userId: number,
  key: string,
  now: number,
): Promise<{ readonly id: number } | undefined> =>
  transaction
    .insertInto('notice_items')
    .values({
      user_id: userId,
      key: cut(key, LIMITS.NOTICE_KEY_CHARS),
      organization_id: organizationId,
      entry_id: null,
      kind,
      actor_id: actorId,
      level: message.level,
      title: cut(message.headline, LIMITS.NOTICE_TITLE_CHARS),
      detail: detailOf(message, LIMITS.NOTICE_DETAIL_CHARS),
      path: pathOf(message),
      at: now,
      report_id: reportId,
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .returning('id')
    .executeTakeFirst()

/**
 * Whoever was mailed that something began is mailed that it is over, and that it is not after all, also if they have that
 * in their inbox already as news of a kind of which they want no mail. Once.
 */
const lacksMail = async (
  transaction: LedgerTransaction,
  notice: Notice,
  { id, settings }: ToldPerson,
  projectId: number | null,
  now: number,
): Promise<boolean> => {
  if (notice.message.kind !== 'over' && notice.takesBack === undefined) return false
  const told = await transaction
    .selectFrom('notice_items')
    .leftJoin('notice_entries', 'notice_entries.id', 'notice_items.entry_id')
    .select(['notice_items.kind', 'notice_entries.snooze'])
    .where('notice_items.user_id', '=', id)
    .where('notice_items.key', '=', cut(notice.key, LIMITS.NOTICE_KEY_CHARS))
    .executeTakeFirst()
  // Whoever put a line to sleep is not woken by its mails.
  if (told === undefined || told.snooze !== null) return false
  if (paceOf(settings, told.kind as Notice['kind'], 'mail', projectId) !== 'never') return false
  return (await putItem(transaction, notice, id, `mail:${notice.key}`, now)) !== undefined
}

/** Each thing that it tells of stands in the line by itself. */
const putThings = async (
  transaction: LedgerTransaction,
  { kind, key, organizationId, actorId }: Notice,
  { things }: ManyThings,
  { userId, entryId }: { readonly userId: number; readonly entryId: number },
  now: number,
): Promise<void> => {
  const rows = things.map(({ level, name, path, reportId, text }, place) => ({
    user_id: userId,
    key: cut(`#${place}:${key}`, LIMITS.NOTICE_KEY_CHARS),
    organization_id: organizationId,
    entry_id: entryId,
    kind,
    actor_id: actorId,
    level,
    title: cut(text, LIMITS.NOTICE_TITLE_CHARS),
    detail: cut(name, LIMITS.NOTICE_DETAIL_CHARS),
    path,
    at: now,
    report_id: reportId,
  }))
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction.insertInto('notice_items').values(part).execute()
  }
}

/** The line of the cause with this notice in it. */
const putIntoInbox = async (
  transaction: LedgerTransaction,
  notice: Notice,
  { userId, cause, projectId }: { readonly userId: number; readonly cause: string; readonly projectId: number | null },
  now: number,
): Promise<{ readonly id: number; readonly isAsleep: boolean }> => {
  const { kind, issueId, reportId, actorId, organizationId, message } = notice
  const newest = {
    kind,
    project_id: projectId,
    issue_id: issueId,
    report_id: reportId,
    actor_id: actorId,
    level: message.level,
    title: cut(message.headline, LIMITS.NOTICE_TITLE_CHARS),
    reason: cut(message.reason, LIMITS.NOTICE_TITLE_CHARS),
    message: JSON.stringify(message),
    last_at: now,
  }
  // Whoever has the row holds it until the transaction ends: nobody else counts at the same time.
  const before = await transaction
    .insertInto('notice_entries')
    .values({
      ...newest,
      organization_id: organizationId,
      user_id: userId,
      cause,
      waits: 0,
      told: 0,
      first_at: now,
      woken: '',
    })
    .onConflict((conflict) => conflict.columns(['user_id', 'organization_id', 'cause']).doUpdateSet({ last_at: now }))
    .returningAll()
    .executeTakeFirstOrThrow()
  const woken = before.snooze === null ? '' : wakesNow(before.snooze, notice)
  const isAsleep = before.snooze !== null && woken === null
  const counted = countedIn(before, notice, now)
  // Gathered in the inbox, a line is of all that happened on a day.
  const called = cause === notice.cause ? await lineOfMany(transaction, notice, before, counted.told) : {}
  await transaction
    .updateTable('notice_entries')
    .set({ ...newest, ...called, ...counted, ...(isAsleep ? {} : { ...AWAKE, woken: woken ?? '' }) })
    .where('id', '=', before.id)
    .execute()
  return { id: before.id, isAsleep }
}

/** What a line says that tells of many: its things are listed by themselves. */
const lineOfMany = async (
  transaction: LedgerTransaction,
  { many, message }: Notice,
  before: Selectable<NoticeEntryTable>,
  count: number,
): Promise<{ readonly title?: string; readonly message?: string }> => {
  if (many === undefined) return {}
  const [only] = many.things
  if (count === 1 && only !== undefined) return { title: cut(only.text, LIMITS.NOTICE_TITLE_CHARS) }
  const goesOn = count > many.things.length + many.unnamed
  const kind = goesOn && (JSON.parse(before.message) as Message).kind !== message.kind ? 'other' : message.kind
  const earlier = goesOn
    ? await transaction
        .selectFrom('notice_items')
        .select('detail')
        .where('entry_id', '=', before.id)
        .orderBy('id', 'desc')
        .limit(1)
        .execute()
    : []
  const names = [...many.things.toReversed().map(({ name }) => name), ...earlier.map(({ detail }) => detail)]
  const title = cut(titleOfMany(many, { count, names, isMixed: kind !== message.kind }), LIMITS.NOTICE_TITLE_CHARS)
  return { title, message: JSON.stringify({ ...message, kind, headline: title, blocks: [] }) }
}

export const AWAKE = { snooze: null, snooze_until: null, snooze_release: null, snooze_events: null } as const

/** A line that was done with begins anew; one that was read waits again for what came since. */
const countedIn = (before: Selectable<NoticeEntryTable>, notice: Notice, now: number) => {
  const isNew = before.done_at !== null || before.told === 0
  const waited = before.waits === 1 && before.read_at === null && !isNew && notice.message.stage !== 'over'
  const count = notice.many === undefined ? 1 : notice.many.things.length + notice.many.unnamed
  return {
    told: isNew ? count : before.told + count,
    first_at: isNew ? now : before.first_at,
    waits: waited || waitsForSomebody(notice) ? (1 as const) : (0 as const),
    read_at: null,
    done_at: null,
  }
}

/** @returns when a mail of those that are gathered was sent, if one was */
const sendMail = async (
  transaction: LedgerTransaction,
  notice: Notice,
  person: ToldPerson,
  { cause, projectId }: { readonly cause: string; readonly projectId: number | null },
  now: number,
): Promise<number | null> => {
  const { settings, zone } = person
  const pace = paceOf(settings, notice.kind, 'mail', projectId)
  // Gathered in the inbox, a line is of a day, and what waits may be of the day before.
  const isOfADay = paceOf(settings, notice.kind, 'inbox', projectId) === 'digest'
  if (pace === 'never') return null
  if (notice.takesBack !== undefined && (await takeBack(transaction, person, notice.takesBack))) return null
  const wait = async (dueAt: number): Promise<null> => {
    await transaction
      .insertInto('notice_mails')
      .values({
        user_id: person.id,
        organization_id: notice.organizationId,
        key: mailKey(notice, person),
        kind: notice.kind,
        cause,
        message: JSON.stringify(notice.message),
        due_at: dueAt,
        created_at: now,
        project_id: projectId,
        dropped_at: null,
        report_id: notice.reportId,
      })
      // What waits already is told once.
      .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
      .execute()
    return null
  }
  // What tells of many is another line than the end of each.
  await takeBackEnds(transaction, person, notice, isOfADay || notice.many !== undefined ? null : cause)
  const quietEnd = quietUntil(settings.quiet, zone, now)
  if (quietEnd !== null && !(notice.isHigh && settings.quiet?.highMayPass === true)) return wait(quietEnd)
  const isGathered = pace === 'digest' && notice.isUrgent !== true
  const nextAt = person.lastMailAt + settings.digestMinutes * MINUTE_MS
  // A clock that was set back does not hold mails for longer than they are gathered.
  if (isGathered && now < nextAt && now >= person.lastMailAt) return wait(nextAt)
  await enqueueMessages(
    transaction,
    [
      {
        organizationId: notice.organizationId,
        to: { userId: person.id, unsubscribe: notice.kind },
        key: mailKey(notice, person),
        message: notice.message,
      },
    ],
    now,
  )
  if (!isGathered) return null
  await noteMail(transaction, person.id, now)
  return now
}

/** @returns whether the mail still waited */
const takeBack = async (transaction: LedgerTransaction, person: ToldPerson, key: string): Promise<boolean> => {
  const { numDeletedRows } = await transaction
    .deleteFrom('notice_mails')
    .where('user_id', '=', person.id)
    .where('key', '=', mailKey({ key }, person))
    .where('dropped_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}

/** Where a mail that is stored says what it is of. */
const inThread = (thread: string) => {
  const text = JSON.stringify({ thread }).slice(1, -1)
  return sql<SqlBool>`${sql.ref('message')} LIKE ${`%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} ESCAPE '\\'`
}

/** Threads that one statement looks for in what waits. */
const THREADS_AT_ONCE = 50

/**
 * What is told here is not over: an all-clear of it that waits is true no more. What somebody did was done all the same.
 *
 * @param cause null: of whichever line
 */
const takeBackEnds = async (
  transaction: LedgerTransaction,
  person: ToldPerson,
  { goesOn = [], organizationId }: Notice,
  cause: string | null,
): Promise<void> => {
  for (const threads of chunks(goesOn, THREADS_AT_ONCE)) {
    const waiting = await transaction
      .selectFrom('notice_mails')
      .select(['id', 'message'])
      .where('user_id', '=', person.id)
      .where('organization_id', '=', organizationId)
      .$if(cause !== null, (query) => query.where('cause', '=', cause ?? ''))
      .where('message', 'like', '%"stage":"over"%')
      .where(({ or }) => or(threads.map(inThread)))
      .execute()
    const ids = waiting.flatMap(({ id, message }) => {
      const { kind, thread } = JSON.parse(message) as Message
      return kind === 'over' && threads.includes(thread) ? [id] : []
    })
    for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
      await transaction.deleteFrom('notice_mails').where('id', 'in', part).execute()
    }
  }
}

const mailKey = ({ key }: Pick<Notice, 'key'>, { id }: ToldPerson): string =>
  cut(`notice:${id}:${key}`, LIMITS.NOTICE_KEY_CHARS)

/** Somebody is sent a mail of those that are gathered: the next one comes later. */
export const noteMail = async (transaction: LedgerTransaction, userId: number, now: number): Promise<void> => {
  await transaction
    .insertInto('notice_mailing')
    .values({ user_id: userId, last_at: now })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ last_at: now }))
    .execute()
}
