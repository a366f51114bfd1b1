import { expect, it } from 'vitest'
import { messageAsSent } from './as-sent.ts'
import type { ChannelKindName } from './channel.ts'
import { message } from './test/outbox.ts'

const SETTINGS: Readonly<Record<ChannelKindName, Readonly<Record<string, unknown>>>> = {
  mail: { addresses: ['ann@acme.example'] },
  webhook: { format: 'firsthand' },
  slack: {},
  slack_bot: { channel: '#shop' },
  discord: {},
  teams: {},
  mattermost: {},
  google_chat: {},
  telegram: { chat: '-100123456' },
  ntfy: { server: 'https://ntfy.acme.example' },
  pagerduty: { region: 'eu' },
  opsgenie: { region: 'us' },
}

const KINDS = Object.keys(SETTINGS) as ChannelKindName[]

const asSent = (kind: ChannelKindName, settings = SETTINGS[kind]) =>
  messageAsSent({
    kind,
    settings,
    message: message({ headline: 'New: TypeError in <checkout>' }),
    organization: { slug: 'acme', name: 'Acme' },
    publicUrl: 'https://firsthand.acme.example',
    at: Date.parse('2026-11-27T10:00:00.000Z'),
  })

it.each(KINDS)('shows a message as %s would send it, with our links and without a secret', (kind) => {
  const { body, html, subject } = asSent(kind)
  expect(`${subject ?? ''}${body}`).toContain('TypeError')
  expect(`${body}${html ?? ''}`).toContain('https://firsthand.acme.example/organizations/acme/issues/1/')
  expect(body).not.toContain('hidden.invalid')
  if (kind !== 'mail') expect(typeof JSON.parse(body)).toBe('object')
})

it('shows a mail with its subject and its page, in which what an event says is text', () => {
  const { html, subject } = asSent('mail')
  expect(subject).toBe('New: TypeError in <checkout>')
  expect(html).toContain('New: TypeError in &lt;checkout&gt;')
})

it('shows both forms of a webhook, and hides the key of a pager', () => {
  expect(JSON.parse(asSent('webhook').body)).toMatchObject({
    type: 'message.first',
    timestamp: '2026-11-27T10:00:00.000Z',
  })
  expect(JSON.parse(asSent('webhook', { format: 'sentry' }).body)).toMatchObject({
    action: 'critical',
    data: { metric_alert: { title: 'New: TypeError in <checkout>' } },
  })
  expect(JSON.parse(asSent('pagerduty').body)).toMatchObject({ routing_key: '••••••••', event_action: 'trigger' })
})
