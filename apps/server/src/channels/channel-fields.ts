import { CHANNEL_FORMS } from '@firsthand/contract'
import { readEntered } from '../lib/entered-fields.ts'
import type { ChannelKindName } from './channel.ts'

/** What people are told of a field that is not as its kind wants it. */
const SENTENCES: Readonly<Record<string, string>> = {
  addresses: 'Write one to twenty e-mail addresses.',
  url: 'Enter the address to which messages are sent, beginning with https://.',
  format: 'Choose one of the two formats.',
  channel: 'Enter the id or the name of the channel.',
  token: 'Enter the token.',
  chat: 'Enter the id of the chat, as -1001234567890, or the name of a public channel, as @name.',
  server: 'Enter the address of the ntfy server, beginning with https://.',
  topic: 'A topic has at most 64 letters, digits, _ and -.',
  routingKey: 'Enter the integration key: 32 letters and digits.',
  region: 'Choose the region.',
  apiKey: 'Enter the API key.',
}

/** A bot token that is no bot token is the most frequent mistake of these. */
const TOKEN_SENTENCES: Partial<Readonly<Record<ChannelKindName, string>>> = {
  telegram: 'Enter the token of the bot as BotFather gives it: digits, a colon, letters.',
  slack_bot: 'Enter the bot token of the app: xoxb-….',
}

/** Reads what somebody entered for a kind of channel. */
export const readChannelFields = (
  kind: ChannelKindName,
  entered: { readonly settings: unknown; readonly secrets: unknown },
) =>
  readEntered(CHANNEL_FORMS[kind], entered, {
    thing: 'channel',
    sentenceOf: (field) => (field === 'token' ? TOKEN_SENTENCES[kind] : undefined) ?? SENTENCES[field],
  })
