import type { Ledger } from '../../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import { createAssetSpace, NO_ASSET_SPACE, type AssetSpace } from './asset-space.ts'
import '../schema.ts'

/** What pictures, fonts and style sheets of a project take. The same bytes count once, however many replays have them. */
export const readAssetBytes = async (db: Pick<Ledger['db'], 'selectFrom'>, projectId: number): Promise<number> => {
  const row = await db
    .selectFrom(
      db
        .selectFrom('replay_assets')
        .select(({ fn }) => ['blob_key', fn.max('bytes').as('bytes')])
        .where('project_id', '=', projectId)
        .where('blob_key', 'is not', null)
        .groupBy('blob_key')
        .as('blob'),
    )
    .select(({ fn }) => fn.sum<number | string | null>('blob.bytes').as('bytes'))
    .executeTakeFirst()
  return Number(row?.bytes ?? 0)
}

type Db = Pick<Ledger['db'], 'selectFrom'>

/** What these replays have, each with those of them that have it. */
const readUses = async (db: Db, projectId: number, replayIds: readonly string[]) => {
  const uses: { readonly replay_id: string; readonly asset_id: number }[] = []
  for (const part of chunks(replayIds, ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('replay_asset_uses')
      .select(['replay_id', 'asset_id'])
      .where('project_id', '=', projectId)
      .where('replay_id', 'in', part)
      .execute()
    uses.push(...rows)
  }
  return uses
}

/** These and all that stands in style sheets among them. */
const withParts = async (db: Db, assets: ReadonlySet<number>): Promise<ReadonlySet<number>> => {
  const all = new Set(assets)
  for (let open = [...assets]; open.length > 0;) {
    const found: number[] = []
    for (const part of chunks(open, ROWS_PER_STATEMENT)) {
      const rows = await db.selectFrom('replay_asset_parts').select('part_id').where('asset_id', 'in', part).execute()
      found.push(...rows.map((row) => row.part_id))
    }
    open = [...new Set(found)].filter((id) => !all.has(id))
    for (const id of open) all.add(id)
  }
  return all
}

const readBlobs = async (db: Db, ids: readonly number[]) => {
  const blobs: { readonly id: number; readonly key: string; readonly bytes: number }[] = []
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('replay_assets')
      .select(['id', 'blob_key', 'bytes'])
      .where('id', 'in', part)
      .where('blob_key', 'is not', null)
      .execute()
    for (const { blob_key: key, bytes, id } of rows) if (key !== null) blobs.push({ id, key, bytes })
  }
  return blobs
}

/** How many of a project's rows have each of these blobs. */
const countRows = async (db: Db, projectId: number, keys: readonly string[]): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  for (const part of chunks(keys, ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('replay_assets')
      .select(({ fn }) => ['blob_key', fn.countAll<number | string>().as('rows')])
      .where('project_id', '=', projectId)
      .where('blob_key', 'in', part)
      .groupBy('blob_key')
      .execute()
    for (const row of rows) counts.set(row.blob_key ?? '', Number(row.rows))
  }
  return counts
}

/** How often each of these is had: by replays, and by style sheets, which are named. */
const readOwners = async (db: Db, ids: readonly number[]) => {
  const replays = new Map<number, number>()
  const sheets: { readonly asset_id: number; readonly part_id: number }[] = []
  for (const part of chunks(ids, ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('replay_asset_uses')
      .select(({ fn }) => ['asset_id', fn.countAll<number | string>().as('replays')])
      .where('asset_id', 'in', part)
      .groupBy('asset_id')
      .execute()
    for (const row of rows) replays.set(row.asset_id, Number(row.replays))
    sheets.push(...(await db.selectFrom('replay_asset_parts').selectAll().where('part_id', 'in', part).execute()))
  }
  return { replays, sheets }
}

export const createAssetBytes = ({ ledger: { db } }: { readonly ledger: Pick<Ledger, 'db'> }) => ({
  storedBytes: (projectId: number): Promise<number> => readAssetBytes(db, projectId),

  /** What these replays have, all together. */
  storedBytesOf: async (projectId: number, replayIds: readonly string[]): Promise<number> => {
    const uses = await readUses(db, projectId, replayIds)
    const blobs = await readBlobs(db, [...(await withParts(db, new Set(uses.map((use) => use.asset_id))))])
    const sizes = new Map(blobs.map(({ bytes, key }) => [key, bytes]))
    return [...sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
  },

  /** What becomes free when these replays go, one after the other. */
  spaceOf: async (projectId: number, replayIds: readonly string[]): Promise<AssetSpace> => {
    const uses = await readUses(db, projectId, replayIds)
    if (uses.length === 0) return NO_ASSET_SPACE
    const ids = [...(await withParts(db, new Set(uses.map((use) => use.asset_id))))]
    const blobs = await readBlobs(db, ids)
    const { replays, sheets } = await readOwners(db, ids)
    return createAssetSpace({
      uses: uses.map((use) => [use.replay_id, use.asset_id]),
      parts: sheets.map((sheet) => [sheet.asset_id, sheet.part_id]),
      replaysOf: replays,
      blobs,
      rowsOf: await countRows(db, projectId, [...new Set(blobs.map(({ key }) => key))]),
    })
  },
})
