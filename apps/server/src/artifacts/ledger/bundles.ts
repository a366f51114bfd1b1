import type { Selectable } from 'kysely'
import { noteFacts } from '../../facts/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { holdBlobs } from '../../storage/ledger/release-blobs.ts'
import { LIMITS } from '../limits.ts'
import { bundleHolder, UNTIL_RELEASED } from './keeping.ts'
import type { ArtifactBundleTable, ArtifactFileTable } from './schema.ts'

export type Bundle = Selectable<ArtifactBundleTable>

/** By what an upload is known. */
export interface BundleKey {
  readonly organizationId: number
  /** SHA-1 of the archive. */
  readonly checksum: string
  /** '' for none. */
  readonly release: string
  readonly dist: string
}

export type NewFile = Omit<
  Selectable<ArtifactFileTable>,
  | 'id'
  | 'organization_id'
  | 'bundle_id'
  | 'prepared_key'
  | 'prepared_form'
  | 'prepared_bytes'
  | 'prepare_attempts'
  | 'map_error'
>

/** What a file is going to take beside its own bytes, as far as anybody knows before it is prepared. */
export const bytesWhenPrepared = ({ kind, bytes }: Pick<NewFile, 'kind' | 'bytes'>): number =>
  kind === 'source_map' ? bytes : 0

export type Bundles = ReturnType<typeof createBundles>

export interface NewBundle {
  /** Checksums of its pieces, in order. */
  readonly pieces: readonly string[]
  readonly projectIds: readonly number[]
  readonly now: number
}

/** Writes bundles: what comes in, and what becomes of it. */
export const createBundles = ({ ledger }: { readonly ledger: Ledger }) => {
  return {
    find: (key: BundleKey): Promise<Bundle | null> => findBundle(ledger.db, key),

    byId: async (bundleId: number): Promise<Bundle | null> =>
      (await ledger.db.selectFrom('artifact_bundles').selectAll().where('id', '=', bundleId).executeTakeFirst()) ??
      null,

    projectsOf: async (bundleId: number): Promise<readonly number[]> => {
      const rows = await ledger.db
        .selectFrom('artifact_bundle_projects')
        .select('project_id')
        .where('bundle_id', '=', bundleId)
        .execute()
      return rows.map((row) => row.project_id)
    },

    /** Those that were begun and have no end. */
    atWork: async (): Promise<readonly Bundle[]> =>
      ledger.db
        .selectFrom('artifact_bundles')
        .selectAll()
        .where('state', '=', 'assembling')
        .orderBy('id')
        .limit(ROWS_PER_STATEMENT)
        .execute(),

    /** From now on its pieces are put together, also by a later process. @returns its id, also when another has begun it */
    begin: (key: BundleKey, asked: NewBundle): Promise<number> =>
      ledger.transaction((transaction) => beginBundle(transaction, key, asked)),

    /** The same files are uploaded again, perhaps for more projects: they count as the newest. */
    again: (bundle: Bundle, projectIds: readonly number[], now: number): Promise<void> =>
      ledger.transaction(async (transaction) => {
        await transaction
          .updateTable('artifact_bundles')
          .set({ uploaded_at: now })
          .where('id', '=', bundle.id)
          .execute()
        const added = await addProjects(transaction, bundle.id, projectIds)
        if (bundle.state === 'ok') await tellOf(transaction, bundle.id, added, now)
      }),

    /** @returns false when it was begun too often */
    attempt: async (bundle: Bundle): Promise<boolean> => {
      if (bundle.attempts >= LIMITS.ASSEMBLE_ATTEMPTS) return false
      await ledger.db
        .updateTable('artifact_bundles')
        .set({ attempts: bundle.attempts + 1 })
        .where('id', '=', bundle.id)
        .execute()
      return true
    },

    fail: async (bundleId: number, error: string, now: number): Promise<void> => {
      await ledger.db
        .updateTable('artifact_bundles')
        .set({ state: 'error', error, ended_at: now })
        .where('id', '=', bundleId)
        .execute()
    },

    /** All of its files can be used from now on, or none of them. */
    finish: (bundle: Pick<Bundle, 'id' | 'organization_id'>, files: readonly NewFile[], now: number): Promise<void> =>
      ledger.transaction((transaction) => putFiles(transaction, bundle, files, now)),

    /** Bytes of all files of an organisation, debug files among them, and of what they are looked up by. */
    keptBytes: async (organizationId: number): Promise<number> => {
      const row = await ledger.db
        .selectFrom('artifact_bundles')
        .select(({ fn }) => [
          fn.sum<number | string | null>('bytes').as('bytes'),
          fn.sum<number | string | null>('prepared_bytes').as('prepared'),
        ])
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      const debugFiles = await ledger.db
        .selectFrom('debug_files')
        .select(({ fn }) => [
          fn.sum<number | string | null>('bytes').as('bytes'),
          fn.sum<number | string | null>('index_bytes').as('index'),
        ])
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      const all = [row?.bytes, row?.prepared, debugFiles?.bytes, debugFiles?.index]
      return all.reduce((sum: number, bytes) => sum + Number(bytes ?? 0), 0)
    },

    /** Errors are told for a while. */
    forgetErrors: async (before: number): Promise<void> => {
      await ledger.db
        .deleteFrom('artifact_bundles')
        .where('state', '=', 'error')
        .where('ended_at', '<', before)
        .execute()
    },
  }
}

export const findBundle = async (db: Pick<LedgerTransaction, 'selectFrom'>, key: BundleKey): Promise<Bundle | null> => {
  const row = await db
    .selectFrom('artifact_bundles')
    .selectAll()
    .where('organization_id', '=', key.organizationId)
    .where('checksum', '=', key.checksum)
    .where('release_version', '=', key.release)
    .where('dist', '=', key.dist)
    .executeTakeFirst()
  return row ?? null
}

export const beginBundle = async (
  transaction: LedgerTransaction,
  key: BundleKey,
  { pieces, projectIds, now }: NewBundle,
): Promise<number> => {
  const begun = {
    state: 'assembling' as const,
    error: null,
    chunks: JSON.stringify(pieces),
    attempts: 0,
    uploaded_at: now,
    ended_at: null,
  }
  await transaction
    .insertInto('artifact_bundles')
    .values({
      organization_id: key.organizationId,
      checksum: key.checksum,
      release_version: key.release,
      dist: key.dist,
      bytes: 0,
      files: 0,
      ...begun,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'checksum', 'release_version', 'dist'])
        // What was wrong may be another server's fault, or ours.
        .doUpdateSet(begun)
        .where('artifact_bundles.state', '=', 'error'),
    )
    .execute()
  const row = await findBundle(transaction, key)
  if (row === null) throw new Error('A bundle of artifacts is not there after it was begun.')
  await addProjects(transaction, row.id, projectIds)
  return row.id
}

/** @returns those that it did not belong to */
export const addProjects = async (
  transaction: LedgerTransaction,
  bundleId: number,
  projectIds: readonly number[],
): Promise<readonly number[]> => {
  const rows = await transaction
    .selectFrom('artifact_bundle_projects')
    .select('project_id')
    .where('bundle_id', '=', bundleId)
    .execute()
  const known = new Set(rows.map((row) => row.project_id))
  const added = projectIds.filter((id) => !known.has(id))
  if (added.length > 0) {
    await transaction
      .insertInto('artifact_bundle_projects')
      .values(added.map((id) => ({ bundle_id: bundleId, project_id: id })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  return added
}

export const putFiles = async (
  transaction: LedgerTransaction,
  bundle: Pick<Bundle, 'id' | 'organization_id'>,
  files: readonly NewFile[],
  now: number,
): Promise<void> => {
  const { numUpdatedRows } = await transaction
    .updateTable('artifact_bundles')
    .set({
      state: 'ok',
      error: null,
      chunks: '[]',
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      files: files.length,
      prepared_bytes: files.reduce((sum, file) => sum + bytesWhenPrepared(file), 0),
      ended_at: now,
    })
    .where('id', '=', bundle.id)
    .where('state', '=', 'assembling')
    .executeTakeFirst()
  // Another server has done it meanwhile, or somebody deleted it: its files go by their day.
  if (Number(numUpdatedRows) === 0) return
  const blobs = files.map(({ blob_key: key, bytes }) => ({ key, organizationId: bundle.organization_id, bytes }))
  await noteBlobsUntil(transaction, [...new Map(blobs.map((blob) => [blob.key, blob])).values()], UNTIL_RELEASED)
  await holdBlobs(
    transaction,
    bundleHolder(bundle.id),
    blobs.map(({ key }) => key),
  )
  for (const part of chunks(files, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('artifact_files')
      .values(
        part.map((file) => ({
          ...file,
          bundle_id: bundle.id,
          organization_id: bundle.organization_id,
          prepared_bytes: bytesWhenPrepared(file),
        })),
      )
      .execute()
  }
  const projects = await transaction
    .selectFrom('artifact_bundle_projects')
    .select('project_id')
    .where('bundle_id', '=', bundle.id)
    .execute()
  await tellOf(
    transaction,
    bundle.id,
    projects.map((row) => row.project_id),
    now,
  )
}

/** Whoever follows what was uploaded hears of it. */
export const tellOf = async (
  transaction: LedgerTransaction,
  bundleId: number,
  projectIds: readonly number[],
  now: number,
): Promise<void> => {
  if (projectIds.length === 0) return
  const bundle = await transaction
    .selectFrom('artifact_bundles')
    .select(['organization_id', 'release_version', 'dist', 'files'])
    .where('id', '=', bundleId)
    .executeTakeFirstOrThrow()
  const ids = await transaction
    .selectFrom('artifact_files')
    .select(({ fn }) => fn.count<number | string>('debug_id').distinct().as('count'))
    .where('bundle_id', '=', bundleId)
    .executeTakeFirstOrThrow()
  const data = {
    bundleId,
    release: bundle.release_version === '' ? null : bundle.release_version,
    dist: bundle.dist === '' ? null : bundle.dist,
    files: bundle.files,
    debugIds: Number(ids.count),
  }
  await noteFacts(
    transaction,
    projectIds.map((projectId) => ({
      organizationId: bundle.organization_id,
      projectId,
      kind: 'artifacts_uploaded' as const,
      issueId: null,
      reportId: null,
      actorId: null,
      receivedAt: now,
      data,
    })),
    now,
  )
}
