import type { ClickHouseClient } from '@clickhouse/client'
import { userSql } from '../journeys/visitor-sql.ts'
import type { OwnedProject } from '../replay.ts'
import type { ChosenVisitor } from '../visitor.ts'
import { hexOfUuid, rowsOf } from '../../search/index.ts'
import { uuid } from '../../storage/telemetry/tab-separated.ts'

/** Of any segment: whoever is named in a part of a replay was recorded in it. */
const conditionOf = (visitor: ChosenVisitor): string =>
  visitor.by === 'address' ? 'replay_id IN {replays:Array(UUID)}' : userSql(visitor)

const parametersOf = ({ organizationId, projectId }: OwnedProject, visitor: ChosenVisitor) => ({
  organization: organizationId,
  project: projectId,
  ...(visitor.by === 'address'
    ? { replays: visitor.replayIds.map(uuid) }
    : { ids: visitor.ids, emails: visitor.emails, name: visitor.name }),
})

const where = (visitor: ChosenVisitor): string =>
  `organization_id = {organization:UInt32} AND project_id = {project:UInt64} AND (${conditionOf(visitor)})`

/** All replays of a visitor in one project, of whatever time. */
export const createVisitorReplays = ({ client }: { readonly client: ClickHouseClient }) => ({
  count: async (project: OwnedProject, visitor: ChosenVisitor): Promise<number> => {
    const [row] = await rowsOf(client)<{ count: number }>(
      `SELECT uniqExact(replay_id) AS count FROM replay_segments WHERE ${where(visitor)}`,
      parametersOf(project, visitor),
    )
    return row?.count ?? 0
  },

  some: async (project: OwnedProject, visitor: ChosenVisitor, limit: number): Promise<readonly string[]> => {
    const rows = await rowsOf(client)<{ replayId: string }>(
      `SELECT DISTINCT ${hexOfUuid('replay_id')} AS replayId FROM replay_segments WHERE ${where(visitor)}
      ORDER BY replayId LIMIT {limit:UInt32}`,
      { ...parametersOf(project, visitor), limit },
    )
    return rows.map(({ replayId }) => replayId)
  },
})

export type VisitorReplays = ReturnType<typeof createVisitorReplays>
