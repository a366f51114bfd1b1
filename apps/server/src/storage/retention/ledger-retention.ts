import { setImmediate } from 'node:timers/promises'
import { LIMITS } from '../../limits.ts'
import { chunks, ROWS_PER_STATEMENT } from '../ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../ledger/ledger.ts'

/** Deletes in the ledger in short transactions, between which others write. */

const DAY_MS = 24 * 60 * 60_000
const HOUR_MS = 60 * 60_000

const deleteIssues = async (transaction: LedgerTransaction, ids: readonly number[]): Promise<void> => {
  await transaction.deleteFrom('issue_hashes').where('issue_id', 'in', ids).execute()
  // Activity goes with its issue.
  await transaction.deleteFrom('issues').where('id', 'in', ids).execute()
}

/** Issues without an event left. Answers how many. */
export const expireIssues = async (
  ledger: Ledger,
  projectId: number,
  before: number,
  signal: AbortSignal,
): Promise<number> => {
  let deleted = 0
  for (;;) {
    signal.throwIfAborted()
    const count = await ledger.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('issues')
        .select('id')
        .where('project_id', '=', projectId)
        .where('status', 'in', ['unresolved', 'resolved', 'ignored'])
        .where('last_seen', '<', before)
        .limit(LIMITS.HOUSEKEEPING_ISSUES)
        .execute()
      if (rows.length > 0) {
        await deleteIssues(
          transaction,
          rows.map((row) => row.id),
        )
      }
      return rows.length
    })
    deleted += count
    if (count < LIMITS.HOUSEKEEPING_ISSUES) return deleted
    await setImmediate()
  }
}

/** Issues that were deleted by a user long enough ago, with those that were merged into them. */
export const findDeletedIssues = async (ledger: Ledger, now: number): Promise<{ id: number; project_id: number }[]> => {
  const gone = ledger.db
    .selectFrom('issues')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('deleted_at', '<', now - LIMITS.DELETION_UNDO_MS)
  const rows = await gone.select('project_id').limit(LIMITS.HOUSEKEEPING_ISSUES).execute()
  if (rows.length === 0) return rows
  const merged = await ledger.db
    .selectFrom('issues')
    .select(['id', 'project_id'])
    .where(
      'merged_into_id',
      'in',
      rows.map((row) => row.id),
    )
    .execute()
  const all = new Map([...rows, ...merged].map((row) => [row.id, row]))
  return [...all.values()]
}

export const forgetIssues = (ledger: Ledger, ids: readonly number[]): Promise<void> =>
  ledger.transaction(async (transaction) => {
    for (const part of chunks(ids, ROWS_PER_STATEMENT)) await deleteIssues(transaction, part)
  })

/** Entries of events that expired, or whose issue is gone. Walks the whole project in the order of the key. */
export const expireEventIndex = async (
  ledger: Ledger,
  projectId: number,
  before: number,
  signal: AbortSignal,
): Promise<number> => {
  let after: Uint8Array | null = null
  let deleted = 0
  for (;;) {
    signal.throwIfAborted()
    let query = ledger.db
      .selectFrom('event_index')
      .select(['event_id', 'issue_id', 'timestamp'])
      .where('project_id', '=', projectId)
      .orderBy('event_id')
      .limit(LIMITS.HOUSEKEEPING_ROWS)
    if (after !== null) query = query.where('event_id', '>', after)
    const rows: { event_id: Uint8Array; issue_id: number; timestamp: number }[] = await query.execute()
    if (rows.length === 0) return deleted
    after = rows.at(-1)?.event_id ?? null

    const issueIds = [...new Set(rows.map((row) => row.issue_id))]
    const living = new Set<number>()
    for (const part of chunks(issueIds, ROWS_PER_STATEMENT)) {
      const issues = await ledger.db.selectFrom('issues').select('id').where('id', 'in', part).execute()
      for (const issue of issues) living.add(issue.id)
    }
    const gone = rows.filter((row) => row.timestamp < before || !living.has(row.issue_id)).map((row) => row.event_id)
    for (const part of chunks(gone, ROWS_PER_STATEMENT)) {
      await ledger.db
        .deleteFrom('event_index')
        .where('project_id', '=', projectId)
        .where('event_id', 'in', part)
        .execute()
    }
    deleted += gone.length
    await setImmediate()
  }
}

export const expireReleases = async (ledger: Ledger, organizationId: number, before: number): Promise<number> => {
  const result = await ledger.db
    .deleteFrom('releases')
    .where('organization_id', '=', organizationId)
    .where('last_seen', '<', before)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Reports of visitors in which nothing has happened since, with their threads. */
export const expireFeedback = async (ledger: Ledger, organizationId: number, before: number): Promise<number> => {
  const result = await ledger.db
    .deleteFrom('feedback')
    .where('organization_id', '=', organizationId)
    .where('last_activity_at', '<', before)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

export const expireFacts = async (ledger: Ledger, now: number, signal: AbortSignal): Promise<number> => {
  const before = now - LIMITS.FACT_RETENTION_HOURS * HOUR_MS
  let deleted = 0
  for (;;) {
    signal.throwIfAborted()
    // Ids rise with time, so the old ones come first.
    const rows = await ledger.db
      .selectFrom('facts')
      .select(['id', 'created_at'])
      .orderBy('id')
      .limit(LIMITS.HOUSEKEEPING_ROWS)
      .execute()
    const last = rows.findLast((row) => row.created_at < before)
    if (last === undefined) return deleted
    const result = await ledger.db.deleteFrom('facts').where('id', '<=', last.id).executeTakeFirst()
    deleted += Number(result.numDeletedRows)
    if (rows.length < LIMITS.HOUSEKEEPING_ROWS) return deleted
    await setImmediate()
  }
}

export const expireSessions = async (ledger: Ledger, now: number): Promise<number> => {
  const result = await ledger.db.deleteFrom('sessions').where('expires_at', '<', now).executeTakeFirst()
  return Number(result.numDeletedRows)
}

export const expireInvitations = async (ledger: Ledger, now: number): Promise<number> => {
  const result = await ledger.db
    .deleteFrom('members')
    .where('user_id', 'is', null)
    .where('invite_expires_at', '<', now - LIMITS.INVITATION_RETENTION_DAYS * DAY_MS)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Takes the records of expired blobs out, a step at a time. */
export const takeExpiredBlobs = (ledger: Ledger, now: number): Promise<{ key: string; bytes: number }[]> =>
  ledger.transaction(async (transaction) => {
    const rows = await transaction
      .selectFrom('blobs')
      .select(['key', 'bytes'])
      .where('expires_at', '<', now)
      .orderBy('expires_at')
      .limit(LIMITS.HOUSEKEEPING_ISSUES)
      .execute()
    if (rows.length > 0) {
      await transaction
        .deleteFrom('blobs')
        .where(
          'key',
          'in',
          rows.map((row) => row.key),
        )
        .execute()
    }
    return rows
  })

export const findDeletedProjects = (ledger: Ledger, now: number): Promise<{ id: number }[]> =>
  ledger.db
    .selectFrom('projects')
    .select('id')
    .where('deleted_at', 'is not', null)
    .where('deleted_at', '<', now - LIMITS.DELETION_UNDO_MS)
    .execute()

/** Everything of a project, the project itself last: an interrupted deletion is found again. */
export const forgetProject = async (ledger: Ledger, projectId: number, signal: AbortSignal): Promise<void> => {
  await expireIssues(ledger, projectId, Number.MAX_SAFE_INTEGER, signal)
  await expireEventIndex(ledger, projectId, Infinity, signal)
  await ledger.transaction(async (transaction) => {
    await transaction.deleteFrom('issue_hashes').where('project_id', '=', projectId).execute()
    await transaction.deleteFrom('facts').where('project_id', '=', projectId).execute()
    // Keys, teams' links, releases' links and environments go with their project.
    await transaction.deleteFrom('projects').where('id', '=', projectId).execute()
  })
}
