import type { Block } from '../message.ts'
import { cut, inUnits } from '../text.ts'
import type { ChannelKind, Sending } from './kind.ts'
import { footOf, linkTo, readJson } from './writing.ts'

const TEXT = 4096
const MOST_ENTITIES = 100
/** Those of the foot are left. */
const ENTITIES = 85
const HEADLINE = 400
const FOOT = 400

export const TELEGRAM_ORIGIN = 'https://api.telegram.org'

/**
 * There is no mark-up in a text with entities; but Telegram finds addresses, names, tags and commands in it by itself. In
 * code and in links it finds none, and whoever copies them has what was said.
 */
const FOUND = /[@#$/][\p{L}\p{N}_]|[\p{L}\p{N}][.\u3002\uFF0E\uFF61][\p{L}\p{N}]|:\/\/|(?:tg|ton|tonsite):/iu
/** Telephone and card numbers, which go on over spaces. */
const NUMBER = /(\+\d(?:[\s().-]{0,2}\d){5,}|\d(?:[\s().-]{0,2}\d){9,})/u
const isFound = (text: string): boolean => FOUND.test(text) || NUMBER.test(text)
/** A text with more such words is code as a whole. */
const WORDS_OF_CODE = 3

interface Entity {
  readonly type: 'bold' | 'pre' | 'code' | 'blockquote' | 'text_link'
  readonly offset: number
  readonly length: number
  readonly url?: string
}

type Style = Pick<Entity, 'type' | 'url'>

/** The parts of a text in which Telegram finds something, and those between them. */
const partsOf = (text: string): readonly { readonly text: string; readonly isFound: boolean }[] => {
  const parts = text
    .split(NUMBER)
    .flatMap((part, index) => (index % 2 === 1 ? [part] : part.split(/(\s+)/)))
    .map((part) => ({ text: part, isFound: isFound(part) }))
  return parts.filter(({ isFound }) => isFound).length > WORDS_OF_CODE ? [{ text, isFound: true }] : parts
}

/** Writes text, and beside it what of it is what. */
class Writer {
  text = ''
  readonly entities: Entity[] = []
  readonly #limit: number
  readonly #most: number

  constructor(limit: number, most: number) {
    this.#limit = limit
    this.#most = most
  }

  get left(): number {
    return this.#limit - this.text.length
  }

  /** What was cut before fits; what does not is left out whole, so that no entity ends nowhere. */
  as(text: string, style: Style): void {
    if (text === '' || text.length > this.left) return
    const isFull = this.entities.length >= this.#most
    if (isFull && isFound(text)) return
    if (!isFull && text.trim() !== '') this.entities.push({ ...style, offset: this.text.length, length: text.length })
    this.text += text
  }

  /** @param style of what is no code: code is nothing else beside */
  add(text: string, style?: Style): void {
    if (text.length > this.left) return
    let plain = ''
    const write = (): void => {
      if (style === undefined) this.text += plain
      else this.as(plain, style)
      plain = ''
    }
    for (const part of partsOf(text)) {
      if (part.isFound) {
        write()
        this.as(part.text, { type: 'code' })
      } else plain += part.text
    }
    write()
  }
}

const writeBlock = (writer: Writer, block: Block, sending: Sending): void => {
  const room = writer.left - 2
  if (room < 40) return
  writer.add('\n\n')
  switch (block.kind) {
    case 'text':
      return writer.add(cut(block.text, Math.min(room, 2000), inUnits))
    case 'code':
      return writer.as(cut(block.text, Math.min(room, 1500), inUnits), { type: 'pre' })
    case 'quote': {
      const quote = cut(block.text, Math.min(room - 120, 1500), inUnits)
      writer.as(quote, { type: isFound(quote) ? 'pre' : 'blockquote' })
      return writer.add(`\n${cut(block.by, 100, inUnits)}`)
    }
    case 'facts':
      for (const [index, { name, value }] of block.rows.entries()) {
        if (writer.left < 40) return
        writer.add(`${index === 0 ? '' : '\n'}${cut(name, 60, inUnits)}: `)
        writer.add(cut(value, Math.min(writer.left, 300), inUnits))
      }
      return
    case 'list':
      for (const [index, { text, path }] of block.items.entries()) {
        if (writer.left < 60) return
        writer.add(`${index === 0 ? '' : '\n'}• `)
        const shown = cut(text, Math.min(writer.left, 300), inUnits)
        if (path === undefined) writer.add(shown)
        else writer.as(shown, { type: 'text_link', url: linkTo(sending, path) })
      }
  }
}

export const telegramMessage = (sending: Sending): { readonly text: string; readonly entities: readonly Entity[] } => {
  const { message } = sending
  const foot = cut(footOf(sending), FOOT, inUnits)
  const labels = message.actions.reduce((sum, { label }) => sum + label.length + 3, 0)
  const body = new Writer(TEXT - foot.length - labels - 4, ENTITIES)
  body.add(cut(message.headline, HEADLINE, inUnits), { type: 'bold' })
  for (const block of message.blocks) writeBlock(body, block, sending)
  const end = new Writer(TEXT, MOST_ENTITIES - body.entities.length)
  for (const [index, { label, path }] of message.actions.entries()) {
    if (index > 0) end.add('   ')
    end.as(label, { type: 'text_link', url: linkTo(sending, path) })
  }
  end.add(`\n\n${foot}`)
  const before = `${body.text}\n\n`
  const shifted = end.entities.map((entity) => ({ ...entity, offset: entity.offset + before.length }))
  return { text: before + end.text, entities: [...body.entities, ...shifted] }
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
