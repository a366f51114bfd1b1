import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { isComplete, isFilmed, isPlayable, lastReceived, quietSince } from './segment-rules.ts'

describe('what can be done with a segment', () => {
  it('plays a recording that is kept and can be read', () => {
    expect(isPlayable({ blobKey: '1/a', broken: '' })).toBe(true)
    expect(isPlayable({ blobKey: '1/a', broken: 'corrupt' })).toBe(false)
    expect(isPlayable({ blobKey: '', broken: 'missing' })).toBe(false)
    expect(isPlayable({ blobKey: '', broken: '' })).toBe(false)
  })

  it('has a film where a video came', () => {
    expect([isFilmed({ videoKey: '1/a' }), isFilmed({ videoKey: '' })]).toEqual([true, false])
  })
})

describe('whether more of a replay is expected', () => {
  it('looks at what came last, in whatever order', () => {
    expect(lastReceived([{ receivedAt: 3 }, { receivedAt: 9 }, { receivedAt: 5 }])).toBe(9)
    expect(lastReceived([])).toBe(0)
  })

  it('takes a replay for complete when nothing of it came for as long as the limit says', () => {
    const now = 10 * LIMITS.REPLAY_QUIET_MS
    expect(isComplete(quietSince(now), now)).toBe(true)
    expect(isComplete(quietSince(now) + 1, now)).toBe(false)
  })
})
