import { isObject, serializeEnvelope } from '@firsthand/protocol'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Backfill, ItemKind, SpoolPosition, SpoolReader } from '../ingest/index.ts'
import type { Logger } from '../lib/logger.ts'
import { LIMITS } from './limits.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'

interface Stores {
  readonly client: ClickHouseClient
  readonly blobs: BlobStore
  readonly logger: Logger
}

/**
 * Item types that were kept and that one of the kinds takes by now. Types that belong together in an envelope (a kind
 * leads by one and follows by the other) are one group, every other type is a group of its own.
 *
 * Progress is noted by group: a group that was released is never changed. A type that joins a kind later is a group of its
 * own, and so not one that the kind leads by or follows by.
 */
export const groupsOf = (kinds: readonly ItemKind[], kept: readonly string[]): readonly (readonly string[])[] =>
  kinds.flatMap(({ takes, leads = [], follows = [] }) => {
    const types = takes.filter((type) => kept.includes(type))
    const leading = types.filter((type) => leads.includes(type))
    const together = [...leading, ...types.filter((type) => follows.includes(type) && !leading.includes(type))]
    if (leading.length === 0 || together.length < 2) return types.map((type) => [type])
    return [together, ...types.filter((type) => !together.includes(type)).map((type) => [type])]
  })

/**
 * Kept items of types that a kind takes by now, project by project and group by group (see `groupsOf`).
 *
 * They are read as a spool that has an end: in the order of their arrival, a position being the millisecond and how many
 * items of that millisecond came before. Items of one envelope stand in one envelope again, if it had an event id. Rows of
 * a type do not change once nobody keeps it any more, so a batch that is repeated has the same items; what retention or a
 * deleted project took meanwhile is gone either way. The items stay where they are until they are as old as their
 * organisation keeps them; the progress says at each start that they are done.
 */
export const findBackfills = async (
  stores: Stores,
  groups: readonly (readonly string[])[],
): Promise<readonly Backfill[]> => {
  if (groups.length === 0) return []
  const result = await stores.client.query({
    query: `SELECT organization_id AS organizationId, project_id AS projectId, item_type AS itemType, count() AS items,
        toUnixTimestamp64Milli(max(received)) AS last
      FROM kept_items WHERE item_type IN {types:Array(String)}
      GROUP BY organizationId, projectId, itemType ORDER BY projectId, itemType`,
    query_params: { types: groups.flat() },
    format: 'JSONEachRow',
  })
  const found = await result.json<Found>()
  const projects = Map.groupBy(found, ({ projectId }) => projectId)
  return [...projects.values()].flatMap((ofProject) =>
    groups.flatMap((types) => {
      const own = ofProject.filter(({ itemType }) => types.includes(itemType))
      const [first] = own
      return first === undefined ? [] : [backfillOf(stores, { ...first, types }, own)]
    }),
  )
}

interface Found {
  readonly organizationId: number
  readonly projectId: number
  readonly itemType: string
  readonly items: number
  readonly last: number
}

interface Place {
  readonly organizationId: number
  readonly projectId: number
  /** The one that leads the others first. */
  readonly types: readonly string[]
}

/** Spools of kept items are named `kept:<project>:<types>`. */
export const SPOOLS_BEGIN = 'kept:'

export const projectOfSpool = (name: string): number => Number(name.slice(SPOOLS_BEGIN.length).split(':')[0])

const backfillOf = (stores: Stores, { organizationId, projectId, types }: Place, found: readonly Found[]): Backfill => {
  const place = { organizationId, projectId, types }
  const items = found.reduce((sum, one) => sum + one.items, 0)
  const last = Math.max(...found.map((one) => one.last))
  return {
    organizationId,
    projectId,
    itemTypes: types,
    spoolId: `${SPOOLS_BEGIN}${projectId}:${types.join('+')}`,
    items,
    reader: createKeptReader(stores, place, last),
    itemsBefore: async (position) => {
      if (position.segment >= last) return items
      return position.segment === 0 ? 0 : countBefore(stores.client, place, position)
    },
  }
}

const countBefore = async (
  client: ClickHouseClient,
  { projectId, types }: Place,
  { segment, offset }: SpoolPosition,
): Promise<number> => {
  const result = await client.query({
    query: `SELECT count() AS items FROM kept_items
      WHERE project_id = {projectId:UInt64} AND item_type IN {types:Array(String)}
        AND received < fromUnixTimestamp64Milli({segment:Int64})`,
    query_params: { projectId, types, segment },
    format: 'JSONEachRow',
  })
  const [row] = await result.json<{ items: number }>()
  return (row?.items ?? 0) + offset
}

interface Row {
  readonly at: number
  readonly itemType: string
  /** Of the payload, wherever it is. */
  readonly bytes: number
  readonly envelopeHeader: string
  readonly itemHeader: string
  readonly payload: string
  readonly blobKey: string
}

/** Rows of one record of the spool. */
interface Parcel {
  readonly rows: readonly Row[]
  readonly position: SpoolPosition
  readonly end: SpoolPosition
}

type Header = Readonly<Record<string, unknown>>

/** As the door names an SDK. */
const sdkOf = ({ sdk }: Header): string => {
  const { name, version } = isObject(sdk) ? sdk : {}
  return typeof name === 'string' && typeof version === 'string' ? `${name}/${version}` : ''
}

/** A header that was kept; of one that cannot be read nothing is known, which is no reason to stop at it. */
const readHeader = (json: string): Header => {
  try {
    const header: unknown = JSON.parse(json)
    return isObject(header) ? header : {}
  } catch {
    // Senders wrote it; the item may be of use without it.
    return {}
  }
}

const createKeptReader = (stores: Stores, place: Place, last: number): SpoolReader => {
  const { blobs, logger } = stores
  const { organizationId, projectId, types } = place
  /** Beyond every item of the last millisecond. */
  const end: SpoolPosition = { segment: last + 1, offset: 0 }

  const itemOf = async (row: Row) => {
    const stored = row.blobKey === '' ? Buffer.from(row.payload) : await blobs.get(row.blobKey)
    if (stored === null)
      logger.warn('kept items: the payload of one is gone', { projectId, itemType: row.itemType, blob: row.blobKey })
    return {
      header: { ...readHeader(row.itemHeader), type: row.itemType },
      payload: stored ?? new Uint8Array(0),
    }
  }

  const recordOf = async ({ rows, position, end: endOfParcel }: Parcel) => {
    const [first] = rows
    if (first === undefined) throw new Error('A record of kept items has no item.')
    const header = readHeader(first.envelopeHeader)
    const rank = (row: Row): number => types.indexOf(row.itemType)
    const items = await Promise.all(rows.toSorted((one, other) => rank(one) - rank(other)).map(itemOf))
    const record = {
      kind: 'envelope' as const,
      receivedAt: first.at,
      sender: {
        organizationId,
        projectId,
        // What an address, a browser or a key would add was not kept.
        keyId: 0,
        clientAddress: null,
        userAgent: null,
        origin: null,
        sdk: sdkOf(header),
      },
      body: serializeEnvelope(header, items),
    }
    return { position, end: endOfParcel, record }
  }

  const read = async (from: SpoolPosition, limit: number): Promise<readonly Parcel[]> => {
    const rows = await rowsAfter(stores.client, place, { from, before: end.segment, limit })
    const parcels = parcelsOf(rows, from, types[0])
    // The last one may go on beyond the limit: it comes with the next step, unless it is all there is.
    return rows.length === limit && parcels.length > 1 ? parcels.slice(0, -1) : parcels
  }

  return {
    isFinite: true,
    end: () => end,
    read: async (from, limits) => {
      const parcels = await read(from, Math.max(2, Math.min(limits.records, LIMITS.BACKFILL_READ_ITEMS)))
      const records = []
      let bytes = 0
      for (const parcel of parcels.slice(0, limits.records)) {
        bytes += parcel.rows.reduce((sum, row) => sum + row.bytes, 0)
        if (records.length > 0 && bytes > limits.bytes) break
        records.push(await recordOf(parcel))
      }
      return { records, end: records.at(-1)?.end ?? end }
    },
    readUntil: async (from, until) => {
      const isBefore = ({ segment, offset }: SpoolPosition): boolean =>
        segment < until.segment || (segment === until.segment && offset < until.offset)
      const records = []
      for (const parcel of await read(from, LIMITS.BACKFILL_READ_ITEMS + 1)) {
        if (isBefore(parcel.position)) records.push(await recordOf(parcel))
      }
      return { records, end: until }
    },
    changed: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}

/** In the order of their arrival, those of one envelope next to each other. Each type is read by the order of the table. */
const rowsAfter = async (
  client: ClickHouseClient,
  { projectId, types }: Place,
  { from, before, limit }: { readonly from: SpoolPosition; readonly before: number; readonly limit: number },
): Promise<Row[]> => {
  const ofType = (type: string): string => `SELECT received, cityHash64(envelope_header) AS envelope, id,
      toUnixTimestamp64Milli(received) AS at, item_type AS itemType, bytes, envelope_header AS envelopeHeader,
      item_header AS itemHeader, payload, blob_key AS blobKey
    FROM kept_items
    WHERE project_id = {projectId:UInt64} AND item_type = {${type}:String}
      AND received >= fromUnixTimestamp64Milli({from:Int64}) AND received < fromUnixTimestamp64Milli({before:Int64})
    ORDER BY received, envelope, id LIMIT {rows:UInt64}`
  const names = types.map((_, index) => `type${index}`)
  const result = await client.query({
    query: `SELECT at, itemType, bytes, envelopeHeader, itemHeader, payload, blobKey
      FROM (${names.map((name) => `(${ofType(name)})`).join(' UNION ALL ')})
      ORDER BY received, envelope, id LIMIT {limit:UInt32} OFFSET {offset:UInt64}`,
    query_params: {
      projectId,
      ...Object.fromEntries(types.map((type, index) => [`type${index}`, type])),
      from: from.segment,
      offset: from.offset,
      before,
      limit,
      rows: from.offset + limit,
    },
    format: 'JSONEachRow',
  })
  return result.json<Row>()
}

/** Rows by envelope, with a position for each that follows from the one before. */
const parcelsOf = (rows: readonly Row[], from: SpoolPosition, leader: string | undefined): Parcel[] => {
  const parcels: { rows: Row[]; position: SpoolPosition; end: SpoolPosition }[] = []
  let position = from
  for (const row of rows) {
    const offset = row.at === position.segment ? position.offset : 0
    const start = { segment: row.at, offset }
    position = { segment: row.at, offset: offset + 1 }
    const current = parcels.at(-1)
    if (current !== undefined && isSameEnvelope(current.rows, row, leader)) {
      current.rows.push(row)
      current.end = position
    } else {
      parcels.push({ rows: [row], position: start, end: position })
    }
  }
  return parcels
}

/** An envelope without an event id cannot be told from another of the same SDK. One that has a leader has one leader. */
const isSameEnvelope = (rows: readonly Row[], row: Row, leader: string | undefined): boolean => {
  const [first] = rows
  if (first === undefined || first.at !== row.at || first.envelopeHeader !== row.envelopeHeader) return false
  if (row.itemType === leader && rows.some(({ itemType }) => itemType === leader)) return false
  return typeof readHeader(row.envelopeHeader)['event_id'] === 'string'
}
