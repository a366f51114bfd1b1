import type { Replay, ReplayMark, ReplayPlayback } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'

import { addressAt } from './address.ts'
import { createAxis, labelsOf } from './axis.ts'
import { placeIn } from './journey.ts'
import { readLanes } from './lanes.ts'
import { incompleteOf } from './incomplete.ts'
import { recorderWords, unsearchedWords, whyUnplayable } from './recording-words.ts'
import { clicksSoughtBy, momentOf, readReplaySearch } from './replay-search.ts'
import { readRequestRows } from './requests.ts'
import { clickInVain, nextMark, pathOf, readRows, rowAt } from './rows.ts'
import { opensAt, stillIn, whyStill } from './still.ts'
import { playLength, playStretch, playTime } from './time.ts'

let marked = 0
const mark = (at: number, kind: ReplayMark['kind'], more: Partial<ReplayMark> = {}): ReplayMark => ({
  id: String(++marked),
  at,
  kind,
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

const playbackOf = (more: Partial<ReplayPlayback>): ReplayPlayback =>
  ({
    replay: { count_dead_clicks: null, count_rage_clicks: null },
    startedAt: 0,
    finishedAt: 100_000,
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
    ...more,
  }) as unknown as ReplayPlayback

describe('the address of a replay', () => {
  it('R56 opens at a second: t in seconds, event_t as a date, in seconds or in milliseconds', () => {
    const from = Date.parse('2026-11-20T10:00:00Z')
    const to = from + 60_000
    const at = (raw: Record<string, unknown>) => {
      const moment = momentOf(readReplaySearch(raw), from, to)
      return moment === null ? null : moment - from
    }
    expect(at({ t: '12.5' })).toBe(12_500)
    expect(at({ event_t: '2026-11-20T10:00:07Z' })).toBe(7000)
    expect(at({ event_t: String(from / 1000 + 9) })).toBe(9000)
    expect(at({ event_t: String(from + 3000) })).toBe(3000)
    expect(at({ t: '900' })).toBe(60_000)
    for (const none of [{}, { t: 'x' }, { t: '-1' }, { t: '' }, { event_t: 'soon' }, { t: ['1', '2'] }])
      expect(at(none)).toBeNull()
  })
})

describe('a link from a search for clicks', () => {
  it('R40 opens at the first click where it names no moment, and other searches name none', () => {
    const sought = (raw: Record<string, unknown>) => clicksSoughtBy(readReplaySearch(raw))
    expect(sought({ query: 'url:*cart* rage.selector:"button#buy"' })).toBe('url:*cart* rage.selector:"button#buy"')
    expect(sought({ query: '(click.tag:a OR plan:free)' })).toBe('(click.tag:a OR plan:free)')
    for (const none of [
      {},
      { query: 'url:*cart*' },
      { query: 'count_rage_clicks:>0' },
      { query: 'click.tag:a', t: '3' },
    ])
      expect(sought(none)).toBe('')
    expect(sought({ query: 'click.tag:a', event_t: '2026-11-20T10:00:07Z' })).toBe('')
  })
})

describe('the journey of a replay', () => {
  const replays = ['a', 'b', 'c'].map((id) => ({ id, project_id: '1' }) as Replay)
  const placeOf = (id: string, project = '1') => {
    const place = placeIn(replays, { id, project_id: project } as Replay)
    return place && [place.number, place.count, place.previous?.id, place.next?.id]
  }

  it('R24 says the place of a replay among those of its visitor, and which are beside it', () => {
    expect(placeOf('a')).toEqual([1, 3, undefined, 'b'])
    expect(placeOf('b')).toEqual([2, 3, 'a', 'c'])
    expect(placeOf('c')).toEqual([3, 3, 'b', undefined])
    expect(placeOf('a', '2')).toBeNull()
    expect(placeIn(replays.slice(0, 1), { id: 'a', project_id: '1' } as Replay)).toBeNull()
  })
})

describe('the time of a replay', () => {
  it('is said in minutes and seconds, with as many digits as a place has room for', () => {
    expect([playTime(0), playTime(109_640), playTime(3_723_000)]).toEqual(['0:00', '1:49', '1:02:03'])
    expect([playTime(109_640, 1), playTime(109_640, 2)]).toEqual(['1:49.6', '1:49.64'])
    expect(playTime(-5)).toBe('0:00')
    expect([playStretch(21_400, 21_900), playStretch(21_400, 22_100)]).toEqual(['0:21', '0:21 to 0:22'])
    expect([playLength(600, 70_240), playLength(400, 69_960)]).toEqual(['1:10', '1:09'])
  })

  it('is a line on which idle stretches are folded, there and back', () => {
    const axis = createAxis(0, 100_000, [[20_000, 70_000]])
    expect(axis.folds).toHaveLength(1)
    const [fold] = axis.folds
    expect((fold?.end ?? 1) - (fold?.start ?? 0)).toBeLessThan(0.05)
    for (const at of [0, 5000, 20_000, 45_000, 70_000, 99_999, 100_000])
      expect(Math.abs(axis.at(axis.placeOf(at)) - at)).toBeLessThan(1)
    expect([axis.placeOf(-5), axis.placeOf(200_000)]).toEqual([0, 1])
    const written = (width: number) => labelsOf(axis, width).map(({ text }) => text)
    expect(written(900)).toEqual(expect.arrayContaining(['0:00', '0:10', '50 s', '1:20']))
    expect(written(900)).not.toContain('0:30')
    expect(written(200).length).toBeLessThan(written(900).length)
  })

  it('R52 writes above it what has room, the longest stretches first, and nothing over anything else', () => {
    const stretches = Array.from({ length: 40 }, (_, index) => [index * 60_000, index * 60_000 + 20_000 + index * 500])
    const axis = createAxis(0, 40 * 60_000, stretches as [number, number][])
    expect(axis.folds.length).toBeGreaterThan(30)
    for (const width of [0, 40, 320, 760, 1400]) {
      const labels = labelsOf(axis, width).toSorted((one, other) => one.start - other.start)
      for (const [index, label] of labels.entries()) {
        expect(label.end).toBeLessThanOrEqual(width)
        expect(label.start).toBeGreaterThan(labels[index - 1]?.end ?? -1)
      }
      if (width >= 320) expect(labels.map(({ text }) => text)).toEqual(expect.arrayContaining(['0:00', '39 s']))
    }
  })

  it('of nothing but idleness, and of no length, is a line all the same', () => {
    expect(createAxis(0, 1000, [[0, 1000]]).placeOf(500)).toBe(0.5)
    expect(createAxis(5, 5, []).placeOf(5)).toBe(0)
  })
})

describe('what happened in a replay', () => {
  const playback = playbackOf({
    marks: [
      mark(1000, 'navigation', { url: 'https://shop.example/cart?x=1' }),
      mark(2000, 'request', {
        text: 'https://shop.example/api',
        status: 200,
        duration: 2080,
        detail: { method: 'post' },
      }),
      mark(2500, 'request', { text: '/api/no', status: 500, duration: 12 }),
      mark(3000, 'console', { text: 'no price', detail: { level: 'error' } }),
      mark(4000, 'rage_click', { text: 'Buy', selector: 'main > button.buy[name="b"]', value: 5 }),
      mark(4100, 'memory', { value: 1 }),
      mark(5000, 'vital', { text: 'cumulative-layout-shift', value: 0.123, detail: { rating: 'poor' } }),
      mark(6000, 'error', { text: 'TypeError: x' }),
    ],
    idle: [[10_000, 67_000]],
    gaps: [{ from: 70_000, to: 80_000, segmentId: 3, segments: 1 }],
    segments: [{ segmentId: 4, from: 81_000, to: 82_000, bytes: 1, snapshot: false, broken: 'corrupt' }],
  })

  it('R52, R53 stands in words and in tabs, by time', () => {
    const { everything, console: lines, errors } = readRows(playback, [{ from: 10_000 }])
    expect(everything.map(({ at, code, text, aside }) => [at, `${code} ${text}`.trim(), aside])).toEqual([
      [1000, '/cart?x=1', ''],
      [2000, 'POST /api', '200 · 2.08 s'],
      [2500, 'GET /api/no', '500 · 12 ms'],
      [3000, 'no price', 'error'],
      [4000, 'Rage click on “Buy”', ''],
      [5000, 'Layout shift, poor', '0.12'],
      [6000, 'TypeError: x', ''],
      [10_000, 'Idle for 57 s', 'folded'],
      [70_000, 'Nothing was received here, 1:10–1:20', ''],
      [81_000, 'Segment 4 cannot be read', ''],
    ])
    // A stretch that the line of time shows as it is.
    expect(readRows(playback).everything.find(({ sign }) => sign === 'idle')?.aside).toBe('')
    expect(everything.at(-1)?.details).toEqual(['The recording arrived damaged or cut off.'])
    expect([lines.length, errors.length]).toEqual([1, 1])
    const network = readRequestRows(playback.marks)
    expect(network.map(({ at, tone }) => [at, tone])).toEqual([
      [2000, 'warning'],
      [2500, 'error'],
    ])
    expect([rowAt(everything, 0), rowAt(everything, 2000), rowAt(everything, 99_000)]).toEqual([-1, 1, 9])
  })

  it('R52 fields of a form are told apart by what their selectors say of them', () => {
    const changed = (last: string): string | undefined => {
      const detail = { role: 'input' }
      const marks = [mark(1000, 'input', { selector: `body > form > label > ${last}`, detail })]
      return readRows(playbackOf({ marks })).everything[0]?.text
    }
    expect(changed('input[type="email"][name="email"]')).toBe('Changed input[name=email]')
    expect(changed('input[type="checkbox"]')).toBe('Changed input[type=checkbox]')
    expect(changed('input[aria-label="****"][title="Your name"]')).toBe('Changed input[title=Your name]')
    expect(changed('input#mail[name="email"]')).toBe('Changed input label > input#mail')
    expect(changed('input')).toBe('Changed input label > input')
  })

  it('R52 a dead or rage click and its click are one row, and counted once', () => {
    const selector = 'main > button'
    const judged = playbackOf({
      marks: [
        mark(1000, 'dead_click', { selector }),
        mark(1000, 'click', { selector }),
        mark(2000, 'click', { selector }),
        mark(3000, 'click', { selector }),
        mark(3000, 'dead_click', { selector }),
        mark(3010, 'rage_click', { selector }),
        mark(3020, 'click', { selector: 'main > a' }),
      ],
    })
    expect(readRows(judged).everything.map(({ at, sign }) => [at, sign])).toEqual([
      [1000, 'dead'],
      [2000, 'click'],
      [3010, 'rage'],
      [3020, 'click'],
    ])
    expect(readLanes(judged, createAxis(0, 100_000, [])).counts).toMatchObject({ click: 2, dead: 2, rage: 1 })
  })

  it('R52 a change of the route is told by its names, and not where the change of the page is', () => {
    const route = (at: number, detail: Record<string, string>) => mark(at, 'note', { text: 'navigation.route', detail })
    const { everything } = readRows(
      playbackOf({
        marks: [
          route(10, { to: '/' }),
          mark(1000, 'navigation', { url: 'https://shop.example/product/7' }),
          route(1100, { from: '/', to: '/product/$id' }),
          route(1101, { from: '/', to: '/product/$id' }),
          route(3000, {}),
        ],
      }),
    )
    expect(everything.map(({ at, sign, text }) => [at, sign, text])).toEqual([
      [10, 'page', '/'],
      [1000, 'page', '/product/7'],
      [1101, 'page', '/ → /product/$id'],
      [3000, 'page', 'Another route'],
    ])
  })

  it('R52 the page that it begins with is told once, although it began to load before', () => {
    const first = mark(-396, 'navigation', { url: 'https://shop.example/' })
    const route = mark(23, 'note', { text: 'navigation.route', detail: { to: '/' } })
    expect(readRows(playbackOf({ marks: [first, route] })).everything.map(({ text }) => text)).toEqual(['/'])
  })

  it('R7 what was not received, what cannot be read and where nobody did anything stand side by side, as the server tells of them', () => {
    const segment = (segmentId: number, from: number, to: number, broken: 'corrupt' | null = null) =>
      ({ segmentId, from, to, bytes: 1, snapshot: false, broken }) as const
    const seen = playbackOf({
      idle: [
        [40_000, 55_000],
        [70_000, 95_000],
      ],
      gaps: [{ from: 15_000, to: 35_000, segmentId: 1, segments: 2 }],
      segments: [
        segment(0, 0, 15_000),
        segment(3, 35_000, 55_000),
        segment(4, 58_000, 58_000, 'corrupt'),
        segment(5, 60_000, 60_000, 'corrupt'),
      ],
    })
    expect(readRows(seen).everything.map(({ text, details }) => [text, details[0]])).toEqual([
      ['Nothing was received here, 0:15–0:35', '2 segments from 1 on did not come.'],
      ['Idle for 15 s', undefined],
      ['Segment 4 cannot be read', 'The recording arrived damaged or cut off.'],
      ['Segment 5 cannot be read', 'The recording arrived damaged or cut off.'],
      ['Idle for 25 s', undefined],
    ])
  })

  it('why a segment cannot be played is a sentence, for all that the server says', () => {
    const reasons = ['corrupt', 'too_large', 'too_deep', 'no_json', 'no_events', 'missing'] as const
    const sentences = reasons.map(whyUnplayable)
    expect(new Set(sentences).size).toBe(reasons.length)
    for (const sentence of sentences) expect(sentence).toMatch(/^The recording [a-zJSON ,]+\.$/)
  })

  it('R52 what the recorder says of the recording itself is said in sentences; other notes stay as they are', () => {
    const said = (text: string, detail: Record<string, string> = {}) => {
      const [row] = readRows(playbackOf({ marks: [mark(1, 'note', { text, detail })] })).everything
      return [row?.tone, row?.text, ...(row?.details ?? [])]
    }
    expect(said('replay.canvas-not-recorded', { reason: 'SecurityError' })).toEqual([
      'warning',
      'A canvas could not be recorded',
      'It shows something of another site, which browsers let nobody read.',
    ])
    expect(said('replay.canvas-slowed', { intervalMs: '500' })).toContain('There is at most one picture every 500 ms.')
    expect(said('replay.page-too-large', { count: '70000', limit: '50000' })).toEqual([
      'warning',
      'The page is too large to be recorded',
      'There were 70,000 elements; at most 50,000 are recorded.',
      'The picture of this page ends here.',
    ])
    expect(said('replay.page-too-large')).toHaveLength(3)
    expect(said('replay.too-much', { limit: '20000000' })).toContain(
      'It made more than the 20.0 MB that one segment may have.',
    )
    expect(said('replay.throttled')).toContain('Some of what happened is not listed')
    expect(said('replay.mutations', { count: '812', limit: 'true' })).toEqual([
      'warning',
      'The page changed too much at once',
      '812 changes came at once.',
      'The recording ends here.',
    ])
    expect(said('replay.mutations', { count: '812', limit: 'false' })[0]).toBeNull()
    expect(said('app.start')).toEqual([null, 'app.start'])
    expect(said('')).toEqual([null, 'A note'])
    expect(recorderWords(mark(1, 'note', { text: 'constructor' }))).toBeNull()
  })

  it('R33 says when a search does not find all of the text on its pages', () => {
    expect(unsearchedWords(0)).toBe('')
    const words = 'Too much text to search all of it: some texts on its pages cannot be found.'
    expect([1, 4200].map(unsearchedWords)).toEqual([words, words])
  })

  it('R51 the next mark is a page, a click, an error or feedback; the one before is not the one just passed', () => {
    const { everything } = readRows(playback)
    expect(nextMark(everything, 1000, 1)?.at).toBe(4000)
    expect(nextMark(everything, 4200, -1)?.at).toBe(1000)
    expect(nextMark(everything, 6000, 1)).toBeNull()
  })

  it('R53 a row keeps its name when a segment comes late: what was chosen or opened stays so', () => {
    const marks = [mark(1000, 'click'), mark(4000, 'request'), mark(4000, 'request'), mark(4000, 'console')]
    const keysOf = (all: readonly ReplayMark[]) => ({
      rows: readRows(playbackOf({ marks: [...all] })).everything.map(({ key }) => key),
      requests: readRequestRows(all).map(({ key }) => key),
    })
    const before = keysOf(marks)
    const after = keysOf([mark(500, 'click'), mark(600, 'request'), ...marks])
    expect(new Set(after.rows).size).toBe(after.rows.length)
    expect(after.rows.slice(-before.rows.length)).toEqual(before.rows)
    expect(after.requests.slice(1)).toEqual(before.requests)
  })

  it('R51 marks within half a second are one stop, forth and back', () => {
    const at = [1000, 1010, 1400, 1600, 1610, 5000]
    const { everything } = readRows(playbackOf({ marks: at.map((moment) => mark(moment, 'click')) }))
    const stopsFrom = (start: number, step: 1 | -1): readonly number[] => {
      const stop = nextMark(everything, start, step)
      return stop === null ? [] : [stop.at, ...stopsFrom(stop.at, step)]
    }
    expect(stopsFrom(0, 1)).toEqual([1000, 1600, 5000])
    expect(stopsFrom(9000, -1)).toEqual([5000, 1600, 1000])
    // One that is near, but was not reached yet.
    expect(nextMark(everything, 4800, 1)?.at).toBe(5000)
  })

  it('a click in vain is named for two seconds', () => {
    const marks = [mark(1000, 'click', { nodeId: 4 }), mark(4000, 'dead_click', { nodeId: 4 })]
    expect([3999, 4000, 5999, 6000].map((at) => clickInVain(marks, at))).toEqual([-1, 1, 1, -1])
    expect(clickInVain([mark(4000, 'dead_click')], 4100)).toBe(-1)
  })

  it('is drawn on the score and counted', () => {
    const { counts, marks, missing } = readLanes(playback, createAxis(0, 100_000, []))
    // As the list counts them: in anger is in vain, too, and its sums are of all that came.
    expect(counts).toEqual({ click: 0, dead: 1, rage: 1, error: 1, feedback: 0, slow: 1 })
    const counted = { count_dead_clicks: 7, count_rage_clicks: 3 } as ReplayPlayback['replay']
    expect(readLanes({ ...playback, replay: counted }, createAxis(0, 100_000, [])).counts).toMatchObject({
      dead: 7,
      rage: 3,
    })
    expect(marks.map(({ kind }) => kind)).toEqual(['rage', 'error'])
    expect(missing).toHaveLength(2)
  })

  it('the first page reaches back to the beginning', () => {
    const pages = [
      { at: 500, url: 'https://a.example/', width: 0, height: 0 },
      { at: 50_000, url: 'https://a.example/b', width: 0, height: 0 },
    ]
    const lanes = readLanes(playbackOf({ pages }), createAxis(0, 100_000, []))
    expect(lanes.pages.map(({ start, end, path }) => [start, end, path])).toEqual([
      [0, 0.5, '/'],
      [0.5, 1, '/b'],
    ])
  })

  it('R7 a gap, and what is before the picture, are named while the time is in them', () => {
    const say = (at: number) => {
      const still = stillIn(playback, 5000, at)
      return still === null ? null : whyStill(still, String)
    }
    expect(say(0)).toBe('The picture begins at 5000.')
    expect(say(6000)).toBeNull()
    expect(say(75_000)).toBe('A segment of the recording did not come. The picture goes on at 80000.')
  })

  it('where a replay opens because it begins blank is told as long as it stands there', () => {
    const opened = { at: 8000, plays: false, firstSight: 8000 }
    expect(opensAt(opened, 0)).toBe(8000)
    expect(opensAt({ ...opened, plays: true }, 0)).toBeNull()
    expect(opensAt({ ...opened, at: 9000 }, 0)).toBeNull()
    expect(opensAt({ ...opened, firstSight: null }, 0)).toBeNull()
    // Nobody misses less than a second.
    expect(opensAt(opened, 7500)).toBeNull()
  })

  it('R7 behind what is missing a page is said to be incomplete until it was recorded whole again', () => {
    const segment = (segmentId: number, from: number, snapshot: boolean, broken: 'corrupt' | null = null) => ({
      segmentId,
      from,
      to: from + 5000,
      bytes: 1,
      snapshot,
      broken,
    })
    const gaps = [{ from: 5000, to: 40_000, segmentId: 1, segments: 1 }]
    const segments = [segment(0, 0, true), segment(2, 40_000, false), segment(3, 60_000, true)]
    const say = (at: number, of: Parameters<typeof playbackOf>[0] = { gaps, segments }) => {
      const seen = playbackOf(of)
      const still = stillIn(seen, 0, at, incompleteOf(seen))
      return still === null ? null : whyStill(still, String)
    }
    expect([say(4000), say(60_000), say(64_000)]).toEqual([null, null, null])
    expect(say(39_999)).toContain('The picture goes on at 40000.')
    expect(say(41_000)).toBe('Changes before this moment did not come: the page may be incomplete until 60000.')
    expect(say(64_000, { gaps, segments: segments.slice(0, 2) })).toContain('incomplete until the end.')
    // It is whole at once where a page comes first, and each picture of a film is.
    expect(say(41_000, { gaps, segments: [segment(0, 0, true), segment(2, 40_000, true)] })).toBeNull()
    expect(stillIn(playbackOf({ gaps }), null, 41_000, [{ from: 40_000, to: 60_000 }])).toBeNull()
  })

  it('R59 the address is that of the page which is shown at a moment, also after it was loaded anew', () => {
    const pages = ['a', 'b', 'c'].map((path, index) => ({
      at: 1000 + index * 1000,
      url: `https://a.example/${path}`,
      width: 0,
      height: 0,
    }))
    const at = (moment: number): string => addressAt({ pages }, moment).slice(-1)
    expect([0, 1000, 1999, 2000, 2999, 3000, 90_000].map(at)).toEqual(['a', 'a', 'a', 'b', 'b', 'c', 'c'])
    expect(addressAt({ pages: [] }, 0)).toBe('')
  })

  it('R11 pauses of a film are named, and what is behind it as soon as nothing more comes', () => {
    const video = (from: number, to: number) => ({ segmentId: from, from, to, bytes: 1, width: 1, height: 1, shift: 0 })
    const videos = [video(0, 5000), video(5100, 10_000), video(30_000, 35_000)]
    const seen = playbackOf({ gaps: [], videos, finishedAt: 60_000, complete: true })
    const say = (at: number, of = seen) => {
      const still = stillIn(of, 0, at)
      return still === null ? null : whyStill(still, String)
    }
    expect([0, 5050, 34_000].map((at) => say(at))).toEqual([null, null, null])
    expect(say(10_500)).toContain('The picture goes on at 30000.')
    expect(say(36_000)).toBe('The phone filmed nothing after 35000.')
    expect(say(36_000, { ...seen, complete: false })).toBeNull()
  })

  it('R11 what a phone notes of itself is said in words', () => {
    const said = (text: string, detail: Readonly<Record<string, string>> = {}) =>
      readRows(playbackOf({ marks: [mark(1, 'note', { text, detail })], idle: [], gaps: [] })).everything[0]?.text
    expect(said('app.background')).toBe('The app went to the background')
    expect(said('device.battery', { level: '41.6', charging: 'true' })).toBe('Battery at 42%, charging')
    expect(said('device.battery', { level: 'much', charging: 'false' })).toBe('Battery')
    expect(said('device.connectivity', { state: 'offline' })).toBe('The phone went offline')
    expect(said('device.connectivity', { state: 'constructor' })).toBe('The connection changed')
    expect(said('device.orientation', { position: 'landscape' })).toBe('Turned on its side')
    expect(said('app.something')).toBe('app.something')
  })

  it('addresses are shown without their site; what is none stays', () => {
    expect([pathOf('https://a.example/b?c#d'), pathOf('/e'), pathOf('http://['), pathOf('CartActivity')]).toEqual([
      '/b?c#d',
      '/e',
      'http://[',
      'CartActivity',
    ])
  })
})
