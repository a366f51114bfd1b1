import { createHmac } from 'node:crypto'
import type { ChannelKind, Sending } from './kind.ts'
import { sentryCall } from './webhook-as-sentry.ts'
import { webhookBody } from './webhook-body.ts'

const KEY_PREFIX = 'whsec_'

/** `v1,<base64>` for each secret (Standard Webhooks): while one takes the other's place, both are good. */
const signatures = (secrets: readonly string[], { id, seconds, body }: { id: string; seconds: number; body: string }) =>
  secrets
    .map((secret) => Buffer.from(secret.slice(KEY_PREFIX.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`)
    .join(' ')

/** Ours, by the rules of Standard Webhooks, so that libraries of many languages check it. */
export const webhook: ChannelKind<'webhook'> = {
  spacingMs: 0,
  // A receiver that refuses today may be mended tomorrow.
  retriesRefusals: true,
  address: ({ secrets }) => secrets.url,
  call: ({ settings, secrets, signing }, sending: Sending) => {
    if (settings.format === 'sentry') return sentryCall(secrets.url, signing, sending)
    const body = webhookBody(sending)
    const seconds = Math.floor(sending.now / 1000)
    return {
      method: 'POST',
      url: secrets.url,
      headers: {
        'content-type': 'application/json',
        'webhook-id': sending.id,
        'webhook-timestamp': String(seconds),
        'webhook-signature': signatures(signing, { id: sending.id, seconds, body }),
      },
      body,
    }
  },
}
