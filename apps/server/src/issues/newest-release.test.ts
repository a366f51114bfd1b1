import { describe, expect, it } from 'vitest'
import { newestFirst, newestRelease } from './newest-release.ts'

describe('the newest release of a project', () => {
  it.each([
    ['L78: of an old build that came last', ['shop@0.9.0', 'shop@1.10.0', 'shop@1.9.0'], 'shop@1.10.0'],
    ['of a package, whatever another one has', ['web@1.0', 'api@9.0', 'web@1.1'], 'web@1.1'],
    ['L77: of names that are no versions', ['monday', 'shop@2.0', 'tuesday'], 'monday'],
    ['of none', [], null],
  ])('%s', (_, releases, newest) => {
    expect(newestRelease(releases)).toBe(newest)
  })
})

describe('releases in the order of versions', () => {
  it('have the newest first, whatever they are given in', () => {
    const ordered = [
      'api@2.0',
      'web@1.10.0',
      'web@1.10.0-beta.10',
      'web@1.10.0-beta.2',
      'web@1.9.0',
      'monday',
      'tuesday',
    ]
    expect(newestFirst(ordered)).toEqual(ordered)
    expect(newestFirst(ordered.toReversed())).toEqual(ordered)
    expect(newestFirst([])).toEqual([])
  })
})
