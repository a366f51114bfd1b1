import { beforeEach, describe, expect, it } from 'vitest'
import type { IssueCountRequest, IssueCounts } from '../events.view.ts'
import { createCountMemory } from './count-memory.ts'

const DAY_MS = 86_400_000

describe('remembered counts', () => {
  let now = 1_000_000_000_000
  /** What is stored, by stored issue. */
  let stored: Map<number, number>
  let asked: number[][]
  let beforeAnswer: () => void
  beforeEach(() => {
    now = 1_000_000_000_000
    stored = new Map([
      [1, 10],
      [2, 20],
      [3, 5],
    ])
    asked = []
    beforeAnswer = () => {}
  })

  const create = () => {
    const memory = createCountMemory({
      clock: { ...({} as Parameters<typeof createCountMemory>[0]['clock']), now: () => now },
    })
    const count = memory.remembering({
      countIssues: async ({ issues }) => {
        asked.push([...issues.keys()])
        const counts = new Map<number, IssueCounts>()
        for (const [id, ids] of issues) {
          const events = ids.reduce((sum, one) => sum + (stored.get(one) ?? 0), 0)
          if (events > 0) counts.set(id, { events, users: 1, firstSeen: 0, lastSeen: 0, series: new Map() })
        }
        beforeAnswer()
        return counts
      },
    })
    return { ...memory, count }
  }
  const request = (
    issues: readonly (readonly [number, readonly number[]])[],
    more: Partial<IssueCountRequest> = {},
  ) => ({
    organizationId: 1,
    projectIds: [1],
    issues: new Map(issues),
    environments: [],
    period: { from: now - 14 * DAY_MS, to: now + 60_000 },
    buckets: null,
    ...more,
  })
  const events = (counts: ReadonlyMap<number, IssueCounts>) => [...counts].map(([id, { events }]) => [id, events])

  it('counts once, and again only what got events', async () => {
    const { count, forget } = create()
    const page = () =>
      request([
        [1, [1]],
        [2, [2]],
      ])
    expect(events(await count(page()))).toEqual([
      [1, 10],
      [2, 20],
    ])
    now += 2000
    expect(events(await count(page()))).toEqual([
      [1, 10],
      [2, 20],
    ])
    expect(asked).toEqual([[1, 2]])
    stored.set(2, 21)
    forget([2])
    expect(new Map(events(await count(page())) as [number, number][]).get(2)).toBe(21)
    expect(asked).toEqual([[1, 2], [2]])
  })

  it('does not keep what changed while it was counted', async () => {
    const { count, forget } = create()
    beforeAnswer = () => {
      stored.set(1, 11)
      forget([1])
    }
    expect(events(await count(request([[1, [1]]])))).toEqual([[1, 10]])
    beforeAnswer = () => {}
    expect(events(await count(request([[1, [1]]])))).toEqual([[1, 11]])
  })

  it('knows merged issues by what was merged, and forgets them by any of it', async () => {
    const { count, forget } = create()
    expect(events(await count(request([[1, [1]]])))).toEqual([[1, 10]])
    expect(events(await count(request([[1, [1, 3]]])))).toEqual([[1, 15]])
    stored.set(3, 6)
    forget([3])
    expect(events(await count(request([[1, [1, 3]]])))).toEqual([[1, 16]])
  })

  it('remembers that there is nothing, and tells periods, environments and sparklines apart', async () => {
    const { count } = create()
    await count(request([[9, [9]]]))
    expect((await count(request([[9, [9]]]))).size).toBe(0)
    await count(request([[9, [9]]], { environments: ['production'] }))
    await count(request([[9, [9]]], { period: null }))
    await count(request([[9, [9]]], { period: { from: 0, to: 1 } }))
    await count(request([[9, [9]]], { buckets: { start: 0, interval: 60, count: 2 } }))
    await count(request([[9, [9]]], { organizationId: 2 }))
    expect(asked).toHaveLength(6)
  })

  it('is never older than a small part of the period', async () => {
    const { count } = create()
    const hour = () => request([[1, [1]]], { period: { from: now - DAY_MS / 24, to: now + 60_000 } })
    await count(hour())
    now += 3000
    await count(hour())
    expect(asked).toHaveLength(2)
    await count(request([[1, [1]]]))
    now += 61_000
    await count(request([[1, [1]]]))
    expect(asked).toHaveLength(4)
  })

  it('stays small however many issues change', async () => {
    const { count, forget } = create()
    await count(request([[1, [1]]]))
    forget(Array.from({ length: 10_000 }, (_, index) => index + 100))
    await count(request([[1, [1]]]))
    expect(asked).toHaveLength(2)
    const many = Array.from({ length: 6000 }, (_, index) => [index + 10, [index + 10]] as const)
    await count(request(many))
    await count(request([[1, [1]]]))
    expect(asked).toHaveLength(4)
  })
})
