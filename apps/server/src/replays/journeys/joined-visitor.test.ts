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

it('R38 knows where a chain of ids and addresses has ended, and joins nobody who is further away than three steps', async () => {
  const visits = [
    ['d1', 'd1@a.example'],
    ['d2', 'd1@a.example'],
    ['d2', 'd2@a.example'],
  ]
  const replays = {
    namesOf: (_scope: unknown, { ids, emails }: JoinedVisitor) => {
      const found = visits.filter(([id = '', email = '']) => ids.includes(id) || emails.includes(email))
      return Promise.resolve({ ids: found.map(([id = '']) => id), emails: found.map(([, email = '']) => email) })
    },
  }
  const found = () => joinedVisitor({ replays }, SCOPE, { ids: [], emails: ['d2@a.example'] }, PERIOD)
  expect(await found()).toMatchObject({ isWhole: true, ids: ['d2', 'd1'] })
  visits.push(['d1', 'd0@a.example'])
  expect(await found()).toMatchObject({ isWhole: false, ids: ['d2', 'd1'], emails: ['d2@a.example', 'd1@a.example'] })
})
