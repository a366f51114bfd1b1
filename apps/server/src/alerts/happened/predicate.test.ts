import { describe, expect, it } from 'vitest'
import type { Happening } from './happening.ts'
import { compileRuleSearch } from './predicate.ts'

const NAMES = {
  users: new Map([['anna@example.com', 7]]),
  teams: new Map([['web', 3]]),
  projects: new Map([['shop', 1]]),
}

const AT = Date.UTC(2026, 10, 2, 12)

const opened: Happening = {
  id: 1,
  notedAt: AT,
  organizationId: 1,
  projectId: 1,
  kind: 'issue_opened',
  issueId: 5,
  reportId: null,
  actorId: null,
  receivedAt: AT,
  data: {
    issue: {
      number: 1,
      title: 'TypeError: x is undefined',
      culprit: 'pay(cart)',
      level: 'error',
      platform: 'javascript',
      type: 'error',
      category: 'error',
      priority: 'high',
      isUnhandled: true,
      status: 'unresolved',
      substatus: 'new',
      firstSeen: AT - 3_600_000,
      lastSeen: AT,
      timesSeen: 4,
      firstRelease: 'web@1.0',
      lastRelease: 'web@1.1',
      assignedUserId: null,
      assignedTeamId: 3,
    },
    event: {
      eventId: 'a'.repeat(32),
      at: AT,
      level: 'error',
      title: 'TypeError: x is undefined',
      culprit: 'pay(cart)',
      type: 'error',
      errorType: 'TypeError',
      errorValue: 'x is undefined',
      platform: 'javascript',
      logger: '',
      environment: 'production',
      release: 'web@1.1',
      transaction: '/checkout',
      url: 'https://shop.example/checkout?step=2',
      isUnhandled: true,
      user: { id: '42', email: 'Ada@Example.com' },
      tags: [
        ['plan', 'pro'],
        ['retries', '3'],
      ],
      tagsLeftOut: 0,
    },
  },
}

const answer = (search: string, fact: Happening = opened): boolean | null => {
  const compiled = compileRuleSearch(search, NAMES)
  if (!compiled.ok) throw new Error(compiled.error)
  return compiled.value.matches({ fact, latestRelease: 'web@1.1' })
}

const refusal = (search: string): string => {
  const compiled = compileRuleSearch(search, NAMES)
  return compiled.ok ? 'it is none' : compiled.error
}

describe('the search of a rule', () => {
  it.each([
    '',
    'level:error',
    '!level:fatal',
    'level:[error,fatal]',
    'is:unresolved is:unhandled is:new is:assigned',
    'assigned:#web',
    'project:shop',
    'environment:production release:latest',
    'release:web@1.*',
    'firstRelease:web@1.0',
    'error.type:TypeError',
    'error.value:"*IS undefined"',
    'title:typeerror*',
    'message:undefined',
    '"x is"',
    'undefined pay',
    'transaction:/check*',
    'url:*shop.example/*step=2',
    'user.email:ada@example.com',
    'user.id:42',
    'timesSeen:>3',
    'age:-24h',
    'age:>30m',
    'issue.priority:high',
    'plan:pro',
    'tags[plan]:pro',
    'tags[retries,number]:>2',
    'retries:<=3',
    'has:plan !has:nothing',
    '!plan:free',
    'nothing:""',
    'level:fatal OR plan:pro',
    '(level:fatal OR plan:pro) environment:production',
    'error.unhandled:true error.handled:false',
  ])('A3: %j is so', (search) => {
    expect(answer(search)).toBe(true)
  })

  it('takes what did not run and what does not answer for outages, as Sentry does', () => {
    if (opened.kind !== 'issue_opened') throw new Error('it is another')
    const of = (category: string, search: string) =>
      answer(search, { ...opened, data: { ...opened.data, issue: { ...opened.data.issue, category } } })
    expect([of('cron', 'issue.category:outage'), of('outage', 'issue.category:[outage]')]).toEqual([true, true])
    expect([of('outage', 'issue.category:uptime'), of('cron', 'issue.category:uptime')]).toEqual([true, false])
    expect([of('cron', '!issue.category:outage'), of('error', '!issue.category:outage')]).toEqual([false, true])
  })

  it.each([
    'level:fatal',
    '!level:error',
    'level:[]',
    'is:resolved',
    'is:unassigned',
    'assigned:anna@example.com',
    'environment:staging',
    'release:web@2*',
    'release:*1.0',
    'error.type:typeerror',
    'nothing-like-it',
    'timesSeen:>4',
    'age:-30m',
    'plan:free',
    'has:nothing',
    'plan:pro level:fatal',
    'level:fatal OR plan:free',
    'user.email:ada',
  ])('A3: %j is not so', (search) => {
    expect(answer(search)).toBe(false)
  })

  it('is neither where nothing is known of what it asks for', () => {
    const event = opened.kind === 'issue_opened' ? { ...opened.data.event, tagsLeftOut: 2 } : null
    const cut = { ...opened, data: { ...opened.data, event } } as Happening
    expect([answer('plan:pro', cut), answer('other:x', cut), answer('!other:x', cut)]).toEqual([true, null, null])
    const assigned = {
      ...opened,
      kind: 'issue_assigned',
      data: { issue: 'issue' in opened.data ? opened.data.issue : null, userId: 7, teamId: null },
    } as Happening
    expect([answer('url:*', assigned), answer('level:error', assigned)]).toEqual([null, true])
    expect([answer('url:x OR level:error', assigned), answer('url:x level:fatal', assigned)]).toEqual([true, false])
  })

  it.each([
    ['stack.function:pay', 'only a summary of the event is at hand'],
    ['bookmarks:me', 'cannot look at "bookmarks"'],
    ['count():>5', 'a number over many events'],
    ['enviroment:production', 'did you mean "environment"'],
    ['relase:1', 'did you mean "release"'],
    ['level:urgent', '"urgent" is no level'],
    ['is:linked', '"is:linked" is not known'],
    ['assigned:me', 'does not know who "me" is'],
    ['assigned:#nobody', 'There is no team "#nobody"'],
    ['assigned:eve@example.com', 'Nobody in this organisation'],
    ['project:other', 'There is no project "other"'],
    ['timesSeen:many', 'is not a number'],
    ['age:old', 'is no time'],
    ['error.unhandled:maybe', 'neither true nor false'],
    ['level:>error', 'cannot be compared'],
    ['(level:error', 'never closed'],
  ])('A3: %j is refused with a sentence: %s', (search, sentence) => {
    expect(refusal(search)).toContain(sentence)
  })

  it('says which of its terms was not so', () => {
    const compiled = compileRuleSearch('level:error (plan:free OR user.id:"4 3") has:plan', NAMES)
    const asked = { fact: opened, latestRelease: null }
    expect(compiled.ok && compiled.value.obstacle(asked)).toEqual({
      term: 'plan:free OR user.id:"4 3"',
      isUnknown: false,
    })
  })

  it('takes no longer for stars than for letters', () => {
    const search = `title:${'a*'.repeat(400)}b`
    const title = 'a'.repeat(200)
    const fact = {
      ...opened,
      data: { ...opened.data, event: { ...('event' in opened.data ? opened.data.event : null), title } },
    } as Happening
    expect(answer(search, fact)).toBe(false)
  })
})
