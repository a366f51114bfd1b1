import { describe, expect, it } from 'vitest'

import { differences } from './differences.ts'

const value = (key: string, name: string, count: number, otherCount: number) => ({
  key,
  value: name,
  count,
  otherCount,
})

describe('differences', () => {
  it('names what an issue has more often than the rest of its project, most first, one value of each tag', () => {
    expect(
      differences({
        events: 100,
        otherEvents: 1000,
        values: [
          value('browser.name', 'Safari', 90, 100),
          value('browser.name', 'Firefox', 10, 200),
          value('environment', 'production', 100, 1000),
          value('release', 'shop@2', 100, 300),
          value('release', 'shop@1', 0, 700),
          value('plan', 'free', 30, 5),
          value('region', 'eu', 55, 450),
        ],
      }),
    ).toEqual([
      { key: 'browser.name', value: 'Safari', share: 0.9, elsewhere: 0.1 },
      { key: 'release', value: 'shop@2', share: 1, elsewhere: 0.3 },
      { key: 'plan', value: 'free', share: 0.3, elsewhere: 0.005 },
    ])
  })

  it('keeps silent about what a few events may show by chance', () => {
    const compare = (events: number, count: number, otherEvents: number, otherCount: number) =>
      differences({ events, otherEvents, values: [value('browser.name', 'Safari', count, otherCount)] }).length
    expect(compare(9, 9, 1000, 100)).toBe(0)
    expect(compare(1000, 900, 9, 0)).toBe(0)
    // 60 of a hundred against 35 is a difference; six of ten against 35 may be none.
    expect(compare(10, 6, 1000, 350)).toBe(0)
    expect(compare(100, 60, 1000, 350)).toBe(1)
    expect(compare(0, 0, 0, 0)).toBe(0)
    expect(compare(50, 50, 50, 50)).toBe(0)
  })
})
