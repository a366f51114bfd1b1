import { CHANNEL_FORMS, type ChannelKindName } from './channel-forms.ts'
import { date, empty, id, paging } from './common.ts'
import { endpoint } from './endpoint.ts'
import { z } from './zod.ts'

/** Places outside to which messages go, and what became of each message. */

const kindNames = Object.keys(CHANNEL_FORMS) as [ChannelKindName, ...ChannelKindName[]]
export const channelKind = z.enum(kindNames)

const name = z.string().trim().min(1).max(80)
/** Checked by the form of the kind. */
const fields = z.record(z.string().max(40), z.unknown())

export const channel = z.object({
  id,
  kind: channelKind,
  name: z.string(),
  settings: fields,
  /** Host of the address to which it sends, or the addresses of a mail; what else of it is a secret. */
  target: z.string(),
  /** Rises with each change; a change can name the version that it is of. */
  version: z.number(),
  isOn: z.boolean(),
  /** Why the server switched it off; '' where it did not. */
  offReason: z.string(),
  /** Since when nothing reaches it. */
  failingSince: date.nullable(),
  lastSentAt: date.nullable(),
  lastError: z.string().nullable(),
  /** Until when the secret before is used as well; null when there is none. */
  rotatesUntil: date.nullable(),
  createdAt: date,
  createdBy: z.object({ id, name: z.string(), email: z.string() }).nullable(),
})
export type Channel = z.output<typeof channel>

/** With the secret by which receivers check signatures, shown this once; null where the kind has none. */
const channelWithSecret = channel.extend({ signingSecret: z.string().nullable() })
export type ChannelWithSecret = z.output<typeof channelWithSecret>

const list = '/organizations/{org}/channels/'
const one = '/organizations/{org}/channels/{channel}/'

export const listChannels = endpoint({
  method: 'GET',
  path: list,
  ok: z.array(channel),
  summary: 'Places to which messages go; no secrets',
  scope: 'org:read',
})

export const createChannel = endpoint({
  method: 'POST',
  path: list,
  body: z.object({ kind: channelKind, name, settings: fields.default({}), secrets: fields.default({}) }),
  ok: channelWithSecret,
  summary: 'Add a channel (201); its address is checked, its secrets are never shown again',
  scope: 'org:write',
})

export const getChannel = endpoint({
  method: 'GET',
  path: one,
  ok: channel,
  summary: 'One channel; no secrets',
  scope: 'org:read',
})

export const updateChannel = endpoint({
  method: 'PUT',
  path: one,
  body: z.object({
    name: name.optional(),
    isOn: z.boolean().optional(),
    settings: fields.optional(),
    /** Those that are left out stay as they are. */
    secrets: fields.optional(),
    /** Refused where somebody else changed it since (409). */
    version: z.int().min(1).optional(),
  }),
  ok: channel,
  summary: 'Change a channel, switch it on or off',
  scope: 'org:write',
})

export const deleteChannel = endpoint({
  method: 'DELETE',
  path: one,
  ok: empty,
  summary: 'Delete a channel; for a day it can be brought back',
  scope: 'org:write',
})

export const restoreChannel = endpoint({
  method: 'POST',
  path: `${one}restore/`,
  ok: channel,
  summary: 'Bring a deleted channel back',
  scope: 'org:write',
})

export const rotateChannelSecret = endpoint({
  method: 'POST',
  path: `${one}rotate/`,
  ok: channelWithSecret,
  summary: 'Make a new secret for signatures; for a day messages are signed with both',
  scope: 'org:write',
})

/** What the other side said to one try. */
export const deliveryAttempt = z.object({
  number: z.number(),
  startedAt: date,
  /** Null while it is under way, or when the server ended over it. */
  durationMs: z.number().nullable(),
  request: z.object({
    method: z.string(),
    /** Without what is secret of it. */
    url: z.string(),
    headers: z.record(z.string(), z.string()),
    body: z.string(),
  }),
  status: z.number().nullable(),
  answer: z.string().nullable(),
  remoteAddress: z.string().nullable(),
  error: z.string().nullable(),
})
export type DeliveryAttempt = z.output<typeof deliveryAttempt>

export const testChannel = endpoint({
  method: 'POST',
  path: `${one}test/`,
  ok: z.object({ isSent: z.boolean(), sentence: z.string(), attempt: deliveryAttempt }),
  summary: 'Send a test message now and say what the other side answered',
  scope: 'org:write',
})
export type ChannelTest = z.output<(typeof testChannel)['ok']>

export const DELIVERY_STATES = ['waiting', 'sending', 'sent', 'failed', 'expired', 'folded', 'held'] as const

export const delivery = z.object({
  id,
  /** The same for all tries, redelivered ones included: what receivers tell doubles by. */
  messageId: z.string(),
  headline: z.string(),
  kind: z.string(),
  state: z.enum(DELIVERY_STATES),
  attempts: z.number(),
  error: z.string().nullable(),
  createdAt: date,
  sentAt: date.nullable(),
  /** When it is tried next. */
  nextAt: date.nullable(),
})
export type Delivery = z.output<typeof delivery>

const deliveryDetails = delivery.extend({ tries: z.array(deliveryAttempt) })
export type DeliveryDetails = z.output<typeof deliveryDetails>

export const listDeliveries = endpoint({
  method: 'GET',
  path: `${one}deliveries/`,
  query: z.object({ state: z.array(z.enum(DELIVERY_STATES)).optional(), ...paging }),
  ok: z.array(delivery),
  summary: 'Messages to a channel, newest first, and what became of them',
  scope: 'org:write',
})

export const getDelivery = endpoint({
  method: 'GET',
  path: `${one}deliveries/{delivery}/`,
  ok: deliveryDetails,
  summary: 'One message with each try: request and answer, without secrets',
  scope: 'org:write',
})

export const redeliver = endpoint({
  method: 'POST',
  path: `${one}deliveries/{delivery}/redeliver/`,
  ok: delivery,
  summary: 'Send a message again, under the same id',
  scope: 'org:write',
})
