import { hash } from 'node:crypto'
import type { FeedbackVerdict, LedgerFeedback } from '../../feedback/feedback.store.ts'
import { judgeSpam } from '../../feedback/spam.ts'
import type { SpamVerdict } from '../../feedback/spam.ts'
import { LIMITS } from '../../limits.ts'
import type { LedgerTransaction } from './ledger.ts'

/** The digest's writes of reports. Part of the transaction of `IssueStore.apply`. */

/** Equal for texts that differ in case and space only. */
const messageHash = (message: string): string =>
  hash('sha256', message.toLowerCase().replaceAll(/\s+/g, ' ').trim(), 'hex').slice(0, 32)

const wordsOf = ({ message, name, email, url }: LedgerFeedback['report']): string =>
  `${message}\n${name}\n${email}\n${url}`.toLowerCase()

/** How many reports of the project came lately that are alike. */
const countLately = async (
  transaction: LedgerTransaction,
  entry: LedgerFeedback,
  by: { readonly message_hash: string } | { readonly address_hash: string } | { readonly key_id: number },
): Promise<number> => {
  const [[column, value] = []] = Object.entries(by) as ['message_hash' | 'address_hash' | 'key_id', string | number][]
  if (column === undefined || value === undefined || value === '') return 0
  const row = await transaction
    .selectFrom('feedback')
    .select((expression) => expression.fn.countAll<number>().as('count'))
    .where('project_id', '=', entry.projectId)
    .where('created_at', '>', entry.receivedAt - LIMITS.FEEDBACK_SPAM_WINDOW_MS)
    .where(column, '=', value)
    .executeTakeFirst()
  return row?.count ?? 0
}

const judge = async (transaction: LedgerTransaction, entry: LedgerFeedback, text: string): Promise<SpamVerdict> => {
  const { report, addressHash, keyId } = entry
  return judgeSpam(
    {
      message: report.message,
      name: report.name,
      honeypot: report.honeypot,
      fillMs: report.fillMs,
      sameMessage: await countLately(transaction, entry, { message_hash: text }),
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

const insert = async (
  transaction: LedgerTransaction,
  entry: LedgerFeedback,
  batch: number,
): Promise<FeedbackVerdict> => {
  const { report } = entry
  const text = messageHash(report.message)
  const spam = await judge(transaction, entry, text)
  const status = spam.suspect ? 'spam' : 'open'
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
      issue_id: await issueOf(transaction, entry.projectId, report.associatedEventId),
      assigned_user_id: null,
      assigned_team_id: null,
      spam_score: spam.score,
      spam_reasons: JSON.stringify(spam.reasons),
      spam_decided_by: 'automatic',
      attachments: entry.attachments,
      address_hash: entry.addressHash,
      message_hash: text,
      merged_into_id: null,
      awaits_reply: 0,
      thread_token: entry.threadToken,
      told_resolved_at: null,
      created_at: entry.receivedAt,
      last_activity_at: entry.receivedAt,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  if (report.tags.length > 0) {
    await transaction
      .insertInto('feedback_tags')
      .values(report.tags.map(([key, value]) => ({ feedback_id: row.id, key, value })))
      .onConflict((conflict) => conflict.columns(['feedback_id', 'key']).doNothing())
      .execute()
  }
  return { kind: 'stored', feedbackId: row.id, status }
}

/** A later report about one event takes the earlier one's place for a short while. */
const replace = async (
  transaction: LedgerTransaction,
  id: number,
  { report, receivedAt }: LedgerFeedback,
  batch: number,
) => {
  await transaction
    .updateTable('feedback')
    .set({
      batch,
      message: report.message,
      name: report.name,
      email: report.email,
      words: wordsOf(report),
      message_hash: messageHash(report.message),
      is_read: 0,
      last_activity_at: receivedAt,
    })
    .where('id', '=', id)
    .execute()
}

const applyOne = async (
  transaction: LedgerTransaction,
  entry: LedgerFeedback,
  batch: number,
): Promise<FeedbackVerdict> => {
  const known = await transaction
    .selectFrom('feedback')
    .select(['id', 'batch', 'status', 'created_at'])
    .where('project_id', '=', entry.projectId)
    .where('event_id', '=', entry.report.eventId)
    .executeTakeFirst()
  if (known === undefined) return insert(transaction, entry, batch)
  const mayReplace = entry.report.replaces && entry.receivedAt - known.created_at <= LIMITS.FEEDBACK_REPLACE_MS
  if (!mayReplace) return { kind: 'duplicate' }
  await replace(transaction, known.id, entry, batch)
  return { kind: 'stored', feedbackId: known.id, status: known.status === 'spam' ? 'spam' : 'open' }
}

/** The verdict of a batch that was applied before, from the rows that it left. */
const repeatOne = async (
  transaction: LedgerTransaction,
  entry: LedgerFeedback,
  batch: number,
): Promise<FeedbackVerdict> => {
  const row = await transaction
    .selectFrom('feedback')
    .select(['id', 'batch', 'status'])
    .where('project_id', '=', entry.projectId)
    .where('event_id', '=', entry.report.eventId)
    .executeTakeFirst()
  if (row === undefined) return { kind: 'discarded', reason: 'unknown_project' }
  if (row.batch !== batch) return { kind: 'duplicate' }
  return { kind: 'stored', feedbackId: row.id, status: row.status === 'spam' ? 'spam' : 'open' }
}

/** One after the other: there are few, and each is judged by those before it. */
export const applyFeedback = async (
  transaction: LedgerTransaction,
  entries: readonly LedgerFeedback[],
  batch: number,
  place: 'next' | 'repeated',
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
  for (const entry of entries) {
    const key = `${entry.projectId}:${entry.report.eventId}`
    if (owners.get(entry.projectId) !== entry.organizationId) {
      verdicts.push({ kind: 'discarded', reason: 'unknown_project' })
    } else if (seen.has(key) && !entry.report.replaces) verdicts.push({ kind: 'duplicate' })
    else {
      verdicts.push(await (place === 'repeated' ? repeatOne : applyOne)(transaction, entry, batch))
    }
    seen.add(key)
  }
  return verdicts
}
