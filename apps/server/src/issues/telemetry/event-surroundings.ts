import type { ClickHouseClient } from '@clickhouse/client'
import { hexOfUuid, rowsOf } from '../../search/index.ts'
import type { EventPlace } from '../events.view.ts'

/** Where an event happened, for who names the event and says no more. Empty where it does not say. */
export interface EventSurroundings {
  /** 32 hex characters. */
  readonly replayId: string
  /** 32 hex characters. */
  readonly traceId: string
  readonly url: string
  readonly browser: string
  readonly os: string
  readonly environment: string
  readonly release: string
}

/** Null while telemetry does not have it. */
export const readSurroundings = async (
  client: ClickHouseClient,
  place: EventPlace,
): Promise<EventSurroundings | null> => {
  const [row] = await rowsOf(client)<EventSurroundings>(
    `SELECT replay_id AS replayId, trace_id AS traceId, http_url AS url, tags['browser'] AS browser, tags['os'] AS os,
      environment, release
    FROM events
    WHERE organization_id = {organization:UInt32} AND project_id = {project:UInt64} AND issue_id = {issue:UInt64}
      AND timestamp >= fromUnixTimestamp64Milli({from:Int64}) AND timestamp <= fromUnixTimestamp64Milli({to:Int64})
      AND ${hexOfUuid('event_id')} = {event:String}
    LIMIT 1`,
    {
      organization: place.organizationId,
      project: place.projectId,
      issue: place.storedIssueId,
      // The ledger and telemetry may round a fraction of a millisecond differently.
      from: Math.floor(place.timestamp) - 1,
      to: Math.ceil(place.timestamp) + 1,
      event: place.eventId,
    },
  )
  return row ?? null
}
