import type { Block, Message } from '../message.ts'
import type { ChannelKind, Sending } from './kind.ts'
import { breakLinks, breakNames, ofBrokenAddress } from '../addresses.ts'
import { fit, footOf, linkTo, type Escaper } from './writing.ts'

const MESSAGE_BYTES = 4000
const TITLE_BYTES = 240
const ACTIONS = 3
const FOOT_BYTES = 500

const PRIORITIES: Readonly<Record<Message['level'], number>> = { fatal: 5, error: 4, warning: 3, info: 3, ok: 2 }
const TAGS: Readonly<Record<Message['level'], string>> = {
  fatal: 'rotating_light',
  error: 'red_circle',
  warning: 'warning',
  info: 'information_source',
  ok: 'white_check_mark',
}

const measure = (grapheme: string): number => Buffer.byteLength(grapheme) + ofBrokenAddress(grapheme)

/** Plain text; its readers make links of addresses and of names of hosts. */
export const ntfyText: Escaper = { escape: (text) => breakNames(breakLinks(text)), measure }

/** They make none in a title. */
const ntfyTitle: Escaper = { escape: breakLinks, measure }

const written = (block: Block): string => {
  switch (block.kind) {
    case 'text':
    case 'code':
      return block.text
    case 'quote':
      return `“${block.text}” ${block.by}`
    case 'facts':
      return block.rows.map(({ name, value }) => `${name}: ${value}`).join('\n')
    case 'list':
      return block.items.map(({ text }) => `• ${text}`).join('\n')
  }
}

export const ntfyMessage = (sending: Sending): Readonly<Record<string, unknown>> => {
  const { message } = sending
  const foot = fit(footOf(sending), FOOT_BYTES, ntfyText)
  const body = fit(message.blocks.map(written).join('\n\n'), MESSAGE_BYTES - Buffer.byteLength(foot) - 2, ntfyText)
  return {
    title: fit(message.headline, TITLE_BYTES, ntfyTitle),
    message: body === '' ? foot : `${body}\n\n${foot}`,
    priority: PRIORITIES[message.level],
    tags: [TAGS[message.level]],
    ...(message.actions[0] === undefined ? {} : { click: linkTo(sending, message.actions[0].path) }),
    actions: message.actions
      .slice(0, ACTIONS)
      .map(({ label, path }) => ({ action: 'view', label, url: linkTo(sending, path) })),
    markdown: false,
  }
}

/** Published as JSON: in headers a text could begin another one. */
export const ntfy: ChannelKind<'ntfy'> = {
  spacingMs: 1000,
  address: ({ settings }) => settings.server,
  call: ({ settings, secrets }, sending) => ({
    method: 'POST',
    url: new URL('/', settings.server).href,
    headers: {
      'content-type': 'application/json',
      ...(secrets.token === undefined ? {} : { authorization: `Bearer ${secrets.token}` }),
    },
    body: JSON.stringify({ topic: secrets.topic, ...ntfyMessage(sending) }),
  }),
}
