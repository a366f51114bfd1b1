import { describe, expect, it } from 'vitest'
import type { NormalisedEvent } from '../../event/event.ts'
import type { Message, Subject } from '../message.ts'
import type { StoredSubject } from '../stored-subject.ts'
import { message, PUBLIC_URL } from '../test/outbox.ts'
import type { Sending } from './kind.ts'
import { sentryCall } from './webhook-as-sentry.ts'

const EVENT_ID = 'e'.repeat(32)
const AT = 1_800_000_000_000

const ABOUT: Subject = {
  issue: { id: 7, shortId: 'SHOP-7', title: 'TypeError: no', culprit: 'pay', status: 'unresolved', count: 3 },
  project: { id: 1, slug: 'shop', name: 'Shop' },
  rule: { id: 4, name: 'New issues' },
  event: {
    eventId: EVENT_ID,
    at: AT,
    title: 'TypeError: no',
    errorType: 'TypeError',
    errorValue: 'no',
    tags: [['a', 'b']],
  },
}

const EVENT = {
  event_id: EVENT_ID,
  type: 'error',
  timestamp: AT / 1000,
  received: AT / 1000,
  platform: 'node',
  level: 'error',
  logger: '',
  contexts: { os: { name: 'Debian' } },
  tags: [['os.name', 'Debian']],
  exception: { values: [{ type: 'TypeError', value: 'no' }] },
  request: { url: 'https://shop.example/pay' },
  user: { id: '7' },
  sdk: { name: 'sentry.javascript.node', version: '10.0.0' },
  errors: [],
} as unknown as NormalisedEvent

const TITLE = { title: 'TypeError: no', culprit: 'pay', metadata: { type: 'TypeError', value: 'no' } }

const hookOf = (said: Partial<Message>, more: Partial<Sending> = {}) => {
  const { body, headers } = sentryCall('https://hooks.example/', ['secret'], {
    message: message({ about: ABOUT, ...said }),
    id: 'msg_1',
    thread: 'thread',
    organization: { id: 1, slug: 'acme', name: 'Acme' },
    publicUrl: PUBLIC_URL,
    now: AT,
    createdAt: AT,
    remote: null,
    isRepeated: false,
    ...more,
  })
  const { action, data } = JSON.parse(body) as {
    action: string
    data: { event: Record<string, unknown>; issue: Record<string, unknown>; triggered_rule: string }
  }
  return { resource: headers['sentry-hook-resource'], action, data, size: Buffer.byteLength(body) }
}

const stored: StoredSubject = { issue: null, event: { event: EVENT, title: TITLE } }
const LINKS = {
  event_id: EVENT_ID,
  issue_id: '7',
  project: 1,
  url: `${PUBLIC_URL}/api/0/projects/acme/shop/events/${EVENT_ID}/`,
  web_url: `${PUBLIC_URL}/organizations/acme/issues/7/events/${EVENT_ID}/`,
  issue_url: `${PUBLIC_URL}/api/0/organizations/acme/issues/7/`,
}

describe('hooks as Sentry sends them', () => {
  it('A46: have the event whole, as it is stored, with the addresses of the API', () => {
    const { resource, action, data } = hookOf({}, { stored })
    expect([resource, action, data.triggered_rule]).toEqual(['event_alert', 'triggered', 'New issues'])
    expect(data.event).toMatchObject({
      ...LINKS,
      datetime: new Date(AT).toISOString(),
      timestamp: AT / 1000,
      exception: { values: [{ type: 'TypeError', value: 'no' }] },
      metadata: { type: 'TypeError', value: 'no' },
      title: 'TypeError: no',
      culprit: 'pay',
      platform: 'node',
      level: 'error',
      message: '',
      request: { url: 'https://shop.example/pay' },
      contexts: { os: { name: 'Debian' } },
      sdk: { name: 'sentry.javascript.node' },
      tags: [['os.name', 'Debian']],
      user: { id: '7' },
    })
  })

  it('A46: have of an event that is gone what its summary says, under the same names', () => {
    const { data } = hookOf({})
    expect(data.event).toMatchObject({
      ...LINKS,
      exception: { values: [{ type: 'TypeError', value: 'no' }] },
      datetime: new Date(AT).toISOString(),
      tags: [['a', 'b']],
    })
    expect(Object.keys(data.event)).not.toEqual(expect.arrayContaining(['eventId']))
  })

  it('A46: say to whom an issue was assigned, and how it stands', () => {
    const issue = { id: '7', status: 'unresolved', substatus: 'ongoing', statusDetails: {}, userCount: 2 }
    const assignedTo = { type: 'user', id: '1', name: 'Ann', email: 'ann@acme.example' }
    const hook = hookOf({ kind: 'assignment' }, { stored: { issue: { ...issue, assignedTo }, event: null } })
    expect([hook.resource, hook.action]).toEqual(['issue', 'assigned'])
    expect(hook.data.issue).toEqual({
      ...issue,
      assignedTo,
      url: LINKS.issue_url,
      web_url: `${PUBLIC_URL}/organizations/acme/issues/7/`,
      project_url: `${PUBLIC_URL}/api/0/projects/acme/shop/`,
    })
  })

  it('A46: name the rule about how much, and the incident by its id', () => {
    const measured = {
      value: 212,
      limit: 200,
      window: '10 minutes',
      windowMinutes: 10,
      query: 'level:error',
      aggregate: 'count()',
      dataset: 'errors',
      direction: 'above' as const,
      recoversAt: 150,
    }
    const { resource, data } = hookOf({ about: { rule: { id: 4, name: 'Too many' }, measured } }, { incidentId: 9 })
    expect([resource, data]).toMatchObject([
      'metric_alert',
      {
        metric_alert: {
          id: '9',
          alert_rule: {
            id: '4',
            name: 'Too many',
            aggregate: 'count()',
            dataset: 'errors',
            query: 'level:error',
            time_window: 10,
            threshold_type: 0,
            resolve_threshold: 150,
            triggers: [{ label: 'critical', alert_threshold: 200 }],
          },
        },
      },
    ])
  })

  it('A46: make up no event for what is about none, but for a test, which has all its fields', () => {
    const held = hookOf({ about: undefined as never, stage: 'single', headline: 'Held back 12 messages' })
    expect([held.resource, Object.keys(held.data)]).toEqual([
      'metric_alert',
      ['description_title', 'description_text', 'web_url', 'metric_alert'],
    ])
    const test = hookOf({ about: undefined as never, kind: 'test', stage: 'single' })
    expect([test.resource, Object.keys(test.data.event).toSorted()]).toEqual([
      'event_alert',
      Object.keys(hookOf({}).data.event).toSorted(),
    ])
  })

  it('A46: leave out what fewest read of an event that is too large', () => {
    const values = [{ type: 'TypeError', value: 'no' }]
    const breadcrumbs = { values: [{ message: 'x'.repeat(300_000) }] }
    const large = { ...EVENT, breadcrumbs } as unknown as NormalisedEvent
    const { data, size } = hookOf({}, { stored: { issue: null, event: { event: large, title: TITLE } } })
    expect([size < 256 * 1024, data.event['exception'], data.event['contexts'], data.event['breadcrumbs']]).toEqual([
      true,
      { values },
      { os: { name: 'Debian' } },
      undefined,
    ])
    const huge = { ...large, exception: { values: [{ type: 'T', value: 'x'.repeat(300_000) }] } } as never
    const summed = hookOf({}, { stored: { issue: null, event: { event: huge, title: TITLE } } })
    expect([summed.size < 256 * 1024, summed.data.event['exception']]).toEqual([true, { values }])
  })
})
