import { expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { createSlicing } from './slicing.ts'

it('R99 who waits in vain for a part of a shared replay hears that other replays come first', async () => {
  const slicing = createSlicing()
  const caller = { organizationId: 1, caller: 'links' }
  const json = Buffer.from('[]')
  const asked = Array.from({ length: LIMITS.REPLAY_SLICES_WAITING_PER_CALLER + 2 }, () =>
    slicing.slice(caller, { json, kept: null, shown: { from: 0, to: 1 } }),
  )
  const ended = await Promise.allSettled(asked)
  slicing.close()
  expect(ended.map(({ status }) => status)).toEqual([
    ...Array.from({ length: LIMITS.REPLAY_SLICES_WAITING_PER_CALLER + 1 }, () => 'fulfilled'),
    'rejected',
  ])
  expect(ended.at(-1)).toMatchObject({ reason: { name: 'StatementRefusal', reason: 'preparing' } })
})
