import { hexOfUuid, type Period, type RowQuery } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import type { Records } from '../records.view.ts'
import type { ReplayRecord, ReplayReference, ReplayScope } from '../replay.ts'
import { AROUND, around, millis, OWN, own } from '../telemetry/sql.ts'
import type { JoinedVisitor, Visitor } from '../visitor.ts'
import { namedSql, userSql } from './visitor-sql.ts'

/** Segments of a visitor. */
const conditionOf = (visitor: Visitor): string =>
  visitor.by === 'user'
    ? userSql(visitor)
    : `user_ip = {ip:String} AND browser_name = {browser:String} AND browser_version = {version:String}
      AND os_name = {os:String} AND user_id = '' AND user_email = '' AND user_name = ''`

/** Replays of one visitor, and what they are called in them. */
export const createVisitors = (query: RowQuery, records: Records) => ({
  /** Replays of a visitor within a day of a moment, as far as they are nearest to it. */
  ofVisitor: async (scope: ReplayScope, visitor: Visitor, at: number): Promise<readonly ReplayRecord[]> => {
    const found = await query<ReplayReference>(
      `SELECT project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId FROM replay_segments
      WHERE ${OWN} AND ${AROUND} AND (${conditionOf(visitor)})
      GROUP BY project_id, replay_id
      ORDER BY abs(min(${millis('timestamp')}) - {at:Int64}), replay_id LIMIT ${LIMITS.REPLAY_JOURNEY_REPLAYS}`,
      { ...own(scope), ...visitor, at, ...around({ from: at, to: at }) },
    )
    return records(
      scope,
      found.map(({ replayId }) => replayId),
    )
  },

  /** Ids and e-mail addresses that stand beside any of these in a time; one more of either than are looked for. */
  namesOf: async (scope: ReplayScope, { emails, ids }: JoinedVisitor, period: Period): Promise<JoinedVisitor> => {
    const most = LIMITS.REPLAY_VISITOR_NAMES + 1
    const [row] = await query<JoinedVisitor>(
      `SELECT groupUniqArrayIf(${most})(user_id, user_id != '') AS ids,
        groupUniqArrayIf(${most})(lowerUTF8(user_email), user_email != '') AS emails
      FROM replay_segments
      WHERE ${OWN} AND ${AROUND}
        AND ${namedSql('{ids:Array(String)}', '{emails:Array(String)}')}`,
      { ...own(scope), ...around(period), ids, emails },
    )
    return row ?? { ids: [], emails: [] }
  },
})
