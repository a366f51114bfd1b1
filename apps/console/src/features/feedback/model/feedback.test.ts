import type { Feedback } from '@firsthand/contract'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { compactInbox, DEFAULT_INBOX, fromInboxUrl, MAILBOXES, readInboxUrl, SORTS } from './inbox-search.ts'
import {
  activityWords,
  bulkChoices,
  changeWords,
  isWebAddress,
  leavesMailbox,
  oldestOf,
  pathOf,
  saysTheSame,
  tagsBack,
  trailOf,
  undoSteps,
} from './report.ts'

describe('the inbox’s URL', () => {
  it('leaves out what is usual, and comes back as it was written', () => {
    expect(compactInbox(DEFAULT_INBOX)).toEqual({})
    fc.assert(
      fc.property(
        fc.record({
          mailbox: fc.constantFrom(...MAILBOXES.map(({ value }) => value)),
          query: fc.string({ maxLength: 50 }),
          sort: fc.constantFrom(...SORTS.map(({ value }) => value)),
          project: fc.uniqueArray(fc.nat().map(String), { maxLength: 3 }),
          assigned: fc.constantFrom('', 'me', 'none', 'user:3', 'team:12'),
          tag: fc.constantFrom([], ['a:b'], ['a:b', 'c:d:e']),
          report: fc.constantFrom('', '12', 'a'.repeat(32)),
        }),
        (search) => {
          expect(fromInboxUrl(readInboxUrl(compactInbox(search)))).toEqual(search)
        },
      ),
    )
  })

  it('survives anything that is typed into it, and takes Sentry’s links', () => {
    const odd = { mailbox: 'x', sort: ['date'], project: 7, assigned: 'user:x', tag: ['none', 'a:b'], report: '../1' }
    expect(readInboxUrl(odd)).toEqual({ project: ['7'], tag: ['a:b'] })
    expect(readInboxUrl({ feedbackSlug: 'shop-web:123', mailbox: 'resolved' })).toEqual({
      mailbox: 'resolved',
      report: '123',
    })
  })
})

describe('a report', () => {
  it('says the same as another one but for case and space', () => {
    expect([saysTheSame('It  is\nbroken', 'it is broken '), saysTheSame('It is broken', 'It is not')]).toEqual([
      true,
      false,
    ])
  })

  it('tells what came before it, and how long before', () => {
    const crumb = { timestamp: null, type: '', category: '', level: '', message: '', data: {} }
    const breadcrumbs = [
      { ...crumb, timestamp: '2026-01-02T00:00:00Z', category: 'ui.click', message: 'button#pay' },
      {
        ...crumb,
        timestamp: '2026-01-02T00:00:09Z',
        type: 'http',
        data: { method: 'POST', url: '/pay', status_code: 500 },
      },
      { ...crumb, timestamp: '2026-01-02T00:05:00Z', level: 'error', data: { a: 1 } },
    ]
    const trail = trailOf({ breadcrumbs, dateCreated: '2026-01-02T00:00:10Z' })
    expect(trail.map(({ kind, words, isError, beforeMs }) => [kind, words, isError, beforeMs])).toEqual([
      ['ui.click', 'button#pay', false, 10_000],
      ['http', 'POST /pay 500', false, 1000],
      // A clock that runs ahead says nothing of the time between.
      ['default', '{"a":1}', true, null],
    ])
  })

  it('has a link only to the web', () => {
    expect([
      isWebAddress('https://a.example/x'),
      isWebAddress('javascript:alert(1)'),
      isWebAddress('https://'),
    ]).toEqual([true, false, false])
    expect([pathOf('https://a.example/cart?x=1#y'), pathOf('data:text/html,x')]).toEqual([
      '/cart?x=1',
      'data:text/html,x',
    ])
  })

  it('gets back what it was, in few calls', () => {
    const row = (id: string, status: Feedback['status']) =>
      ({ id, status, isRead: false, assignedTo: null }) as Feedback
    expect(undoSteps({ status: 'resolved' }, [row('1', 'open'), row('2', 'spam'), row('3', 'open')])).toEqual([
      { ids: ['1', '3'], change: { status: 'open' } },
      { ids: ['2'], change: { status: 'spam' } },
    ])
  })

  it('gets back the tags that it had: what was added goes, what was replaced or removed returns', () => {
    const tags = [
      { key: 'area', value: 'cart' },
      { key: 'team', value: 'web' },
    ]
    expect(tagsBack({ addTags: [{ key: 'room', value: 'attic' }] }, tags)).toEqual({
      addTags: [],
      removeTags: ['room'],
    })
    expect(tagsBack({ addTags: [{ key: 'area', value: 'checkout' }] }, tags)).toEqual({
      addTags: [{ key: 'area', value: 'cart' }],
      removeTags: [],
    })
    expect(tagsBack({ removeTags: ['team'] }, tags)).toEqual({
      addTags: [{ key: 'team', value: 'web' }],
      removeTags: [],
    })
  })

  it('leaves its mailbox when its status is another', () => {
    expect(leavesMailbox('unread', { status: 'open' })).toBe(false)
    expect(leavesMailbox('open', { status: 'spam' })).toBe(true)
    expect(leavesMailbox('all', { status: 'spam' })).toBe(false)
    expect(leavesMailbox('unread', { isRead: true })).toBe(false)
  })

  it('merges into the first that came, however the list is sorted', () => {
    const at = (id: string, dateCreated: string) => ({ id, dateCreated })
    const rows = [at('10', '2026-01-02T00:00:00Z'), at('9', '2026-01-02T00:00:00Z'), at('11', '2026-01-03T00:00:00Z')]
    expect([oldestOf(rows)?.id, oldestOf(rows.toReversed())?.id, oldestOf([])]).toEqual(['9', '9', undefined])
  })

  it('decides with the others what one button does to all', () => {
    const row = (status: Feedback['status'], isRead: boolean) => ({ status, isRead })
    expect(bulkChoices([row('open', true), row('spam', false)])).toEqual({
      allDone: false,
      allArchived: false,
      isSpam: true,
      hasUnread: true,
    })
    expect(bulkChoices([row('resolved', true), row('archived', true)])).toMatchObject({
      allDone: true,
      allArchived: false,
      hasUnread: false,
    })
    expect(bulkChoices([]).allDone).toBe(false)
    expect([changeWords({ assignedTo: 'user:1' }), changeWords({ assignedTo: null })]).toEqual([
      'assigned',
      'unassigned',
    ])
  })

  it('says who did what', () => {
    const user = { name: '', email: 'ann@x.example' }
    expect(activityWords({ id: '1', type: 'set_spam', user, dateCreated: '' })).toMatchObject({ who: 'ann@x.example' })
    expect(activityWords({ id: '1', type: 'answer', user: null, dateCreated: '' }).who).toBe('')
    const linked = { id: '1', type: 'linked', user, data: { issue: 7 }, dateCreated: '' }
    expect(activityWords(linked, { id: '7', shortId: 'SHOP-7' }).what).toBe('linked SHOP-7')
    expect(activityWords(linked, { id: '8', shortId: 'SHOP-8' }).what).toBe('linked an issue')
  })
})
