import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import type { Message } from '../../channels/index.ts'
import type { Notice } from '../../notices/index.ts'
import { LIMITS } from '../limits.ts'
import { nextSummaryAt, openedGroup, type Group, type Urgency } from '../telling/grouping.ts'

/** Groups of firings to one receiver, and what waits in them. */

export interface KeptGroup extends Group {
  readonly id: number
}

/** What all firings are of that belong together: an organisation, and a topic in it. */
export interface TopicOf {
  readonly organizationId: number
  readonly topic: string
}

/** By receiver. */
export const readGroups = async (
  transaction: LedgerTransaction,
  { organizationId, topic }: TopicOf,
  receivers: readonly string[],
): Promise<ReadonlyMap<string, KeptGroup>> => {
  const groups = new Map<string, KeptGroup>()
  for (const part of chunks(receivers, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('alert_gatherings')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('topic', '=', topic)
      .where('receiver', 'in', part)
      .execute()
    for (const { due_at: dueAt, id, opened_at: openedAt, receiver, told, urgency, waiting } of rows) {
      groups.set(receiver, { id, openedAt, dueAt, told, waiting, urgency: urgency as Urgency })
    }
  }
  return groups
}

/** The firing that is told now begins a group for each of the receivers. */
export const openGroups = async (
  transaction: LedgerTransaction,
  { organizationId, topic }: TopicOf,
  receivers: readonly string[],
  urgency: Urgency,
  now: number,
): Promise<void> => {
  const { dueAt, openedAt, told, waiting } = openedGroup(urgency, now)
  const begun = { opened_at: openedAt, due_at: dueAt, told, waiting, urgency }
  for (const part of chunks(receivers, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('alert_gatherings')
      .values(part.map((receiver) => ({ ...begun, organization_id: organizationId, topic, receiver })))
      .onConflict((conflict) => conflict.columns(['organization_id', 'topic', 'receiver']).doUpdateSet(begun))
      .execute()
  }
}

export const raiseUrgency = async (
  transaction: LedgerTransaction,
  ids: readonly number[],
  urgency: Urgency,
): Promise<void> => {
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    await transaction.updateTable('alert_gatherings').set({ urgency }).where('id', 'in', part).execute()
  }
}

/** A firing that waits, as one line of the message to come. */
export interface Line {
  readonly ruleId: number
  readonly incidentId: number
  readonly projectId: number | null
  readonly kind: Message['kind']
  readonly level: Message['level']
  /** What it is called among others, and where it was. */
  readonly name: string
  readonly place: string
  readonly text: string
  readonly path: string
  /** Rules that speak of the same have the same. */
  readonly occasion: string
  /** It passes the quiet hours of those who chose so. */
  readonly isHigh: boolean
}

/** As what a receiver who is a person hears of it. */
export type NoticeKind = Notice['kind'] | null

const rowOf = (
  { incidentId, isHigh, projectId, ruleId, ...said }: Line,
  { id, notice }: { readonly id: number; readonly notice: NoticeKind },
) => ({
  ...said,
  gathering_id: id,
  rule_id: ruleId,
  incident_id: incidentId,
  project_id: projectId,
  notice,
  is_high: isHigh ? (1 as const) : (0 as const),
})

/** @returns ids of the groups that it waits in: another server may just have ended the others */
export const joinGroups = async (
  transaction: LedgerTransaction,
  groups: readonly { readonly id: number; readonly notice: NoticeKind }[],
  line: Line,
): Promise<ReadonlySet<number>> => {
  const joined = new Set<number>()
  for (const part of chunks(groups, ROWS_PER_STATEMENT)) {
    const counted = await transaction
      .updateTable('alert_gatherings')
      .set((row) => ({ waiting: row('waiting', '+', 1) }))
      .where(
        'id',
        'in',
        part.map(({ id }) => id),
      )
      .returning(['id', 'waiting'])
      .execute()
    const named = new Set(counted.flatMap(({ id, waiting }) => (waiting <= LIMITS.ALERT_GATHERED_NAMED ? [id] : [])))
    const rows = part.filter(({ id }) => named.has(id)).map((group) => rowOf(line, group))
    if (rows.length > 0) await transaction.insertInto('alert_gathered').values(rows).execute()
    for (const { id } of counted) joined.add(id)
  }
  return joined
}

/** What another rule says that waits in these groups waits there with it, where it is named. */
export const joinAgain = async (
  transaction: LedgerTransaction,
  groups: readonly { readonly id: number; readonly notice: NoticeKind }[],
  line: Line,
): Promise<void> => {
  for (const part of chunks(groups, ROWS_PER_STATEMENT)) {
    const named = await transaction
      .selectFrom('alert_gathered')
      .select('gathering_id')
      .distinct()
      .where(
        'gathering_id',
        'in',
        part.map(({ id }) => id),
      )
      .where('occasion', '=', line.occasion)
      .execute()
    const ids = new Set(named.map(({ gathering_id: id }) => id))
    const rows = part.filter(({ id }) => ids.has(id)).map((group) => ({ ...rowOf(line, group), is_again: 1 as const }))
    if (rows.length > 0) await transaction.insertInto('alert_gathered').values(rows).execute()
  }
}

/** @returns whether another rule says the same */
const putInPlace = async (transaction: LedgerTransaction, groupId: number, occasion: string): Promise<boolean> => {
  const heir = await transaction
    .selectFrom('alert_gathered')
    .select('id')
    .where('gathering_id', '=', groupId)
    .where('occasion', '=', occasion)
    .where('is_again', '=', 1)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  if (heir === undefined) return false
  await transaction.updateTable('alert_gathered').set({ is_again: 0 }).where('id', '=', heir.id).execute()
  return true
}

/** What waits of incidents that are over by now is told to nobody. @returns those of which something waited */
export const withdrawLines = async (
  transaction: LedgerTransaction,
  incidentIds: readonly number[],
): Promise<ReadonlySet<number>> => {
  const waited = new Set<number>()
  const gone: { readonly gathering_id: number; readonly occasion: string }[] = []
  const left = new Map<number, number>()
  for (const part of chunks(incidentIds, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .deleteFrom('alert_gathered')
      .where('incident_id', 'in', part)
      .returning(['incident_id', 'gathering_id', 'occasion', 'is_again'])
      .execute()
    for (const { incident_id: id } of rows) waited.add(id)
    gone.push(...rows.filter((row) => row.is_again === 0))
  }
  for (const { gathering_id: id, occasion } of gone) {
    if (!(await putInPlace(transaction, id, occasion))) left.set(id, (left.get(id) ?? 0) + 1)
  }
  for (const [id, count] of left) {
    await transaction
      .updateTable('alert_gatherings')
      .set((row) => ({ waiting: row('waiting', '-', count) }))
      .where('id', '=', id)
      .execute()
  }
  return waited
}

/** Of a rule that was deleted nothing is told any more, but that something is over: whoever heard of it waits for that. */
export const withdrawLinesOfRule = async (transaction: LedgerTransaction, ruleId: number): Promise<void> => {
  const rows = await transaction
    .selectFrom('alert_gathered')
    .select('incident_id')
    .distinct()
    .where('rule_id', '=', ruleId)
    .where('kind', '!=', 'over')
    .execute()
  await withdrawLines(
    transaction,
    rows.map(({ incident_id: id }) => id),
  )
}

export interface TakenLine extends Line {
  readonly notice: NoticeKind
  readonly isAgain: boolean
}

/** What is to be told together now. */
export interface TakenGroup {
  readonly id: number
  readonly organizationId: number
  readonly topic: string
  readonly receiver: string
  readonly openedAt: number
  readonly told: number
  /** How many are not among the lines. */
  readonly unnamed: number
  readonly lines: readonly TakenLine[]
}

const GROUPS_AT_ONCE = 50

const takeLines = async (transaction: LedgerTransaction, groupId: number): Promise<readonly TakenLine[]> => {
  const rows = await transaction
    .deleteFrom('alert_gathered')
    .where('gathering_id', '=', groupId)
    .returningAll()
    .execute()
  return rows
    .toSorted((left, right) => left.id - right.id)
    .map(({ is_again: again, is_high: high, kind, level, name, notice, occasion, path, place, text, ...ids }) => ({
      ruleId: ids.rule_id,
      incidentId: ids.incident_id,
      projectId: ids.project_id,
      kind: kind as Message['kind'],
      level: level as Message['level'],
      name,
      place,
      text,
      path,
      occasion,
      notice: notice as NoticeKind,
      isAgain: again === 1,
      isHigh: high === 1,
    }))
}

/** Takes what is due; groups in which nothing waits end. */
export const takeGroups = async (transaction: LedgerTransaction, now: number): Promise<readonly TakenGroup[]> => {
  const due = await transaction
    .selectFrom('alert_gatherings')
    .selectAll()
    .where((where) => where.or([where('due_at', '<=', now), where('due_at', '>', now + LIMITS.ALERT_GATHER_LONG_MS)]))
    .orderBy('due_at')
    .limit(GROUPS_AT_ONCE)
    .execute()
  const taken: TakenGroup[] = []
  for (const row of due) {
    const dueAt = nextSummaryAt({ openedAt: row.opened_at, told: row.told }, now)
    // The row of another server's turn is not taken twice: whoever changes it first has it.
    const changed = await transaction
      .updateTable('alert_gatherings')
      .set({ told: row.told + 1, waiting: 0, due_at: dueAt })
      .where('id', '=', row.id)
      .where('told', '=', row.told)
      .where('waiting', '=', row.waiting)
      .executeTakeFirst()
    if (changed.numUpdatedRows === 0n) continue
    if (row.waiting === 0) {
      await transaction.deleteFrom('alert_gatherings').where('id', '=', row.id).execute()
      continue
    }
    const lines = await takeLines(transaction, row.id)
    taken.push({
      id: row.id,
      organizationId: row.organization_id,
      topic: row.topic,
      receiver: row.receiver,
      openedAt: row.opened_at,
      told: row.told,
      unnamed: Math.max(0, row.waiting - lines.filter(({ isAgain }) => !isAgain).length),
      lines,
    })
  }
  return taken
}

/**
 * Lines that were taken wait on, until a time at the latest. Of those that say the same, one counts.
 *
 * @param until `Infinity` for as long as it takes
 */
export const waitOn = async (
  transaction: LedgerTransaction,
  groupId: number,
  taken: readonly TakenLine[],
  until: number,
): Promise<void> => {
  const lines = [...Map.groupBy(taken, ({ occasion }) => occasion).values()].flatMap((same) =>
    same.map((line, place) => ({ ...line, isAgain: place > 0 })),
  )
  for (const part of chunks(lines, ROWS_PER_STATEMENT)) {
    const rows = part.map(({ isAgain, notice, ...line }) => ({
      ...rowOf(line, { id: groupId, notice }),
      is_again: isAgain ? (1 as const) : (0 as const),
    }))
    await transaction.insertInto('alert_gathered').values(rows).execute()
  }
  const counted = lines.filter(({ isAgain }) => !isAgain).length
  await transaction
    .updateTable('alert_gatherings')
    .set((row) => ({ waiting: row('waiting', '+', counted) }))
    .where('id', '=', groupId)
    .execute()
  if (until === Infinity) return
  await transaction
    .updateTable('alert_gatherings')
    .set({ due_at: until })
    .where('id', '=', groupId)
    .where('due_at', '>', until)
    .execute()
}

/** When the next of them is due; `Infinity` when none is open. */
export const nextGroupAt = async (db: Pick<LedgerTransaction, 'selectFrom'>): Promise<number> => {
  const row = await db.selectFrom('alert_gatherings').select('due_at').orderBy('due_at').limit(1).executeTakeFirst()
  return row?.due_at ?? Infinity
}
