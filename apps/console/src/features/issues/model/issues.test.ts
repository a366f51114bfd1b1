import type { Issue } from '@firsthand/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { arrivals, badgeOf, bars, placeOf, titleParts, uniqueIssues } from './rows.ts'
import { matchesText, narrowings, timeLabel } from './stream-choices.ts'
import { meantReleases } from './short-releases.ts'
import { DEFAULT_SEARCH, compactUrl, fromUrl, readStreamUrl, timeOf } from './stream-search.ts'
import { TABS, activeTab, withTab } from './stream-tabs.ts'
import { undoSteps } from './undo.ts'
import { fromZoned, toZoned } from './zoned-time.ts'

const issue = (id: string, fields: Partial<Issue> = {}): Issue =>
  ({
    id,
    title: 'TypeError: boom',
    type: 'error',
    metadata: { type: 'TypeError', value: 'boom' },
    status: 'unresolved',
    substatus: 'ongoing',
    statusDetails: {},
    assignedTo: null,
    priority: 'medium',
    ...fields,
  }) as Issue

describe('the stream’s URL', () => {
  it('leaves out what is usual', () => {
    expect(compactUrl(DEFAULT_SEARCH)).toEqual({})
    expect(compactUrl({ ...DEFAULT_SEARCH, query: '' })).toEqual({ query: '' })
  })

  it('survives anything that is typed into it', () => {
    expect(
      readStreamUrl({
        query: ['x'],
        sort: 'drop table',
        statsPeriod: '-1',
        project: 7,
        environment: [null, 'prod', 'prod'],
      }),
    ).toEqual({
      project: ['7'],
      environment: ['prod'],
    })
  })

  it('comes back as it was written', () => {
    fc.assert(
      fc.property(
        fc.record({
          query: fc.string({ maxLength: 50 }),
          sort: fc.constantFrom('date' as const, 'freq' as const),
          statsPeriod: fc.constantFrom('24h', '14d'),
          project: fc.uniqueArray(fc.nat().map(String), { maxLength: 3 }),
          environment: fc.uniqueArray(fc.string({ minLength: 1, maxLength: 9 }), { maxLength: 3 }),
        }),
        (search) => {
          expect(fromUrl(readStreamUrl({ ...compactUrl(search) }))).toEqual(search)
        },
      ),
    )
  })
})

describe('absolute dates', () => {
  const range = { start: '2026-01-31T09:00:00.000Z', end: '2026-02-01T00:00:00.000Z' }

  it('are read as Sentry’s links write them: without a zone they are UTC', () => {
    expect(readStreamUrl({ start: '2026-01-31T09:00:00', end: '2026-02-01', utc: 'true' })).toEqual({
      ...range,
      utc: 'true',
    })
    expect(readStreamUrl({ start: '2026-01-31T10:00:00+01:00', end: '2026-02-01T00:00:00Z' })).toEqual(range)
    expect(fromUrl(readStreamUrl({ ...compactUrl({ ...DEFAULT_SEARCH, ...range, utc: 'true' }) }))).toMatchObject({
      ...range,
      utc: 'true',
    })
  })

  it.each([
    { start: '2026-02-01', end: '2026-01-31' },
    { start: '2026-02-01' },
    { start: 'yesterday', end: '2026-02-01' },
    { utc: 'true' },
  ])('are left out when they are no range: %o', (raw) => {
    expect(readStreamUrl(raw)).toEqual({})
  })

  it('are asked for in place of the period, and said in words', () => {
    expect(timeOf({ ...DEFAULT_SEARCH, ...range })).toEqual(range)
    expect(timeOf(DEFAULT_SEARCH)).toEqual({ statsPeriod: '14d' })
    expect(timeLabel({ ...DEFAULT_SEARCH, ...range, utc: 'true' })).toBe('31 Jan 2026, 09:00 – 1 Feb 2026, 00:00 UTC')
    const [dates] = narrowings({ ...DEFAULT_SEARCH, query: '', ...range })
    expect(dates).toMatchObject({ label: 'the dates', without: { statsPeriod: '90d' } })
    expect(dates?.without.start).toBeUndefined()
  })

  it('are written by the clock of a zone and read back, summer and winter', () => {
    for (const zone of ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kolkata', 'Pacific/Auckland']) {
      for (const at of [Date.UTC(2026, 0, 31, 9), Date.UTC(2026, 6, 1, 23, 59, 58), Date.UTC(2026, 2, 29, 4)]) {
        expect(fromZoned(toZoned(at, zone), zone)).toBe(at)
      }
    }
    expect(toZoned(Date.UTC(2026, 6, 1, 22), 'Europe/Berlin')).toBe('2026-07-02T00:00:00')
    // 2:30 was left out that night: an hour beside it.
    expect(toZoned(fromZoned('2026-03-29T02:30:00', 'Europe/Berlin'), 'Europe/Berlin')).toMatch(/T0[13]:30/)
    expect(fromZoned('', 'UTC')).toBeNaN()
  })
})

describe('numbers of matches', () => {
  it('say when there may be more', () => {
    expect(matchesText(999)).toBe('999')
    expect(matchesText(1000)).toBe('1,000+')
  })
})

describe('tabs', () => {
  it('are the is: filters of the search', () => {
    expect(activeTab('is:unresolved release:2.*')?.id).toBe('unresolved')
    expect(activeTab('is:for_review is:unresolved')?.id).toBe('for_review')
    expect(activeTab('boom')?.id).toBe('all')
    expect(activeTab('is:resolved boom')?.id).toBe('resolved')
    expect(activeTab('is:new')).toBeNull()
    expect(activeTab('!is:unresolved')).toBeNull()
    for (const tab of TABS) expect(activeTab(withTab('is:resolved boom', tab))?.id).toBe(tab.id)
  })

  it('keep the rest of the search', () => {
    const archived = TABS.find((tab) => tab.id === 'archived')
    expect(archived && withTab('is:unresolved release:2.* boom', archived)).toBe('is:archived release:2.* boom')
  })
})

describe('narrowings', () => {
  it('names each thing that narrows and what the search is without it', () => {
    const labels = narrowings({
      ...DEFAULT_SEARCH,
      query: 'is:unresolved plan:pro went wrong',
      environment: ['production'],
    })
    expect(labels.map((entry) => entry.label)).toEqual([
      'is:unresolved',
      'plan:pro',
      '“went wrong”',
      'production',
      'last 14 days',
    ])
    expect(labels[1]?.without.query).toBe('is:unresolved went wrong')
    expect(labels[2]?.without.query).toBe('is:unresolved plan:pro')
  })
})

describe('rows', () => {
  it('split a title into its bold part and the rest', () => {
    expect(titleParts(issue('1'))).toEqual({ lead: 'TypeError', rest: 'boom' })
    expect(titleParts({ title: 'hello\nworld', type: 'default', metadata: { title: 'hello\nworld' } })).toEqual({
      lead: 'hello',
      rest: '',
    })
    expect(titleParts({ title: "Blocked 'script-src'", type: 'csp', metadata: { directive: 'script-src' } })).toEqual({
      lead: 'CSP',
      rest: "Blocked 'script-src'",
    })
    expect(titleParts({ title: '', type: 'error', metadata: {} }).lead).toBe('No message')
  })

  it('wear a badge only when they ask for a look', () => {
    expect(badgeOf(issue('1'))).toBeNull()
    expect(badgeOf(issue('1', { substatus: 'regressed' }))?.label).toBe('Regressed')
    expect(badgeOf(issue('1', { status: 'resolved', statusDetails: { inRelease: '2.4' } }))?.label).toBe(
      'Resolved in 2.4',
    )
  })

  it('say until when, or until what, an issue is archived', () => {
    const label = (substatus: Issue['substatus'], statusDetails: Issue['statusDetails'] = {}) =>
      badgeOf(issue('1', { status: 'ignored', substatus, statusDetails }))?.label
    expect(label('archived_forever')).toBe('Archived forever')
    expect(label('archived_until_escalating')).toBe('Archived until it escalates')
    const met = 'archived_until_condition_met'
    expect(label(met, { ignoreUntil: '2026-11-24T10:00:00.000Z' })).toMatch(/^Archived until 2[345] Nov, /)
    expect(label(met, { ignoreCount: 1000 })).toBe('Archived until 1,000 more events')
    expect(label(met, { ignoreUserCount: 1 })).toBe('Archived until 1 more user')
    expect(label(null)).toBe('Archived')
  })

  it('draw bars inside their box, and nothing that happened is invisible', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(100_000), { maxLength: 400 }), (counts) => {
        const drawn = bars(counts, { width: 112, height: 20, bar: 3, gap: 1 })
        for (const bar of drawn) {
          expect(bar.x + 3).toBeLessThanOrEqual(112)
          expect(bar.height).toBeLessThanOrEqual(20)
        }
        expect(drawn.some((bar) => bar.height > 0)).toBe(counts.some((count) => count > 0))
      }),
    )
  })

  it('show an issue once though it moved between pages, and count what is new', () => {
    expect(
      uniqueIssues([
        [issue('1'), issue('2')],
        [issue('2'), issue('3')],
      ]).map((row) => row.id),
    ).toEqual(['1', '2', '3'])
    expect(arrivals([issue('1')], [issue('9'), issue('1')])).toEqual(['9'])
  })
})

describe('undo', () => {
  const known = new Map([
    ['1', issue('1', { substatus: 'new' })],
    ['2', issue('2', { status: 'ignored', substatus: 'archived_forever' })],
  ])

  it('puts each issue back to its own state', () => {
    expect(undoSteps({ status: 'resolved' }, ['1', '2'], known, null)).toEqual([
      { ids: ['1'], change: { status: 'unresolved', substatus: 'new' } },
      { ids: ['2'], change: { status: 'ignored', substatus: 'archived_forever' } },
    ])
  })

  it('keeps the condition until which an issue was archived, or in which release it was resolved', () => {
    const archived = issue('1', {
      status: 'ignored',
      substatus: 'archived_until_condition_met',
      statusDetails: { ignoreCount: 5, actor: null },
    })
    const resolved = issue('2', { status: 'resolved', substatus: null, statusDetails: { inRelease: 'web@2' } })
    const before = new Map([archived, resolved].map((each) => [each.id, each]))
    expect(JSON.parse(JSON.stringify(undoSteps({ status: 'unresolved' }, ['1', '2'], before, null)))).toEqual([
      {
        ids: ['1'],
        change: { status: 'ignored', substatus: 'archived_until_condition_met', statusDetails: { ignoreCount: 5 } },
      },
      { ids: ['2'], change: { status: 'resolved', statusDetails: { inRelease: 'web@2' } } },
    ])
  })

  it('puts issues that were never loaded back to the state that was searched for, or promises nothing', () => {
    expect(undoSteps({ status: 'resolved' }, ['7'], known, 'unresolved')).toEqual([
      { ids: ['7'], change: { status: 'unresolved' } },
    ])
    expect(undoSteps({ status: 'resolved' }, ['7'], known, null)).toBeNull()
    expect(undoSteps({ assignedTo: 'user:1' }, ['7'], known, 'unresolved')).toBeNull()
  })

  it('asks in portions that the server takes', () => {
    const many = Array.from({ length: 2500 }, (_, index) => String(index))
    expect(undoSteps({ status: 'resolved' }, many, new Map(), 'unresolved')?.map((step) => step.ids.length)).toEqual([
      1000, 1000, 500,
    ])
  })
})

describe('where an issue broke', () => {
  it.each([
    [{ function: 'pay', filename: '/src/cart.js' }, 'pay(/src/cart.js)', 'pay · /src/cart.js'],
    [{ function: 'pay', filename: '/src/cart.js' }, '/checkout', 'pay · /src/cart.js · /checkout'],
    [{ function: 'pay' }, 'pay', 'pay'],
    [{ filename: 7 }, '/checkout', '/checkout'],
    [{}, '', ''],
  ])('%j with the place %j reads %j', (metadata, culprit, place) => {
    expect(placeOf({ metadata, culprit })).toBe(place)
  })
})

describe('a version in place of the name of a release', () => {
  it.each([
    ['is:unresolved release:1.2.0 boom', 'is:unresolved release.version:1.2.0 boom'],
    ['!release:v2 firstRelease:1.0.0-rc.1', '!release.version:v2 firstRelease:*@1.0.0-rc.1'],
    ['release:"1.2.0+7"', 'release:*@1.2.0+7'],
    ['resolvedIn:1.2 OR regressedIn:1.2', 'resolvedIn:*@1.2 OR regressedIn:*@1.2'],
  ])('%s is meant as %s', (typed, meant) => {
    expect(meantReleases(typed)).toBe(meant)
  })

  it.each([
    'release:shop@1.2.0',
    'release:1.*',
    'release:latest',
    'release:[1.0, 2.0]',
    'tags[release]:1.0',
    'dist:1.0',
    '',
  ])('%s is what it says', (typed) => {
    expect(meantReleases(typed)).toBeNull()
  })
})
