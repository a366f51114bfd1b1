import type { Period } from '../../search/index.ts'
import { LIMITS } from '../limits.ts'
import type { ReplayScope } from '../replay.ts'

/** What statements over the rows of replays have in common. */

/** Rows that a caller may see; `own` is what it binds. */
export const OWN = 'organization_id = {organization:UInt32} AND project_id IN {projects:Array(UInt64)}'

export const own = ({ organizationId, projectIds }: ReplayScope) => ({
  organization: organizationId,
  projects: projectIds,
})

/** Rows around a period, as replays may go on into it or out of it; `around` is what it binds. */
export const AROUND =
  'timestamp >= fromUnixTimestamp64Milli({around:Int64}) AND timestamp < fromUnixTimestamp64Milli({beyond:Int64})'

export const around = ({ from, to }: Period) => ({
  from,
  to,
  around: Math.max(0, from - LIMITS.REPLAY_AROUND_MS),
  beyond: to + LIMITS.REPLAY_AROUND_MS,
})

export const millis = (sql: string): string => `toUnixTimestamp64Milli(${sql})`

/** Takes each row once: what was sent twice has the same id, and is there twice until the database merges it. */
export const ONCE = 'LIMIT 1 BY project_id, replay_id, id'

/** The same, for statements that read `FINAL`. */
export const FINAL = 'SETTINGS do_not_merge_across_partitions_select_final = 1, use_skip_indexes_if_final = 1'
