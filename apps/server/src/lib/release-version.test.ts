import { describe, expect, it } from 'vitest'
import { compareVersions, readVersion, refusedReleaseName, versionOrder } from './release-version.ts'

describe('the version in the name of a release', () => {
  it.each([
    ['shop@1.2.3', { kind: 'version', package: 'shop', numbers: ['1', '2', '3'], preRelease: null, build: null }],
    ['1.2.3', { kind: 'version', package: null, numbers: ['1', '2', '3'] }],
    ['web@v1.2', { kind: 'version', package: 'web', raw: 'v1.2', numbers: ['1', '2'] }],
    ['1.2.3.4-rc.1+77', { kind: 'version', numbers: ['1', '2', '3', '4'], preRelease: 'rc.1', build: '77' }],
    ['app@1.0a1', { kind: 'version', numbers: ['1', '0'], preRelease: 'a1' }],
    ['@acme@1.0', { kind: 'version', package: '@acme' }],
    ['007.1', { kind: 'version', numbers: ['7', '1'] }],
    ['1a1', { kind: 'other' }],
    ['app@1.2.3.4.5', { kind: 'other', package: 'app', raw: '1.2.3.4.5' }],
    ['nightly', { kind: 'other', package: null }],
    ['@', { kind: 'other', package: null, raw: '@' }],
    ['app@', { kind: 'other', package: 'app', raw: '' }],
    ['10fd1a2b3c4d', { kind: 'hash' }],
    ['app@da39a3ee5e6b4b0d3255bfef95601890afd80709', { kind: 'hash', package: 'app' }],
    [`1.${'9'.repeat(41)}`, { kind: 'other' }],
  ])('reads %s', (release, expected) => {
    expect(readVersion(release)).toMatchObject(expected)
  })

  it('L76 orders numbers, pre-releases and builds', () => {
    const ascending = [
      '1.0.0-alpha',
      '1.0.0-alpha.1',
      '1.0.0-alpha.beta',
      '1.0.0-beta',
      '1.0.0-beta.2',
      '1.0.0-beta.10',
      '1.0.0-rc.1',
      '1.0.0',
      '1.0.0+9',
      '1.0.0+10',
      '1.0.0+build',
      '1.0.0.1',
      '1.9',
      '1.10',
      '2',
      '10.0',
      '123456789012345678901.0',
    ]
    for (const [index, left] of ascending.entries()) {
      for (const [other, right] of ascending.entries()) {
        expect([left, right, compareVersions(`p@${left}`, `p@${right}`)]).toEqual([
          left,
          right,
          Math.sign(index - other),
        ])
      }
    }
  })

  it('L76 takes v1, 1, 1.0 and 1.0.0.0 as one version', () => {
    for (const same of ['v1', '1', '1.0', '01.0.0.0']) expect(compareVersions('1.0.0', same)).toBe(0)
  })

  it('L76 does not compare other packages, hashes and words', () => {
    expect(compareVersions('api@9.0', 'web@1.0')).toBeNull()
    expect(compareVersions('1.0', 'web@1.0')).toBeNull()
    expect(compareVersions('10fd1a2b3c4d', '10fd1a2b3c4e')).toBeNull()
    expect(compareVersions('monday', 'tuesday')).toBeNull()
    expect(versionOrder(readVersion('monday'))).toBeNull()
  })

  it('reads hostile names in a time that grows with their length', () => {
    for (const text of ['1.'.repeat(100), `1.0-${'a-'.repeat(98)}!`, '9'.repeat(200), `1.0${'a'.repeat(196)}!`]) {
      expect(readVersion(text).kind).toBe('other')
    }
  })
})

describe('the name of a release', () => {
  it.each(['shop@1.0.0+7', 'a b', '%', 'Größe', 'x'.repeat(200), '...'])('L75 may be %j', (name) => {
    expect(refusedReleaseName(name)).toBeNull()
  })

  it.each([
    ['feature/x', 'slash'],
    ['a\\b', 'backslash'],
    ['latest', 'latest'],
    ['Latest', 'Latest'],
    ['..', '..'],
    ['x'.repeat(201), '200 characters'],
    ['a\nb', 'line breaks'],
    ['', 'needs a name'],
    ['  ', 'needs a name'],
    [' a', 'blanks'],
  ])('L75 cannot be %j', (name, word) => {
    expect(refusedReleaseName(name)).toContain(word)
  })
})
