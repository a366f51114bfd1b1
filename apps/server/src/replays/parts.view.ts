import { REPLAY_CLICKS_TOLD } from '@firsthand/contract'
import { hexOfUuid, type RowFilter, type RowQuery } from '../search/index.ts'
import { uuid } from '../storage/telemetry/tab-separated.ts'
import { LIMITS } from './limits.ts'
import type { ClickRecord, MarkRecord, ReplayReference, ReplayScope, SegmentRecord } from './replay.ts'
import { clickKinds } from './replay-rules.ts'
import { FINAL, millis, ONCE, OWN, own } from './telemetry/sql.ts'

export const referenceParams = (organizationId: number, { projectId, replayId }: ReplayReference) => ({
  organization: organizationId,
  projects: [projectId],
  id: uuid(replayId),
})

export const SEGMENTS = `SELECT segment_id AS segmentId, ${hexOfUuid('id')} AS id,
    ${millis('timestamp')} AS from, ${millis('ended')} AS to, ${millis('replay_start')} AS replayStart, shift_ms AS shift,
    active, has_snapshot AS hasSnapshot, bytes, raw_bytes AS rawBytes, canvas_bytes AS canvasBytes, marks_left_out AS marksLeftOut,
    texts_left_out AS textsLeftOut, blob_key AS blobKey, video_key AS videoKey, video_bytes AS videoBytes, broken,
    ${millis('received')} AS receivedAt
  FROM replay_segments WHERE ${OWN} AND replay_id = {id:UUID}`

const ELEMENT = `CAST(tuple(tag, element_id, classes, role, alt, testid, aria_label, title, component),
  'Tuple(tag String, id String, classes Array(String), role String, alt String, testid String, ariaLabel String, title String,
    component String)') AS element`

/** What replays are made of: their segments and the moments of them. */
export const createParts = (query: RowQuery) => ({
  /**
   * Large ones of all organisations of which something came last in this time, by that time; a page of them. Only those of
   * which something came in it are summed up: it is asked every minute.
   */
  quiet: ({ after, until }: { readonly after: number; readonly until: number }) =>
    query<ReplayReference & { readonly organizationId: number; readonly lastAt: number }>(
      `SELECT organization_id AS organizationId, project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId,
        max(${millis('received')}) AS lastAt
      FROM replay_segments
      WHERE timestamp > fromUnixTimestamp64Milli({around:Int64}) AND (project_id, replay_id) IN (
        SELECT project_id, replay_id FROM replay_segments
        WHERE timestamp > fromUnixTimestamp64Milli({around:Int64})
          AND received > fromUnixTimestamp64Milli({after:Int64}) AND received <= fromUnixTimestamp64Milli({until:Int64})
      )
      GROUP BY organization_id, project_id, replay_id
      HAVING lastAt > {after:Int64} AND lastAt <= {until:Int64} AND sum(raw_bytes) >= ${LIMITS.REPLAY_CUT_AHEAD_BYTES}
        AND max(has_snapshot)
      ORDER BY lastAt LIMIT ${LIMITS.REPLAY_QUIET_AT_ONCE}`,
      { around: Math.max(0, after - LIMITS.REPLAY_LATE_MS), after, until },
    ),

  /** Of one replay, in the order in which they are played. */
  segments: ({ organizationId }: ReplayScope, replay: ReplayReference): Promise<SegmentRecord[]> =>
    query<SegmentRecord>(
      `${SEGMENTS} ORDER BY timestamp, segment_id, id ${ONCE} LIMIT ${LIMITS.REPLAY_SEGMENTS}`,
      referenceParams(organizationId, replay),
    ),

  /** The first one of a number that came with a recording, or with a video. */
  segment: async (
    { organizationId }: ReplayScope,
    replay: ReplayReference,
    { has, written }: { readonly has: 'recording' | 'video'; /** Its number. */ readonly written: string },
  ): Promise<SegmentRecord | undefined> => {
    const [found] = await query<SegmentRecord>(
      `${SEGMENTS} AND toString(segment_id) = {segment:String} AND ${has === 'video' ? 'video_key' : 'blob_key'} != ''
      ORDER BY timestamp, id LIMIT 1`,
      { ...referenceParams(organizationId, replay), segment: written },
    )
    return found
  },

  /** Of one replay, by time; one more than are shown. */
  marks: ({ organizationId }: ReplayScope, replay: ReplayReference): Promise<MarkRecord[]> =>
    query<MarkRecord>(
      `SELECT toString(replay_marks.id) AS id, ${millis('timestamp')} AS at, kind, text, url, node_id AS nodeId, selector,
        value, duration, status, detail, ${ELEMENT}
      FROM replay_marks WHERE ${OWN} AND replay_id = {id:UUID}
      ORDER BY timestamp, replay_marks.id
      LIMIT 1 BY project_id, replay_id, replay_marks.id LIMIT ${LIMITS.REPLAY_MARKS + 1}`,
      referenceParams(organizationId, replay),
    ),

  /** Clicks on elements, by time, so many of each replay. */
  clickedElements: (scope: ReplayScope, replays: readonly ReplayReference[]): Promise<readonly ClickRecord[]> =>
    replays.length === 0
      ? Promise.resolve([])
      : query<ClickRecord>(
          `SELECT project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId, text, ${ELEMENT}
          FROM replay_marks FINAL
          WHERE ${OWN} AND replay_id IN {ids:Array(UUID)} AND kind IN ${clickKinds('any')} AND tag != ''
          ORDER BY timestamp, id LIMIT ${REPLAY_CLICKS_TOLD} BY project_id, replay_id ${FINAL}`,
          { ...own(scope), ids: replays.map(({ replayId }) => uuid(replayId)) },
        ),

  /** Clicks on elements, by time; one more than `limit` when there are more. */
  clicks: (
    { organizationId }: ReplayScope,
    replay: ReplayReference,
    { limit, offset }: { readonly limit: number; readonly offset: number },
    filter: RowFilter | null = null,
  ): Promise<{ readonly at: number; readonly nodeId: number }[]> =>
    query<{ at: number; nodeId: number }>(
      `SELECT ${millis('timestamp')} AS at, node_id AS nodeId FROM replay_marks
      WHERE ${OWN} AND replay_id = {id:UUID} AND kind IN ${clickKinds('any')} AND node_id >= 0
        AND (${filter?.sql ?? '1'})
      ORDER BY timestamp, id LIMIT 1 BY project_id, replay_id, id LIMIT {limit:UInt32} OFFSET {offset:UInt32}`,
      { ...referenceParams(organizationId, replay), ...filter?.params, limit: limit + 1, offset },
    ),
})
