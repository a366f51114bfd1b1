import { describe, expect, it } from 'vitest'
import { asksForReports, readReportSearch, type ReportSearch } from './search-reports.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const DAY_MS = 86_400_000

const read = (query: string): ReportSearch => {
  const search = readReportSearch(query, NOW)
  if (!search.ok) throw new Error(search.error)
  return search.value
}

describe('a search of issues', () => {
  it.each([
    ['issue.category:feedback', true],
    ['is:unresolved issue.category:feedback "does not work"', true],
    ['(issue.category:feedback project:shop)', true],
    ['issue.type:feedback', true],
    ['', false],
    ['issue.category:error', false],
    ['feedback', false],
    ['!issue.category:feedback', false],
    ['issue.category:[error, feedback]', false],
    ['issue.category:feedback OR is:unresolved', false],
    ['tags[issue.category]:feedback', false],
    ['issue.category:feedback [', true],
    ['issue.category:feedback (', false],
  ])('%s is for reports: %s', (query, expected) => {
    expect(asksForReports(query)).toBe(expected)
  })

  it.each<[string, Partial<ReportSearch>]>([
    ['', { mailbox: 'all', words: [], projects: [], tags: [], arrived: [] }],
    ['is:unresolved', { mailbox: 'open' }],
    ['is:resolved status:resolved', { mailbox: 'resolved' }],
    ['is:ignored', { mailbox: 'put-away' }],
    ['is:archived', { mailbox: 'put-away' }],
    ['is:unassigned', { assigned: null }],
    ['assigned:none', { assigned: null }],
    ['assigned_to:ann@shop.example', { assigned: 'ann@shop.example' }],
    ['assigned:#core', { assigned: '#core' }],
    ['cart "does not open" *slow*', { words: ['cart', 'does not open', 'slow'] }],
    ['project:[web, shop] project.name:web', { projects: [['web', 'shop'], ['web']] }],
    ['environment:[a, b] environment:[b, c]', { environments: ['b'] }],
    [
      'plan:pro tags[url]:x',
      {
        tags: [
          ['plan', 'pro'],
          ['url', 'x'],
        ],
      },
    ],
    ['age:-24h', { arrived: [{ from: NOW - DAY_MS }] }],
    [
      'firstSeen:>=2026-11-01 lastSeen:<2026-11-02',
      { arrived: [{ from: Date.UTC(2026, 10, 1) }, { to: Date.UTC(2026, 10, 2) }] },
    ],
  ])('reads of %s what the inbox answers', (terms, expected) => {
    expect(read(`issue.category:feedback ${terms}`)).toMatchObject(expected)
  })

  it.each([
    ['!is:resolved', '!is'],
    ['has:release', 'has:release'],
    ['is:regressed', 'unresolved, resolved, ignored, archived, muted, unassigned'],
    ['is:resolved is:unresolved', 'one status'],
    ['assigned:me assigned:none', 'assigned to one'],
    ['(a OR b)', 'Search twice'],
    ['timesSeen:>5', 'cannot be asked'],
    ['bookmarks:me', 'Known are'],
    ['stack.function:f', 'Known are'],
    ['plan:pro*', 'whole'],
    ['assigned:[me, none]', 'one value'],
    ['project:[]', 'no values'],
    ['plan:""', 'having none'],
    ['age:old', 'no time'],
    ['a*b', 'star'],
  ])('refuses %s, which reports do not have, with what would be right', (terms, words) => {
    const search = readReportSearch(`issue.category:feedback ${terms}`, NOW)
    expect(search).toEqual({ ok: false, error: expect.stringContaining(words) })
    expect(search).toEqual({ ok: false, error: expect.stringMatching(/\(at character \d+\)$/) })
  })
})
