import type { ClickHouseClient } from '@clickhouse/client'
import { heldBytes, type FileContent } from '../http/index.ts'
import type { BlobStore } from '../storage/blobs/blobs.store.ts'
import type { Ledger } from '../storage/ledger/ledger.ts'
import { releaseBlobs } from '../storage/ledger/release-blobs.ts'

const WHERE = `organization_id = {organization:UInt32}
  AND project_id = {project:UInt64}
  AND item_type = 'attachment'
  AND event_id = {event:String}`

const COLUMNS = `toString(id) AS id, item_header AS itemHeader, filename, content_type AS contentType, bytes,
  toUnixTimestamp64Milli(received) AS receivedAt`

export interface EventReference {
  readonly organizationId: number
  readonly projectId: number
  /** 32 hex characters. */
  readonly eventId: string
}

export interface AttachmentRecord {
  /** 32 hex characters. */
  readonly id: string
  /** JSON, as received. */
  readonly itemHeader: string
  /** Empty when the SDK gave none. */
  readonly filename: string
  readonly contentType: string
  readonly bytes: number
  /** Milliseconds since the epoch. */
  readonly receivedAt: number
}

export type AttachmentView = ReturnType<typeof createTelemetryAttachmentView>

/**
 * Files that came with events, among the kept items: rows in telemetry, long or binary contents in the blob store. Every
 * call names organisation, project and event.
 */
export const createTelemetryAttachmentView = ({
  client,
  blobs,
}: {
  readonly client: ClickHouseClient
  readonly blobs: Pick<BlobStore, 'get' | 'open'>
}) => {
  const query = async <Row>(sql: string, event: EventReference, more: Record<string, unknown>): Promise<Row[]> => {
    const result = await client.query({
      query: sql,
      query_params: { organization: event.organizationId, project: event.projectId, event: event.eventId, ...more },
      format: 'JSONEachRow',
    })
    return result.json<Row>()
  }

  return {
    /** In the order of arrival; one more than `limit` when there are more. */
    list: (
      event: EventReference,
      { limit, offset }: { readonly limit: number; readonly offset: number },
    ): Promise<readonly AttachmentRecord[]> =>
      query<AttachmentRecord>(
        `SELECT ${COLUMNS} FROM kept_items WHERE ${WHERE}
ORDER BY received, id LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
        event,
        { limit: limit + 1, offset },
      ),

    find: async (event: EventReference, id: string): Promise<AttachmentRecord | null> => {
      const [row] = await query<AttachmentRecord>(
        `SELECT ${COLUMNS} FROM kept_items WHERE ${WHERE} AND id = {id:String} LIMIT 1`,
        event,
        { id },
      )
      return row ?? null
    },

    /** Null when the file is not kept (any more). */
    content: async (event: EventReference, id: string): Promise<FileContent | null> => {
      const [row] = await query<{ payload: string; blobKey: string; bytes: number }>(
        `SELECT payload, blob_key AS blobKey, bytes FROM kept_items WHERE ${WHERE} AND id = {id:String} LIMIT 1`,
        event,
        { id },
      )
      if (row === undefined) return null
      if (row.blobKey === '') return Buffer.from(row.payload)
      if (heldBytes(row.bytes) === row.bytes) return blobs.get(row.blobKey)
      const pieces = await blobs.open(row.blobKey)
      return pieces === null ? null : { byteLength: row.bytes, pieces }
    },
  }
}

type EventsOfProject = Omit<EventReference, 'eventId'> & { readonly eventIds: readonly string[] }

/** Deletes the attachments of these reports; their bytes go with the retention of blobs, which others may share. */
export const forgetAttachments = async (
  client: Pick<ClickHouseClient, 'command' | 'query'>,
  { eventIds, organizationId, projectId }: EventsOfProject,
): Promise<void> => {
  const where = `organization_id = {organization:UInt32} AND project_id = {project:UInt64}
    AND item_type = 'attachment' AND event_id IN {events:Array(String)}`
  const query_params = { organization: organizationId, project: projectId, events: eventIds }
  const found = await client.query({
    query: `SELECT 1 FROM kept_items WHERE ${where} LIMIT 1`,
    query_params,
    format: 'JSONEachRow',
  })
  // Each deletion makes every later question look for what is hidden.
  if ((await found.json()).length === 0) return
  await client.command({ query: `DELETE FROM kept_items WHERE ${where}`, query_params })
}

/** Deletes items that were kept for a capability which has them by now; their blobs are its own. */
export const forgetKeptItems = async (
  client: ClickHouseClient,
  { organizationId, projectId, eventIds, itemTypes }: EventsOfProject & { readonly itemTypes: readonly string[] },
): Promise<void> => {
  await client.command({
    query: `DELETE FROM kept_items WHERE organization_id = {organization:UInt32} AND project_id = {project:UInt64}
      AND item_type IN {types:Array(String)} AND event_id IN {events:Array(String)}`,
    query_params: { organization: organizationId, project: projectId, events: eventIds, types: itemTypes },
  })
}

/** Deletes all that came with these events. Call it below `BlobFreeing.after`, which frees their bytes. */
export const forgetItemsOfEvents = async (
  { client, ledger }: { readonly client: ClickHouseClient; readonly ledger: Pick<Ledger, 'db'> },
  { eventIds, organizationId, projectId }: EventsOfProject,
): Promise<void> => {
  const where = `organization_id = {organization:UInt32} AND project_id = {project:UInt64}
    AND event_id IN {events:Array(String)}`
  const query_params = { organization: organizationId, project: projectId, events: eventIds }
  const found = await client.query({
    query: `SELECT DISTINCT blob_key AS key FROM kept_items WHERE ${where}`,
    query_params,
    format: 'JSONEachRow',
  })
  const keys = (await found.json<{ key: string }>()).map(({ key }) => key)
  if (keys.length === 0) return
  await releaseBlobs(
    ledger.db,
    keys.filter((key) => key !== ''),
  )
  await client.command({ query: `DELETE FROM kept_items WHERE ${where}`, query_params })
}
