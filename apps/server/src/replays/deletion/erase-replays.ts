import type { ClickHouseClient } from '@clickhouse/client'
import { hexOfUuid, namesOfKind, rowsOf } from '../../search/index.ts'
import { countRows, erasedParams, ofErasedPerson, type ErasedPerson, type PersonalData } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { OF_PERSON } from '../telemetry/replays-of-person.ts'
import type { ReplayDeleting } from './delete-replays.ts'

const OWN = ofErasedPerson(OF_PERSON)

const parametersOf = (person: ErasedPerson) => ({
  ...erasedParams(person),
  ids: namesOfKind(person.keys, 'id'),
  names: namesOfKind(person.keys, 'username'),
  ips: namesOfKind(person.keys, 'ip'),
})

/**
 * Replays in which a person was recorded, as every deletion of replays lets them go: whole, and nothing of them is stored any
 * more, whatever comes later.
 */
export const createPersonalReplays = ({
  client,
  deleting,
}: {
  readonly client: ClickHouseClient
  readonly deleting: Pick<ReplayDeleting, 'delete'>
}): PersonalData => ({
  what: 'replays',
  count: (person, seconds) =>
    countRows(
      client,
      { sql: OWN, parameters: parametersOf(person) },
      { table: 'replay_segments', counted: 'uniqExact(project_id, replay_id)', seconds },
    ),
  erase: async (person, signal) => {
    for (;;) {
      signal.throwIfAborted()
      const found = await rowsOf(client)<{ projectId: number; replayId: string }>(
        `SELECT DISTINCT project_id AS projectId, ${hexOfUuid('replay_id')} AS replayId FROM replay_segments
        WHERE ${OWN} ORDER BY projectId, replayId LIMIT {limit:UInt32}`,
        { ...parametersOf(person), limit: LIMITS.REPLAY_DELETIONS_AT_ONCE },
      )
      if (found.length === 0) return
      for (const [projectId, own] of Map.groupBy(found, (one) => one.projectId)) {
        const replayIds = own.map(({ replayId }) => replayId)
        await deleting.delete({ organizationId: person.organizationId, projectId, replayIds })
      }
    }
  },
})
