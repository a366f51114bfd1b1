import { getReplayRequest } from '@firsthand/contract'
import { bind, notFound, type Route } from '../../http/index.ts'
import { LIMITS } from '../limits.ts'
import { findOfOrganization, type Finding } from '../find-replay.ts'
import { createTurnsAt } from '../in-turn.ts'
import type { BlobReading } from '../read-blob.ts'
import { refuseBeyond } from '../refuse-beyond.ts'
import type { Granted } from '../services.ts'
import { isRowId } from '../telemetry/row-id.ts'
import { readRequest, type RequestReading } from './requests.ts'

type RequestServices = BlobReading &
  Finding &
  Granted<{ replays: 'requestsBeside' | 'segmentOfMark' }> & { readonly reading: Pick<RequestReading, 'ask' | 'leave'> }

const TOO_MUCH = `Reading this request out of the recording takes more time or memory than one may have (${LIMITS.REPLAY_REQUEST_READ_MS / 1000} s), so it was stopped. Try again when the server has less to do.`

/** What was sent and answered while a replay was recorded, one segment read after the other. */
export const createRequestRoutes = (services: RequestServices): Route[] => {
  const inTurn = createTurnsAt(services.reading)
  return [
    bind(getReplayRequest, async ({ params, request }) => {
      const { mark } = params
      const { record, scope } = await findOfOrganization(services, request.organization.id, params.replay)
      const segment = isRowId(mark) ? await services.replays.segmentOfMark(scope, record, mark) : undefined
      const marks = segment === undefined ? [] : await services.replays.requestsBeside(scope, record, { mark, segment })
      if (segment === undefined || marks.length === 0) throw notFound('This replay has no such request.')
      const found = await inTurn(() => readRequest(services, { mark, marks, segment })).catch(refuseBeyond(TOO_MUCH))
      return { body: { request: found } }
    }),
  ]
}
