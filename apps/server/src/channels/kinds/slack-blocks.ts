import type { Block } from '../message.ts'
import { cut, inUnits } from '../text.ts'
import type { Sending } from './kind.ts'
import { fit, footOf, linkTo, type Escaper } from './writing.ts'

/** Block Kit's bounds (`@slack/types`). */
const HEADER = 150
const TEXT = 3000
const BUTTONS = 25
const BUTTON_TEXT = 75
const URL_CHARS = 3000
/** Of 50 blocks: what is left is for header, buttons and foot. */
const BLOCKS = 40
const LIST_ITEMS = 50

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Slack's three characters; `<!channel>`, `<@U1>` and `<http://x|y>` are text without them. */
export const slackText: Escaper = {
  escape: (text) => text.replaceAll(/[&<>]/g, (character) => ENTITIES[character] ?? character),
  measure: (grapheme) => slackText.escape(grapheme).length,
}

type Json = Readonly<Record<string, unknown>>

/** Neither mark-up nor emoji is made of it. */
const plain = (text: string, limit: number): Json => ({
  type: 'plain_text',
  text: fit(text, limit, slackText),
  emoji: false,
})

/** The text of a rich text is literal: nothing in it is looked for. */
const literal = (text: string, style?: Json): Json => ({
  type: 'text',
  text,
  ...(style === undefined ? {} : { style }),
})
const some = (text: string, limit: number): string => cut(text, limit, inUnits) || ' '
const rich = (...elements: readonly Json[]): Json => ({ type: 'rich_text', elements })
const section = (...elements: readonly Json[]): Json => ({ type: 'rich_text_section', elements })

const blockOf = (block: Block, sending: Sending): Json => {
  switch (block.kind) {
    case 'text':
      return rich(section(literal(some(block.text, TEXT))))
    case 'code':
      return rich({ type: 'rich_text_preformatted', elements: [literal(some(block.text, TEXT))] })
    case 'quote':
      return rich({
        type: 'rich_text_quote',
        elements: [literal(some(block.text, TEXT)), literal(`\n${cut(block.by, HEADER, inUnits)}`, { italic: true })],
      })
    case 'facts':
      return rich(
        section(
          ...block.rows.flatMap(({ name, value }, index) => [
            literal(`${index === 0 ? '' : '\n'}${some(name, BUTTON_TEXT)}: `, { bold: true }),
            literal(some(value, HEADER * 2)),
          ]),
        ),
      )
    case 'list':
      return rich({
        type: 'rich_text_list',
        style: 'bullet',
        elements: block.items
          .slice(0, LIST_ITEMS)
          .map(({ text, path }) =>
            section(
              path === undefined
                ? literal(some(text, HEADER * 2))
                : { type: 'link', url: linkTo(sending, path), text: some(text, HEADER * 2) },
            ),
          ),
      })
  }
}

const isEmpty = (block: Block): boolean =>
  block.kind === 'facts' ? block.rows.length === 0 : block.kind === 'list' && block.items.length === 0

/** A message as Slack shows it; `text` is what a notification says. */
export const slackMessage = (sending: Sending): { readonly text: string; readonly blocks: readonly Json[] } => {
  const { message } = sending
  const buttons = message.actions
    .map(({ label, path }) => ({ label, url: linkTo(sending, path) }))
    .filter(({ url }) => url.length <= URL_CHARS)
    .slice(0, BUTTONS)
    .map(({ label, url }, index) => ({
      type: 'button',
      action_id: `open-${index}`,
      text: plain(label, BUTTON_TEXT),
      url,
    }))
  return {
    text: fit(message.headline, TEXT, slackText),
    blocks: [
      { type: 'header', text: plain(message.headline, HEADER) },
      ...message.blocks
        .filter((block) => !isEmpty(block))
        .slice(0, BLOCKS)
        .map((block) => blockOf(block, sending)),
      ...(buttons.length === 0 ? [] : [{ type: 'actions', elements: buttons }]),
      { type: 'context', elements: [plain(footOf(sending), TEXT)] },
    ],
  }
}
