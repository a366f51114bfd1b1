import type { Ledger, LedgerTransaction } from '../../storage/ledger/ledger.ts'
import { noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { holdBlobs } from '../../storage/ledger/release-blobs.ts'
import { referredAddress } from '../address.ts'
import { LIMITS } from '../limits.ts'
import { PREPARED_FORM } from '../maps/prepared-map.ts'
import { mapHolder, UNTIL_RELEASED } from './keeping.ts'

/** A source map that nobody has prepared in today's form, and the code that it belongs to. */
export interface MapToPrepare {
  readonly id: number
  readonly organizationId: number
  readonly bundleId: number
  readonly blobKey: string
  readonly bytes: number
  /** Of the same bundle: by debug id, else the file that names it. Null where it was not uploaded. */
  readonly code: { readonly blobKey: string; readonly bytes: number } | null
  readonly url: string
  /** Tries that came to nothing, also of an earlier server. */
  readonly attempts: number
  /** Sources of the same bundle, for maps that only name them; no more than are read. */
  readonly sources: readonly UploadedSource[]
}

export interface UploadedSource {
  readonly url: string
  readonly blobKey: string
  readonly bytes: number
}

export type Prepared =
  | { readonly key: string; readonly bytes: number }
  /** Why it cannot be used, for people. */
  | { readonly error: string }

export type Preparing = ReturnType<typeof createPreparing>

export const createPreparing = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** Organisations with maps that wait, beside those that are named. */
  organizations: async (without: ReadonlySet<number>): Promise<readonly number[]> => {
    const rows = await waitingMaps(ledger, without)
      .select(({ fn }) => ['organization_id', fn.min('id').as('oldest')])
      .groupBy('organization_id')
      .orderBy('oldest')
      .execute()
    return rows.map((row) => row.organization_id)
  },

  /** The oldest of those of an organisation that wait, beside those that are named. */
  waiting: async (organizationId: number, without: ReadonlySet<number>): Promise<readonly MapToPrepare[]> => {
    const maps = await waitingMaps(ledger, without)
      .select(['id', 'organization_id', 'bundle_id', 'blob_key', 'bytes', 'debug_id', 'url', 'prepare_attempts'])
      .where('organization_id', '=', organizationId)
      .orderBy('id')
      .limit(LIMITS.PREPARED_AT_ONCE)
      .execute()
    if (maps.length === 0) return []
    const bundleIds = [...new Set(maps.map((map) => map.bundle_id))]
    const codeOf = await codesOf(ledger.db, bundleIds)
    const sources = await sourcesOf(ledger, bundleIds)
    return maps.map((map) => {
      const code = codeOf(map)
      return {
        id: map.id,
        organizationId: map.organization_id,
        bundleId: map.bundle_id,
        blobKey: map.blob_key,
        bytes: map.bytes,
        code: code === undefined ? null : { blobKey: code.blob_key, bytes: code.bytes },
        url: map.url,
        attempts: map.prepare_attempts,
        sources: sources.get(map.bundle_id) ?? [],
      }
    })
  },

  /** It was tried once more, and nothing came of it. */
  tried: async ({ attempts, id }: Pick<MapToPrepare, 'attempts' | 'id'>): Promise<void> => {
    await ledger.db
      .updateTable('artifact_files')
      .set({ prepare_attempts: attempts + 1 })
      .where('id', '=', id)
      .execute()
  },

  /** A map that was deleted meanwhile is no more; its blob goes by its day. */
  note: (map: MapToPrepare, prepared: Prepared): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const before = await transaction
        .selectFrom('artifact_files')
        .select(['prepared_bytes', 'bundle_id', 'debug_id', 'url'])
        .where('id', '=', map.id)
        .executeTakeFirst()
      if (before === undefined) return
      // Its code came while it was read, by itself: it is read again, with the names of its functions.
      if (map.code === null && (await codesOf(transaction, [map.bundleId]))(before) !== undefined) return
      const { key, bytes } = 'key' in prepared ? prepared : { key: null, bytes: 0 }
      if (key !== null) {
        await noteBlobsUntil(transaction, [{ key, organizationId: map.organizationId, bytes }], UNTIL_RELEASED)
      }
      await holdBlobs(transaction, mapHolder(map.id), key === null ? [] : [key])
      await transaction
        .updateTable('artifact_files')
        .set({
          prepared_key: key,
          prepared_form: PREPARED_FORM,
          prepared_bytes: bytes,
          prepare_attempts: 0,
          map_error: 'error' in prepared ? prepared.error : null,
        })
        .where('id', '=', map.id)
        .execute()
      await transaction
        .updateTable('artifact_bundles')
        .set(({ eb }) => ({ prepared_bytes: eb('prepared_bytes', '+', bytes - before.prepared_bytes) }))
        .where('id', '=', map.bundleId)
        .execute()
    }),
})

interface Code {
  readonly blob_key: string
  readonly bytes: number
}

/** The code of maps of these bundles: by debug id, else the file that names the map. */
const codesOf = async (
  db: Pick<LedgerTransaction, 'selectFrom'>,
  bundleIds: readonly number[],
): Promise<(map: { bundle_id: number; debug_id: string | null; url: string }) => Code | undefined> => {
  const codes = await db
    .selectFrom('artifact_files')
    .select(['bundle_id', 'blob_key', 'bytes', 'debug_id', 'url', 'source_map'])
    .where('kind', '=', 'minified_source')
    .where('bundle_id', 'in', bundleIds)
    .execute()
  const byId = new Map(codes.map((code) => [`${code.bundle_id} ${code.debug_id ?? ''}`, code]))
  const byReference = new Map(
    codes.map((code) => [
      `${code.bundle_id} ${code.source_map === null ? '' : referredAddress(code.source_map, code.url)}`,
      code,
    ]),
  )
  return ({ bundle_id: bundleId, debug_id: debugId, url }) =>
    (debugId === null ? undefined : byId.get(`${bundleId} ${debugId}`)) ?? byReference.get(`${bundleId} ${url}`)
}

/** By bundle. */
const sourcesOf = async (
  ledger: Ledger,
  bundleIds: readonly number[],
): Promise<ReadonlyMap<number, readonly UploadedSource[]>> => {
  const found = new Map<number, UploadedSource[]>()
  for (const bundleId of bundleIds) {
    const rows = await ledger.db
      .selectFrom('artifact_files')
      .select(['blob_key', 'bytes', 'url'])
      .where('bundle_id', '=', bundleId)
      .where('kind', '=', 'source')
      .orderBy('id')
      .limit(LIMITS.UPLOADED_SOURCES)
      .execute()
    let left: number = LIMITS.UPLOADED_SOURCES_BYTES
    const fitting = rows.filter(({ bytes }) => (left -= bytes) >= 0)
    found.set(
      bundleId,
      fitting.map(({ blob_key: blobKey, bytes, url }) => ({ blobKey, bytes, url })),
    )
  }
  return found
}

const waitingMaps = (ledger: Ledger, without: ReadonlySet<number>) => {
  const maps = ledger.db
    .selectFrom('artifact_files')
    .where('kind', '=', 'source_map')
    .where(({ or, eb }) => or([eb('prepared_form', 'is', null), eb('prepared_form', '<', PREPARED_FORM)]))
  return without.size === 0 ? maps : maps.where('id', 'not in', [...without])
}
