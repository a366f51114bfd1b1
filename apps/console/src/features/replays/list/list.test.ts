import { describe, expect, it } from 'vitest'

import {
  clicksOf,
  compactClicks,
  compactReplays,
  readClicksUrl,
  readReplaysUrl,
  replaysOf,
} from '../model/list-search.ts'
import { activeTab, TABS, withTab } from './choices.ts'
import { elementPage } from './element-page.ts'
import { heldRows } from './held-rows.ts'
import {
  leadOf,
  lengthOf,
  momentInSight,
  placeOf,
  previewMoments,
  shownAfter,
  visitedPages,
  visitorOf,
} from './replay-row.ts'
import { createTurns } from './turns.ts'

const NONE = { name: null, version: null }
const NO_DEVICE = { name: null, model: null, family: null }

describe('the address of the list', () => {
  it('says what differs from the defaults, and is read however it was written', () => {
    expect(readReplaysUrl({})).toEqual({})
    const url = { query: 'url:*pay*', sort: '-count_errors', statsPeriod: '30d', project: ['1'] } as const
    expect(readReplaysUrl({ ...url, project: '1' })).toEqual(url)
    expect(compactReplays(replaysOf(url))).toEqual(url)
    expect(readReplaysUrl({ sort: 'password', statsPeriod: 'ever', query: ['a'] })).toEqual({})
  })

  it('keeps the order of clicked elements apart from that of replays', () => {
    expect(readClicksUrl({ sort: '-duration' })).toEqual({})
    expect(compactClicks(clicksOf({ sort: '-count_dead_clicks' }))).toEqual({ sort: '-count_dead_clicks' })
  })
})

describe('the tabs', () => {
  const [all, errors, rage, , unseen] = TABS

  it('are searches, of which the rest stays', () => {
    expect(withTab('url:*pay* count_rage_clicks:>2', errors)).toBe('url:*pay* count_errors:>0')
    expect(withTab('count_errors:>0 pay', all)).toBe('pay')
    expect(activeTab('pay count_rage_clicks:>0')).toBe(rage)
    expect(activeTab('pay')).toBe(all)
    expect(withTab('pay count_errors:>0', unseen)).toBe('pay seen_by_me:false')
    expect(activeTab('pay seen_by_me:false')).toBe(unseen)
    expect(activeTab('seen_by_me:true')).toBeNull()
  })

  it('are none for a number of one’s own', () => {
    for (const query of [
      'count_errors:>2',
      '!count_errors:>0',
      'count_errors:>0 count_dead_clicks:>0',
      'count_errors:0',
    ]) {
      expect([query, activeTab(query)]).toEqual([query, null])
    }
    // A tag of that name is no number.
    expect(activeTab('tags[count_errors]:>0')).toBe(all)
  })
})

describe('a row', () => {
  it('names the last pages, each once in a row', () => {
    const shop = 'https://shop.example'
    expect(visitedPages([`${shop}/`, `${shop}/?a=1`, `${shop}/cart#top`, `${shop}/`])).toEqual({
      before: 0,
      pages: ['/', '/cart', '/'],
    })
    expect(visitedPages(['/1', '/2', '/3', '/4', '/5', '/6'].map((path) => shop + path))).toEqual({
      before: 2,
      pages: ['/3', '/4', '/5', '/6'],
    })
    expect(visitedPages([`${shop}/#/cart`, 'CheckoutActivity', ''])).toEqual({
      before: 0,
      pages: ['/#/cart', 'CheckoutActivity', ''],
    })
  })

  it('names the visitor by what is known, and the machine', () => {
    const geo = { city: null, country_code: null, region: null, subdivision: null }
    const user = { id: '7', username: null, email: 'ada@example.com', ip: null, display_name: 'ada@example.com', geo }
    expect(visitorOf({ user })).toBe('ada@example.com')
    expect(visitorOf({ user: { ...user, email: null, display_name: null } })).toBeNull()
    const safari = { name: 'Safari', version: '26.1.2' }
    expect(
      placeOf({ browser: safari, os: { name: 'iOS', version: '18' }, device: { ...NO_DEVICE, name: 'iPhone' } }),
    ).toBe('Safari 26 · iPhone')
    expect(
      placeOf({ browser: safari, os: { name: 'macOS', version: '26.0' }, device: { ...NO_DEVICE, family: 'Mac' } }),
    ).toBe('Safari 26 · macOS 26')
    expect(placeOf({ browser: NONE, os: NONE, device: NO_DEVICE })).toBe('')
  })

  it('leads to where the words that are searched stood, to the clicks that are searched, else to what went wrong first', () => {
    const shownAt = '2026-11-23T12:02:31.000Z'
    const error = { at: '2026-11-23T12:00:10.000Z' }
    expect(leadOf({ shownAt, first_error: error }, 'click.tag:a')).toEqual({ event_t: shownAt })
    expect(leadOf({ shownAt: null, first_error: error }, 'click.tag:a')).toEqual({ query: 'click.tag:a' })
    expect(leadOf({ shownAt: null, first_error: error }, '')).toEqual({ event_t: error.at })
    expect(leadOf({ shownAt: null, first_error: null }, '')).toEqual({})
    expect(shownAfter('2026-11-23T12:02:31.400Z', '2026-11-23T12:00:00.000Z')).toBe('2:31')
    expect(shownAfter(null, '2026-11-23T12:00:00.000Z')).toBeNull()
  })

  it('says how long it is', () => {
    expect(lengthOf({ duration: 187 })).toBe('3:07')
    expect(lengthOf({ duration: null })).toBe('–')
  })
})

describe('a list that is asked for again', () => {
  it('keeps the places of what stands on the screen; what came meanwhile waits', () => {
    expect(heldRows(null, ['a', 'b'])).toEqual({ order: ['a', 'b'], waiting: 0 })
    const shown = ['b', 'a']
    expect(heldRows(shown, ['new', 'a', 'newer', 'b']).waiting).toBe(2)
    expect(heldRows(shown, ['new', 'a', 'newer', 'b']).order).toBe(shown)
    // The next page is behind it; what was deleted goes.
    expect(heldRows(shown, ['new', 'b', 'c', 'd'])).toEqual({ order: ['b', 'c', 'd'], waiting: 1 })
    expect(heldRows(shown, ['c'])).toEqual({ order: ['c'], waiting: 0 })
    expect(heldRows(shown, [])).toEqual({ order: [], waiting: 0 })
  })
})

describe('R35 the picture of a row', () => {
  it('waits while others load, and gives its turn back when it is loaded or not wanted any more', () => {
    const begun: string[] = []
    const turns = createTurns(2)
    const [endA, , endC] = ['a', 'b', 'c', 'd'].map((name) => turns.take(() => begun.push(name)))
    expect(begun).toEqual(['a', 'b'])
    endC?.()
    endA?.()
    endA?.()
    expect(begun).toEqual(['a', 'b', 'd'])
  })

  it('is of where the words stood, else of what went wrong first', () => {
    const error = { at: '2026-11-23T12:00:10.000Z' }
    expect(momentInSight({ shownAt: '2026-11-23T12:00:20.000Z', first_error: error })).toBe('2026-11-23T12:00:20.000Z')
    expect(momentInSight({ shownAt: null, first_error: error })).toBe(error.at)
    expect(momentInSight({ shownAt: null, first_error: null })).toBeNull()
  })

  it('shows moments from all over it to whoever points at it', () => {
    const [from, to] = ['2026-11-23T12:00:00.000Z', '2026-11-23T12:01:40.000Z']
    expect(previewMoments({ started_at: from, finished_at: to }).map((at) => at - Date.parse(from))).toEqual([
      15_000, 40_000, 65_000, 90_000,
    ])
    expect(previewMoments({ started_at: null, finished_at: null })).toEqual([])
  })
})

describe('an element', () => {
  it('leads to the replays in which it was clicked, in its project and the same time', () => {
    const element = { dom_element: String.raw`button.md\:buy[aria-label="Say \"buy\""]`, project_id: '3' }
    const scope = { ...clicksOf({}), statsPeriod: '24h', project: [], environment: ['production'] }
    expect(elementPage(scope, element, 'count_rage_clicks')).toEqual({
      query: String.raw`rage.selector:"button.md\:buy[aria-label=\"Say \\\"buy\\\"\"]"`,
      statsPeriod: '24h',
      project: ['3'],
      environment: ['production'],
    })
    expect(elementPage(scope, { ...element, dom_element: '' }, 'count_dead_clicks').query).toBe('count_dead_clicks:>0')
  })
})
