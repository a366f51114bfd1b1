import { expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { createByteBudget } from './byte-budget.ts'
import { Refused } from './refused.ts'
import type { DoorContext } from './request-state.ts'
import { createStager } from './stager.ts'

const CAPACITY = 8000
const PIECE = Buffer.alloc(500)

it('one that is refused for want of room makes it at once for the others, before its files are gone', async () => {
  const limits = { ...LIMITS, ADDRESS_BODIES_PARTS: 1, KEY_BODIES_PARTS: 1, ORGANIZATION_BODIES_PARTS: 1 }
  const budget = createByteBudget(limits, CAPACITY)
  const file = {
    write: () => Promise.resolve(),
    finish: () => Promise.resolve({}),
    discard: () => new Promise<void>(() => undefined),
  }
  const context = {
    complain: (error: unknown) => {
      throw error
    },
    parts: { limits, spool: { stage: () => Promise.resolve(file), pressure: () => null } },
  } as unknown as DoorContext
  const open = () => createStager(budget.open('127.0.0.1'), () => ({ keyId: 1, organizationId: 1 }) as never, context)
  /** Pieces come when they are let: two senders take turns. */
  const pieces = async function* (count: number, turn: Promise<void>): AsyncGenerator<Buffer> {
    for (let sent = 0; sent < count; sent += 1) {
      if (sent === count - 1) await turn
      yield PIECE
    }
  }
  const full = CAPACITY / PIECE.byteLength / 2
  const first = open()
  const gone = Promise.withResolvers<void>()
  const kept = first.keep(pieces(full + 1, gone.promise))
  const second = open()
  await expect(second.keep(pieces(full + 1, Promise.resolve()))).rejects.toThrow(Refused)
  void second.end()
  gone.resolve()
  await kept
  expect(first.stagedBytes()).toBe((full + 1) * PIECE.byteLength)
})
