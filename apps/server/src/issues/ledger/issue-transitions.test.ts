import { describe, expect, it } from 'vitest'
import { reopeningBy, type ReleaseRank } from './issue-transitions.ts'

/** Releases by their day, the first on the first; others are not known. */
const days =
  (...versions: string[]): ReleaseRank =>
  (version) => {
    const at = versions.indexOf(version)
    return at === -1 ? null : [at, at]
  }

const after = (details: object, release: string | null, rank: ReleaseRank = days()) =>
  reopeningBy(
    { status: 'resolved', substatus: null, statusDetails: JSON.stringify({ since: 1, ...details }), timesSeen: 1 },
    [{ receivedAt: 2, release }],
    rank,
  )?.data ?? null

describe('an event of an issue that is resolved', () => {
  it('L80: in 1.2.0 reopens it from 1.2.0 on, whenever older builds were first seen', () => {
    const rank = days('shop@1.2.0', 'shop@1.1.9', 'shop@1.10.0')
    const inRelease = 'shop@1.2.0'
    expect(after({ inRelease }, 'shop@1.1.9', rank)).toBeNull()
    expect(after({ inRelease }, 'shop@1.2.0', rank)).toMatchObject({ compared_by: 'name' })
    expect(after({ inRelease }, 'shop@1.10.0', rank)).toMatchObject({ compared_by: 'version' })
    expect(after({ inRelease }, 'shop@1.2.0-rc.1', rank)).toBeNull()
    expect(after({ inRelease }, 'api@9.0.0', rank)).toBeNull()
  })

  it('L79: in the next release reopens it with a newer one only', () => {
    const next = { inNextRelease: true, currentRelease: 'shop@1.2.0' }
    for (const release of ['shop@1.2.0', 'shop@1.1.0', 'api@9.0.0', null]) expect(after(next, release)).toBeNull()
    expect(after(next, 'shop@1.2.1')).toMatchObject({ version: 'shop@1.2.1' })
    // Nobody had a release then: any is the next one.
    expect(after({ inNextRelease: true }, 'shop@0.1.0')).toEqual({ version: 'shop@0.1.0' })
  })

  it('L79: in the one that came as the next reopens it from that on, and with what is newer than the one of then', () => {
    const came = { inRelease: 'shop@999.0.0', currentRelease: 'shop@1.1.0' }
    for (const release of ['shop@1.1.0', 'shop@1.0.0', 'api@9.0.0', null]) expect(after(came, release)).toBeNull()
    expect(after(came, 'shop@1.2.0')).toEqual({
      version: 'shop@1.2.0',
      resolved_in: 'shop@1.1.0',
      compared_by: 'version',
    })
    expect(after(came, 'shop@999.0.0')).toMatchObject({ resolved_in: 'shop@999.0.0' })
  })

  it('L81: does not reopen it by no release where it is resolved in one, and does where it is just resolved', () => {
    expect(after({ inRelease: 'shop@1.2.0' }, null)).toBeNull()
    expect(after({}, null)).toEqual({})
  })

  it('L77, L82: says both releases and by what they were compared, by their days where names are no versions', () => {
    const rank = days('monday', 'tuesday')
    expect(after({ inRelease: 'tuesday' }, 'monday', rank)).toBeNull()
    expect(after({ inRelease: 'monday' }, 'tuesday', rank)).toEqual({
      version: 'tuesday',
      resolved_in: 'monday',
      compared_by: 'date',
    })
    expect(after({ inRelease: 'shop@1.9' }, 'shop@1.10', rank)).toEqual({
      version: 'shop@1.10',
      resolved_in: 'shop@1.9',
      compared_by: 'version',
    })
  })
})
