import { describe, expect, it } from 'vitest'
import { releasesBefore } from './release-before.ts'

const named = (version: string, firstSeenAt: number, releasedAt: number | null = null) => ({
  version,
  firstSeenAt,
  releasedAt,
})

const before = (version: string, others: readonly ReturnType<typeof named>[]): string[] => {
  const own = others.find((one) => one.version === version)
  if (own === undefined) throw new Error(version)
  return releasesBefore(own, others).map((one) => one.version)
}

describe('the releases before one', () => {
  it('are those of a lower version of the same package, whenever they were seen', () => {
    const all = [
      named('shop@1.10.0', 5),
      named('shop@1.9.0', 9),
      named('shop@1.10.0-beta.2', 7),
      named('shop@2.0.0', 1),
      named('api@1.0.0', 2),
      named('shop@nightly', 3),
    ]
    expect(before('shop@1.10.0', all)).toEqual(['shop@1.10.0-beta.2', 'shop@1.9.0'])
    expect(before('shop@1.9.0', all)).toEqual([])
  })

  it('are those of an earlier day where the name is no version: of its release, or when it was first seen', () => {
    const all = [named('blue', 5), named('green', 9, 3), named('red', 4), named('grey', 6)]
    expect(before('blue', all)).toEqual(['red', 'green'])
  })
})
