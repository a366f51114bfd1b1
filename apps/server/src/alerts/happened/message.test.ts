import { describe, expect, it } from 'vitest'
import { changedOf, headlineOf, lineOf, nameOf } from './message.ts'
import type { Noted } from './happening.ts'

/** What of an issue is read for its headline. */
const factOf = (kind: Noted['kind'], category: string, title: string, event: object | null = null): Noted => {
  const issue = { category, culprit: '', number: 1, title, type: 'default' }
  return { id: 1, kind, projectId: 1, issueId: 1, reportId: null, data: { issue, event, events: 30 } } as never
}

const surroundings = { project: () => ({ id: 1, slug: 'shop', name: 'Shop' }) }

describe('what check-ins and addresses find is said with one word in front of one colon', () => {
  it.each([
    ['cron', 'Failed: price-feed', 'Failed: price-feed (Shop)', 'Failed again: price-feed (Shop)'],
    ['cron', 'Missed: price-feed', 'Missed: price-feed (Shop)', 'Missed again: price-feed (Shop)'],
    ['cron', 'Timed out: price-feed', 'Timed out: price-feed (Shop)', 'Timed out again: price-feed (Shop)'],
    ['outage', 'Down: shop.example', 'Down: shop.example (Shop)', 'Down again: shop.example (Shop)'],
    ['cron', 'Failed: feed: prices', 'Failed: feed: prices (Shop)', 'Failed again: feed: prices (Shop)'],
    // An error may be called so as well; nothing of its title is a word of ours.
    ['error', 'Failed: price-feed', 'New: Failed: price-feed (Shop)', 'Came back: Failed: price-feed (Shop)'],
    ['cron', 'price-feed', 'New: price-feed (Shop)', 'Came back: price-feed (Shop)'],
  ])('of %s “%s”', (category, title, opened, regressed) => {
    expect(headlineOf(factOf('issue_opened', category, title), surroundings)).toBe(opened)
    expect(headlineOf(factOf('issue_regressed', category, title), surroundings)).toBe(regressed)
  })

  it('of an address, whose event is called as the issue is and says why', () => {
    const event = { errorType: 'Down: Shop front', errorValue: 'It answered 503.' }
    const fact = factOf('issue_opened', 'outage', 'Down: Shop front: It answered 503.', event)
    expect(headlineOf(fact, surroundings)).toBe('Down: Shop front: It answered 503. (Shop)')
    expect(lineOf(fact)).toBe('Down: Shop front: It answered 503.')
    expect(nameOf(fact, surroundings)).toBe('Shop front')
    const error = factOf('issue_opened', 'error', 'Down: Shop front: no', event)
    expect(headlineOf(error, surroundings)).toBe('New: Down: Shop front: It answered 503. (Shop)')
  })

  it('also with what is done with it', () => {
    const said = (kind: Noted['kind']) => headlineOf(factOf(kind, 'cron', 'Missed: price-feed'), surroundings)
    expect(said('issue_resolved')).toBe('Missed, resolved: price-feed (Shop)')
    expect(said('issue_assigned')).toBe('Missed, assigned: price-feed (Shop)')
    expect(said('issue_escalating')).toBe('Missed, escalating: price-feed, 30 events in a day (Shop)')
  })

  it('is said in a list of new ones too, whose head has no such word, and is called by its name alone', () => {
    expect(lineOf(factOf('issue_opened', 'outage', 'Down: shop.example'))).toBe('Down: shop.example')
    expect(lineOf(factOf('issue_regressed', 'outage', 'Down: shop.example'))).toBe('Down again: shop.example')
    expect(lineOf(factOf('issue_opened', 'error', 'TypeError: x'))).toBe('TypeError: x')
    expect(nameOf(factOf('issue_opened', 'outage', 'Down: shop.example'), surroundings)).toBe('shop.example')
  })

  it('is over without it: what was wrong is not any more', () => {
    const fact = factOf('issue_resolved', 'cron', 'Failed: price-feed')
    expect(changedOf('Over after 5 min', fact, surroundings)).toEqual({
      headline: 'Over after 5 min, resolved: price-feed (Shop)',
      line: 'price-feed',
    })
  })
})
