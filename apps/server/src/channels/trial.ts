import type { ChannelTest } from '@firsthand/contract'
import type { ServerParts } from '../capability.ts'
import { createOutgoing } from '../lib/outgoing.ts'
import { createChannels } from './ledger/channels.ts'
import type { Message } from './message.ts'
import { createTryChannel } from './try-channel.ts'

/** Sends a message to a channel now, past all that waits. Null when the organisation has no such channel. */
export type Trial = (
  organization: { readonly id: number; readonly slug: string; readonly name: string },
  channelId: number,
  by: { readonly name: string; readonly email: string },
  message: Message,
) => Promise<(ChannelTest & { readonly name: string }) | null>

/** For those who build on channels: what a message would meet, without the outbox. */
export const createTrial = ({
  clock,
  config,
  keyFor,
  ledger,
  mailer,
  url: publicUrl,
}: Pick<ServerParts, 'clock' | 'config' | 'keyFor' | 'ledger' | 'mailer' | 'url'>): Trial => {
  const channels = createChannels({ ledger, key: keyFor('channels') })
  const outgoing = createOutgoing({ allowedRanges: config.reachableRanges })
  const tryChannel = createTryChannel({ outgoing, mailer, publicUrl, clock })
  return async (organization, channelId, by, message) => {
    const channel = await channels.find(organization.id, channelId)
    return channel === null ? null : { name: channel.name, ...(await tryChannel(channel, organization, by, message)) }
  }
}
