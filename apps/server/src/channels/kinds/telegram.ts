import type { Block } from '../message.ts'
import { cut, inUnits } from '../text.ts'
import type { ChannelKind, Sending } from './kind.ts'
import { BREAK, breakLinks, fit, footOf, linkTo, readJson, type Escaper } from './writing.ts'

const TEXT = 4096
/** Of 100: those of the foot are left. */
const ENTITIES = 90
const HEADLINE = 400
const FOOT = 400

export const TELEGRAM_ORIGIN = 'https://api.telegram.org'

/**
 * There is no mark-up in a text with entities; but Telegram finds addresses, names, tags and commands in it by itself, and
 * they are broken. In code it finds none.
 */
export const telegramText: Escaper = {
  escape: (text) =>
    breakLinks(text.replaceAll(/[@#$/](?=[\p{L}\p{N}_])|\.(?=[\p{L}\p{N}])/gu, (character) => `${character}${BREAK}`)),
  measure: (grapheme) => grapheme.length + (/^[@#$/.:]/.test(grapheme) ? BREAK.length : 0),
}

interface Entity {
  readonly type: 'bold' | 'pre' | 'blockquote' | 'text_link' | 'italic'
  readonly offset: number
  readonly length: number
  readonly url?: string
}

/** Writes text, and beside it what of it is what. */
class Writer {
  text = ''
  readonly entities: Entity[] = []
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  get left(): number {
    return this.#limit - this.text.length
  }

  add(text: string, entity?: Pick<Entity, 'type' | 'url'>): void {
    // What was cut before fits; what does not is left out whole, so that no entity ends nowhere.
    if (text === '' || text.length > this.left) return
    if (entity !== undefined && this.entities.length < ENTITIES && text.trim() !== '') {
      this.entities.push({ ...entity, offset: this.text.length, length: text.length })
    }
    this.text += text
  }
}

const writeBlock = (writer: Writer, block: Block, sending: Sending): void => {
  const room = writer.left - 2
  if (room < 40) return
  writer.add('\n\n')
  switch (block.kind) {
    case 'text':
      return writer.add(fit(block.text, Math.min(room, 2000), telegramText))
    case 'code':
      return writer.add(cut(block.text, Math.min(room, 1500), inUnits), { type: 'pre' })
    case 'quote':
      writer.add(fit(block.text, Math.min(room - 120, 1500), telegramText), { type: 'blockquote' })
      return writer.add(`\n${fit(block.by, 100, telegramText)}`)
    case 'facts':
      for (const [index, { name, value }] of block.rows.entries()) {
        if (writer.left < 40) return
        writer.add(`${index === 0 ? '' : '\n'}${fit(name, 60, telegramText)}: `)
        writer.add(fit(value, Math.min(writer.left, 300), telegramText))
      }
      return
    case 'list':
      for (const [index, { text, path }] of block.items.entries()) {
        if (writer.left < 60) return
        writer.add(`${index === 0 ? '' : '\n'}• `)
        const shown = fit(text, Math.min(writer.left, 300), telegramText)
        writer.add(shown, path === undefined ? undefined : { type: 'text_link', url: linkTo(sending, path) })
      }
  }
}

export const telegramMessage = (sending: Sending): { readonly text: string; readonly entities: readonly Entity[] } => {
  const { message } = sending
  const foot = fit(footOf(sending), FOOT, telegramText)
  const labels = message.actions.reduce((sum, { label }) => sum + label.length + 3, 0)
  const body = new Writer(TEXT - foot.length - labels - 4)
  body.add(fit(message.headline, HEADLINE, telegramText), { type: 'bold' })
  for (const block of message.blocks) writeBlock(body, block, sending)
  const { text, entities } = body
  const links: Entity[] = []
  let end = `${text}\n\n`
  for (const { label, path } of message.actions) {
    links.push({ type: 'text_link', offset: end.length, length: label.length, url: linkTo(sending, path) })
    end += `${label}   `
  }
  return { text: `${end.trimEnd()}\n\n${foot}`, entities: [...entities, ...links] }
}

/** A bot, which edits its message while something goes on, and answers it when it is over. */
export const telegram: ChannelKind<'telegram'> = {
  // Twenty a minute to a group.
  spacingMs: 3000,
  address: () => TELEGRAM_ORIGIN,
  call: ({ settings, secrets }, sending) => {
    const messageId = sending.remote === null ? null : Number(sending.remote)
    const isEdit = messageId !== null && sending.message.stage === 'update'
    const where = isEdit
      ? { message_id: messageId }
      : messageId === null
        ? {}
        : { reply_parameters: { message_id: messageId, allow_sending_without_reply: true } }
    return {
      method: 'POST',
      url: `${TELEGRAM_ORIGIN}/bot${secrets.token}/${isEdit ? 'editMessageText' : 'sendMessage'}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        chat_id: settings.chat,
        ...where,
        ...telegramMessage(sending),
        link_preview_options: { is_disabled: true },
      }),
    }
  },
  read: ({ text }, sending) => {
    const { ok, result, description, parameters } = readJson(text)
    const said = typeof description === 'string' ? description : ''
    if (ok === true) {
      const id = (result as { readonly message_id?: unknown } | undefined)?.message_id
      return { kind: 'sent', remote: sending.remote === null && typeof id === 'number' ? String(id) : null }
    }
    if (ok !== false) return null
    if (said.includes('message is not modified')) return { kind: 'sent', remote: null }
    if (said.includes('message to edit not found')) {
      return { kind: 'again', afterMs: 0, forgetsThread: true, error: 'The message before is not there any more.' }
    }
    const seconds = (parameters as { readonly retry_after?: unknown } | undefined)?.retry_after
    return typeof seconds === 'number'
      ? { kind: 'again', afterMs: seconds * 1000, error: 'Telegram asks for time.' }
      : null
  },
}
