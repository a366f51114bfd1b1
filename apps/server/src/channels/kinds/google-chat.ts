import type { Block } from '../message.ts'
import type { ChannelKind, Sending } from './kind.ts'
import { breakLinks, breakNames, ofBrokenAddress } from '../addresses.ts'
import { fit, footOf, linkTo, portions, type Escaper } from './writing.ts'

/** A message has 32,000 bytes; what stands around the texts takes some. */
const TOTAL = 22_000
const MOST = 6000
const HEADLINE = 600
const ROWS = 30

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Cards read a little HTML, make links of addresses, and `<users/all>` calls everybody. */
export const googleChatText: Escaper = {
  escape: (text) => breakNames(breakLinks(text)).replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character),
  // As JSON in UTF-8.
  measure: (grapheme) =>
    Buffer.byteLength(JSON.stringify(googleChatText.escape(grapheme))) - 2 + ofBrokenAddress(grapheme),
}

type Json = Readonly<Record<string, unknown>>

const widgetOf = (block: Block, limit: number, sending: Sending): { readonly widget: Json; readonly size: number } => {
  const write = (text: string, most = limit): string => fit(text, most, googleChatText)
  const paragraph = (text: string): { readonly widget: Json; readonly size: number } => ({
    widget: { textParagraph: { text } },
    size: Buffer.byteLength(JSON.stringify(text)) + 40,
  })
  switch (block.kind) {
    case 'text':
      return paragraph(write(block.text, limit - 50))
    case 'code':
      return paragraph(`<font face="monospace">${write(block.text, limit - 120)}</font>`)
    case 'quote':
      return paragraph(`<i>${write(block.text, limit - 400)}</i>\n${write(block.by, 300)}`)
    case 'facts':
      return paragraph(
        portions(block.rows.slice(0, ROWS), { total: limit - 50, most: 600, least: 60 }, ({ name, value }, most) => {
          const line = `<b>${write(name, 150)}</b>: ${write(value, Math.max(10, most - 180))}`
          return { line, size: Buffer.byteLength(JSON.stringify(line)) + 2 }
        })
          .map(({ line }) => line)
          .join('\n'),
      )
    case 'list':
      return paragraph(
        portions(block.items.slice(0, ROWS), { total: limit - 50, most: 2600, least: 60 }, ({ text, path }, most) => {
          const shown = write(text, Math.max(10, Math.min(400, most - 60)))
          const line = path === undefined ? `• ${shown}` : `• <a href="${linkTo(sending, path)}">${shown}</a>`
          return { line, size: Buffer.byteLength(JSON.stringify(line)) + 2 }
        })
          .map(({ line }) => line)
          .join('\n'),
      )
  }
}

export const googleChatMessage = (sending: Sending): Json => {
  const { message } = sending
  const headline = fit(message.headline, HEADLINE, googleChatText)
  const widgets = portions(message.blocks, { total: TOTAL, most: MOST, least: 200 }, (block, limit) =>
    widgetOf(block, limit, sending),
  ).map(({ widget }) => widget)
  const buttons = message.actions.map(({ label, path }) => ({
    text: label,
    onClick: { openLink: { url: linkTo(sending, path) } },
  }))
  return {
    // What a phone says before the card is open.
    fallbackText: headline,
    cardsV2: [
      {
        cardId: 'message',
        card: {
          sections: [
            {
              widgets: [
                { textParagraph: { text: `<b>${headline}</b>` } },
                ...widgets,
                ...(buttons.length === 0 ? [] : [{ buttonList: { buttons } }]),
                { textParagraph: { text: fit(footOf(sending), 1000, googleChatText) } },
              ],
            },
          ],
        },
      },
    ],
    thread: { threadKey: sending.thread },
  }
}

/** A webhook of a space; messages of one thread stand under one another. */
export const googleChat: ChannelKind<'google_chat'> = {
  spacingMs: 1000,
  address: ({ secrets }) => secrets.url,
  call: ({ secrets }, sending) => {
    const url = new URL(secrets.url)
    url.searchParams.set('messageReplyOption', 'REPLY_MESSAGE_FALLBACK_TO_NEW_THREAD')
    return {
      method: 'POST',
      url: url.href,
      headers: { 'content-type': 'application/json; charset=UTF-8' },
      body: JSON.stringify(googleChatMessage(sending)),
    }
  },
}
