import type { ChannelKindName } from '@firsthand/contract'

/** What people enter for a kind of channel. */
export interface KindField {
  readonly name: string
  /** Secrets are never shown again: when a channel is changed, an empty one stays as it is. */
  readonly place: 'settings' | 'secrets'
  readonly label: string
  readonly help?: string
  readonly placeholder?: string
  readonly optional?: true
  readonly form?: 'lines' | { readonly choices: readonly { readonly value: string; readonly label: string }[] }
}

export interface KindWords {
  readonly label: string
  /** Where its address or token comes from. */
  readonly help: string
  readonly fields: readonly KindField[]
}

const webhookUrl = (placeholder: string): KindField => ({
  name: 'url',
  place: 'secrets',
  label: 'Webhook address',
  placeholder,
  help: 'Whoever knows it can write there: once saved, it is not shown again.',
})

const REGIONS: KindField = {
  name: 'region',
  place: 'settings',
  label: 'Region',
  form: {
    choices: [
      { value: 'us', label: 'United States' },
      { value: 'eu', label: 'Europe' },
    ],
  },
}

/** The kinds of channels, in the order in which they are offered. */
export const KINDS: Readonly<Record<ChannelKindName, KindWords>> = {
  mail: {
    label: 'E-mail',
    help: 'A mailing list, or people without an account. Members choose themselves what they get.',
    fields: [
      {
        name: 'addresses',
        place: 'settings',
        label: 'Addresses',
        placeholder: 'on-call@example.com',
        help: 'One on each line, at most twenty.',
        form: 'lines',
      },
    ],
  },
  slack: {
    label: 'Slack',
    help: 'Add an incoming webhook to a channel in Slack and paste its address.',
    fields: [webhookUrl('https://hooks.slack.com/services/…')],
  },
  slack_bot: {
    label: 'Slack, as a bot',
    help: 'Install an app with the scope chat:write and invite it to the channel. It edits its messages and answers in threads.',
    fields: [
      { name: 'token', place: 'secrets', label: 'Bot token', placeholder: 'xoxb-…' },
      {
        name: 'channel',
        place: 'settings',
        label: 'Channel',
        placeholder: 'C0123456789',
        help: 'Its id, or its name.',
      },
    ],
  },
  discord: {
    label: 'Discord',
    help: 'Make a webhook in the settings of a channel, under Integrations.',
    fields: [webhookUrl('https://discord.com/api/webhooks/…')],
  },
  teams: {
    label: 'Microsoft Teams',
    help: 'Make a flow in Workflows from the template “Post to a channel when a webhook request is received”. The flow belongs to its maker and ends with their account.',
    fields: [webhookUrl('https://….logic.azure.com/workflows/…')],
  },
  mattermost: {
    label: 'Mattermost',
    help: 'Make an incoming webhook under Integrations.',
    fields: [webhookUrl('https://mattermost.example.com/hooks/…')],
  },
  google_chat: {
    label: 'Google Chat',
    help: 'Add a webhook to a space, under Apps & integrations.',
    fields: [webhookUrl('https://chat.googleapis.com/v1/spaces/…')],
  },
  telegram: {
    label: 'Telegram',
    help: 'Make a bot with @BotFather and add it to the group or channel.',
    fields: [
      { name: 'token', place: 'secrets', label: 'Bot token', placeholder: '123456789:AAE…' },
      {
        name: 'chat',
        place: 'settings',
        label: 'Chat',
        placeholder: '-1001234567890',
        help: 'The id of the chat, or @name of a public channel.',
      },
    ],
  },
  ntfy: {
    label: 'ntfy',
    help: 'Notifications on phones, by ntfy.sh or a server of your own.',
    fields: [
      { name: 'server', place: 'settings', label: 'Server', placeholder: 'https://ntfy.sh' },
      { name: 'topic', place: 'secrets', label: 'Topic', help: 'Whoever knows it can read along.' },
      { name: 'token', place: 'secrets', label: 'Access token', placeholder: 'tk_…', optional: true },
    ],
  },
  pagerduty: {
    label: 'PagerDuty',
    help: 'Add the integration Events API v2 to a service. What is over resolves what it opened.',
    fields: [
      { name: 'routingKey', place: 'secrets', label: 'Integration key', help: '32 letters and digits.' },
      REGIONS,
    ],
  },
  opsgenie: {
    label: 'Opsgenie',
    help: 'Add an API integration to a team. What is over closes what it opened.',
    fields: [{ name: 'apiKey', place: 'secrets', label: 'API key' }, REGIONS],
  },
  webhook: {
    label: 'Webhook',
    help: 'Calls a program of yours, signed by the rules of Standard Webhooks.',
    fields: [
      webhookUrl('https://example.com/hooks/firsthand'),
      {
        name: 'format',
        place: 'settings',
        label: 'Format',
        help: 'Choose Sentry’s where a receiver was written for its webhooks.',
        form: {
          choices: [
            { value: 'firsthand', label: 'Firsthand' },
            { value: 'sentry', label: 'Sentry' },
          ],
        },
      },
    ],
  },
}

export const KIND_NAMES = Object.keys(KINDS) as readonly ChannelKindName[]
