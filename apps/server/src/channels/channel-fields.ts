import { CHANNEL_FORMS } from '@firsthand/contract'
import { err, ok, type Result } from '../lib/result.ts'
import type { ChannelKindName } from './channel.ts'

interface Fields {
  readonly settings: Readonly<Record<string, unknown>>
  readonly secrets: Readonly<Record<string, string | undefined>>
}

/** What is wrong, by the field that it is about. */
export type FieldProblems = Readonly<Record<string, string>>

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

/** Reads what somebody entered for a kind of channel; strange fields are refused like wrong ones. */
export const readChannelFields = (
  kind: ChannelKindName,
  entered: { readonly settings: unknown; readonly secrets: unknown },
): Result<Fields, FieldProblems> => {
  const form = CHANNEL_FORMS[kind]
  const settings = form.settings.safeParse(entered.settings)
  const secrets = form.secrets.safeParse(entered.secrets)
  if (settings.success && secrets.success) {
    return ok({ settings: { ...settings.data }, secrets: { ...secrets.data } })
  }
  const issues = [...(settings.error?.issues ?? []), ...(secrets.error?.issues ?? [])]
  const problems = issues.flatMap(({ code, path, ...issue }): [string, string][] => {
    if (code === 'unrecognized_keys') {
      const keys = 'keys' in issue && Array.isArray(issue.keys) ? issue.keys.map(String) : []
      return keys.map((key) => [key, `A channel of this kind has no "${key}".`])
    }
    const field = String(path[0] ?? 'settings')
    const own = field === 'token' ? TOKEN_SENTENCES[kind] : undefined
    return [[field, own ?? SENTENCES[field] ?? issue.message]]
  })
  return err(Object.fromEntries(problems))
}
