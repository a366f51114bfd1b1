import type { Block } from '../message.ts'
import type { ChannelKind, Sending } from './kind.ts'
import { COLOURS, fit, footOf, linkTo, NOTHING, portions, readJson, type Escaper } from './writing.ts'

/** Bounds of an embed (`discord-api-types`); all of its texts together have `TOTAL`. */
const TITLE = 256
const DESCRIPTION = 4096
const FIELDS = 25
const FIELD_NAME = 256
const FIELD_VALUE = 1024
const FOOT = 500
const TOTAL = 6000
const LINKS = 600

/** What would be mark-up, a mention, an emoji or an address has a backslash before it, which is not shown. */
export const discordText: Escaper = {
  escape: (text) => text.replaceAll(/[\\`*_~|>#[\]()<@-]|:(?=\S)/g, String.raw`\$&`),
  measure: (grapheme) => discordText.escape(grapheme).length + (grapheme === ':' ? 1 : 0),
}

/** In a block of code only the end of it means something. */
const discordCode: Escaper = {
  escape: (text) => text.replaceAll(/``(?=`)/g, '`` '),
  measure: (grapheme) => grapheme.length + (grapheme.startsWith('`') ? 1 : 0),
}

const FENCE = '```\n\n```'.length

const linesOf = (text: string, start: string): string =>
  text
    .split('\n')
    .map((line) => `${start}${line}`)
    .join('\n')

/** Links are ours alone: in one Discord does not look at what is escaped. */
const linkLine = (label: string, url: string): string => `[${label.replaceAll(/[^\p{L}\p{N} ]/gu, '')}](${url})`

const written = (block: Block, limit: number, sending: Sending): string => {
  switch (block.kind) {
    case 'text':
      return fit(block.text, limit, discordText)
    case 'code':
      return `\`\`\`\n${fit(block.text, limit - FENCE, discordCode)}\n\`\`\``
    case 'quote': {
      const by = fit(block.by, 100, discordText)
      const lines = block.text.split('\n').length
      return `${linesOf(fit(block.text, limit - by.length - 2 * lines - 4, discordText), '> ')}\n> ${by}`
    }
    case 'facts':
      return ''
    case 'list': {
      const items = portions(block.items, { total: limit, most: 300, least: 20 }, ({ text, path }, most) => {
        const link = path === undefined ? '' : ` ${linkLine('open', linkTo(sending, path))}`
        const line = `• ${fit(text, Math.max(10, most - link.length - 3), discordText)}${link}`
        return { line, size: line.length + 1 }
      })
      return items.map(({ line }) => line).join('\n')
    }
  }
}

/** A message as one embed, within all bounds. */
export const discordMessage = (sending: Sending): Readonly<Record<string, unknown>> => {
  const { message } = sending
  const title = fit(message.headline, TITLE, discordText)
  const foot = fit(footOf(sending), FOOT, { escape: (text) => text, measure: (grapheme) => grapheme.length })
  const links = portions(message.actions, { total: LINKS, most: LINKS, least: 1 }, ({ label, path }) => {
    const line = linkLine(label, linkTo(sending, path))
    return { line, size: line.length + 3 }
  })
    .map(({ line }) => line)
    .join(' · ')
  const rows = message.blocks.flatMap((block) => (block.kind === 'facts' ? block.rows : []))
  const room = TOTAL - title.length - foot.length
  const fields = portions(
    rows.slice(0, FIELDS),
    { total: Math.min(2000, room), most: FIELD_VALUE, least: 20 },
    ({ name, value }, limit) => {
      const field = {
        name: fit(name, Math.min(FIELD_NAME, limit), discordText) || NOTHING,
        value: fit(value, limit, discordText) || NOTHING,
        inline: value.length <= 30,
      }
      return { field, size: field.name.length + field.value.length }
    },
  )
  const used = fields.reduce((sum, { size }) => sum + size, 0)
  const total = Math.min(DESCRIPTION, room - used) - links.length - 2
  const parts = portions(message.blocks, { total, most: 2000, least: 40 }, (block, limit) => {
    const text = written(block, limit - 2, sending)
    return { text, size: text.length + 2 }
  }).map(({ text }) => text)
  const description = [...parts, links].filter((part) => part !== '').join('\n\n')
  return {
    embeds: [
      {
        title: title || NOTHING,
        ...(message.actions[0] === undefined ? {} : { url: linkTo(sending, message.actions[0].path) }),
        description,
        color: COLOURS[message.level],
        fields: fields.map(({ field }) => field),
        footer: { text: foot },
        timestamp: new Date(sending.createdAt).toISOString(),
      },
    ],
    // Whatever stands in it, nobody is called.
    allowed_mentions: { parse: [] },
  }
}

const UNKNOWN_MESSAGE = 10_008
const UNKNOWN_WEBHOOK = 10_015

/** A webhook, whose message is edited while something goes on and when it is over. */
export const discord: ChannelKind<'discord'> = {
  spacingMs: 500,
  address: ({ secrets }) => secrets.url,
  call: ({ secrets }, sending) => {
    const url = new URL(secrets.url)
    const { stage } = sending.message
    const isEdit = sending.remote !== null && (stage === 'update' || stage === 'over')
    if (isEdit) url.pathname = `${url.pathname.replace(/\/$/, '')}/messages/${sending.remote ?? ''}`
    else url.searchParams.set('wait', 'true')
    return {
      method: isEdit ? 'PATCH' : 'POST',
      url: url.href,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(discordMessage(sending)),
    }
  },
  read: ({ status, text }) => {
    const { id, code } = readJson(text)
    if (status === 200 && typeof id === 'string' && /^\d{1,20}$/.test(id)) return { kind: 'sent', remote: id }
    if (status !== 404) return null
    if (code === UNKNOWN_WEBHOOK) return { kind: 'gone', error: 'Discord says that this webhook was deleted.' }
    return code === UNKNOWN_MESSAGE
      ? { kind: 'again', afterMs: 0, forgetsThread: true, error: 'The message before is not there any more.' }
      : null
  },
}
