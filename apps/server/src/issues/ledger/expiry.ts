import { setImmediate } from 'node:timers/promises'
import { LIMITS } from '../limits.ts'
import { LIMITS as STORAGE_LIMITS } from '../../storage/limits.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'

/** Removes issues and what hangs on them, in short transactions, between which others write. */

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
    .where('deleted_at', '<', now - STORAGE_LIMITS.DELETION_UNDO_MS)
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

/** A release that no event has named is as old as what programs said of it: it is told before its first event. */
export const expireReleases = async (ledger: Ledger, organizationId: number, before: number): Promise<number> => {
  const result = await ledger.db
    .deleteFrom('releases')
    .where('organization_id', '=', organizationId)
    .where('last_seen', '<', before)
    .where('first_seen', '<', before)
    .where((eb) => eb.or([eb('date_released', 'is', null), eb('date_released', '<', before)]))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** Everything of a project that is about to go. */
export const forgetIssuesOfProject = async (ledger: Ledger, projectId: number, signal: AbortSignal): Promise<void> => {
  await expireIssues(ledger, projectId, Number.MAX_SAFE_INTEGER, signal)
  await expireEventIndex(ledger, projectId, Infinity, signal)
  await ledger.transaction(async (transaction) => {
    await transaction.deleteFrom('issue_hashes').where('project_id', '=', projectId).execute()
  })
}
