import { HOUR_MS } from '../../lib/durations.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { LedgerTransaction } from '../../storage/index.ts'
import type { ToldOf } from '../telling/end.ts'
import type { Budget, Urgency } from '../telling/grouping.ts'
import type { NoticeKind } from './groups.ts'

/** What rules told: a row for each incident of a message. */
export interface SentMessage extends ToldOf {
  readonly organizationId: number
  readonly ruleId: number
  readonly key: string
  readonly urgency: Urgency
  readonly notice: NoticeKind
}

export const noteSent = async (
  transaction: LedgerTransaction,
  messages: readonly SentMessage[],
  now: number,
): Promise<void> => {
  const rows = messages.map(({ incidentId, key, notice, organizationId, receiver, ruleId, stage, urgency }) => ({
    organization_id: organizationId,
    rule_id: ruleId,
    incident_id: incidentId,
    key,
    receiver,
    stage,
    urgency,
    notice,
    sent_at: now,
  }))
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction.insertInto('alert_messages').values(part).execute()
  }
}

/** What was told of incidents, the oldest first. */
export const readSent = async (
  transaction: LedgerTransaction,
  incidentIds: readonly number[],
): Promise<readonly (ToldOf & Pick<SentMessage, 'key' | 'notice'>)[]> => {
  const found: (ToldOf & Pick<SentMessage, 'key' | 'notice'>)[] = []
  for (const part of chunks(incidentIds, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('alert_messages')
      .select(['incident_id', 'receiver', 'stage', 'notice', 'key'])
      .where('incident_id', 'in', part)
      .orderBy('id')
      .execute()
    for (const { incident_id: incidentId, key, notice, receiver, stage } of rows) {
      if (incidentId !== null) found.push({ incidentId, receiver, stage, key, notice: notice as NoticeKind })
    }
  }
  return found
}

/** Receivers that were told of an incident, and not yet that it is over. */
export const whoKnows = async (transaction: LedgerTransaction, incidentId: number): Promise<ReadonlySet<string>> => {
  const knowing = new Set<string>()
  for (const { receiver, stage } of await readSent(transaction, [incidentId])) {
    if (stage === 'over') knowing.delete(receiver)
    else knowing.add(receiver)
  }
  return knowing
}

/**
 * Who was told by other rules of the same thing that happened to an issue: names of those rules by receiver.
 *
 * @param keyOf what the message of a receiver is called
 */
export const whoWasTold = async (
  transaction: LedgerTransaction,
  { incidentId, issueId }: { readonly incidentId: number; readonly issueId: number },
  keyOf: (receiver: string) => string,
): Promise<ReadonlyMap<string, string>> => {
  const rows = await transaction
    .selectFrom('alert_incidents')
    .innerJoin('alert_messages', 'alert_messages.incident_id', 'alert_incidents.id')
    .select(['alert_incidents.rule_name', 'alert_messages.receiver', 'alert_messages.key'])
    .where('alert_incidents.issue_id', '=', issueId)
    .where('alert_incidents.id', '!=', incidentId)
    .execute()
  return new Map(
    rows.flatMap(({ key, receiver, rule_name: name }) => (key === keyOf(receiver) ? [[receiver, name]] : [])),
  )
}

export type Spent = Pick<Budget, 'urgency' | 'used'>

const NOTHING_SPENT: Spent = { used: 0, urgency: -1 }

/**
 * What a rule told receivers of one project within the last hour, and what is sure to come. That something is over counts for
 * nothing.
 */
export const readSpent = async (
  transaction: LedgerTransaction,
  about: { readonly ruleId: number; readonly projectId: number | null },
  receivers: readonly string[],
  now: number,
): Promise<(receiver: string) => Spent> => {
  const { projectId, ruleId } = about
  const spent = new Map<string, { used: number; urgency: Urgency | -1 }>()
  const of = (receiver: string) => {
    const known = spent.get(receiver) ?? { ...NOTHING_SPENT }
    spent.set(receiver, known)
    return known
  }
  for (const part of chunks(receivers, ROWS_PER_STATEMENT)) {
    const sent = await transaction
      .selectFrom('alert_messages')
      .innerJoin('alert_incidents', 'alert_incidents.id', 'alert_messages.incident_id')
      .select(({ fn }) => [
        'alert_messages.receiver',
        'alert_incidents.project_id',
        fn.count<number>('alert_messages.key').distinct().as('messages'),
        fn.max('alert_messages.urgency').as('urgency'),
      ])
      .where('alert_messages.rule_id', '=', ruleId)
      .where('alert_messages.receiver', 'in', part)
      .where('alert_messages.stage', '!=', 'over')
      .where('alert_messages.sent_at', '>', now - HOUR_MS)
      // A clock that was set back does not keep anything back.
      .where('alert_messages.sent_at', '<=', now)
      .groupBy(['alert_messages.receiver', 'alert_incidents.project_id'])
      .execute()
    for (const { messages, project_id: project, receiver, urgency } of sent) {
      const own = of(receiver)
      if (project === projectId) own.used += messages
      own.urgency = Math.max(own.urgency, urgency) as Urgency
    }
    const waiting = await transaction
      .selectFrom('alert_gathered')
      .innerJoin('alert_gatherings', 'alert_gatherings.id', 'alert_gathered.gathering_id')
      .select(({ fn }) => [
        'alert_gatherings.receiver',
        fn.count<number>('alert_gatherings.id').distinct().as('messages'),
      ])
      .where('alert_gathered.rule_id', '=', ruleId)
      .where('alert_gathered.kind', '!=', 'over')
      .where('alert_gatherings.receiver', 'in', part)
      .groupBy('alert_gatherings.receiver')
      .execute()
    for (const { messages, receiver } of waiting) of(receiver).used += messages
  }
  return (receiver) => spent.get(receiver) ?? NOTHING_SPENT
}
