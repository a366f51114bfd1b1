import { hexOfUuid, type RowQuery } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import { referenceParams, SEGMENTS } from '../parts.view.ts'
import type { MarkRecord, ReplayReference, ReplayScope, SegmentRecord } from '../replay.ts'
import { firstRowOf, rowIdOf } from '../telemetry/row-id.ts'
import { millis, OWN } from '../telemetry/sql.ts'

/** Of a mark in its segment. */
const LAST_PLACE = LIMITS.REPLAY_MARKS_PER_SEGMENT - 1

/** Where in a recording a request stands that a mark names. */
export const createRequestPlaces = (query: RowQuery) => ({
  /** The segment that a mark came with. */
  segmentOfMark: async (
    { organizationId }: ReplayScope,
    replay: ReplayReference,
    mark: string,
  ): Promise<SegmentRecord | undefined> => {
    const [found] = await query<SegmentRecord>(
      `${SEGMENTS} AND {mark:UInt64} - ${firstRowOf(hexOfUuid('replay_segments.id'))} BETWEEN 0 AND ${LAST_PLACE}
      ORDER BY timestamp, id LIMIT 1`,
      { ...referenceParams(organizationId, replay), mark },
    )
    return found
  },

  /** Marks of a segment that are requests and began in the same millisecond as one of them, in their order. */
  requestsBeside: (
    { organizationId }: ReplayScope,
    replay: ReplayReference,
    { mark, segment }: { readonly mark: string; readonly segment: Pick<SegmentRecord, 'id'> },
  ): Promise<readonly Pick<MarkRecord, 'at' | 'id' | 'text'>[]> => {
    const requests = `FROM replay_marks WHERE ${OWN} AND replay_id = {id:UUID} AND kind = 'request'`
    return query<Pick<MarkRecord, 'at' | 'id' | 'text'>>(
      `SELECT toString(replay_marks.id) AS id, ${millis('timestamp')} AS at, text ${requests}
        AND timestamp IN (SELECT timestamp ${requests} AND replay_marks.id = {mark:UInt64})
        AND replay_marks.id - {first:UInt64} BETWEEN 0 AND ${LAST_PLACE}
      ORDER BY replay_marks.id LIMIT 1 BY project_id, replay_id, replay_marks.id`,
      { ...referenceParams(organizationId, replay), mark, first: rowIdOf(segment, 0) },
    )
  },
})
