import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { BacklogShares } from './backlog-shares.ts'

const CAPACITY = 8 * 1024 * 1024 * 1024
const RECORD = 8 * 1024 * 1024

describe('shares of the backlog', () => {
  it('one organisation cannot fill it, and the next one always finds room', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 30 }),
        fc.array(fc.tuple(fc.nat({ max: 29 }), fc.boolean()), { minLength: 1, maxLength: 3000 }),
        (senders, steps) => {
          const shares = new BacklogShares()
          let [end, done, total] = [0, 0, 0]
          for (const [sender, digests] of steps) {
            const id = sender % senders
            const free = CAPACITY - total
            if (shares.hasRoom(id, free)) {
              end += 1
              total += RECORD
              shares.add(id, RECORD, { segment: 0, offset: end })
            }
            if (digests && done < end && sender > 25) {
              done += 1
              total -= RECORD
              shares.settled({ segment: 0, offset: done })
            }
            // However many have filled their share, somebody new is let in.
            expect(shares.hasRoom(1000, CAPACITY - total)).toBe(true)
            expect(CAPACITY - total).toBeGreaterThan(0)
          }
        },
      ),
      { numRuns: 50 },
    )
  })

  it('lets one have three quarters of it, and two three sevenths each', () => {
    const fill = (ids: readonly number[]): number[] => {
      const shares = new BacklogShares()
      let [end, total] = [0, 0]
      for (let isFull = false; !isFull;) {
        isFull = true
        for (const id of ids) {
          if (!shares.hasRoom(id, CAPACITY - total)) continue
          isFull = false
          end += 1
          total += RECORD
          shares.add(id, RECORD, { segment: 0, offset: end })
        }
      }
      return ids.map((id) => shares.waiting(id) / CAPACITY)
    }
    expect(fill([1])).toEqual([expect.closeTo(3 / 4, 2)])
    expect(fill([1, 2])).toEqual([expect.closeTo(3 / 7, 2), expect.closeTo(3 / 7, 2)])
  })

  it('gives everything back that is digested', () => {
    const shares = new BacklogShares()
    for (let at = 1; at <= 100; at += 1) shares.add(at % 3, LIMITS.BACKLOG_PIECE_BYTES / 4, { segment: at, offset: 0 })
    shares.settled({ segment: 50, offset: 0 })
    expect(shares.waiting(0) + shares.waiting(1) + shares.waiting(2)).toBeLessThanOrEqual(
      (50 / 4 + 1) * LIMITS.BACKLOG_PIECE_BYTES,
    )
    shares.settled({ segment: 100, offset: 0 })
    expect([0, 1, 2].map((id) => shares.waiting(id))).toEqual([0, 0, 0])
  })
})
