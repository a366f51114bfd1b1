import type { AlertDryRun } from '@firsthand/contract'

/** The messages of one incident as they would have been received. */

export type Firing = AlertDryRun['firings'][number]
export type FiringMessage = Firing['messages'][number]
export type Rendered = FiringMessage['rendered'][number]

const CHANNELS: Readonly<Record<string, string>> = {
  mail: 'E-mail',
  webhook: 'Webhook',
  sentry: 'Webhook, as Sentry',
  slack: 'Slack',
  slack_bot: 'Slack',
  discord: 'Discord',
  teams: 'Microsoft Teams',
  mattermost: 'Mattermost',
  google_chat: 'Google Chat',
  telegram: 'Telegram',
  ntfy: 'ntfy',
  pagerduty: 'PagerDuty',
  opsgenie: 'Opsgenie',
  inbox: 'Inbox',
}

export const channelText = (kind: string): string => CHANNELS[kind] ?? kind

/** Kinds of channels that were rendered, in the order in which they come. */
export const channelsOf = (firing: Firing): readonly string[] => [
  ...new Set(firing.messages.flatMap(({ rendered }) => rendered.map(({ channel }) => channel))),
]

/** JSON in lines; what is none stays as it is. */
export function readableBody(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    // Not every channel is sent JSON.
    return body
  }
}

/** The first message says what happened, those that follow what became of it. */
export function threadOf(firing: Firing): {
  readonly first: FiringMessage | undefined
  readonly later: readonly FiringMessage[]
} {
  const [first, ...later] = firing.messages
  return { first, later }
}
