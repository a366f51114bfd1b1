import { issueAlertRuleBody, type IssueAlertRuleBody } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { compileRuleSearch } from '../happened/predicate.ts'
import { readSentryRule, type KnownNames } from './read-rule.ts'

const NAMES: KnownNames = {
  email: (id) => (id === 7 ? 'anna@example.com' : null),
  team: (id) => (id === 3 ? 'web' : null),
  channel: (kind, name) => (kind === 'slack' && name === 'alerts' ? 5 : null),
}

const SEARCHABLE = {
  users: new Map([['anna@example.com', 7]]),
  teams: new Map([['web', 3]]),
  projects: new Map<string, number>(),
}

const FIRST = { id: 'sentry.rules.conditions.first_seen_event.FirstSeenEventCondition' }
const MAIL = { id: 'sentry.mail.actions.NotifyEmailAction', targetType: 'IssueOwners', fallthroughType: 'NoOne' }

const rule = (more: Partial<Record<keyof IssueAlertRuleBody, unknown>>): IssueAlertRuleBody =>
  issueAlertRuleBody.parse({ name: 'Old', conditions: [FIRST], actions: [MAIL], ...more })

const read = (more: Parameters<typeof rule>[0]) => {
  const draft = readSentryRule(rule(more), 1, NAMES)
  if (!draft.ok) throw new Error(draft.error)
  return draft.value
}

const refusal = (more: Parameters<typeof rule>[0]): string => {
  const draft = readSentryRule(rule(more), 1, NAMES)
  return draft.ok ? 'it is none' : draft.error
}

const filter = (name: string, more: object = {}) => ({ id: `sentry.rules.filters.${name}`, ...more })
const condition = (name: string, more: object = {}) => ({ id: `sentry.rules.conditions.${name}`, ...more })

describe('a rule of Sentry’s', () => {
  it('is one of ours that waits for the same and tells the same people', () => {
    expect(read({ environment: 'production', frequency: '60', owner: 'user:7' })).toEqual({
      name: 'Old',
      projects: ['1'],
      query: '',
      environments: ['production'],
      trigger: { source: 'happened', kinds: ['issue_opened'] },
      conditions: { hours: null, minimumAgeMinutes: 0 },
      actions: [{ kind: 'people', target: 'owners', id: null, fallthrough: 'nobody', from: 'fired' }],
      frequencyMinutes: 60,
      maxMessagesPerHour: 60,
      owner: 'user:7',
      isEnabled: true,
    })
  })

  it.each([
    [[condition('regression_event.RegressionEventCondition')], ['issue_regressed'], ''],
    [[condition('reappeared_event.ReappearedEventCondition')], ['issue_escalating', 'issue_unarchived'], ''],
    [[condition('high_priority_issue.NewHighPriorityIssueCondition')], ['issue_opened'], 'issue.priority:high'],
    [
      [
        condition('high_priority_issue.NewHighPriorityIssueCondition'),
        condition('high_priority_issue.ExistingHighPriorityIssueCondition'),
      ],
      ['issue_opened', 'issue_regressed', 'issue_escalating', 'issue_unarchived', 'issue_priority_raised'],
      'issue.priority:high',
    ],
    [[FIRST, condition('high_priority_issue.NewHighPriorityIssueCondition')], ['issue_opened'], ''],
  ])('waits for %j', (conditions, kinds, query) => {
    const draft = read({ conditions, actionMatch: 'any' })
    expect([draft.trigger, draft.query]).toEqual([{ source: 'happened', kinds }, query])
  })

  it.each([
    [filter('age_comparison.AgeComparisonFilter', { comparison_type: 'older', value: 10, time: 'hour' }), 'age:+10h'],
    [filter('age_comparison.AgeComparisonFilter', { comparison_type: 'newer', value: '2', time: 'week' }), 'age:-2w'],
    [filter('issue_occurrences.IssueOccurrencesFilter', { value: 20 }), 'timesSeen:>=20'],
    [filter('assigned_to.AssignedToFilter', { targetType: 'Unassigned' }), 'is:unassigned'],
    [filter('assigned_to.AssignedToFilter', { targetType: 'Team', targetIdentifier: '3' }), 'assigned:#web'],
    [
      filter('assigned_to.AssignedToFilter', { targetType: 'Member', targetIdentifier: 7 }),
      'assigned:anna@example.com',
    ],
    [filter('latest_release.LatestReleaseFilter'), 'release:latest'],
    [filter('issue_category.IssueCategoryFilter', { value: '2' }), 'issue.category:performance'],
    [filter('issue_category.IssueCategoryFilter', { value: 7 }), 'issue.category:uptime'],
    [filter('issue_category.IssueCategoryFilter', { value: 10 }), 'issue.category:outage'],
    [filter('level.LevelFilter', { match: 'gte', level: '40' }), 'level:[error,fatal]'],
    [condition('level.LevelCondition', { match: 'eq', level: '20' }), 'level:[info]'],
    [
      filter('event_attribute.EventAttributeFilter', { attribute: 'message', match: 'co', value: 'a "b" *' }),
      'message:"*a \\"b\\" \\**"',
    ],
    [
      filter('event_attribute.EventAttributeFilter', { attribute: 'exception.type', match: 'ne', value: 'X' }),
      '!error.type:"X"',
    ],
    [
      filter('event_attribute.EventAttributeFilter', { attribute: 'http.url', match: 'sw', value: 'https://a/' }),
      'url:"https://a/*"',
    ],
    [
      filter('tagged_event.TaggedEventFilter', { key: 'plan', match: 'in', value: 'pro, team' }),
      'tags[plan]:["pro","team"]',
    ],
    [filter('tagged_event.TaggedEventFilter', { key: 'plan', match: 'ns' }), '!has:tags[plan]'],
    [condition('tagged_event.TaggedEventCondition', { key: 'plan', match: 'nc', value: 'x' }), '!tags[plan]:"*x*"'],
  ])('asks by the filter %j as a search that can be compiled', (part, query) => {
    const isCondition = part.id.startsWith('sentry.rules.conditions.')
    const draft = read(isCondition ? { conditions: [FIRST, part] } : { filters: [part] })
    expect(draft.query).toBe(query)
    expect(compileRuleSearch(draft.query, SEARCHABLE)).toMatchObject({ ok: true })
  })

  it('asks for all, any or none of its filters', () => {
    const filters = [
      filter('level.LevelFilter', { match: 'eq', level: '50' }),
      filter('tagged_event.TaggedEventFilter', { key: 'plan', match: 'ne', value: 'free' }),
    ]
    expect(read({ filters }).query).toBe('level:[fatal] !tags[plan]:"free"')
    expect(read({ filters, filterMatch: 'any' }).query).toBe('level:[fatal] OR !tags[plan]:"free"')
    expect(read({ filters, filterMatch: 'none' }).query).toBe('!level:[fatal] tags[plan]:"free"')
  })

  it('asks for all of its conditions that look at the event, however its filters are matched', () => {
    const conditions = [
      FIRST,
      condition('event_attribute.EventAttributeCondition', { attribute: 'platform', match: 'eq', value: 'node' }),
    ]
    const level = filter('level.LevelFilter', { match: 'gte', level: '40' })
    const tag = filter('tagged_event.TaggedEventFilter', { key: 'plan', match: 'eq', value: 'pro' })
    const asked = (more: object) => read({ conditions, actionMatch: 'all', ...more }).query
    expect(asked({ filterMatch: 'any', filters: [level] })).toBe('platform:"node" level:[error,fatal]')
    expect(asked({ filterMatch: 'any', filters: [level, tag] })).toBe(
      'platform:"node" (level:[error,fatal] OR tags[plan]:"pro")',
    )
    expect(asked({ filterMatch: 'none', filters: [level] })).toBe('platform:"node" !level:[error,fatal]')
    expect(refusal({ conditions, actionMatch: 'any' })).toContain('Move it to "filters"')
  })

  it('waits for what is new and of high priority at once', () => {
    const conditions = [FIRST, condition('high_priority_issue.NewHighPriorityIssueCondition')]
    expect(read({ conditions, actionMatch: 'all' })).toMatchObject({
      query: 'issue.priority:high',
      trigger: { kinds: ['issue_opened'] },
    })
  })

  it.each([
    ['discord', { server: '1', channel_id: 'Alerts' }],
    ['pagerduty', { account: 'Acme', service: 'alerts' }],
    ['pagerduty', { account: 'alerts', service: '7' }],
    ['opsgenie', { account: 'Acme', team: 'alerts' }],
    ['msteams', { team: 'Acme', channel: 'alerts' }],
  ])('tells by a channel of %s that is called as one of %j', (kind, named) => {
    const action = { id: `sentry.integrations.${kind}.notify_action.NotifyServiceAction`, ...named }
    const wanted = kind === 'msteams' ? 'teams' : kind
    const names = { ...NAMES, channel: (of: string, name: string) => (of === wanted && name === 'alerts' ? 8 : null) }
    expect(readSentryRule(rule({ actions: [action] }), 1, names)).toMatchObject({
      ok: true,
      value: { actions: [{ kind: 'channel', channelId: '8' }] },
    })
    expect(refusal({ actions: [action] })).toMatch(/There is no channel (?:".+" or )*"alerts"/i)
  })

  it('tells by a channel of the same kind and name', () => {
    const action = { id: 'sentry.integrations.slack.notify_action.SlackNotifyServiceAction', channel: '#Alerts' }
    expect(read({ actions: [action] }).actions).toEqual([{ kind: 'channel', channelId: '5', from: 'fired' }])
    expect(refusal({ actions: [{ ...action, channel: '#other' }] })).toContain('There is no channel "other"')
  })

  it.each([
    [{ conditions: [] }, 'tells of every event'],
    [{ conditions: [condition('every_event.EveryEventCondition')] }, 'does not tell of every event'],
    [{ conditions: [condition('event_frequency.EventFrequencyCondition')] }, 'how much there is'],
    [{ conditions: [condition('made_up.Condition')] }, 'is not known here'],
    [{ conditions: [FIRST, condition('regression_event.RegressionEventCondition')] }, 'never true at the same time'],
    [{ filters: [filter('latest_adopted_release_filter.LatestAdoptedReleaseFilter')] }, 'is not known here'],
    [
      { filters: [filter('event_attribute.EventAttributeFilter', { attribute: 'stacktrace.module', match: 'is' })] },
      'cannot look at "stacktrace.module"',
    ],
    [{ filters: [filter('tagged_event.TaggedEventFilter', { key: 'a', match: 'like', value: 'b' })] }, 'is no match'],
    [
      { filters: [filter('assigned_to.AssignedToFilter', { targetType: 'Team', targetIdentifier: '9' })] },
      'There is no team 9',
    ],
    [{ actions: [{ id: 'sentry.integrations.jira.notify_action.JiraCreateTicketAction' }] }, 'is not known here'],
  ])('is refused with a sentence where it has no counterpart: %j', (more, sentence) => {
    expect(refusal(more)).toContain(sentence)
  })
})
