/**
 * One file for each kind of channel: the request that a message becomes there, within the bounds of the other side, and
 * what its answer means. They are the only places that know mark-up; what an event says is in none of it.
 */

import type { ChannelKindName } from '../channel.ts'
import { discord } from './discord.ts'
import { googleChat } from './google-chat.ts'
import type { ChannelKind } from './kind.ts'
import { mattermost } from './mattermost.ts'
import { ntfy } from './ntfy.ts'
import { opsgenie, pagerduty } from './pagers.ts'
import { slack, slackBot } from './slack.ts'
import { teams } from './teams.ts'
import { telegram } from './telegram.ts'
import { webhook } from './webhook.ts'

type Called = Exclude<ChannelKindName, 'mail'>

/** Every kind that is called over HTTP. */
export const KINDS: { readonly [Kind in Called]: ChannelKind<Kind> } = {
  webhook,
  slack,
  slack_bot: slackBot,
  discord,
  teams,
  mattermost,
  google_chat: googleChat,
  telegram,
  ntfy,
  pagerduty,
  opsgenie,
}
