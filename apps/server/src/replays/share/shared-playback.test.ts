import type { ReplayMark, ReplayPlayback } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { NO_ASSET_SUMMARY } from '../assets/asset-summary.ts'
import { LIMITS } from '../limits.ts'
import { replayJson } from '../replay-json.ts'
import { recordOf } from '../replay-record.fixture.ts'
import { START } from '../replay.fixture.ts'
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

const replay = replayJson(recordOf(), { reported: [], hasViewed: false, isStarred: false, clicks: null })

const playbackOf = (more: Partial<ReplayPlayback>): ReplayPlayback => ({
  replay,
  projectSlug: 'shop',
  startedAt: START,
  finishedAt: START + 60_000,
  segments: [],
  pages: [],
  marks: [],
  marksLeftOut: 0,
  textsLeftOut: 0,
  idle: [],
  gaps: [],
  hasPicture: true,
  videos: [],
  complete: true,
  assets: NO_ASSET_SUMMARY,
  ...more,
})

describe('what people without an account are told of a replay', () => {
  it('R99 of its moments and segments nothing that is not named, also of what is told of them some day', () => {
    const segment = { segmentId: 0, from: 0, to: 10, bytes: 7, snapshot: true, broken: null }
    const device = { name: 'iPhone of secret', brand: 'Apple', model: '17', family: 'iPhone' }
    const later = { ...segment, blobKey: 'secret' }
    const request = mark({ kind: 'request', text: '/a', detail: { method: 'GET', traceUrl: 'secret' } })
    const laterRequest = { ...request, traceId: 'secret' }
    const playback = playbackOf({
      replay: { ...replay, id: 'secret', device },
      segments: [later],
      marks: [
        mark({ detail: { name: 'Buy', handle: 'buy', userEmail: 'secret', viewId: 'secret' } }),
        mark({ kind: 'error', text: 'secret', detail: { level: 'error', eventId: 'secret', shortId: 'secret' } }),
        laterRequest,
        mark({ kind: 'note', text: 'auth', detail: { message: 'Authenticated user secret' } }),
        mark({ kind: 'note', text: 'device.battery', detail: { level: '17' } }),
      ],
    })
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

  it('R99 what was noted before the first frame where the link begins there, and nothing before a chosen moment', () => {
    const playback = playbackOf({
      marks: [mark({ at: START - 2000, text: 'before' }), mark({ at: START, text: 'first' })],
    })
    const textsFrom = (from: number): string[] =>
      sharedPlayback(playback, { from, to: START + 60_000 }, NO_ASSET_SUMMARY).marks.map(({ at }) => String(at - START))
    expect(textsFrom(START)).toEqual(['-2000', '0'])
    expect(textsFrom(START + 1)).toEqual([])
  })

  it('R47 that the visitor was idle only where it shows more than ten seconds of that', () => {
    const second = 1000
    const idleIn = (from: number, to: number): ReplayPlayback['idle'] => {
      const idle: ReplayPlayback['idle'] = [
        [0, 20 * second],
        [30 * second, 60 * second],
      ]
      return sharedPlayback(playbackOf({ idle }), { from, to }, NO_ASSET_SUMMARY).idle
    }
    expect(LIMITS.REPLAY_IDLE_MS).toBe(10 * second)
    expect(idleIn(10 * second, 40 * second)).toEqual([])
    expect(idleIn(9 * second, 41 * second)).toEqual([
      [9 * second, 20 * second],
      [30 * second, 41 * second],
    ])
  })
})
