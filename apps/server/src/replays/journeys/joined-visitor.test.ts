import { expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import type { JoinedVisitor } from '../visitor.ts'
import { joinedVisitor } from './joined-visitor.ts'

const PERIOD = { from: 0, to: 1 }
const SCOPE = { organizationId: 1, projectIds: [1] }

/** One address that so many ids have. */
const shared = (ids: number) => ({
  replays: {
    namesOf: async () => ({
      ids: Array.from({ length: ids }, (_, index) => `u-${index}`),
      emails: ['kiosk@a.example'],
    }),
  },
})

it('R38 of a visitor as many ids are told as are looked for, and whether these are all', async () => {
  const most = LIMITS.REPLAY_VISITOR_NAMES
  const found = (ids: number) => joinedVisitor(shared(ids), SCOPE, { ids: [], emails: ['kiosk@a.example'] }, PERIOD)
  expect(await found(most)).toMatchObject({ isWhole: true, ids: { length: most } })
  expect(await found(most + 1)).toMatchObject({ isWhole: false, ids: { length: most } })
})

it('goes on until nothing new is found, also along a chain of ids and addresses', async () => {
  const visits = [
    ['d1', 'd1@a.example'],
    ['d2', 'd1@a.example'],
    ['d2', 'd2@a.example'],
  ] as const
  const replays = {
    namesOf: (_scope: unknown, { ids, emails }: JoinedVisitor) => {
      const found = visits.filter(([id, email]) => ids.includes(id) || emails.includes(email))
      return Promise.resolve({ ids: found.map(([id]) => id), emails: found.map(([, email]) => email) })
    },
  }
  const known = { ids: [], emails: ['d2@a.example'] }
  expect(await joinedVisitor({ replays }, SCOPE, known, PERIOD)).toMatchObject({ isWhole: true, ids: ['d2', 'd1'] })
})
