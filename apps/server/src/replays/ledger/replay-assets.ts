import { createHash } from 'node:crypto'
import type { NamedAddresses, SheetImport } from '@firsthand/recording'
import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import type { Expiring, Ledger, LedgerTransaction } from '../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import { noteBlobs, noteBlobsUntil } from '../../storage/ledger/note-blobs.ts'
import { holdBlobs, releaseBlobs, releaseHolders } from '../../storage/ledger/release-blobs.ts'
import type { AssetFailure } from '../assets/asset-failure.ts'
import { LIMITS } from '../limits.ts'
import type { OwnedReplay, ReplayReference, ReplaysOfProject } from '../replay.ts'
import { createAssetBytes, readAssetBytes } from './asset-bytes.ts'
import './schema.ts'

/** Addresses that stand in the pages of a replay. */
export interface NamedAssets extends OwnedReplay, NamedAddresses {}

/** Something that is to be fetched. */
export interface WaitingAsset {
  readonly id: number
  readonly organizationId: number
  readonly projectId: number
  readonly url: string
  readonly depth: number
  /** How often it was tried. */
  readonly attempts: number
}

/** What came. */
export interface FetchedAsset {
  readonly key: string
  readonly type: string
  readonly bytes: number
  readonly imports: readonly SheetImport[]
  /** Of a style sheet: what is fetched for it, */
  readonly parts: readonly string[]
  /** and how much else it names. */
  readonly leftOut: number
}

/** As a replay has it. */
export interface AssetRecord {
  readonly id: number
  readonly url: string
  readonly state: 'waiting' | 'kept' | 'failed'
  readonly reason: AssetFailure | ''
  readonly type: string
  readonly bytes: number
  readonly blobKey: string | null
  readonly imports: readonly SheetImport[]
}

const SHEET = 'text/css'
const hashOf = (url: string): string => createHash('sha256').update(url).digest('hex')
const holderOf = (id: number): string => `replay asset ${id}`

/** How an address is taken up: those that are there and good are used again. */
interface Wanted {
  readonly organizationId: number
  readonly projectId: number
  readonly urls: Iterable<string>
  readonly depth: number
}

interface Fresh {
  readonly id: number
  readonly hash: string
  readonly depth: number
  readonly type: string
  readonly key: string | null
  readonly bytes: number
}

/** @returns by hash; those that lie deepest are first */
const findFresh = async (
  transaction: LedgerTransaction,
  { projectId }: Wanted,
  hashes: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, readonly Fresh[]>> => {
  const found: Fresh[] = []
  for (const part of chunks(hashes, ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('replay_assets')
      .select(['id', 'url_hash as hash', 'depth', 'type', 'blob_key as key', 'bytes'])
      .where('project_id', '=', projectId)
      .where('url_hash', 'in', part)
      .where(({ and, eb, or }) =>
        or([
          eb('state', '=', 'waiting'),
          and([eb('state', '=', 'kept'), eb('ended_at', '>', now - LIMITS.REPLAY_ASSET_FRESH_MS)]),
          and([eb('state', '=', 'failed'), eb('ended_at', '>', now - LIMITS.REPLAY_ASSET_FAILED_MS)]),
        ]),
      )
      .orderBy('depth', 'desc')
      .orderBy('id')
      .execute()
    found.push(...rows)
  }
  return Map.groupBy(found, ({ hash }) => hash)
}

/** How many more of a project may wait, by its own bound and by that of its organisation. */
const roomOf = async (
  transaction: LedgerTransaction,
  { organizationId, projectId }: Pick<Wanted, 'organizationId' | 'projectId'>,
): Promise<number> => {
  const rows = await transaction
    .selectFrom('replay_assets')
    .select(({ fn }) => ['project_id', fn.countAll<number | string>().as('waiting')])
    .where('project_id', 'in', (own) =>
      own.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
    )
    .where('state', '=', 'waiting')
    .groupBy('project_id')
    .execute()
  const own = rows.find((row) => row.project_id === projectId)
  const all = rows.reduce((sum, { waiting }) => sum + Number(waiting), 0)
  return Math.min(
    LIMITS.REPLAY_ASSETS_WAITING - Number(own?.waiting ?? 0),
    LIMITS.REPLAY_ASSETS_WAITING_PER_ORGANIZATION - all,
  )
}

/** Which of those that are there is used: none where it is fetched anew, null where it is left away. */
type Choice = (there: readonly Fresh[]) => Fresh | undefined | null

/** @returns ids by address */
const takeUp = async (
  transaction: LedgerTransaction,
  wanted: Wanted,
  now: number,
  choice: Choice = (there) => there.at(-1),
): Promise<ReadonlyMap<string, number>> => {
  const { depth, organizationId, projectId } = wanted
  const byHash = new Map(Array.from(wanted.urls, (url) => [hashOf(url), url]))
  const fresh = await findFresh(transaction, wanted, [...byHash.keys()], now)
  const chosen = Array.from(byHash, ([hash, url]) => ({ hash, url, asset: choice(fresh.get(hash) ?? []) }))
  const ids = new Map(chosen.flatMap(({ asset, url }) => (asset ? [[url, asset.id] as const] : [])))
  // It is kept for as long as the last replay that has it.
  const kept = chosen.flatMap(({ asset }) =>
    asset?.key ? [{ key: asset.key, organizationId, bytes: asset.bytes, receivedAt: now }] : [],
  )
  await noteBlobs(transaction, kept)
  const missing = chosen.flatMap(({ asset, hash, url }) => (asset === undefined ? [[hash, url] as const] : []))
  if (missing.length === 0) return ids
  let room = await roomOf(transaction, wanted)
  for (const part of chunks(missing, ROWS_PER_STATEMENT)) {
    const rows = part.map(([url_hash, url]) => {
      const waits = room-- > 0
      return {
        project_id: projectId,
        url,
        url_hash,
        depth,
        state: waits ? ('waiting' as const) : ('failed' as const),
        reason: waits ? '' : ('too_many' satisfies AssetFailure),
        attempts: 0,
        due_at: now,
        ended_at: waits ? null : now,
        type: '',
        bytes: 0,
        blob_key: null,
        imports: '[]',
        left_out: 0,
      }
    })
    const added = await transaction.insertInto('replay_assets').values(rows).returning(['id', 'url_hash']).execute()
    for (const { id, url_hash: hash } of added) ids.set(byHash.get(hash) ?? '', id)
  }
  return ids
}

/** Notes what pages of replays name; what is not there is fetched. In the transaction of a batch, which may be repeated. */
export const noteAssets = async (
  transaction: LedgerTransaction,
  named: readonly NamedAssets[],
  now: number,
): Promise<void> => {
  const projects = Map.groupBy(
    named.filter(({ addresses, leftOut }) => addresses.length + leftOut.length > 0),
    ({ projectId }) => projectId,
  )
  for (const [projectId, own] of projects) {
    const [first] = own
    if (first === undefined) continue
    const { organizationId } = first
    const chosen: Chosen[] = []
    for (const [replayId, parts] of Map.groupBy(own, (one) => one.replayId)) {
      chosen.push(await choose(transaction, { projectId, replayId }, parts))
    }
    const urls = new Set(chosen.flatMap(({ taken }) => taken))
    const ids = await takeUp(transaction, { organizationId, projectId, urls, depth: 0 }, now)
    for (const { replay, taken, ...one } of chosen) {
      await use(transaction, replay, new Set(taken.flatMap((url) => ids.get(url) ?? [])), now)
      await noteLeftOut(transaction, replay, { ...one, taken: taken.map(hashOf) }, now)
    }
  }
}

/** What of the addresses of a replay is taken up. */
interface Chosen {
  readonly replay: ReplayReference
  readonly taken: readonly string[]
  /** Hashes of others, for which there is no room. */
  readonly beyond: readonly string[]
}

const choose = async (
  transaction: LedgerTransaction,
  replay: ReplayReference,
  parts: readonly NamedAddresses[],
): Promise<Chosen> => {
  const rows = await transaction
    .selectFrom('replay_asset_uses')
    .innerJoin('replay_assets', 'replay_assets.id', 'replay_asset_uses.asset_id')
    .select('replay_assets.url_hash')
    .distinct()
    .where('replay_asset_uses.project_id', '=', replay.projectId)
    .where('replay_asset_uses.replay_id', '=', replay.replayId)
    .execute()
  const known = new Set(rows.map((row) => row.url_hash))
  const taken = new Map<string, string>()
  const beyond = new Set<string>()
  for (const url of parts.flatMap(({ addresses }) => addresses)) {
    const hash = hashOf(url)
    if (known.has(hash)) taken.set(hash, url)
    else if (known.size < LIMITS.REPLAY_ASSETS) {
      known.add(hash)
      taken.set(hash, url)
    } else beyond.add(hash)
  }
  for (const hash of parts.flatMap(({ leftOut }) => leftOut).map(hashOf)) if (!known.has(hash)) beyond.add(hash)
  return { replay, taken: [...taken.values()], beyond: [...beyond] }
}

/** Counts addresses for which there was no room, each once; one that a later segment has room for counts no more. */
const noteLeftOut = async (
  transaction: LedgerTransaction,
  { projectId, replayId }: ReplayReference,
  { beyond, taken }: Pick<Chosen, 'beyond' | 'taken'>,
  now: number,
): Promise<void> => {
  const own = await transaction
    .selectFrom('replay_assets_left_out')
    .select('url_hash')
    .where('project_id', '=', projectId)
    .where('replay_id', '=', replayId)
    .execute()
  const before = new Set(own.map((row) => row.url_hash))
  const later = taken.filter((hash) => before.delete(hash))
  for (const part of chunks(later, ROWS_PER_STATEMENT)) {
    await transaction
      .deleteFrom('replay_assets_left_out')
      .where('project_id', '=', projectId)
      .where('replay_id', '=', replayId)
      .where('url_hash', 'in', part)
      .execute()
  }
  const room = Math.max(0, LIMITS.REPLAY_ASSETS_LEFT_OUT - before.size)
  const added = beyond.filter((hash) => !before.has(hash)).slice(0, room)
  for (const part of chunks(added, ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('replay_assets_left_out')
      .values(part.map((hash) => ({ project_id: projectId, replay_id: replayId, url_hash: hash, noted_at: now })))
      .execute()
  }
}

const use = async (
  transaction: LedgerTransaction,
  { projectId, replayId }: ReplayReference,
  ids: ReadonlySet<number>,
  now: number,
): Promise<void> => {
  for (const part of chunks([...ids], ROWS_PER_STATEMENT)) {
    await transaction
      .insertInto('replay_asset_uses')
      .values(part.map((id) => ({ project_id: projectId, replay_id: replayId, asset_id: id, noted_at: now })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
}

interface AssetParts {
  readonly ledger: Ledger
  readonly clock: Clock
}

/** What was fetched for replays, and what is to be. Bytes are blobs, held by each row. */
export const createReplayAssets = (parts: AssetParts) => ({
  ...createQueue(parts),
  ...createOutcomes(parts),
  ...createReads(parts),
  ...createFinding(parts),
  ...createAssetBytes(parts),
  ...createForgetting(parts),
})

export type ReplayAssets = ReturnType<typeof createReplayAssets>

const createQueue = ({ clock, ledger }: AssetParts) => ({
  /** Some of each project for which something is to be fetched now. */
  due: async (): Promise<readonly WaitingAsset[]> => {
    const now = clock.now()
    const projects = await ledger.db
      .selectFrom('replay_assets')
      .innerJoin('projects', 'projects.id', 'replay_assets.project_id')
      .select(['project_id', 'projects.organization_id'])
      .distinct()
      .where('state', '=', 'waiting')
      .where('due_at', '<=', now)
      .where('projects.deleted_at', 'is', null)
      .execute()
    const due: WaitingAsset[] = []
    for (const project of projects) {
      const rows = await ledger.db
        .selectFrom('replay_assets')
        .select(['id', 'url', 'depth', 'attempts'])
        .where('project_id', '=', project.project_id)
        .where('state', '=', 'waiting')
        .where('due_at', '<=', now)
        .orderBy('due_at')
        .orderBy('id')
        .limit(LIMITS.REPLAY_ASSETS_PER_TURN)
        .execute()
      for (const row of rows) {
        due.push({ ...row, organizationId: project.organization_id, projectId: project.project_id })
      }
    }
    return due
  },

  /** Counts a request before it is made. @returns false where the project or its organisation has had its share of the day */
  spend: ({ organizationId, projectId }: Pick<WaitingAsset, 'organizationId' | 'projectId'>): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const day = Math.floor(clock.now() / DAY_MS)
      const days = await transaction
        .selectFrom('replay_asset_days')
        .select(['project_id', 'requests', 'bytes'])
        .where('project_id', 'in', (own) =>
          own.selectFrom('projects').select('id').where('organization_id', '=', organizationId),
        )
        .where('day', '=', day)
        .execute()
      const spent = days.find((row) => row.project_id === projectId)
      const sum = (what: 'requests' | 'bytes'): number => days.reduce((all, row) => all + row[what], 0)
      const isSpent =
        (spent?.requests ?? 0) >= LIMITS.REPLAY_ASSET_REQUESTS_PER_DAY ||
        (spent?.bytes ?? 0) >= LIMITS.REPLAY_ASSET_BYTES_PER_DAY ||
        sum('requests') >= LIMITS.REPLAY_ASSET_REQUESTS_PER_DAY_PER_ORGANIZATION ||
        sum('bytes') >= LIMITS.REPLAY_ASSET_BYTES_PER_DAY_PER_ORGANIZATION
      if (isSpent) return false
      await transaction
        .deleteFrom('replay_asset_days')
        .where('project_id', '=', projectId)
        .where('day', '<', day)
        .execute()
      await transaction
        .insertInto('replay_asset_days')
        .values({ project_id: projectId, day, requests: 1, bytes: 0 })
        .onConflict((conflict) =>
          conflict.columns(['project_id', 'day']).doUpdateSet(({ eb, ref }) => ({
            requests: eb(ref('replay_asset_days.requests'), '+', 1),
          })),
        )
        .execute()
      return true
    }),

  /** Bytes of an answer as they came, also of one that is not kept. */
  countBytes: async (projectId: number, bytes: number): Promise<void> => {
    await ledger.db
      .updateTable('replay_asset_days')
      .set(({ eb }) => ({ bytes: eb('bytes', '+', bytes) }))
      .where('project_id', '=', projectId)
      .where('day', '=', Math.floor(clock.now() / DAY_MS))
      .execute()
  },
})

/**
 * Sheets that import each other would keep each other for ever, and to look for rings would lock the ledger for seconds. So
 * a sheet is a part only of sheets that lie less deep: of one as deep it is fetched anew, one step deeper, and one that lies
 * less deep is no part.
 */
const importedBy =
  ({ depth }: WaitingAsset): Choice =>
  (there) => {
    const [deepest] = there
    if (deepest === undefined || deepest.depth > depth) return deepest
    return there.every((one) => one.depth === depth) ? undefined : null
  }

/** What is no sheet has no parts of its own, so its depth does not matter. */
const shownBy =
  ({ depth }: WaitingAsset): Choice =>
  (there) => {
    const usable = there.filter((one) => one.depth > depth || one.type !== SHEET)
    return there.length === 0 ? undefined : (usable.at(-1) ?? null)
  }

/** Something that was taken for a picture, and is a sheet: those that lie as deep or deeper have no use for it. */
const leaveSheets = async (transaction: LedgerTransaction, { depth, id }: WaitingAsset): Promise<void> => {
  await transaction
    .deleteFrom('replay_asset_parts')
    .where('part_id', '=', id)
    .where('asset_id', 'in', (sheets) =>
      sheets
        .selectFrom('replay_asset_parts as own')
        .innerJoin('replay_assets', 'replay_assets.id', 'own.asset_id')
        .select('own.asset_id')
        .where('own.part_id', '=', id)
        .where('replay_assets.depth', '>=', depth),
    )
    .execute()
}

/** What of a sheet has no part: those that import it are there as it is. */
const countMissing = async (transaction: LedgerTransaction, id: number, urls: readonly string[]): Promise<void> => {
  const importing = await transaction
    .selectFrom('replay_asset_parts')
    .innerJoin('replay_assets', 'replay_assets.id', 'replay_asset_parts.asset_id')
    .select('url')
    .where('part_id', '=', id)
    .where('url', 'in', urls)
    .execute()
  const there = new Set(importing.map(({ url }) => url))
  const missing = urls.filter((url) => !there.has(url)).length
  if (missing === 0) return
  await transaction
    .updateTable('replay_assets')
    .set(({ eb }) => ({ left_out: eb('left_out', '+', missing) }))
    .where('id', '=', id)
    .execute()
}

/** How many more parts the sheets of a project may have. */
const roomForParts = async (db: Ledger['db'], projectId: number): Promise<number> => {
  const some = db
    .selectFrom('replay_assets')
    .innerJoin('replay_asset_parts', 'replay_asset_parts.asset_id', 'replay_assets.id')
    .select('part_id')
    .where('project_id', '=', projectId)
    .limit(LIMITS.REPLAY_ASSET_PARTS)
  const row = await db
    .selectFrom(some.as('some'))
    .select(({ fn }) => fn.countAll<number | string>().as('parts'))
    .executeTakeFirst()
  return LIMITS.REPLAY_ASSET_PARTS - Number(row?.parts ?? 0)
}

const createOutcomes = ({ clock, ledger }: AssetParts) => ({
  /** To be called before its bytes are stored: whoever dies in between leaves nothing that stays. */
  noteUnderWay: (blob: {
    readonly key: string
    readonly organizationId: number
    readonly bytes: number
  }): Promise<void> => noteBlobsUntil(ledger.db, [blob], clock.now() + LIMITS.REPLAY_PACK_UNDER_WAY_MS),

  keep: async (asset: WaitingAsset, fetched: FetchedAsset): Promise<void> => {
    const { depth, id, organizationId, projectId } = asset
    const { bytes, imports, key, leftOut, type } = fetched
    const goesDeeper = depth < LIMITS.REPLAY_ASSET_DEPTH && fetched.parts.length > 0
    // Counted before the transaction, in which nobody else can write.
    const parts = fetched.parts.slice(0, goesDeeper ? await roomForParts(ledger.db, projectId) : 0)
    const beyond = leftOut + fetched.parts.length - parts.length
    await ledger.transaction(async (transaction) => {
      const now = clock.now()
      const { numUpdatedRows } = await transaction
        .updateTable('replay_assets')
        .set({
          state: 'kept',
          ended_at: now,
          type,
          bytes,
          blob_key: key,
          imports: JSON.stringify(imports),
          left_out: beyond,
        })
        .where('id', '=', id)
        .where('state', '=', 'waiting')
        .executeTakeFirst()
      if (numUpdatedRows === 0n) {
        // The last replay that had it went meanwhile.
        await releaseBlobs(transaction, [key])
        return
      }
      await holdBlobs(transaction, holderOf(id), [key])
      await noteBlobs(transaction, [{ key, organizationId, bytes, receivedAt: now }])
      if (parts.length === 0) return
      await leaveSheets(transaction, asset)
      const sheets = new Set(imports.map(({ url }) => url))
      const wanted = { organizationId, projectId, depth: depth + 1 }
      const others = parts.filter((url) => url !== asset.url)
      const imported = others.filter((url) => sheets.has(url))
      const shown = others.filter((url) => !sheets.has(url))
      const taken = new Map([
        ...(await takeUp(transaction, { ...wanted, urls: imported }, now, importedBy(asset))),
        ...(await takeUp(transaction, { ...wanted, urls: shown }, now, shownBy(asset))),
      ])
      const missing = others.filter((url) => !taken.has(url))
      if (missing.length > 0) await countMissing(transaction, id, missing)
      const ids = new Set(taken.values())
      for (const some of chunks([...ids], ROWS_PER_STATEMENT)) {
        await transaction
          .insertInto('replay_asset_parts')
          .values(some.map((part) => ({ asset_id: id, part_id: part })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
      await forgetUnused(transaction, [id])
    })
  },

  fail: async ({ id }: WaitingAsset, reason: AssetFailure): Promise<void> => {
    await ledger.db
      .updateTable('replay_assets')
      .set({ state: 'failed', reason, ended_at: clock.now() })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
  },

  /**
   * Counts an attempt before it is made, and when the next one would be: what ends the whole server while it is fetched or
   * read is not asked for without end.
   */
  attempt: async ({ attempts, id }: WaitingAsset): Promise<void> => {
    await ledger.db
      .updateTable('replay_assets')
      .set({ attempts: attempts + 1, due_at: clock.now() + LIMITS.REPLAY_ASSET_RETRY_MS * 4 ** attempts })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
  },

  /** An attempt does not count that an orderly end of the server cut short. */
  takeBack: async ({ attempts, id }: WaitingAsset): Promise<void> => {
    await ledger.db
      .updateTable('replay_assets')
      .set({ attempts, due_at: clock.now() })
      .where('id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
  },
})

const createReads = ({ ledger }: Pick<AssetParts, 'ledger'>) => {
  /** All that a replay has, also what stands in its style sheets. */
  const had = (projectId: number, replayId: string) =>
    ledger.db
      .withRecursive('had(id)', (db) =>
        db
          .selectFrom('replay_asset_uses')
          .select('asset_id as id')
          .where('project_id', '=', projectId)
          .where('replay_id', '=', replayId)
          .union((parts) =>
            parts
              .selectFrom('replay_asset_parts')
              .innerJoin('had', 'had.id', 'replay_asset_parts.asset_id')
              .select('replay_asset_parts.part_id as id'),
          ),
      )
      .selectFrom('had')
      .innerJoin('replay_assets', 'replay_assets.id', 'had.id')

  return {
    /** By the order in which they were noted. */
    of: async ({ projectId, replayId }: ReplayReference): Promise<readonly AssetRecord[]> => {
      const rows = await had(projectId, replayId)
        .select(['replay_assets.id', 'url', 'state', 'reason', 'type', 'bytes', 'blob_key', 'imports'])
        .orderBy('replay_assets.id')
        .limit(LIMITS.REPLAY_ASSETS)
        .execute()
      return rows.map(({ blob_key: blobKey, imports, reason, ...row }) => ({
        ...row,
        blobKey,
        reason: reason as AssetFailure | '',
        imports: JSON.parse(imports) as SheetImport[],
      }))
    },

    /** How many addresses a replay names beyond those, as far as they are counted. */
    leftOut: async ({ projectId, replayId }: ReplayReference): Promise<number> => {
      const noted = await ledger.db
        .selectFrom('replay_assets_left_out')
        .select(({ fn }) => fn.countAll<number | string>().as('addresses'))
        .where('project_id', '=', projectId)
        .where('replay_id', '=', replayId)
        .executeTakeFirst()
      const all = await had(projectId, replayId)
        .select(({ fn }) => [
          fn.countAll<number | string>().as('assets'),
          fn.sum<number | string | null>('left_out').as('bySheets'),
        ])
        .executeTakeFirst()
      const unlisted = Math.max(0, Number(all?.assets ?? 0) - LIMITS.REPLAY_ASSETS)
      return Number(noted?.addresses ?? 0) + Number(all?.bySheets ?? 0) + unlisted
    },

    /** What a project has, by state. */
    sums: async (
      projectId: number,
    ): Promise<Readonly<Record<AssetRecord['state'], number>> & { readonly bytes: number }> => {
      const rows = await ledger.db
        .selectFrom('replay_assets')
        .select(({ fn }) => ['state', fn.countAll<number | string>().as('assets')])
        .where('project_id', '=', projectId)
        .groupBy('state')
        .execute()
      const sums = { waiting: 0, kept: 0, failed: 0, bytes: await readAssetBytes(ledger.db, projectId) }
      for (const row of rows) sums[row.state] = Number(row.assets)
      return sums
    },
  }
}

const createFinding = ({ ledger }: Pick<AssetParts, 'ledger'>) => ({
  /**
   * The blob of one that a replay has; null where it has none. Asked for hundreds of times by one page: it is looked for from
   * itself upwards, through the few sheets that it stands in, and not among all that the replay has.
   */
  find: async (
    projectIds: readonly number[],
    replayId: string,
    id: number,
  ): Promise<{ readonly key: string; readonly type: string } | null> => {
    if (projectIds.length === 0) return null
    const row = await ledger.db
      .withRecursive('holding(id)', (db) =>
        db
          .selectFrom('replay_assets')
          .select('id')
          .where('id', '=', id)
          .where('project_id', 'in', projectIds)
          .union((sheets) =>
            sheets
              .selectFrom('replay_asset_parts')
              .innerJoin('holding', 'holding.id', 'replay_asset_parts.part_id')
              .select('replay_asset_parts.asset_id as id'),
          ),
      )
      .selectFrom('replay_assets')
      .select(['blob_key', 'type'])
      .where('replay_assets.id', '=', id)
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom('holding')
            .innerJoin('replay_asset_uses', 'replay_asset_uses.asset_id', 'holding.id')
            .select('holding.id')
            .where('project_id', 'in', projectIds)
            .where('replay_id', '=', replayId),
        ),
      )
      .executeTakeFirst()
    return row === undefined || row.blob_key === null ? null : { key: row.blob_key, type: row.type }
  },
})

/** Takes away what no replay and no style sheet has any more; what only that had comes with it. */
const forgetUnused = async (transaction: LedgerTransaction, candidates: Iterable<number>): Promise<void> => {
  const looked = new Set(candidates)
  for (const part of chunks([...looked], ROWS_PER_STATEMENT)) {
    const rows = await transaction
      .selectFrom('replay_assets')
      .select('id')
      .where('id', 'in', part)
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('replay_asset_uses').select('asset_id').whereRef('asset_id', '=', 'replay_assets.id'))),
      )
      .where(({ exists, not, selectFrom }) =>
        not(exists(selectFrom('replay_asset_parts').select('part_id').whereRef('part_id', '=', 'replay_assets.id'))),
      )
      .execute()
    const gone = rows.map(({ id }) => id)
    if (gone.length === 0) continue
    const parts = await transaction
      .selectFrom('replay_asset_parts')
      .select('part_id')
      .distinct()
      .where('asset_id', 'in', gone)
      .execute()
    await releaseHolders(transaction, gone.map(holderOf))
    await transaction.deleteFrom('replay_asset_parts').where('asset_id', 'in', gone).execute()
    await transaction.deleteFrom('replay_assets').where('id', 'in', gone).execute()
    await forgetUnused(
      transaction,
      parts.map((row) => row.part_id),
    )
  }
}

const createForgetting = ({ ledger }: Pick<AssetParts, 'ledger'>) => {
  /** Some that a project's replays have, of those that were noted before a moment, or of all. @returns whether there were any */
  const forgetSome = (projectId: number, before: number | null): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const rows = await transaction
        .selectFrom('replay_asset_uses')
        .select(['replay_id', 'asset_id'])
        .where('project_id', '=', projectId)
        .$if(before !== null, (all) => all.where('noted_at', '<', before ?? 0))
        .limit(ROWS_PER_STATEMENT)
        .execute()
      if (rows.length === 0) {
        await transaction
          .deleteFrom('replay_assets_left_out')
          .where('project_id', '=', projectId)
          .$if(before !== null, (all) => all.where('noted_at', '<', before ?? 0))
          .execute()
      }
      for (const [replayId, own] of Map.groupBy(rows, (row) => row.replay_id)) {
        const ids = own.map((row) => row.asset_id)
        await transaction
          .deleteFrom('replay_asset_uses')
          .where('project_id', '=', projectId)
          .where('replay_id', '=', replayId)
          .where('asset_id', 'in', ids)
          .execute()
        await forgetUnused(transaction, ids)
      }
      return rows.length > 0
    })
  const forgetAll = async (projectId: number, before: number | null, signal: AbortSignal): Promise<void> => {
    do signal.throwIfAborted()
    while (await forgetSome(projectId, before))
  }
  return {
    forget: ({ projectId, replayIds }: Pick<ReplaysOfProject, 'projectId' | 'replayIds'>): Promise<void> =>
      ledger.transaction(async (transaction) => {
        for (const part of chunks(replayIds, ROWS_PER_STATEMENT)) {
          const rows = await transaction
            .deleteFrom('replay_asset_uses')
            .where('project_id', '=', projectId)
            .where('replay_id', 'in', part)
            .returning('asset_id')
            .execute()
          await forgetUnused(
            transaction,
            rows.map((row) => row.asset_id),
          )
          await transaction
            .deleteFrom('replay_assets_left_out')
            .where('project_id', '=', projectId)
            .where('replay_id', 'in', part)
            .execute()
        }
      }),

    expire: async ({ before, projectIds, signal }: Expiring): Promise<void> => {
      for (const projectId of projectIds) await forgetAll(projectId, before, signal)
    },

    forgetProject: (projectId: number, signal: AbortSignal): Promise<void> => forgetAll(projectId, null, signal),
  }
}
