import type { Block, Message } from '../message.ts'
import { cut, inUnits } from '../text.ts'
import type { ChannelKind, Sending } from './kind.ts'
import { footOf, linkTo } from './writing.ts'

/** A card may have 28 kB, and some were refused with 21. */
const CARD_BYTES = 20_000
const ACTIONS = 6
const LINES = 40
const LINE = 1000

const COLOURS: Readonly<Record<Message['level'], string>> = {
  fatal: 'Attention',
  error: 'Attention',
  warning: 'Warning',
  info: 'Accent',
  ok: 'Good',
}

type Json = Readonly<Record<string, unknown>>

/** A run of text is literal; a text block would read Markdown in it. */
const run = (text: string, more: Json = {}): Json => ({
  type: 'TextRun',
  text: cut(text, LINE, inUnits) || ' ',
  ...more,
})
const paragraph = (inlines: readonly Json[], more: Json = {}): Json => ({ type: 'RichTextBlock', inlines, ...more })

const paragraphs = (text: string, more: Json = {}): readonly Json[] =>
  text
    .split('\n')
    .slice(0, LINES)
    .map((line, index) => paragraph([run(line, more)], index === 0 ? {} : { spacing: 'None' }))

const items = (block: Block, sending: Sending): readonly Json[] => {
  switch (block.kind) {
    case 'text':
      return paragraphs(block.text)
    case 'code':
      return [{ type: 'Container', style: 'emphasis', items: paragraphs(block.text, { fontType: 'Monospace' }) }]
    case 'quote':
      return [
        {
          type: 'Container',
          style: 'emphasis',
          items: [...paragraphs(block.text, { italic: true }), paragraph([run(block.by, { isSubtle: true })])],
        },
      ]
    case 'facts':
      return block.rows.map(({ name, value }) =>
        paragraph([run(`${name}: `, { weight: 'Bolder' }), run(value)], { spacing: 'Small' }),
      )
    case 'list':
      return block.items.map(({ text, path }) => {
        const action =
          path === undefined ? {} : { selectAction: { type: 'Action.OpenUrl', url: linkTo(sending, path) } }
        return paragraph([run(`• ${text}`, action)], { spacing: 'Small' })
      })
  }
}

const cardOf = (sending: Sending, body: readonly Json[]): Json => {
  const { message } = sending
  return {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.4',
    msteams: { width: 'Full' },
    body: [
      paragraph([run(message.headline, { weight: 'Bolder', size: 'Medium', color: COLOURS[message.level] })]),
      ...body,
      paragraph([run(footOf(sending), { isSubtle: true, size: 'Small' })]),
    ],
    actions: message.actions
      .slice(0, ACTIONS)
      .map(({ label, path }) => ({ type: 'Action.OpenUrl', title: label, url: linkTo(sending, path) })),
  }
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/** What makes the card too large is left out, from its end. */
export const teamsMessage = (sending: Sending): Json => {
  let body = sending.message.blocks.flatMap((block) => items(block, sending))
  while (body.length > 0 && bytesOf(cardOf(sending, body)) > CARD_BYTES) body = body.slice(0, -1)
  const content = cardOf(sending, body)
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', contentUrl: null, content }],
  }
}

/** A flow of Workflows that posts cards. It belongs to a person and ends with their account. */
export const teams: ChannelKind<'teams'> = {
  spacingMs: 250,
  address: ({ secrets }) => secrets.url,
  call: ({ secrets }, sending) => ({
    method: 'POST',
    url: secrets.url,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(teamsMessage(sending)),
  }),
}
