import { describe, expect, it } from 'vitest'
import { fileState, hasSourceMaps, lacksFiles, mayHaveSourceMaps } from './files.ts'
import { compactReleases, fromReleasesUrl, readReleasesUrl, readReleaseUrl } from './releases-search.ts'
import { orderWords, searchFor, searchForReview, shownFirst, verdictOf } from './words.ts'

describe('the address of the list of releases', () => {
  it('keeps what is no default, and nothing that is not understood', () => {
    const url = { query: 'web@2', project: ['7', '7', 'x', '8'], status: 'archived' }
    expect(readReleasesUrl(url)).toEqual({ query: 'web@2', project: ['7', '8'], status: 'archived' })
    expect(readReleasesUrl({ query: '', project: [], status: 'gone' })).toEqual({})
    expect(fromReleasesUrl({})).toEqual({ query: '', project: [], status: 'open' })
    expect(compactReleases({ query: '', project: [], status: 'all' })).toEqual({ status: 'all' })
  })

  it('of a release says which issues are shown when somebody chose them', () => {
    expect(readReleaseUrl({ show: 'resolved' })).toEqual({ show: 'resolved' })
    expect(readReleaseUrl({ show: 'new' })).toEqual({ show: 'new' })
    expect(readReleaseUrl({ show: 'gone' })).toEqual({})
    expect(readReleaseUrl({ show: ['regressed'] })).toEqual({})
  })
})

describe('a release in words', () => {
  const happened = (isNew: number, regressed: number, resolved: number, lastEvent: string | null = '2026-11-27') =>
    verdictOf({ new: isNew, regressed, resolved }, { lastEvent })

  it('says what it brought in one sentence', () => {
    expect(happened(3, 1, 6)).toBe('3 issues are new in it, 1 came back; 6 are resolved.')
    expect(happened(1, 0, 1)).toBe('1 issue is new in it; 1 is resolved.')
    expect(happened(0, 2, 0)).toBe('2 issues came back.')
    expect(happened(0, 0, 0)).toBe('Nothing new went wrong in it.')
    expect(happened(0, 0, 0, null)).toBe('No event has come of it yet.')
    expect(verdictOf({ new: 3, regressed: null, resolved: 0 }, { lastEvent: null })).toBeNull()
  })

  it('shows first what there is', () => {
    expect(shownFirst({ new: 2, regressed: 1, resolved: 0 })).toBe('new')
    expect(shownFirst({ new: 0, regressed: 1, resolved: 4 })).toBe('regressed')
    expect(shownFirst({ new: 0, regressed: 0, resolved: 4 })).toBe('resolved')
    expect(shownFirst({ new: 0, regressed: 0, resolved: 0 })).toBe('new')
    expect(shownFirst({ new: null, regressed: null, resolved: null })).toBe('new')
  })

  it('searches for its very name, whatever is in it', () => {
    expect(searchFor('new', 'web@1.0')).toBe('firstRelease:web@1.0')
    expect(searchFor('regressed', 'a "b" *')).toBe(String.raw`regressedIn:"a \"b\" \*"`)
    expect(searchForReview('1')).toBe('is:unresolved (firstRelease:1 OR regressedIn:1)')
  })

  it('says by what it is compared with others', () => {
    const info = (name: string | null, major: number | null, buildHash: string | null) => ({
      package: name,
      description: '',
      buildHash,
      version: { raw: '', major, minor: null, patch: null, pre: null, buildCode: null, components: null },
    })
    const words = (versionInfo: ReturnType<typeof info>, dateReleased: string | null = null) =>
      orderWords({ versionInfo, dateReleased })
    expect(words(info('web', 1, null))).toBe('Compared with others of web by its version.')
    expect(words(info(null, 1, null))).toBe('Compared with others by its version.')
    expect(words(info(null, null, 'abc'))).toContain(
      'hash of a build, so that it is compared with others by the day it was first seen',
    )
    expect(words(info(null, null, null), '2026-11-27')).toContain(
      'is no version, so that it is compared with others by the day it was released',
    )
  })
})

describe('files of a release', () => {
  const MINUTE = 60_000

  it('L65: are missed of a release that runs, and not in its first ten minutes', () => {
    const release = { dateCreated: '2026-11-27T12:00:00.000Z', lastEvent: '2026-11-27T12:05:00.000Z' }
    const created = Date.parse(release.dateCreated)
    expect(lacksFiles(release, 'javascript-react', created + 9 * MINUTE)).toBe(false)
    expect(lacksFiles(release, 'javascript-react', created + 10 * MINUTE)).toBe(true)
    expect(lacksFiles({ ...release, lastEvent: null }, 'javascript', created + 60 * MINUTE)).toBe(false)
    expect(lacksFiles(release, 'python', created + 60 * MINUTE)).toBe(false)
  })

  it('are asked of platforms whose code is built', () => {
    expect(
      ['javascript', 'javascript-vue', 'node', 'node-express', 'react-native'].filter((one) => !hasSourceMaps(one)),
    ).toEqual([])
    expect(['python', 'go', 'java', 'other'].filter(hasSourceMaps)).toEqual([])
    expect(['python', 'go', 'javascript', 'other', ''].filter(mayHaveSourceMaps)).toEqual(['javascript', 'other', ''])
  })

  it('say whether a map is in use', () => {
    expect(fileState({ isReady: true, detail: null })).toBe('in use')
    expect(fileState({ isReady: false, detail: null })).toBe('being read')
    expect(fileState({ isReady: false, detail: 'This is HTML' })).toBeNull()
    expect(fileState({ isReady: null, detail: null })).toBeNull()
  })
})
