import { getReplayRequest } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { callRoute } from '../../explore/test/call.ts'
import { LIMITS } from '../limits.ts'
import { DamagedBlob } from '../../lib/store-fault.ts'
import { silentLogger } from '../../storage/conformance/engines.ts'
import { createRecordings } from '../playback/playback.fixture.ts'
import { ALL_THERE, recordOf } from '../replay-record.fixture.ts'
import { readRequest } from './requests.ts'
import { createRequestRoutes } from './requests.routes.ts'

it('R54 who opens a request while too many others are read hears that other replays come first', async () => {
  const { promise, resolve } = Promise.withResolvers<null>()
  const recordings = createRecordings()
  const segment = recordings.segment('1/a', [{ type: 5, timestamp: 1 }])
  const routes = createRequestRoutes({
    ...ALL_THERE,
    replays: {
      find: () => Promise.resolve(recordOf({ replayId: 'a'.repeat(32) })),
      segmentOfMark: () => Promise.resolve(segment),
      requestsBeside: () => Promise.resolve([{ id: '0', at: 1, text: '/' }]),
    },
    blobs: recordings.blobs,
    logger: silentLogger,
    reading: { ask: () => promise, leave: () => {} },
  })
  const open = () => callRoute(routes, getReplayRequest, { params: { replay: 'a'.repeat(32), mark: '0' } })
  const ended: unknown[] = []
  const asked = Array.from({ length: LIMITS.REPLAY_PACKS_WAITING_PER_CALLER + 2 }, () =>
    open().catch((error: unknown) => {
      ended.push(error)
    }),
  )
  await expect.poll(() => ended).toMatchObject([{ name: 'StatementRefusal', reason: 'preparing' }])
  resolve(null)
  await Promise.all(asked)
  expect(ended).toHaveLength(1)
})

it('R54 of a request whose segment is damaged nothing can be read any more', async () => {
  const recordings = createRecordings()
  const segment = recordings.segment('a', [{ type: 5, timestamp: 1 }])
  const reading = { ask: () => Promise.reject(new Error('there is nothing to be read')) }
  const blobs = { get: () => Promise.reject(new DamagedBlob('cut off', { cause: new Error('cut off') })) }
  const wanted = { segment, marks: [{ id: '0', at: 1, text: '/' }], mark: '0' }
  expect(await readRequest({ blobs, logger: silentLogger, reading }, wanted)).toBeNull()
})
