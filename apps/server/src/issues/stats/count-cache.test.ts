import { beforeEach, describe, expect, it } from 'vitest'
import type { EventScope, IssueCountRequest, IssueCounts } from '../events.view.ts'
import { createCountCache } from './count-cache.ts'

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
    const cache = createCountCache({
      clock: { ...({} as Parameters<typeof createCountCache>[0]['clock']), now: () => now },
    })
    const count = cache.remembering({
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
    return { ...cache, count }
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

  describe('of searches', () => {
    /** Issues that match, as stored. */
    let matching: Set<number>
    let looked: (readonly number[] | null)[]
    beforeEach(() => {
      matching = new Set([1, 2])
      looked = []
    })
    const searching = () => {
      const cache = createCountCache({
        clock: { ...({} as Parameters<typeof createCountCache>[0]['clock']), now: () => now },
      })
      const search = cache.matching({
        matchingIssues: async ({ issueIds }) => {
          looked.push(issueIds)
          return [...matching].filter((id) => issueIds === null || issueIds.includes(id))
        },
      })
      const scope = (more: Partial<EventScope> = {}): EventScope => ({
        organizationId: 1,
        projectIds: [1],
        issueIds: null,
        period: { from: now - 14 * DAY_MS, to: now + 60_000 },
        environments: [],
        filter: null,
        ...more,
      })
      return { ...cache, search, scope }
    }

    it('looks again only at issues that got events', async () => {
      const { search, scope, forget } = searching()
      expect(await search(scope(), 100)).toEqual([1, 2])
      expect(await search(scope(), 100)).toEqual([1, 2])
      matching = new Set([2, 3])
      forget([1, 3])
      expect(await search(scope(), 100)).toEqual([2, 3])
      expect(await search(scope(), 100)).toEqual([2, 3])
      expect(looked).toEqual([null, [1, 3]])
    })

    it('is the same as asking anew, whatever happens', async () => {
      const { search, scope, forget } = searching()
      let seed = 1
      const random = (most: number): number => {
        seed = (seed * 48_271) % 2_147_483_647
        return seed % most
      }
      for (let step = 0; step < 300; step += 1) {
        const id = random(20)
        if (matching.has(id)) matching.delete(id)
        else matching.add(id)
        forget([id])
        if (random(3) === 0) now += random(40_000)
        if (random(2) === 0) expect(new Set(await search(scope(), 100))).toEqual(matching)
      }
      expect(looked.filter((ids) => ids === null).length).toBeGreaterThan(1)
    })

    it('tells searches apart, and leaves those within given issues alone', async () => {
      const { search, scope } = searching()
      await search(scope(), 100)
      await search(scope({ environments: ['production'] }), 100)
      await search(scope({ organizationId: 2 }), 100)
      await search(scope({ projectIds: [2] }), 100)
      await search(scope({ issueIds: [1] }), 100)
      await search(scope({ issueIds: [1] }), 100)
      expect(looked).toHaveLength(6)
    })
  })
})
