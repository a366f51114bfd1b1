import { hash } from 'node:crypto'
import { noteFacts, type Fact } from '../../facts/index.ts'
import type { FeedbackStatus } from '../feedback.ts'
import { reportOfFact } from '../report-facts.ts'
import type { FeedbackVerdict, LedgerFeedback } from '../feedback.store.ts'
import { gathersUnder } from '../gather.ts'
import { judgeSpam, senderOf } from '../spam.ts'
import type { SpamVerdict } from '../spam.ts'
import { LIMITS } from '../limits.ts'
import { userKeyOf, writerOf } from '../writer.ts'
import type { LedgerWork } from '../../ingest/index.ts'
import type { LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { wordsOf } from './words.ts'

/** What the reports of a batch change in the ledger. */

/** Equal for texts that differ in case and space only. */
const messageHash = (message: string): string =>
  hash('sha256', message.toLowerCase().replaceAll(/\s+/g, ' ').trim(), 'hex').slice(0, 32)

/** How many reports of the project came lately that are alike. */
const countLately = async (
  transaction: LedgerTransaction,
  entry: LedgerFeedback,
  by: Readonly<Partial<Record<'message_hash' | 'sender_hash' | 'address_hash', string> & { readonly key_id: number }>>,
): Promise<number> => {
  // Of what is not known, nothing is alike.
  if (Object.values(by).includes('')) return 0
  let query = transaction
    .selectFrom('feedback')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('project_id', '=', entry.projectId)
    .where('created_at', '>', entry.receivedAt - LIMITS.FEEDBACK_SPAM_WINDOW_MS)
  for (const column of ['message_hash', 'sender_hash', 'address_hash', 'key_id'] as const) {
    const value = by[column]
    if (value !== undefined) query = query.where(column, '=', value)
  }
  return (await query.executeTakeFirst())?.count ?? 0
}

const judge = async (
  transaction: LedgerTransaction,
  entry: LedgerFeedback,
  { text, sender }: { readonly text: string; readonly sender: string },
): Promise<SpamVerdict> => {
  const { report, addressHash, keyId } = entry
  return judgeSpam(
    {
      message: report.message,
      name: report.name,
      honeypot: report.honeypot,
      fillMs: report.fillMs,
      sameMessage: await countLately(transaction, entry, { message_hash: text, sender_hash: sender }),
      sameSender: await countLately(transaction, entry, { sender_hash: sender }),
      sameAddress: await countLately(transaction, entry, { address_hash: addressHash }),
      sameKey: await countLately(transaction, entry, { key_id: keyId }),
    },
    entry.spam,
  )
}

/** The issue of the event that was reported about, when that event is here already. */
const issueOf = async (transaction: LedgerTransaction, projectId: number, eventId: string | null) => {
  if (eventId === null) return null
  const row = await transaction
    .selectFrom('event_index')
    .innerJoin('issues', 'issues.id', 'event_index.issue_id')
    .select(['issues.id', 'issues.merged_into_id'])
    .where('event_index.project_id', '=', projectId)
    .where('event_index.event_id', '=', Buffer.from(eventId, 'hex'))
    .executeTakeFirst()
  return row === undefined ? null : (row.merged_into_id ?? row.id)
}

/** The open report of the same words under which this one stands; null when it stands alone. */
const gatheringReport = async (
  transaction: LedgerTransaction,
  { projectId, receivedAt, report }: LedgerFeedback,
  text: string,
  issueId: number | null,
): Promise<number | null> => {
  const alike = await transaction
    .selectFrom('feedback')
    .select(['id', 'url', 'issue_id'])
    .where('project_id', '=', projectId)
    .where('message_hash', '=', text)
    .where('created_at', '>', receivedAt - LIMITS.FEEDBACK_GATHER_MS)
    .where('status', '=', 'open')
    .where('merged_into_id', 'is', null)
    .orderBy('id')
    .limit(LIMITS.FEEDBACK_GATHER_ROWS)
    .execute()
  return gathersUnder(
    { ...report, issueId },
    alike.map(({ id, url, issue_id }) => ({ id, url, issueId: issue_id })),
  )
}

/** The first of several that say the same is as young as the last of them. */
const touch = async (transaction: LedgerTransaction, id: number, at: number): Promise<void> => {
  await transaction
    .updateTable('feedback')
    .set({ last_activity_at: at })
    .where('id', '=', id)
    .where('last_activity_at', '<', at)
    .execute()
}

const insert = async (
  transaction: LedgerTransaction,
  entry: LedgerFeedback,
  batch: number,
  facts: Fact[],
): Promise<FeedbackVerdict> => {
  const { report } = entry
  const text = messageHash(report.message)
  const sender = senderOf(entry.addressHash, report)
  const spam = await judge(transaction, entry, { text, sender })
  const status = spam.suspect ? 'spam' : 'open'
  const issueId = await issueOf(transaction, entry.projectId, report.associatedEventId)
  const under = spam.suspect ? null : await gatheringReport(transaction, entry, text, issueId)
  const row = await transaction
    .insertInto('feedback')
    .values({
      organization_id: entry.organizationId,
      project_id: entry.projectId,
      event_id: report.eventId,
      batch,
      key_id: entry.keyId,
      source: report.source,
      status,
      is_read: 0,
      message: report.message,
      name: report.name,
      email: report.email,
      url: report.url,
      browser: report.browser,
      os: report.os,
      environment: report.environment,
      release: report.release,
      words: wordsOf(report),
      details: JSON.stringify(report.details),
      trace_id: report.traceId,
      replay_id: report.replayId,
      associated_event_id: report.associatedEventId,
      issue_id: issueId,
      assigned_user_id: null,
      assigned_team_id: null,
      spam_score: spam.score,
      spam_reasons: JSON.stringify(spam.reasons),
      spam_decided_by: 'automatic',
      attachments: entry.attachments,
      address_hash: entry.addressHash,
      sender_hash: sender,
      message_hash: text,
      writer: writerOf(report, sender),
      user_key: userKeyOf(report),
      linked_by: issueId === null ? null : 'event',
      merged_into_id: under,
      awaits_reply: 0,
      thread_token: entry.threadToken,
      told_resolved_at: null,
      created_at: entry.receivedAt,
      written_at: report.timestamp,
      last_activity_at: entry.receivedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (under !== null) await touch(transaction, under, entry.receivedAt)
  if (report.tags.length > 0) {
    await transaction
      .insertInto('feedback_tags')
      .values(report.tags.map(([key, value]) => ({ feedback_id: row.id, key, value })))
      .onConflict((conflict) => conflict.columns(['feedback_id', 'key']).doNothing())
      .execute()
  }
  if (!spam.suspect) {
    facts.push({
      organizationId: entry.organizationId,
      projectId: entry.projectId,
      kind: 'report_received',
      issueId,
      reportId: row.id,
      actorId: null,
      receivedAt: entry.receivedAt,
      data: { report: reportOfFact(report, entry.attachments), isGathered: under !== null },
    })
  }
  return { kind: 'stored', feedbackId: row.id, status, isReplacing: false }
}

/** A later report about one event takes the earlier one's place for a short while. */
const replace = async (
  transaction: LedgerTransaction,
  known: {
    readonly id: number
    readonly message_hash: string
    readonly merged_into_id: number | null
    readonly url: string
    readonly sender_hash: string
  },
  { report, receivedAt }: LedgerFeedback,
  batch: number,
) => {
  const text = messageHash(report.message)
  const parent = await transaction
    .selectFrom('feedback')
    .select('message_hash')
    .where('id', '=', known.merged_into_id ?? 0)
    .executeTakeFirst()
  // It stood under a report of the same words, and says something else now.
  const isAlone = text !== known.message_hash && parent?.message_hash === known.message_hash
  await transaction
    .updateTable('feedback')
    .set({
      batch,
      message: report.message,
      name: report.name,
      email: report.email,
      // The first one may have taken its address from the event.
      words: wordsOf({ ...report, url: known.url }),
      message_hash: text,
      writer: writerOf(report, known.sender_hash),
      ...(isAlone ? { merged_into_id: null } : {}),
      is_read: 0,
      last_activity_at: receivedAt,
    })
    .where('id', '=', known.id)
    .execute()
}

const statusOf = ({ status }: { readonly status: FeedbackStatus }): 'open' | 'spam' =>
  status === 'spam' ? 'spam' : 'open'

const applyOne = async (
  transaction: LedgerTransaction,
  entry: LedgerFeedback,
  batch: number,
  facts: Fact[],
): Promise<FeedbackVerdict> => {
  const known = await transaction
    .selectFrom('feedback')
    .select(['id', 'batch', 'status', 'created_at', 'message_hash', 'merged_into_id', 'url', 'sender_hash'])
    .where('project_id', '=', entry.projectId)
    .where('event_id', '=', entry.report.eventId)
    .executeTakeFirst()
  if (known === undefined) return insert(transaction, entry, batch, facts)
  const mayReplace = entry.report.replaces && entry.receivedAt - known.created_at <= LIMITS.FEEDBACK_REPLACE_MS
  if (!mayReplace) return { kind: 'duplicate' }
  await replace(transaction, known, entry, batch)
  return { kind: 'stored', feedbackId: known.id, status: statusOf(known), isReplacing: true }
}

/** The verdict of a batch that was applied before, from the rows that it left. */
const repeatOne = async (
  transaction: LedgerTransaction,
  entry: LedgerFeedback,
  batch: number,
): Promise<FeedbackVerdict> => {
  const row = await transaction
    .selectFrom('feedback')
    .select(['id', 'batch', 'status', 'created_at'])
    .where('project_id', '=', entry.projectId)
    .where('event_id', '=', entry.report.eventId)
    .executeTakeFirst()
  if (row === undefined) return { kind: 'discarded', reason: 'unknown_project' }
  if (row.batch !== batch) return { kind: 'duplicate' }
  // Who took another's place left it when that one came.
  const isReplacing = row.created_at !== entry.receivedAt
  return { kind: 'stored', feedbackId: row.id, status: statusOf(row), isReplacing }
}

/** One after the other: there are few, and each is judged by those before it. */
export const applyReports = async (
  { transaction, batch, isRepeated, now }: LedgerWork,
  entries: readonly LedgerFeedback[],
): Promise<readonly FeedbackVerdict[]> => {
  if (entries.length === 0) return []
  const projects = await transaction
    .selectFrom('projects')
    .select(['id', 'organization_id'])
    .where('id', 'in', [...new Set(entries.map((entry) => entry.projectId))])
    .where('deleted_at', 'is', null)
    .execute()
  const owners = new Map(projects.map((project) => [project.id, project.organization_id]))
  const seen = new Set<string>()
  const verdicts: FeedbackVerdict[] = []
  const facts: Fact[] = []
  for (const entry of entries) {
    const key = `${entry.projectId}:${entry.report.eventId}`
    if (owners.get(entry.projectId) !== entry.organizationId) {
      verdicts.push({ kind: 'discarded', reason: 'unknown_project' })
    } else if (seen.has(key) && !entry.report.replaces) verdicts.push({ kind: 'duplicate' })
    else {
      verdicts.push(
        isRepeated ? await repeatOne(transaction, entry, batch) : await applyOne(transaction, entry, batch, facts),
      )
    }
    seen.add(key)
  }
  await noteFacts(transaction, facts, now)
  return verdicts
}
