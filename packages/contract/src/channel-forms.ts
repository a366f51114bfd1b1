import { email } from './common.ts'
import { z } from './zod.ts'

const address = z.string().trim().min(1).max(2000)
const token = z.string().trim().min(1).max(500)

/**
 * What each kind of channel needs: `settings` are shown to whoever sees the channel, `secrets` never again once they are
 * saved. Addresses of chat webhooks are secrets as a whole: whoever has one can write there.
 */
export const CHANNEL_FORMS = {
  mail: {
    settings: z.strictObject({ addresses: z.array(email).min(1).max(20) }),
    secrets: z.strictObject({}),
  },
  webhook: {
    settings: z.strictObject({ format: z.enum(['firsthand', 'sentry']).default('firsthand') }),
    secrets: z.strictObject({ url: address }),
  },
  slack: { settings: z.strictObject({}), secrets: z.strictObject({ url: address }) },
  slack_bot: {
    settings: z.strictObject({ channel: z.string().trim().min(1).max(80) }),
    secrets: z.strictObject({ token }),
  },
  discord: { settings: z.strictObject({}), secrets: z.strictObject({ url: address }) },
  teams: { settings: z.strictObject({}), secrets: z.strictObject({ url: address }) },
  mattermost: { settings: z.strictObject({}), secrets: z.strictObject({ url: address }) },
  google_chat: { settings: z.strictObject({}), secrets: z.strictObject({ url: address }) },
  telegram: {
    settings: z.strictObject({
      chat: z
        .string()
        .trim()
        .regex(/^(?:-?\d{1,20}|@\w{3,40})$/),
    }),
    secrets: z.strictObject({
      token: z
        .string()
        .trim()
        .regex(/^\d{1,20}:[\w-]{20,100}$/),
    }),
  },
  ntfy: {
    settings: z.strictObject({ server: address.default('https://ntfy.sh') }),
    secrets: z.strictObject({
      topic: z
        .string()
        .trim()
        .regex(/^[\w-]{1,64}$/),
      token: token.optional(),
    }),
  },
  pagerduty: {
    settings: z.strictObject({ region: z.enum(['us', 'eu']).default('us') }),
    secrets: z.strictObject({
      routingKey: z
        .string()
        .trim()
        .regex(/^[A-Za-z0-9]{32}$/),
    }),
  },
  opsgenie: {
    settings: z.strictObject({ region: z.enum(['us', 'eu']).default('us') }),
    secrets: z.strictObject({ apiKey: token }),
  },
} as const

export type ChannelKindName = keyof typeof CHANNEL_FORMS
export type ChannelSettings<Kind extends ChannelKindName> = z.output<(typeof CHANNEL_FORMS)[Kind]['settings']>
export type ChannelSecrets<Kind extends ChannelKindName> = z.output<(typeof CHANNEL_FORMS)[Kind]['secrets']>
