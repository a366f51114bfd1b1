import { describe, expect, it } from 'vitest'
import type { Names } from '../happened/predicate.ts'
import { conditionsOfSearch } from './filter-words.ts'

const NAMES: Names = {
  users: new Map([['anna@example.com', 7]]),
  teams: new Map([['web', 3]]),
  projects: new Map(),
}

describe('a search as conditions of Sentry’s', () => {
  it.each([
    ['level:[error,fatal]', 'level', { level: 40, match: 'gte' }],
    ['level:info', 'level', { level: 20, match: 'eq' }],
    ['issue.priority:[high,medium]', 'issue_priority_greater_or_equal', 50],
    ['issue.category:performance', 'issue_category', { value: 2 }],
    ['timesSeen:>=20', 'issue_occurrences', { value: 20 }],
    ['age:-2h', 'age_comparison', { comparison_type: 'newer', value: 2, time: 'hour' }],
    ['is:unassigned', 'assigned_to', { targetType: 'Unassigned', targetIdentifier: '' }],
    ['assigned:#web', 'assigned_to', { targetType: 'Team', targetIdentifier: 3 }],
    ['assigned:anna@example.com', 'assigned_to', { targetType: 'Member', targetIdentifier: 7 }],
    ['release:latest', 'latest_release', true],
    ['platform:node', 'event_attribute', { attribute: 'platform', match: 'eq', value: 'node' }],
    ['!message:"*a b*"', 'event_attribute', { attribute: 'message', match: 'nc', value: 'a b' }],
    ['plan:[pro,team]', 'tagged_event', { key: 'plan', match: 'in', value: 'pro,team' }, 'tags[plan]:[pro,team]'],
    ['!has:tags[plan]', 'tagged_event', { key: 'plan', match: 'ns', value: '' }],
  ])('says %s as %s', (search, type, comparison, written = search) => {
    expect(conditionsOfSearch(written, NAMES)).toEqual({
      logicType: 'all',
      conditions: [{ type, comparison }],
      rest: '',
    })
  })

  it('keeps what cannot be said so as it was written', () => {
    expect(conditionsOfSearch('level:fatal (a OR level:info) timesSeen:<5 tags[a]:b*c "two words"', NAMES)).toEqual({
      logicType: 'all',
      conditions: [{ type: 'level', comparison: { level: 50, match: 'eq' } }],
      rest: '(a OR level:info) timesSeen:<5 tags[a]:b*c "two words"',
    })
    expect(conditionsOfSearch('level:fatal OR release:latest', NAMES)).toEqual({
      logicType: 'any-short',
      conditions: [
        { type: 'level', comparison: { level: 50, match: 'eq' } },
        { type: 'latest_release', comparison: true },
      ],
      rest: '',
    })
    for (const search of ['level:fatal OR timesSeen:<5', 'level:fatal a OR level:info']) {
      expect(conditionsOfSearch(search, NAMES)).toEqual({ logicType: 'all', conditions: [], rest: search })
    }
    expect(conditionsOfSearch('', NAMES)).toEqual({ logicType: 'all', conditions: [], rest: '' })
  })
})
