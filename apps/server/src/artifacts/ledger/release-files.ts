import type { Selectable } from 'kysely'
import { containing } from '../../storage/ledger/containing.ts'
import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { holdToo, letGo, releaseHolders } from '../../storage/ledger/release-blobs.ts'
import { referredAddress } from '../address.ts'
import { LIMITS } from '../limits.ts'
import { addProjects, bytesWhenPrepared, findBundle, tellOf, type BundleKey, type NewFile } from './bundles.ts'
import { bundleHolder, mapHolder, UNTIL_RELEASED } from './keeping.ts'
import type { ArtifactFileTable } from './schema.ts'

/** Files of a release in an organisation, or in one of its projects. */
export interface InRelease {
  readonly organizationId: number
  /** Null for all. */
  readonly projectId: number | null
  readonly release: string
}

export type ReleaseFile = Selectable<ArtifactFileTable> & { readonly dist: string; readonly uploaded_at: number }

/** What became of a file that was sent by itself. */
type Added = { readonly fileId: number } | 'there already' | 'too many'

export type ReleaseFiles = ReturnType<typeof createReleaseFiles>

/**
 * The files that are sent one by one for a release and dist are a bundle like any other, so that frames find them and a map
 * finds its code. Where others have the sum of their archive it has this, which is none.
 */
const keyOf = (place: InRelease & { readonly projectId: number }, dist: string): BundleKey => ({
  organizationId: place.organizationId,
  checksum: `${ONE_BY_ONE}${place.projectId}`,
  release: place.release,
  dist,
})

const ONE_BY_ONE = 'one-by-one/'

export const createReleaseFiles = ({ ledger }: { readonly ledger: Ledger }) => {
  const filesOf = ({ organizationId, projectId, release }: InRelease) => {
    const files = ledger.db
      .selectFrom('artifact_files')
      .innerJoin('artifact_bundles', 'artifact_bundles.id', 'artifact_files.bundle_id')
      .selectAll('artifact_files')
      .select(['artifact_bundles.dist', 'artifact_bundles.uploaded_at'])
      .where('artifact_bundles.organization_id', '=', organizationId)
      .where('artifact_bundles.release_version', '=', release)
      .where('artifact_bundles.state', '=', 'ok')
      .where('artifact_bundles.from_site', '=', 0)
    if (projectId === null) return files
    return files.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('artifact_bundle_projects')
          .select('artifact_bundle_projects.bundle_id')
          .whereRef('artifact_bundle_projects.bundle_id', '=', 'artifact_bundles.id')
          .where('artifact_bundle_projects.project_id', '=', projectId),
      ),
    )
  }

  return {
    list: (
      place: InRelease,
      { text, checksums }: { readonly text: string; readonly checksums: readonly string[] },
      page: { readonly offset: number; readonly limit: number },
    ): Promise<readonly ReleaseFile[]> => {
      let rows = filesOf(place)
      if (text !== '') rows = rows.where(containing(ledger.dialect, 'artifact_files.url', text))
      if (checksums.length > 0) rows = rows.where('artifact_files.sha1', 'in', checksums)
      return rows
        .orderBy('artifact_files.url')
        .orderBy('artifact_files.id')
        .limit(page.limit)
        .offset(page.offset)
        .execute()
    },

    file: async (place: InRelease, fileId: number): Promise<ReleaseFile | null> =>
      (await filesOf(place).where('artifact_files.id', '=', fileId).executeTakeFirst()) ?? null,

    /** In place of the one that had its name. */
    add: (
      place: InRelease & { readonly projectId: number },
      { dist, file, now }: { readonly dist: string; readonly file: NewFile; readonly now: number },
    ): Promise<Added> =>
      ledger.transaction(async (transaction) => {
        const bundleId = await lockedBundleOf(transaction, place, dist, now)
        const older = await transaction
          .selectFrom('artifact_files')
          .selectAll()
          .where('bundle_id', '=', bundleId)
          .where('url', '=', file.url)
          .executeTakeFirst()
        if (older?.sha1 === file.sha1) return 'there already'
        if (older !== undefined) await takeOut(transaction, older)
        else if ((await countOf(transaction, bundleId)) >= LIMITS.ARCHIVE_FILES) return 'too many'
        return { fileId: await putIn(transaction, place, { bundleId, file, now }) }
      }),

    /** @returns false when it is not there */
    remove: (place: InRelease, fileId: number): Promise<boolean> =>
      ledger.transaction(async (transaction) => {
        const found = await filesOf(place).where('artifact_files.id', '=', fileId).executeTakeFirst()
        if (found === undefined) return false
        // Whoever adds to its bundle, or removes of it, at the same time waits here; then it is what nobody changes.
        await transaction
          .updateTable('artifact_bundles')
          .set(({ ref }) => ({ files: ref('files') }))
          .where('id', '=', found.bundle_id)
          .execute()
        const file = await transaction
          .selectFrom('artifact_files')
          .selectAll()
          .where('id', '=', fileId)
          .executeTakeFirst()
        if (file === undefined) return false
        if ((await countOf(transaction, file.bundle_id)) > 1) {
          await takeOut(transaction, file)
          await isNotItsArchive(transaction, file)
        } else {
          await releaseHolders(transaction, [bundleHolder(file.bundle_id), mapHolder(file.id)])
          await transaction.deleteFrom('artifact_bundles').where('id', '=', file.bundle_id).execute()
        }
        return true
      }),
  }
}

/** Whoever sends another file, or removes one, at the same time waits here. It may be removed before it is locked. */
const lockedBundleOf = async (
  transaction: LedgerTransaction,
  place: InRelease & { readonly projectId: number },
  dist: string,
  now: number,
): Promise<number> => {
  for (let tries = 0; tries < 3; tries += 1) {
    const id = await bundleOf(transaction, place, dist, now)
    const { numUpdatedRows } = await transaction
      .updateTable('artifact_bundles')
      .set({ uploaded_at: now })
      .where('id', '=', id)
      .executeTakeFirst()
    if (Number(numUpdatedRows) > 0) return id
  }
  throw new Error('The files of a release were removed three times while one was added.')
}

const bundleOf = async (
  transaction: LedgerTransaction,
  place: InRelease & { readonly projectId: number },
  dist: string,
  now: number,
): Promise<number> => {
  const key = keyOf(place, dist)
  await transaction
    .insertInto('artifact_bundles')
    .values({
      organization_id: place.organizationId,
      checksum: key.checksum,
      release_version: place.release,
      dist,
      state: 'ok',
      error: null,
      chunks: '[]',
      bytes: 0,
      files: 0,
      attempts: 0,
      uploaded_at: now,
      ended_at: now,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'checksum', 'release_version', 'dist']).doNothing())
    .execute()
  const bundle = await findBundle(transaction, key)
  if (bundle === null) throw new Error('The files of a release are not there after they were begun.')
  await addProjects(transaction, bundle.id, [place.projectId])
  return bundle.id
}

const countOf = async (transaction: LedgerTransaction, bundleId: number): Promise<number> => {
  const { files } = await transaction
    .selectFrom('artifact_bundles')
    .select('files')
    .where('id', '=', bundleId)
    .executeTakeFirstOrThrow()
  return files
}

const putIn = async (
  transaction: LedgerTransaction,
  { organizationId, projectId }: { readonly organizationId: number; readonly projectId: number },
  { bundleId, file, now }: { readonly bundleId: number; readonly file: NewFile; readonly now: number },
): Promise<number> => {
  const blob = { key: file.blob_key, organizationId, bytes: file.bytes }
  await noteBlobsUntil(transaction, [blob], UNTIL_RELEASED)
  await holdToo(transaction, bundleHolder(bundleId), [blob.key])
  const prepared = bytesWhenPrepared(file)
  const { id } = await transaction
    .insertInto('artifact_files')
    .values({ ...file, bundle_id: bundleId, organization_id: organizationId, prepared_bytes: prepared })
    .returning('id')
    .executeTakeFirstOrThrow()
  await transaction
    .updateTable('artifact_bundles')
    .set(({ eb }) => ({
      files: eb('files', '+', 1),
      bytes: eb('bytes', '+', file.bytes),
      prepared_bytes: eb('prepared_bytes', '+', prepared),
    }))
    .where('id', '=', bundleId)
    .execute()
  if (file.kind === 'minified_source') await prepareAgain(transaction, bundleId, file)
  await tellOf(transaction, bundleId, [projectId], now)
  return id
}

/** The map of this code may have come before it: it is made ready once more, with the names of its functions. */
const prepareAgain = async (transaction: LedgerTransaction, bundleId: number, code: NewFile): Promise<void> => {
  const { debug_id: debugId, source_map: reference, url } = code
  if (debugId === null && reference === null) return
  await transaction
    .updateTable('artifact_files')
    .set({ prepared_form: null, prepare_attempts: 0 })
    .where('bundle_id', '=', bundleId)
    .where('kind', '=', 'source_map')
    .where(({ eb, or }) =>
      or([
        ...(debugId === null ? [] : [eb('debug_id', '=', debugId)]),
        ...(reference === null ? [] : [eb('url', '=', referredAddress(reference, url))]),
      ]),
    )
    .execute()
}

/** A bundle that lacks a file of its archive is not known by it any more: whoever uploads that again uploads all of it. */
const isNotItsArchive = async (
  transaction: LedgerTransaction,
  { bundle_id: bundleId, id }: Pick<ReleaseFile, 'bundle_id' | 'id'>,
): Promise<void> => {
  await transaction
    .updateTable('artifact_bundles')
    .set({ checksum: `without/${id}` })
    .where('id', '=', bundleId)
    .where('checksum', 'not like', `${ONE_BY_ONE}%`)
    .execute()
}

const takeOut = async (transaction: LedgerTransaction, file: Selectable<ArtifactFileTable>): Promise<void> => {
  const { blob_key: key, bundle_id: bundleId } = file
  await transaction.deleteFrom('artifact_files').where('id', '=', file.id).execute()
  const another = await transaction
    .selectFrom('artifact_files')
    .select('id')
    .where('bundle_id', '=', bundleId)
    .where('blob_key', '=', key)
    .limit(1)
    .executeTakeFirst()
  if (another === undefined) await letGo(transaction, bundleHolder(bundleId), [key])
  await releaseHolders(transaction, [mapHolder(file.id)])
  await transaction
    .updateTable('artifact_bundles')
    .set(({ eb }) => ({
      files: eb('files', '-', 1),
      bytes: eb('bytes', '-', file.bytes),
      prepared_bytes: eb('prepared_bytes', '-', file.prepared_bytes),
    }))
    .where('id', '=', bundleId)
    .execute()
}
