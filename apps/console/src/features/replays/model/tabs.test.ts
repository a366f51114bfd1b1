import type { Replay, ReplayMark, ReplayPlayback, ReplayRequest, ReplayRequestSide } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'

import { readAbout } from './about.ts'
import { readMemory, roofOf } from './memory.ts'
import { ALL_REQUESTS, filterRequests, readRequestRows, sideWords, sightOf } from './requests.ts'
import { countKinds, ofKinds, readReplayPage, withKind } from './row-kinds.ts'
import { readRows, type Row } from './rows.ts'

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

describe('the network tab of a replay', () => {
  const rows = readRequestRows([
    mark(1000, 'request', {
      text: 'https://shop.example/api/cart',
      status: 200,
      duration: 84,
      detail: { category: 'fetch' },
    }),
    mark(1000, 'click'),
    mark(1000, 'request', { text: '/api/pay', status: 503, duration: 12, detail: { category: 'xhr', method: 'post' } }),
    mark(2000, 'request', { text: '/api/slow', status: 200, duration: 2080, detail: { category: 'fetch' } }),
    mark(3000, 'request', { text: '/api/gone', detail: { category: 'fetch' } }),
  ])
  const found = (filter: Partial<typeof ALL_REQUESTS>): readonly string[] =>
    filterRequests(rows, { ...ALL_REQUESTS, ...filter }).map(({ url }) => url)

  it('R54 tells requests of one millisecond apart by their marks', () => {
    expect(rows.map(({ at, method }) => [at, method])).toEqual([
      [1000, 'GET'],
      [1000, 'POST'],
      [2000, 'GET'],
      [3000, 'GET'],
    ])
    expect(new Set(rows.map(({ key }) => key)).size).toBe(4)
  })

  it('is filtered by text, state and kind', () => {
    expect(found({})).toHaveLength(4)
    expect(found({ text: ' POST /API' })).toEqual(['/api/pay'])
    expect(found({ state: 'failed' })).toEqual(['/api/pay', '/api/gone'])
    expect(found({ state: 'slow' })).toEqual(['/api/slow'])
    expect(found({ state: '2xx', kind: 'fetch' })).toEqual(['https://shop.example/api/cart', '/api/slow'])
    expect(found({ state: '5xx' })).toEqual(['/api/pay'])
    expect(found({ state: 'none' })).toEqual(['/api/gone'])
    expect(found({ kind: 'xhr', text: 'cart' })).toEqual([])
  })

  it('draws its bars over the stretch that is in sight', () => {
    expect(sightOf(rows)).toEqual({ from: 1000, to: 4080 })
    expect(sightOf(rows.slice(3))).toEqual({ from: 3000, to: 3001 })
    expect(sightOf([])).toEqual({ from: 0, to: 1 })
  })
})

describe('what was sent and answered', () => {
  const side = (more: Partial<ReplayRequestSide> = {}): ReplayRequestSide => ({
    headers: [],
    headersLeftOut: 0,
    size: null,
    body: null,
    isJson: false,
    bodyLeftOut: 0,
    warnings: [],
    ...more,
  })
  const request = (more: Partial<ReplayRequest> = {}): ReplayRequest => ({
    method: 'POST',
    url: '/api',
    status: 200,
    request: side(),
    response: side(),
    ...more,
  })
  const answered = (more: Partial<ReplayRequestSide>) => sideWords(request({ response: side(more) }), 'response')
  /** What is said of a body, without what is said of headers. */
  const why = (more: Partial<ReplayRequestSide>): string => answered(more).notes.at(-1) ?? ''

  it('R54 is shown as it was recorded, JSON over several lines', () => {
    const headers = [{ name: 'content-type', value: 'application/json' }]
    expect(answered({ headers, body: '{\n  "a": 1\n}', isJson: true })).toEqual({
      headers,
      body: '{\n  "a": 1\n}',
      notes: [],
    })
    expect(answered({ headers, body: '{"a":[1]}' }).body).toBe('{\n  "a": [\n    1\n  ]\n}')
    for (const body of ['a=1&b=2', '{"a":', '"12"', '<p>']) expect(answered({ headers, body }).body).toBe(body)
    const cut = answered({ headers, body: '[1,2', warnings: ['MAYBE_JSON_TRUNCATED'], size: 400_000 })
    expect(cut).toEqual({ headers, body: '[1,2', notes: ['The recorder cut the body off; it had 400 kB in all.'] })
    expect(answered({ headers, body: '[1,2]', warnings: ['TEXT_TRUNCATED'] })).toMatchObject({
      body: '[1,2]',
      notes: ['The recorder cut the body off.'],
    })
    expect(answered({ headers, body: 'xx', bodyLeftOut: 1200, headersLeftOut: 3 }).notes).toEqual([
      '3 more headers are not shown.',
      '1,200 more characters of the body are not shown.',
    ])
    expect(why({ body: '{"a"', warnings: ['INVALID_JSON'] })).toContain('looks like JSON and is none')
  })

  it('R54 says why a header or body is not there', () => {
    expect(answered({ warnings: ['URL_SKIPPED'], size: 12 }).notes).toEqual([
      'The recorder was not allowed to keep headers and bodies of this address. It keeps those that networkDetailAllowUrls names.',
    ])
    expect(sideWords(request({ response: null }), 'response').notes).toEqual([
      'The recorder noted nothing of the answer: neither headers nor a body.',
    ])
    expect(answered({}).notes[0]).toContain('No header was recorded')
    const reasons = [
      why({ warnings: ['UNPARSEABLE_BODY_TYPE'] }),
      why({ warnings: ['BODY_PARSE_ERROR'] }),
      why({ warnings: ['BODY_PARSE_TIMEOUT'] }),
      why({ warnings: ['MAX_BODY_SIZE_EXCEEDED'] }),
      why({ warnings: ['SOMETHING_NEW'] }),
      why({ size: 0 }),
      why({}),
      sideWords(request({ method: 'GET' }), 'request').notes.at(-1) ?? '',
      sideWords(request({ status: 204 }), 'response').notes.at(-1) ?? '',
    ]
    expect(new Set(reasons).size).toBe(reasons.length)
    for (const reason of reasons) expect(reason).toMatch(/^[A-Z].*\.$/)
    expect(reasons[4]).toContain('SOMETHING_NEW')
    expect(reasons[7]).toBe('A GET request sends no body.')
  })
})

describe('the other tabs of a replay', () => {
  const playback = {
    projectSlug: 'shop-web',
    assets: { kept: 0, bytes: 0, waiting: 0, failed: [], leftOut: 0 },
    startedAt: 0,
    finishedAt: 9000,
    replay: {
      user: { username: 'Marta', email: null, id: '7', ip: null, display_name: 'Marta' },
      browser: { name: 'Chrome', version: '141' },
      os: { name: 'Windows', version: null },
      device: { name: null, brand: null, model: null, family: null },
      releases: ['2026.11.1', '2026.11.2'],
      dist: null,
      environment: 'production',
      platform: 'javascript',
      replay_type: 'buffer',
      sdk: { name: 'sentry.javascript.browser', version: '11.10.0' },
      tags: { plan: ['free', 'paid'] },
    } as unknown as Replay,
    pages: [
      { at: 0, url: '', width: 1280, height: 800 },
      { at: 1, url: '', width: 1280, height: 800 },
    ],
    segments: [
      { segmentId: 0, from: 0, to: 1, bytes: 1500, snapshot: true, broken: null },
      { segmentId: 2, from: 2, to: 3, bytes: 500, snapshot: false, broken: 'corrupt' },
    ],
    gaps: [{ from: 1, to: 2, segmentId: 1, segments: 1 }],
    idle: [],
    marks: [
      mark(1, 'memory', { value: 10_000_000 }),
      mark(2, 'memory', { value: 14_000_000 }),
      mark(3, 'memory'),
      mark(4, 'note', { text: 'replay.throttled' }),
      mark(5, 'note', { text: 'replay.throttled' }),
      mark(6, 'error', {
        text: 'No stock',
        detail: { eventId: 'e1', issueId: '5', level: 'warning', shortId: 'SHOP-6' },
      }),
      mark(7, 'error', { text: 'TypeError: x', detail: { eventId: 'e2', issueId: '6', level: 'error' } }),
      mark(8, 'rage_click', { text: 'Buy', value: 5, detail: { element: 'button.buy' } }),
      mark(9, 'hydration_error'),
    ],
    marksLeftOut: 0,
    textsLeftOut: 0,
    hasPicture: true,
    videos: [],
    complete: true,
  } as ReplayPlayback

  it('R53 errors lead to the event in their issue, with their level', () => {
    const { errors, everything } = readRows(playback)
    expect(errors.map(({ at, details, issue, tone }) => [at, tone, details[0], issue])).toEqual([
      [6, 'warning', 'Level warning', { id: '5', event: 'e1', label: 'SHOP-6' }],
      [7, 'error', 'Level error', { id: '6', event: 'e2', label: 'issue' }],
      [9, 'error', undefined, null],
    ])
    expect(everything.find(({ sign }) => sign === 'rage')?.vain).toEqual({
      by: 'count_rage_clicks',
      element: 'button.buy',
    })
  })

  it('R53 the memory in use is told with how it changed, on a scale that can be read', () => {
    expect(readMemory(playback.marks).map(({ at, bytes, change }) => [at, bytes, change])).toEqual([
      [1, 10_000_000, 0],
      [2, 14_000_000, 4_000_000],
    ])
    expect([0, 900_000, 1_000_001, 14_000_000, 60_000_000].map(roofOf)).toEqual([
      1_000_000, 1_000_000, 2_000_000, 20_000_000, 100_000_000,
    ])
  })

  it('what is known of the visit stands in groups, each value once, without what is not known', () => {
    const about = new Map(
      readAbout(playback).map(({ facts, title }) => [title, facts.map(({ name, values }) => [name, ...values])]),
    )
    expect(about.get('Visitor')).toEqual([
      ['Name', 'Marta'],
      ['Id', '7'],
    ])
    expect(about.get('Device')).toEqual([
      ['Browser', 'Chrome 141'],
      ['System', 'Windows'],
      ['Window', '1280 × 800'],
    ])
    expect(about.get('Application')).toContainEqual(['Release', '2026.11.1', '2026.11.2'])
    expect(about.get('Recording')).toEqual([
      ['Recorded', 'Held back until an error came'],
      ['Recorder', 'sentry.javascript.browser 11.10.0'],
      ['Segments', '2', '1 did not come'],
      ['Not readable', '1'],
      ['Size', '2.0 kB, as it was sent'],
      ['It says', 'Some of what happened is not listed, 2 times'],
    ])
    expect(about.get('Tags')).toEqual([['plan', 'free', 'paid']])
  })
})

describe('kinds of moments', () => {
  it('R53 are read from an address in their order, counted, and chosen one by one', () => {
    const row = (sign: Row['sign']) => ({ sign }) as Row
    const rows = (['click', 'rage', 'page', 'request', 'idle', 'key'] as const).map(row)
    expect(readReplayPage({ show: 'errors,nonsense,clicks', t: '2' })).toEqual({ t: 2, show: 'clicks,errors' })
    expect(readReplayPage({ show: 'nonsense' })).toEqual({})
    expect(countKinds(rows)).toMatchObject({ clicks: 2, navigation: 1, network: 1, errors: 0 })
    expect(ofKinds(rows, []).length).toBe(6)
    expect(ofKinds(rows, ['network', 'clicks']).map(({ sign }) => sign)).toEqual(['click', 'rage', 'request'])
    expect(withKind(['clicks', 'vitals'], 'console')).toEqual(['clicks', 'console', 'vitals'])
    expect(withKind(['clicks', 'vitals'], 'clicks')).toEqual(['vitals'])
  })
})
