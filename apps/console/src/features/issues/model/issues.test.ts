import type { Issue } from '@firsthand/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { arrivals, badgeOf, bars, titleParts, uniqueIssues } from './rows.ts'
import {
  ALL_MATCHES,
  NOTHING,
  countSelected,
  keepOnly,
  loadedState,
  toggle,
  toggleLoaded,
  toggleRange,
} from './selection.ts'
import {
  DEFAULT_SEARCH,
  TABS,
  activeTab,
  compactUrl,
  fromUrl,
  narrowings,
  readStreamUrl,
  withTab,
} from './stream-search.ts'
import { undoSteps } from './undo.ts'

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

describe('tabs', () => {
  it('are the is: filters of the search', () => {
    expect(activeTab('is:unresolved release:2.*')?.id).toBe('unresolved')
    expect(activeTab('is:for_review is:unresolved')?.id).toBe('for_review')
    expect(activeTab('boom')).toBeNull()
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

describe('selection', () => {
  const order = ['a', 'b', 'c', 'd', 'e']

  it('takes a range with Shift, in both directions, and takes it back', () => {
    const range = toggleRange(toggle(NOTHING, order, 'd'), order, 'b')
    expect([...range.ids].toSorted()).toEqual(['b', 'c', 'd'])
    const back = toggleRange(range, order, 'd')
    expect([...back.ids]).toEqual([])
  })

  it('leaves a row out of "all that match" by naming the others', () => {
    const rest = toggle(ALL_MATCHES, order, 'c')
    expect(rest.kind).toBe('some')
    expect(countSelected(rest, 1204)).toBe(4)
    expect(countSelected(ALL_MATCHES, 1204)).toBe(1204)
  })

  it('checks all that is loaded, then none', () => {
    const all = toggleLoaded(NOTHING, order)
    expect(loadedState(all, order)).toBe('all')
    expect(toggleLoaded(all, order)).toEqual(NOTHING)
    expect(loadedState(toggle(NOTHING, order, 'a'), order)).toBe('some')
  })

  it('forgets rows that left the list', () => {
    expect([...keepOnly(toggleLoaded(NOTHING, order), ['a', 'z']).ids]).toEqual(['a'])
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
