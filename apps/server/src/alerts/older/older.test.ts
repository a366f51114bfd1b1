import { alertRuleDraft } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import type { AlertRule } from '../rule.ts'
import { draftOf, type Surroundings } from './from-sentry.ts'
import { detectorJson, workflowJson } from './newer-shapes.ts'
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
    expect(read({ ...SENT, comparisonDelta: 10_080, triggers: [SENT.triggers[0]] })).toMatchObject({
      value: { trigger: { comparison: { kind: 'change', percent: 200, against: 10_080 } } },
    })
    expect(
      read({ ...SENT, detectionType: 'dynamic', sensitivity: 'high', thresholdType: 2, triggers: [SENT.triggers[0]] }),
    ).toMatchObject({
      value: { trigger: { comparison: { kind: 'unusual', direction: 'both', sensitivity: 'sensitive' } } },
    })
    expect(read({ ...SENT, dataset: 'transactions', query: '', aggregate: 'p95(transaction.duration)' })).toMatchObject(
      {
        value: { query: 'is_transaction:true', trigger: { dataset: 'spans', aggregate: 'p95(span.duration)' } },
      },
    )
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
    ['crash-free rates', { dataset: 'sessions' }, 'dataset: crash-free rates of sessions cannot be watched yet.'],
    ['a window that there is not', { timeWindow: 7 }, /^timeWindow: 7 is not one of 1, 5, /],
    ['two projects', { projects: ['shop', 'api'] }, 'projects: it has the slug of one project.'],
    ['a project of others', { projects: ['theirs'] }, 'projects: there is no project "theirs" in this organisation.'],
    ['what issues are', { query: 'is:unresolved' }, /^query: take is:… out of it\./],
    [
      'a comparison that there is not',
      { comparisonDelta: 5, triggers: [SENT.triggers[0]] },
      /^comparisonDelta: 5 minutes/,
    ],
    ['both directions', { thresholdType: 2 }, /^thresholdType: only/],
    ['no critical trigger', { triggers: [SENT.triggers[1]] }, 'triggers: one of them has the label critical.'],
    ['a field that is not known', { wormholes: 3 }, 'wormholes: this field is not understood. Leave it out.'],
    [
      'a channel that is not there',
      {
        triggers: [{ label: 'critical', alertThreshold: 1, actions: [{ type: 'slack', targetIdentifier: '#other' }] }],
      },
      'actions: there is no channel of type slack called "#other". There are: slack "alerts".',
    ],
  ] as const)('refuse %s with a sentence', (_name, sent, sentence) => {
    expect(refusal(sent)).toMatch(sentence)
  })

  it('are shown as a detector and a workflow, with the condition under which all is well', () => {
    const rule = ruleOf(SENT)
    const detector = detectorJson(rule, 2)
    expect(detector).toMatchObject({
      id: '12',
      projectId: '7',
      type: 'metric_issue',
      workflowIds: ['12'],
      openIssues: 2,
    })
    expect(
      detector.conditionGroup?.conditions.map(({ comparison, conditionResult, type }) => [
        type,
        comparison,
        conditionResult,
      ]),
    ).toEqual([
      ['gt', 200, 75],
      ['gt', 100, 50],
      ['lte', 50, 0],
    ])
    expect(detector.dataSources?.[0]?.queryObj.snubaQuery).toMatchObject({ aggregate: 'count()', timeWindow: 600 })
    expect(workflowJson(rule, AROUND).actionFilters[0]?.actions).toMatchObject([
      { type: 'email', config: { targetType: 'user', targetIdentifier: '9' } },
      { type: 'slack', config: { targetDisplay: 'alerts' } },
    ])
  })
})
