import { sql } from 'kysely'
import type { Features } from '../../issues/index.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { tokensOf } from '../tokens.ts'
import { LIMITS } from '../limits.ts'
import { BANDS, bandsOf, signatureOf } from '../signature.ts'

export interface SignedIssue {
  readonly issueId: number
  readonly projectId: number
  readonly features: Features
}

/** Keeps what issues are known by. What has no feature is kept as well, so that nobody looks for it again. */
export const keepSignatures = async (
  transaction: LedgerTransaction,
  issues: readonly SignedIssue[],
  now: number,
): Promise<void> => {
  for (const part of chunks(issues, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('issue_signatures')
      .values(
        part.map(({ features, issueId, projectId }) => ({
          issue_id: issueId,
          project_id: projectId,
          features: JSON.stringify(features),
          made_at: now,
        })),
      )
      .onConflict((conflict) => conflict.column('issue_id').doNothing())
      .execute()
  }
  const bands = issues.flatMap(({ features, issueId, projectId }) =>
    bandNumbers(features).map((band) => ({ project_id: projectId, band, issue_id: issueId })),
  )
  for (const part of chunks(bands, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('issue_bands')
      .values(part)
      .onConflict((conflict) => conflict.columns(['project_id', 'band', 'issue_id']).doNothing())
      .execute()
  }
}

/** Its number and its hash in one: a band is only like the same one of another issue. */
const bandNumbers = (features: Features): readonly number[] => {
  const signature = signatureOf(tokensOf(features))
  return signature === null ? [] : bandsOf(signature).map((hash, band) => hash * BANDS + band)
}

export const signatureOfIssue = async ({ db }: Pick<Ledger, 'db'>, issueId: number): Promise<Features | null> => {
  const row = await db
    .selectFrom('issue_signatures')
    .select('features')
    .where('issue_id', '=', issueId)
    .executeTakeFirst()
  return row === undefined ? null : readFeatures(row.features)
}

// Only `keepSignatures` writes it.
const readFeatures = (json: string): Features => JSON.parse(json) as Features

/** Living issues of the project that share a band, those that share most of them first. */
export const candidatesFor = async (
  { db }: Pick<Ledger, 'db'>,
  { features, issueId, projectId }: SignedIssue,
): Promise<readonly SignedIssue[]> => {
  const bands = bandNumbers(features)
  if (bands.length === 0) return []
  const rows = await db
    .selectFrom((from) =>
      from
        .selectFrom('issue_bands')
        // Before the limit: what was deleted or merged takes no place of what lives.
        .innerJoin('issues', 'issues.id', 'issue_bands.issue_id')
        .select('issue_bands.issue_id')
        .where('issue_bands.project_id', '=', projectId)
        .where('issue_bands.band', 'in', [...bands])
        .where('issue_bands.issue_id', '!=', issueId)
        .where('issues.deleted_at', 'is', null)
        .where('issues.merged_into_id', 'is', null)
        .groupBy('issue_bands.issue_id')
        .orderBy(sql`count(*)`, 'desc')
        .orderBy('issue_bands.issue_id', 'desc')
        .limit(LIMITS.SIMILAR_CANDIDATES)
        .as('found'),
    )
    .innerJoin('issue_signatures', 'issue_signatures.issue_id', 'found.issue_id')
    .select(['issue_signatures.issue_id', 'issue_signatures.features'])
    .execute()
  return rows.map((row) => ({ issueId: row.issue_id, projectId, features: readFeatures(row.features) }))
}

/** Living issues without a signature, below this id, the newest first. */
export const unsignedIssues = async (
  { db }: Pick<Ledger, 'db'>,
  before: number,
  limit: number,
): Promise<readonly { readonly id: number; readonly organizationId: number; readonly projectId: number }[]> => {
  const rows = await db
    .selectFrom('issues')
    .leftJoin('issue_signatures', 'issue_signatures.issue_id', 'issues.id')
    .select(['issues.id', 'issues.organization_id', 'issues.project_id'])
    .where('issues.id', '<', before)
    .where('issues.deleted_at', 'is', null)
    .where('issues.merged_into_id', 'is', null)
    .where('issue_signatures.issue_id', 'is', null)
    .orderBy('issues.id', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ id: row.id, organizationId: row.organization_id, projectId: row.project_id }))
}

/** Pairs of these that somebody took apart after they were merged: id of the one → ids of the others. */
export const takenApart = async (
  { db }: Pick<Ledger, 'db'>,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, ReadonlySet<number>>> => {
  const apart = new Map<number, Set<number>>()
  const note = (one: number, other: number): void => {
    const others = apart.get(one) ?? new Set()
    apart.set(one, others.add(other))
  }
  for (const part of chunks(issueIds, ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('issue_activity')
      .select(['issue_id', 'data'])
      .where('issue_id', 'in', part)
      .where('type', '=', 'unmerge')
      .execute()
    for (const row of rows) {
      const { destinations = [] } = JSON.parse(row.data) as { destinations?: readonly string[] }
      for (const destination of destinations.map(Number)) {
        note(row.issue_id, destination)
        note(destination, row.issue_id)
      }
    }
  }
  return apart
}
