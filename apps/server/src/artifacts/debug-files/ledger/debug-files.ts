import type { Selectable } from 'kysely'
import { noteFacts } from '../../../facts/index.ts'
import { ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../../../storage/ledger/note-blobs.ts'
import { holdBlobs, releaseHolders } from '../../../storage/ledger/release-blobs.ts'
import { debugFileHolder, UNTIL_RELEASED } from '../../ledger/keeping.ts'
import type { DebugFileTable } from '../../ledger/schema.ts'
import { LIMITS } from '../../limits.ts'

export type DebugFile = Selectable<DebugFileTable>

/** By what an upload is known. */
export interface DebugFileKey {
  readonly organizationId: number
  readonly projectId: number
  /** SHA-1 of the file. */
  readonly checksum: string
  /** '' for none. */
  readonly saidId: string
}

/** What became of a file: what it is, and where its bytes are. */
export type KeptDebugFile = Pick<
  DebugFile,
  'kind' | 'symbol_type' | 'architecture' | 'debug_id' | 'code_id' | 'features' | 'bytes' | 'index_key' | 'index_bytes'
> & { readonly blob_key: string }

const NO_PIECES = '[]'

export type DebugFiles = ReturnType<typeof createDebugFiles>

/** Writes debug files: what comes in, and what becomes of it. */
export const createDebugFiles = ({ ledger }: { readonly ledger: Ledger }) => ({
  find: (key: DebugFileKey): Promise<DebugFile | null> => findFile(ledger.db, key),

  byId: async (fileId: number): Promise<DebugFile | null> =>
    (await ledger.db.selectFrom('debug_files').selectAll().where('id', '=', fileId).executeTakeFirst()) ?? null,

  /** Those that were begun of pieces, which are kept, and have no end. */
  atWork: (): Promise<readonly DebugFile[]> =>
    ledger.db
      .selectFrom('debug_files')
      .selectAll()
      .where('state', '=', 'assembling')
      .where('chunks', '!=', NO_PIECES)
      .orderBy('id')
      .limit(ROWS_PER_STATEMENT)
      .execute(),

  /** From now on its pieces are put together, also by a later process. @returns its id, also when another has begun it */
  begin: (
    key: DebugFileKey,
    asked: { readonly name: string; readonly pieces: readonly string[]; readonly now: number },
  ): Promise<number> => ledger.transaction((transaction) => beginFile(transaction, key, asked)),

  /** It was uploaded again: it counts as the newest. */
  again: async (fileId: number, now: number): Promise<void> => {
    await ledger.db.updateTable('debug_files').set({ uploaded_at: now }).where('id', '=', fileId).execute()
  },

  /** @returns false when it was begun too often */
  attempt: async ({ id, attempts }: Pick<DebugFile, 'id' | 'attempts'>): Promise<boolean> => {
    if (attempts >= LIMITS.ASSEMBLE_ATTEMPTS) return false
    await ledger.db
      .updateTable('debug_files')
      .set({ attempts: attempts + 1 })
      .where('id', '=', id)
      .execute()
    return true
  },

  fail: async (fileId: number, error: string, now: number): Promise<void> => {
    await ledger.db
      .updateTable('debug_files')
      .set({ state: 'error', error, ended_at: now })
      .where('id', '=', fileId)
      .execute()
  },

  failWithoutPieces: (error: string, when: { readonly before: number; readonly now: number }): Promise<void> =>
    failArchived(ledger, error, when),

  /** It can be used from now on. */
  finish: (file: DebugFile, kept: KeptDebugFile, now: number): Promise<void> =>
    ledger.transaction((transaction) => putFile(transaction, file, kept, now)),

  /** Errors are told for a while. */
  forgetErrors: async (before: number): Promise<void> => {
    await ledger.db.deleteFrom('debug_files').where('state', '=', 'error').where('ended_at', '<', before).execute()
  },

  /** @returns false when the project has no such file */
  remove: (
    { organizationId, projectId }: { readonly organizationId: number; readonly projectId: number },
    fileId: number,
  ): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const row = await transaction
        .selectFrom('debug_files')
        .select('id')
        .where('id', '=', fileId)
        .where('organization_id', '=', organizationId)
        .where('project_id', '=', projectId)
        .executeTakeFirst()
      if (row === undefined) return false
      await takeAway(transaction, [row.id])
      return true
    }),

  /** Some files of a project that is deleted. @returns how many */
  removeOfProject: (projectId: number): Promise<number> =>
    ledger.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('debug_files')
        .select('id')
        .where('project_id', '=', projectId)
        .limit(ROWS_PER_STATEMENT)
        .execute()
      await takeAway(
        transaction,
        rows.map(({ id }) => id),
      )
      return rows.length
    }),
})

/** Those that came in an archive, were begun before a time, and have no end: nobody is at them any more. */
const failArchived = async (
  { db }: Pick<Ledger, 'db'>,
  error: string,
  { before, now }: { readonly before: number; readonly now: number },
): Promise<void> => {
  await db
    .updateTable('debug_files')
    .set({ state: 'error', error, ended_at: now })
    .where('state', '=', 'assembling')
    .where('chunks', '=', NO_PIECES)
    .where('uploaded_at', '<', before)
    .execute()
}

const takeAway = async (transaction: LedgerTransaction, ids: readonly number[]): Promise<void> => {
  if (ids.length === 0) return
  await releaseHolders(transaction, ids.map(debugFileHolder))
  await transaction.deleteFrom('debug_files').where('id', 'in', ids).execute()
}

const findFile = async (db: Pick<LedgerTransaction, 'selectFrom'>, key: DebugFileKey): Promise<DebugFile | null> => {
  const row = await db
    .selectFrom('debug_files')
    .selectAll()
    .where('organization_id', '=', key.organizationId)
    .where('project_id', '=', key.projectId)
    .where('checksum', '=', key.checksum)
    .where('said_id', '=', key.saidId)
    .executeTakeFirst()
  return row ?? null
}

const beginFile = async (
  transaction: LedgerTransaction,
  key: DebugFileKey,
  { name, now, pieces }: { readonly name: string; readonly pieces: readonly string[]; readonly now: number },
): Promise<number> => {
  const begun = {
    name,
    state: 'assembling' as const,
    error: null,
    chunks: JSON.stringify(pieces),
    attempts: 0,
    uploaded_at: now,
    ended_at: null,
  }
  await transaction
    .insertInto('debug_files')
    .values({
      organization_id: key.organizationId,
      project_id: key.projectId,
      checksum: key.checksum,
      said_id: key.saidId,
      features: '[]',
      bytes: 0,
      index_bytes: 0,
      ...begun,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['project_id', 'checksum', 'said_id'])
        // What was wrong may be another server's fault, or ours.
        .doUpdateSet(begun)
        .where('debug_files.state', '=', 'error'),
    )
    .execute()
  const row = await findFile(transaction, key)
  if (row === null) throw new Error('A debug file is not there after it was begun.')
  return row.id
}

/** With its blobs; nothing where it was deleted meanwhile. */
const putFile = async (
  transaction: LedgerTransaction,
  file: DebugFile,
  kept: KeptDebugFile,
  now: number,
): Promise<void> => {
  const { numUpdatedRows } = await transaction
    .updateTable('debug_files')
    .set({ ...kept, state: 'ok', error: null, chunks: NO_PIECES, ended_at: now })
    .where('id', '=', file.id)
    .where('state', '=', 'assembling')
    .executeTakeFirst()
  if (Number(numUpdatedRows) === 0) return
  const organizationId = file.organization_id
  const blobs = [{ key: kept.blob_key, organizationId, bytes: kept.bytes }]
  if (kept.index_key !== null) blobs.push({ key: kept.index_key, organizationId, bytes: kept.index_bytes })
  await noteBlobsUntil(transaction, blobs, UNTIL_RELEASED)
  await holdBlobs(
    transaction,
    debugFileHolder(file.id),
    blobs.map(({ key }) => key),
  )
  if (kept.kind !== 'proguard' || kept.debug_id === null) return
  await noteFacts(
    transaction,
    [
      {
        organizationId,
        projectId: file.project_id,
        kind: 'mapping_uploaded' as const,
        issueId: null,
        reportId: null,
        actorId: null,
        receivedAt: now,
        data: { debugFileId: file.id, debugId: kept.debug_id },
      },
    ],
    now,
  )
}
