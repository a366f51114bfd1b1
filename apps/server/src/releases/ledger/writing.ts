import type { NewCommit, ReleaseFields } from '@firsthand/contract'
import { bindNextRelease, noteReleaseProjects, noteReleases, releaseKey, unbindRelease } from '../../issues/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { LIMITS } from '../limits.ts'

interface Named {
  readonly organizationId: number
  readonly version: string
  readonly projectIds: readonly number[]
  readonly now: number
}

/** No event has named it: `last_seen` is when the newest of them came. */
const NEVER = 0

/** Makes a release of these projects, or adds it to them. @returns its id, and whether it was made */
export const nameRelease = async (
  transaction: LedgerTransaction,
  { organizationId, version, projectIds, now }: Named,
): Promise<{ readonly id: number; readonly isNew: boolean }> => {
  const before = await noteReleases(transaction, [], [{ organizationId, version }])
  const isNew = !before.has(releaseKey(organizationId, version))
  const seen = { organizationId, version, firstSeen: now, lastSeen: NEVER }
  const id = (await noteReleases(transaction, [seen], [])).get(releaseKey(organizationId, version))?.id
  if (id === undefined) throw new Error('A release is not there after it was made.')
  const came = await noteReleaseProjects(
    transaction,
    projectIds.map((projectId) => ({
      releaseId: id,
      version,
      organizationId,
      projectId,
      environment: null,
      firstSeen: now,
      newIssues: 0,
      isSeen: false,
    })),
  )
  await bindNextRelease(transaction, came, now)
  return { id, isNew }
}

/** Changes what is named, and nothing else. */
export const changeRelease = async (
  transaction: LedgerTransaction,
  releaseId: number,
  { url, ref, status, dateStarted, dateReleased, isReleased, commits, refs }: Omit<ReleaseFields, 'projects'>,
  now: number,
): Promise<void> => {
  const changes = {
    ...(url == null ? {} : { url }),
    ...(ref == null ? {} : { ref }),
    ...(status == null ? {} : { status }),
    ...(dateStarted == null ? {} : { date_started: dateStarted }),
    ...(dateReleased == null ? {} : { date_released: dateReleased }),
    ...(isReleased === false ? { date_released: null } : {}),
  }
  if (Object.keys(changes).length > 0) {
    await transaction.updateTable('releases').set(changes).where('id', '=', releaseId).execute()
  }
  // An archived release is not the next one, also where it was taken for that.
  if (status === 'archived') {
    await bindNextRelease(transaction, await unbindRelease(transaction, releaseId, now), now)
  }
  // None is what a program sends that found nothing new: it takes nothing away.
  if (commits != null && commits.length > 0) await replaceCommits(transaction, releaseId, commits)
  // Of a repository that the server cannot ask, the newest commit is all that is known.
  else if (refs != null && refs.length > 0) {
    await replaceCommits(
      transaction,
      releaseId,
      refs.map(({ commit, repository }) => ({ id: commit, repository })),
    )
  }
}

const replaceCommits = async (
  transaction: LedgerTransaction,
  releaseId: number,
  commits: readonly NewCommit[],
): Promise<void> => {
  await transaction.deleteFrom('release_commits').where('release_id', '=', releaseId).execute()
  const rows = commits.map((commit, place) => ({
    release_id: releaseId,
    place,
    commit_id: commit.id,
    repository: commit.repository ?? null,
    message: commit.message?.trim().slice(0, LIMITS.COMMIT_MESSAGE_CHARACTERS) ?? null,
    author_name: commit.author_name ?? null,
    author_email: commit.author_email ?? null,
    committed_at: commit.timestamp ?? null,
    files: JSON.stringify(
      (commit.patch_set ?? []).slice(0, LIMITS.COMMIT_FILES).map(({ path, type }) => [path, type ?? '']),
    ),
  }))
  for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
    await transaction.insertInto('release_commits').values(part).execute()
  }
}

/** @returns false when events have named it */
export const removeRelease = (ledger: Ledger, releaseId: number, now: number): Promise<boolean> =>
  ledger.transaction(async (transaction) => {
    const projects = await unbindRelease(transaction, releaseId, now)
    const { numDeletedRows } = await transaction
      .deleteFrom('releases')
      .where('id', '=', releaseId)
      .where('last_seen', '=', NEVER)
      .executeTakeFirst()
    const isGone = Number(numDeletedRows) > 0
    if (isGone) await transaction.deleteFrom('release_projects').where('release_id', '=', releaseId).execute()
    // In another one that came; in this one again where it stays.
    await bindNextRelease(transaction, projects, now)
    return isGone
  })
