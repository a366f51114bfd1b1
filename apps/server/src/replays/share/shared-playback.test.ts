import type { ReplayMark, ReplayPlayback } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { NO_ASSET_SUMMARY } from '../assets/asset-summary.ts'
import { LIMITS } from '../limits.ts'
import { sharedPlayback } from './shared-playback.ts'

const mark = (more: Partial<ReplayMark>): ReplayMark => ({
  id: 'error 5',
  at: 5,
  kind: 'click',
  text: '',
  url: '',
  nodeId: null,
  selector: '',
  value: null,
  duration: null,
  status: null,
  detail: {},
  ...more,
})

describe('what people without an account are told of a replay', () => {
  it('R99 of its moments and segments nothing that is not named, also of what is told of them some day', () => {
    const segment = { segmentId: 0, from: 0, to: 10, bytes: 7, snapshot: true, broken: null }
    const playback = {
      replay: { id: 'secret', device: { name: 'iPhone of secret', brand: 'Apple', model: '17', family: 'iPhone' } },
      segments: [{ ...segment, blobKey: 'secret' }],
      pages: [],
      marks: [
        mark({ detail: { name: 'Buy', handle: 'buy', userEmail: 'secret', viewId: 'secret' } }),
        mark({ kind: 'error', text: 'secret', detail: { level: 'error', eventId: 'secret', shortId: 'secret' } }),
        { ...mark({ kind: 'request', text: '/a', detail: { method: 'GET', traceUrl: 'secret' } }), traceId: 'secret' },
        mark({ kind: 'note', text: 'auth', detail: { message: 'Authenticated user secret' } }),
        mark({ kind: 'note', text: 'device.battery', detail: { level: '17' } }),
      ],
      idle: [],
      gaps: [],
      videos: [],
    } as unknown as ReplayPlayback
    const told = sharedPlayback(playback, { from: 0, to: 10 }, NO_ASSET_SUMMARY)
    expect(JSON.stringify(told)).not.toContain('secret')
    expect(told.segments).toEqual([segment])
    expect(told.marks.map(({ detail, kind, text }) => ({ detail, kind, text }))).toEqual([
      { kind: 'click', text: '', detail: { name: 'Buy', handle: 'buy' } },
      { kind: 'error', text: '', detail: { level: 'error' } },
      { kind: 'request', text: '/a', detail: { method: 'GET' } },
      { kind: 'note', text: 'device.battery', detail: { level: '17' } },
    ])
    expect(told.replay.device).toEqual({ name: null, brand: 'Apple', model: '17', family: 'iPhone' })
  })

  it('R47 that the visitor was idle only where it shows more than ten seconds of that', () => {
    const second = 1000
    const idleIn = (from: number, to: number): ReplayPlayback['idle'] => {
      const idle: ReplayPlayback['idle'] = [
        [0, 20 * second],
        [30 * second, 60 * second],
      ]
      const playback = { replay: { device: {} }, segments: [], pages: [], marks: [], idle, gaps: [], videos: [] }
      return sharedPlayback(playback as unknown as ReplayPlayback, { from, to }, NO_ASSET_SUMMARY).idle
    }
    expect(LIMITS.REPLAY_IDLE_MS).toBe(10 * second)
    expect(idleIn(10 * second, 40 * second)).toEqual([])
    expect(idleIn(9 * second, 41 * second)).toEqual([
      [9 * second, 20 * second],
      [30 * second, 41 * second],
    ])
  })
})
