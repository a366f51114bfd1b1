import { NO_UUID, type Dataset, type DatasetAttribute } from '../../search/index.ts'
import { projectOf, timeOf, wordsOf } from '../../search/dataset-attributes.ts'
import { rankOf } from '../session.ts'

/**
 * What was heard of sessions as questions of any kind see it: each row is an update of a session, or a count of several.
 *
 * Its time is when it was heard. A phone tells of a crash when its program is started again, hours later, and that is when
 * a share of what is heard now has to know of it.
 */

const TABLE = 'heard_sessions'

const word = wordsOf(TABLE)

const column = (name: string): string => `${TABLE}.${name}`

const COMMON = 'organization_id, project_id, received, id, release, environment, user'

const HEARD = `(
  SELECT ${COMMON}, true AS is_one, session, toUInt64(1) AS total, toUInt64(rank = ${rankOf('crashed')}) AS crashed
  FROM session_updates
  UNION ALL
  SELECT ${COMMON}, false AS is_one, ${NO_UUID} AS session,
    toUInt64(exited) + errored + unhandled + abnormal + crashed AS total, toUInt64(session_counts.crashed) AS crashed
  FROM session_counts
)`

const ATTRIBUTES: ReadonlyMap<string, DatasetAttribute> = new Map<string, DatasetAttribute>([
  ...projectOf(TABLE),
  ['release', word('release')],
  ['environment', word('environment')],
  ['timestamp', timeOf(column('received'))],
])

export const sessionsDataset: Dataset = {
  names: [{ name: 'sessions' }],
  itemType: 'sessions',
  from: `${HEARD} AS ${TABLE}`,
  settings: [],
  organization: column('organization_id'),
  project: column('project_id'),
  environment: column('environment'),
  time: column('received'),
  received: column('received'),
  id: { sql: column('id'), type: 'UInt64' },
  attributes: ATTRIBUTES,
  isClosed: true,
  maps: {
    strings: `CAST(map(), 'Map(String, String)')`,
    numbers: `CAST(map(), 'Map(String, Float64)')`,
    flags: `CAST(map(), 'Map(String, Bool)')`,
  },
  words: `''`,
  weight: '1',
  functions: ['crash_free_rate'],
  runs: {
    isOne: column('is_one'),
    run: column('session'),
    count: column('id'),
    total: column('total'),
    crashed: column('crashed'),
    user: column('user'),
  },
}
