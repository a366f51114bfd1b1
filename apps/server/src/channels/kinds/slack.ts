import { readRetryAfter } from '../retry.ts'
import type { CallAnswer, ChannelKind, Verdict } from './kind.ts'
import { slackMessage } from './slack-blocks.ts'
import { readJson } from './writing.ts'

const HEADERS = { 'content-type': 'application/json; charset=utf-8' }
/** One message a second to a channel. */
const SPACING_MS = 1000

/** An incoming webhook. It tells no id, so nothing is edited and there are no threads. */
export const slack: ChannelKind<'slack'> = {
  spacingMs: SPACING_MS,
  address: ({ secrets }) => secrets.url,
  call: ({ secrets }, sending) => ({
    method: 'POST',
    url: secrets.url,
    headers: HEADERS,
    body: JSON.stringify(slackMessage(sending)),
  }),
  read: ({ status, text }) =>
    status === 404 && /no_service|no_team/.test(text)
      ? { kind: 'gone', error: 'Slack says that this webhook was removed.' }
      : null,
}

export const SLACK_ORIGIN = 'https://slack.com'

/** What of Slack's words people can mend. */
const REFUSALS: Readonly<Record<string, string>> = {
  channel_not_found: 'Slack knows no such channel. Write its id or name, and invite the app to it if it is private.',
  not_in_channel: 'The app is not in this channel. Invite it there: /invite @Firsthand.',
  is_archived: 'This channel is archived in Slack.',
  invalid_auth: 'Slack does not take this token. Enter the bot token of the app (xoxb-…).',
  token_revoked: 'This token was revoked in Slack. Enter a new one.',
  account_inactive: 'The app was removed from the workspace. Install it again and enter its token.',
  missing_scope: 'The app may not write: give it the scope chat:write in Slack and install it again.',
}

/** The message that was to be edited is none any more. */
const LOST = new Set(['message_not_found', 'cant_update_message', 'edit_window_closed', 'thread_not_found'])

interface SlackPlace {
  readonly channel: string
  readonly ts: string
}

const readPlace = (remote: string | null): SlackPlace | null => {
  const { channel, ts } = readJson(remote ?? '')
  return typeof channel === 'string' && typeof ts === 'string' ? { channel, ts } : null
}

const readAnswer = ({ status, headers, text }: CallAnswer, isFirst: boolean): Verdict | null => {
  if (status !== 200) return null
  const { ok, error, channel, ts } = readJson(text)
  if (ok === true) {
    const isPlace = typeof channel === 'string' && typeof ts === 'string'
    return { kind: 'sent', remote: isFirst && isPlace ? JSON.stringify({ channel, ts }) : null }
  }
  const word = typeof error === 'string' ? error : 'an answer without a reason'
  if (word === 'ratelimited') {
    return { kind: 'again', afterMs: readRetryAfter(headers['retry-after'], Date.now()), error: 'Slack asks for time.' }
  }
  if (LOST.has(word)) {
    return { kind: 'again', afterMs: 0, forgetsThread: true, error: 'The message before is not there any more.' }
  }
  return { kind: 'failed', error: REFUSALS[word] ?? `Slack refused it: ${word}.` }
}

/** A bot, which edits its message while something goes on, and answers under it when it is over. */
export const slackBot: ChannelKind<'slack_bot'> = {
  spacingMs: SPACING_MS,
  address: () => SLACK_ORIGIN,
  call: ({ settings, secrets }, sending) => {
    const place = readPlace(sending.remote)
    const isEdit = place !== null && sending.message.stage === 'update'
    const where =
      place === null ? { channel: settings.channel } : isEdit ? place : { channel: place.channel, thread_ts: place.ts }
    return {
      method: 'POST',
      url: `${SLACK_ORIGIN}/api/${isEdit ? 'chat.update' : 'chat.postMessage'}`,
      headers: { ...HEADERS, authorization: `Bearer ${secrets.token}` },
      body: JSON.stringify({
        ...where,
        ...slackMessage(sending),
        // Neither names nor addresses in it become links, and nothing is fetched for a preview.
        parse: 'none',
        link_names: false,
        unfurl_links: false,
        unfurl_media: false,
      }),
    }
  },
  read: (answer, sending) => readAnswer(answer, readPlace(sending.remote) === null),
}
