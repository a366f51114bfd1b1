import { listReplayRequests } from '@firsthand/contract'
import { bind, type Route } from '../../http/index.ts'
import type { BlobStore } from '../../storage/blobs/blobs.store.ts'
import { LIMITS } from '../limits.ts'
import { findOfOrganization } from '../find-replay.ts'
import { createTurnsAt } from '../in-turn.ts'
import { refuseBeyond } from '../refuse-beyond.ts'
import type { ReplayServices } from '../services.ts'
import { readRequests, type RequestReading } from './requests.ts'

interface RequestServices extends ReplayServices {
  readonly blobs: Pick<BlobStore, 'get'>
  readonly reading: RequestReading
}

const TOO_MUCH = `Reading this request out of the recording takes more time or memory than one may have (${LIMITS.REPLAY_REQUEST_READ_MS / 1000} s), so it was stopped. Try again when the server has less to do.`

/** What was sent and answered while a replay was recorded, one segment read after the other. */
export const createRequestRoutes = (services: RequestServices): Route[] => {
  const inTurn = createTurnsAt(services.reading)
  return [
    bind(listReplayRequests, async ({ params, query, request }) => {
      const { record, scope } = await findOfOrganization(services, request.organization.id, params.replay)
      const [segments, marks] = await Promise.all([
        services.replays.segments(scope, record),
        services.replays.requestsAt(scope, record, query.at),
      ])
      if (marks.length === 0) return { body: { requests: [] } }
      const requests = await inTurn(() => readRequests(services, segments, { at: query.at, marks })).catch(
        refuseBeyond(TOO_MUCH),
      )
      return { body: { requests } }
    }),
  ]
}
