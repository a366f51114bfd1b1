import { alertRuleDraft } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import type { AlertRule } from '../rule.ts'
import { draftOf, type Surroundings } from './from-sentry.ts'
import { alertRuleJson, type ShownNames } from './to-sentry.ts'

const AROUND: Surroundings & ShownNames = {
  projects: new Map([
    ['shop', 7],
    ['7', 7],
  ]),
  channels: [{ id: 3, kind: 'slack', name: 'alerts' }],
  slugOf: () => 'shop',
  channelOf: (id) => (id === 3 ? { kind: 'slack', name: 'alerts' } : null),
  userOf: () => null,
}

/** As Terraform and sentry-api scripts send one. */
const SENT = {
  name: 'Too many errors',
  aggregate: 'count()',
  dataset: 'events',
  query: 'level:error',
  queryType: 0,
  eventTypes: ['error', 'default'],
  timeWindow: 10,
  thresholdType: 0,
  resolveThreshold: 50,
  projects: ['shop'],
  environment: 'production',
  owner: 'team:4',
  triggers: [
    {
      label: 'critical',
      alertThreshold: 200,
      actions: [{ type: 'slack', targetType: 'specific', targetIdentifier: '#alerts', integrationId: 1 }],
    },
    { label: 'warning', alertThreshold: 100, actions: [{ type: 'email', targetType: 'user', targetIdentifier: '9' }] },
  ],
}

const read = (sent: object) => draftOf(alertRuleDraft.parse(sent), AROUND)

const refusal = (sent: object): string => {
  const found = read({ ...SENT, ...sent })
  return found.ok ? '' : found.error
}

const ruleOf = (sent: object): AlertRule => {
  const draft = read(sent)
  if (!draft.ok) throw new Error(draft.error)
  return {
    id: 12,
    organizationId: 1,
    projectIds: [7],
    draft: draft.value,
    problem: null,
    version: 1,
    isDefault: false,
    mutedUntil: null,
    mutedBy: null,
    createdBy: null,
    createdAt: 0,
    updatedAt: 0,
    lastFiredAt: null,
    imported: JSON.stringify(sent),
  }
}

describe('metric alerts at Sentry’s older address', () => {
  it('become rules that say the same', () => {
    expect(read(SENT)).toMatchObject({
      ok: true,
      value: {
        projects: ['7'],
        query: 'level:error',
        environments: ['production'],
        trigger: {
          source: 'measured',
          dataset: 'errors',
          windowMinutes: 10,
          comparison: { kind: 'fixed', direction: 'above', limit: 100, worseLimit: 200 },
          recovery: { limit: 50, minutes: 0 },
        },
        actions: [
          { kind: 'people', target: 'member', id: '9', from: 'fired' },
          { kind: 'channel', channelId: '3', from: 'worse' },
        ],
        owner: 'team:4',
      },
    })
    const simple = { ...SENT, resolveThreshold: null, triggers: [SENT.triggers[0]] }
    // Percent of nothing are any number: a few that were none before are not worth a message.
    expect(read({ ...simple, comparisonDelta: 10_080 })).toMatchObject({
      value: { trigger: { comparison: { kind: 'change', percent: 200, against: 10_080, floor: 10 } } },
    })
    expect(
      read({ ...simple, comparisonDelta: 60, aggregate: 'failure_rate()', dataset: 'transactions' }),
    ).toMatchObject({
      value: { trigger: { comparison: { kind: 'change', floor: 0 } } },
    })
    expect(read({ ...simple, detectionType: 'dynamic', sensitivity: 'high', thresholdType: 2 })).toMatchObject({
      value: { trigger: { comparison: { kind: 'unusual', direction: 'both', sensitivity: 'sensitive' } } },
    })
    expect(read({ ...SENT, dataset: 'transactions', query: '', aggregate: 'p95(transaction.duration)' })).toMatchObject(
      {
        value: { query: 'is_transaction:true', trigger: { dataset: 'spans', aggregate: 'p95(span.duration)' } },
      },
    )
  })

  it('watch rates without crashes, in percent there and of enough sessions here', () => {
    const sent = {
      ...SENT,
      dataset: 'metrics',
      queryType: 2,
      eventTypes: undefined,
      aggregate: 'percentage(sessions_crashed, sessions) AS _crash_rate_alert_aggregate',
      query: 'release:shop@1.0.0',
      timeWindow: 60,
      thresholdType: 1,
      resolveThreshold: 99.5,
      triggers: [
        { ...SENT.triggers[0], alertThreshold: 97.3 },
        { ...SENT.triggers[1], alertThreshold: 99 },
      ],
    }
    const rule = ruleOf(sent)
    expect(rule.draft.trigger).toMatchObject({
      dataset: 'sessions',
      aggregate: 'crash_free_rate(session)',
      comparison: { kind: 'fixed', direction: 'below', limit: 0.99, worseLimit: 0.973 },
      least: 50,
      recovery: { limit: 0.995 },
    })
    const json = alertRuleJson(rule, AROUND, 0)
    expect(json).toMatchObject({
      dataset: 'metrics',
      queryType: 2,
      aggregate: sent.aggregate,
      resolveThreshold: 99.5,
      triggers: [{ alertThreshold: 97.3 }, { alertThreshold: 99 }],
    })
    expect(draftOf(alertRuleDraft.parse(json), AROUND)).toMatchObject({ value: { trigger: rule.draft.trigger } })
    expect(ruleOf({ ...sent, aggregate: 'percentage(users_crashed,users)' }).draft.trigger).toMatchObject({
      aggregate: 'crash_free_rate(user)',
    })
    // What somebody set here stays.
    const before = { ...rule.draft, trigger: { ...rule.draft.trigger, least: 500 } } as AlertRule['draft']
    expect(draftOf(alertRuleDraft.parse(sent), AROUND, before)).toMatchObject({ value: { trigger: { least: 500 } } })
  })

  it('count what their types of events say, and transactions alone whatever their search says', () => {
    const asked = (sent: object) => {
      const { query } = ruleOf({ ...SENT, ...sent }).draft
      const json = alertRuleJson(ruleOf({ ...SENT, ...sent }), AROUND, 0)
      return [query, json?.query, json?.dataset, json?.eventTypes]
    }
    const search = { query: 'level:error OR level:fatal' }
    expect(asked({ eventTypes: ['error'] })).toEqual([
      'event.type:error level:error',
      'level:error',
      'events',
      ['error'],
    ])
    expect(asked({ eventTypes: ['default'], ...search })).toEqual([
      'event.type:default (level:error OR level:fatal)',
      'level:error OR level:fatal',
      'events',
      ['default'],
    ])
    expect(asked({})).toEqual(['level:error', 'level:error', 'events', ['default', 'error']])
    const transactions = { dataset: 'transactions', eventTypes: ['transaction'] }
    expect(asked({ ...transactions, query: 'transaction:/a OR transaction:/b' })).toEqual([
      'is_transaction:true (transaction:/a OR transaction:/b)',
      'transaction:/a OR transaction:/b',
      'transactions',
      ['transaction'],
    ])
    // Whoever wrote it so watches spans of /b that are none.
    const rule = ruleOf({ ...SENT, ...transactions })
    const query = 'is_transaction:true transaction:/a OR transaction:/b'
    expect(alertRuleJson({ ...rule, draft: { ...rule.draft, query } }, AROUND, 0)).toMatchObject({
      dataset: 'events_analytics_platform',
      query,
    })
  })

  it('keep what Sentry’s form has no words for when they are written back', () => {
    const rule = ruleOf({ ...SENT, resolveThreshold: null, comparisonDelta: 1440, triggers: [SENT.triggers[0]] })
    if (rule.draft.trigger.source !== 'measured' || rule.draft.trigger.comparison.kind !== 'change') throw new Error()
    const draft: AlertRule['draft'] = {
      ...rule.draft,
      environments: ['production', 'staging'],
      conditions: { hours: null, minimumAgeMinutes: 7 },
      frequencyMinutes: 45,
      maxMessagesPerHour: 3,
      isEnabled: false,
      actions: [
        ...rule.draft.actions,
        { kind: 'people', target: 'owners', id: null, fallthrough: 'active', from: 'fired' },
      ],
      trigger: {
        ...rule.draft.trigger,
        comparison: { ...rule.draft.trigger.comparison, floor: 90 },
        recovery: { limit: null, minutes: 15 },
      },
    }
    const json = alertRuleJson({ ...rule, draft, imported: null }, AROUND, 0)
    expect(draftOf(alertRuleDraft.parse(json), AROUND, draft)).toEqual({ ok: true, value: draft })
  })

  it('are given back as they were sent, and can be sent again so', () => {
    const cases = [
      SENT,
      { ...SENT, comparisonDelta: 1440, resolveThreshold: null, triggers: [SENT.triggers[0]] },
      { ...SENT, dataset: 'transactions', aggregate: 'p95(transaction.duration)', eventTypes: ['transaction'] },
      {
        ...SENT,
        detectionType: 'dynamic',
        sensitivity: 'low',
        thresholdType: 1,
        resolveThreshold: null,
        triggers: [SENT.triggers[0]],
      },
    ]
    for (const sent of cases) {
      const json = alertRuleJson(ruleOf(sent), AROUND, 0)
      if (json === null) throw new Error('it has words for it')
      const { aggregate, dataset, environment, name, projects, query, thresholdType, timeWindow } = json
      expect({ aggregate, dataset, environment, name, projects, query, thresholdType, timeWindow }).toEqual({
        aggregate: sent.aggregate,
        dataset: sent.dataset,
        environment: sent.environment,
        name: sent.name,
        projects: sent.projects,
        query: sent.query,
        thresholdType: sent.thresholdType,
        timeWindow: sent.timeWindow,
      })
      const again = draftOf(alertRuleDraft.parse(json), AROUND)
      expect(again.ok && again.value.trigger).toEqual(ruleOf(sent).draft.trigger)
      expect(again.ok && again.value.actions).toEqual(ruleOf(sent).draft.actions)
    }
  })

  it.each([
    ['other numbers of sessions', { dataset: 'sessions' }, /^aggregate: of sessions is watched percentage\(/],
    ['a window that there is not', { timeWindow: 7 }, /^timeWindow: 7 is not one of 1, 5, /],
    ['two projects', { projects: ['shop', 'api'] }, 'projects: it has the slug of one project.'],
    ['a project of others', { projects: ['theirs'] }, 'projects: there is no project "theirs" in this organisation.'],
    ['what issues are', { query: 'is:unresolved' }, /^query: take is:… out of it\./],
    [
      'a comparison that there is not',
      { comparisonDelta: 5, resolveThreshold: null, triggers: [SENT.triggers[0]] },
      /^comparisonDelta: 5 minutes/,
    ],
    ['both directions', { thresholdType: 2 }, /^thresholdType: only/],
    [
      'a warning that is worse',
      { thresholdType: 1, resolveThreshold: 300 },
      /^triggers: the critical threshold is below that of the warning, not 200/,
    ],
    [
      'a critical threshold that is reached before the warning',
      {
        triggers: [
          { ...SENT.triggers[0], alertThreshold: 5 },
          { ...SENT.triggers[1], alertThreshold: 50 },
        ],
      },
      'triggers: the critical threshold is above that of the warning, not 5 where a warning is 50.',
    ],
    [
      'an end that is no end',
      { resolveThreshold: 500 },
      /^resolveThreshold: an alert that begins above 100 is not over at 500/,
    ],
    [
      'an end of a change',
      { comparisonDelta: 60, triggers: [SENT.triggers[0]] },
      /^resolveThreshold: an alert of a change/,
    ],
    [
      'an end of what is unusual',
      { detectionType: 'dynamic', triggers: [SENT.triggers[0]] },
      /^resolveThreshold: an alert of what is unusual/,
    ],
    ['several periods', { thresholdPeriod: 3 }, /^thresholdPeriod: an alert speaks at the first minute/],
    ['events of another kind', { eventTypes: ['error', 'csp'] }, /^eventTypes: an alert of events/],
    [
      'logs',
      { dataset: 'events_analytics_platform', eventTypes: ['trace_item_log'] },
      /^eventTypes: only errors and spans/,
    ],
    ['no critical trigger', { triggers: [SENT.triggers[1]] }, 'triggers: one of them has the label critical.'],
    ['a field that is not known', { wormholes: 3 }, 'wormholes: this field is not understood. Leave it out.'],
    [
      'a channel that is not there',
      {
        resolveThreshold: null,
        triggers: [{ label: 'critical', alertThreshold: 1, actions: [{ type: 'slack', targetIdentifier: '#other' }] }],
      },
      'actions: there is no channel of type slack called "#other". There are: slack "alerts".',
    ],
  ] as const)('refuse %s with a sentence', (_name, sent, sentence) => {
    expect(refusal(sent)).toMatch(sentence)
  })
})
