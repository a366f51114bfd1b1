import { z } from './zod.ts'

const address = z.string().trim().min(1).max(2000)

/**
 * What each kind of channel needs: `settings` are shown to whoever sees the channel, `secrets` never again once they are
 * saved. Addresses of chat webhooks are secrets as a whole: whoever has one can write there.
 */
export const CHANNEL_FORMS = {
  mail: {
    settings: z.strictObject({ addresses: z.array(z.string().trim().min(3).max(254)).min(1).max(20) }),
    secrets: z.strictObject({}),
  },
  webhook: {
    settings: z.strictObject({ format: z.enum(['firsthand', 'sentry']).default('firsthand') }),
    secrets: z.strictObject({ url: address }),
  },
} as const

export type ChannelKindName = keyof typeof CHANNEL_FORMS
export type ChannelSettings<Kind extends ChannelKindName> = z.output<(typeof CHANNEL_FORMS)[Kind]['settings']>
export type ChannelSecrets<Kind extends ChannelKindName> = z.output<(typeof CHANNEL_FORMS)[Kind]['secrets']>
