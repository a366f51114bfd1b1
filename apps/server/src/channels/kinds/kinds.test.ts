import fc from 'fast-check'
import type { HeaderBlock, KnownBlock, PlainTextElement } from '@slack/types'
import type { APIEmbed, RESTPostAPIWebhookWithTokenJSONBody } from 'discord-api-types/v10'
import { describe, expect, it } from 'vitest'
import { boundedMessage } from '../bounded-message.ts'
import type { Message } from '../message.ts'
import { HOSTILE, hostileText, speaking } from '../test/hostile.ts'
import { PUBLIC_URL, SIGNING_SECRET } from '../test/outbox.ts'
import { KINDS } from './index.ts'
import type { Call, Sending } from './kind.ts'

const RUNS = { numRuns: 60, seed: 13 }
const OWN = `${PUBLIC_URL}/`
/** Inside a text that was written by us, links of ours. */
const OWN_LINK = /\[[\p{L}\p{N} ]*\]\(https:\/\/firsthand\.acme\.example\/[^\s()]*\)/gu

const sendingOf = (message: Message, more: Partial<Sending> = {}): Sending => ({
  message: boundedMessage(message),
  id: 'msg_1',
  thread: 'f'.repeat(32),
  organization: { slug: 'acme', name: 'Acme' },
  publicUrl: PUBLIC_URL,
  now: 1_800_000_000_000,
  createdAt: 1_800_000_000_000,
  remote: null,
  isRepeated: false,
  ...more,
})

const SECRETS = {
  url: 'https://hooks.example/services/T0/B0/secret',
  token: '12345:abcdefghijklmnopqrstuvwxyz',
  topic: 'topic',
  routingKey: 'k'.repeat(32),
  apiKey: 'key',
}
const SETTINGS = { channel: 'C1', chat: '-1001', server: 'https://ntfy.example', region: 'us', format: 'firsthand' }

type KindName = keyof typeof KINDS

const callOf = (kind: KindName, message: Message, more: Partial<Sending> = {}): Call => {
  const target = { settings: SETTINGS, secrets: SECRETS, signing: [SIGNING_SECRET] } as never
  return KINDS[kind].call(target, sendingOf(message, more))
}

const bodyOf = <Body>(kind: KindName, message: Message, more: Partial<Sending> = {}): Body =>
  JSON.parse(callOf(kind, message, more).body) as Body

/** All texts of a value, by the path to them. */
const textsOf = (value: unknown, path = ''): readonly (readonly [string, string])[] => {
  if (typeof value === 'string') return [[path, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => textsOf(inner, `${path}.${key}`))
}

/** What each of them takes, by what they say of themselves. */
const ACCEPTED: { readonly [Kind in KindName]: (call: Call) => void } = {
  webhook: ({ body }) => expect(Buffer.byteLength(body)).toBeLessThanOrEqual(20_000),
  slack: ({ body }) => checkSlack(JSON.parse(body) as { blocks: KnownBlock[]; text: string }),
  slack_bot: ({ body }) => checkSlack(JSON.parse(body) as { blocks: KnownBlock[]; text: string }),
  discord: ({ body }) => checkDiscord(JSON.parse(body) as RESTPostAPIWebhookWithTokenJSONBody),
  teams: ({ body }) => {
    const card = JSON.parse(body) as { type: string; attachments: { contentType: string; content: { type: string } }[] }
    expect(card.type).toBe('message')
    expect(card.attachments[0]?.contentType).toBe('application/vnd.microsoft.card.adaptive')
    expect(card.attachments[0]?.content.type).toBe('AdaptiveCard')
    expect(Buffer.byteLength(JSON.stringify(card.attachments[0]?.content))).toBeLessThanOrEqual(20_000)
  },
  mattermost: ({ body }) => expect((JSON.parse(body) as { text: string }).text.length).toBeLessThanOrEqual(16_383),
  google_chat: ({ body }) => expect(Buffer.byteLength(body)).toBeLessThanOrEqual(32_000),
  telegram: ({ body }) => checkTelegram(JSON.parse(body) as TelegramBody),
  ntfy: ({ body }) => {
    const { title, message, actions, priority } = JSON.parse(body) as NtfyBody
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(4096)
    expect(Buffer.byteLength(title)).toBeLessThanOrEqual(250)
    expect(actions.length).toBeLessThanOrEqual(3)
    expect([1, 2, 3, 4, 5]).toContain(priority)
  },
  pagerduty: ({ body }) => {
    const { payload, dedup_key: key, routing_key: routing, event_action: action } = JSON.parse(body) as PagerDutyBody
    expect(routing).toHaveLength(32)
    expect(key.length).toBeLessThanOrEqual(255)
    expect(['trigger', 'resolve']).toContain(action)
    expect(payload.summary.length).toBeLessThanOrEqual(1024)
    expect(payload.source).not.toBe('')
    expect(['critical', 'error', 'warning', 'info']).toContain(payload.severity)
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(512 * 1024)
  },
  opsgenie: ({ body }) => {
    const alert = JSON.parse(body) as OpsgenieBody
    expect(alert.message.length).toBeLessThanOrEqual(130)
    expect(alert.alias.length).toBeLessThanOrEqual(512)
    expect(alert.description.length).toBeLessThanOrEqual(15_000)
    expect(alert.tags.length).toBeLessThanOrEqual(20)
    expect(Object.entries(alert.details).flat().join('').length).toBeLessThanOrEqual(8000)
    expect(['P1', 'P2', 'P3', 'P4', 'P5']).toContain(alert.priority)
  },
}

interface TelegramEntity {
  readonly type: string
  readonly offset: number
  readonly length: number
  readonly url?: string
}
interface TelegramBody {
  readonly text: string
  readonly entities: readonly TelegramEntity[]
}
interface NtfyBody {
  readonly title: string
  readonly message: string
  readonly priority: number
  readonly actions: readonly unknown[]
}
interface PagerDutyBody {
  readonly routing_key: string
  readonly dedup_key: string
  readonly event_action: string
  readonly payload: { readonly summary: string; readonly source: string; readonly severity: string }
}
interface OpsgenieBody {
  readonly message: string
  readonly alias: string
  readonly description: string
  readonly priority: string
  readonly tags: readonly string[]
  readonly details: Readonly<Record<string, string>>
}

const checkSlack = ({ blocks, text }: { readonly blocks: readonly KnownBlock[]; readonly text: string }): void => {
  expect(blocks.length).toBeLessThanOrEqual(50)
  expect(text.length).toBeLessThanOrEqual(3000)
  const header = blocks[0] as HeaderBlock
  expect(header.type).toBe('header')
  expect(header.text.text.length).toBeLessThanOrEqual(150)
  for (const block of blocks) {
    expect(['header', 'rich_text', 'actions', 'context']).toContain(block.type)
    if (block.type === 'actions') {
      const { elements } = block
      expect(elements.length).toBeLessThanOrEqual(25)
      for (const element of elements) {
        if (element.type !== 'button') throw new Error(`There is a ${element.type} among the buttons.`)
        expect(element.text.text.length).toBeLessThanOrEqual(75)
        expect(element.url?.length ?? 0).toBeLessThanOrEqual(3000)
      }
    }
    for (const [path, value] of textsOf(block)) {
      if (path.endsWith('.text')) expect(value.length).toBeLessThanOrEqual(3000)
    }
  }
}

const checkDiscord = (body: RESTPostAPIWebhookWithTokenJSONBody): void => {
  expect(body.allowed_mentions).toEqual({ parse: [] })
  const [embed] = body.embeds as [APIEmbed]
  const { title = '', description = '', fields = [], footer } = embed
  expect(title.length).toBeLessThanOrEqual(256)
  expect(description.length).toBeLessThanOrEqual(4096)
  expect(fields.length).toBeLessThanOrEqual(25)
  expect(footer?.text.length ?? 0).toBeLessThanOrEqual(2048)
  for (const { name, value } of fields) {
    expect([name.length > 0 && name.length <= 256, value.length > 0 && value.length <= 1024]).toEqual([true, true])
  }
  const texts = [title, description, footer?.text ?? '', ...fields.flatMap(({ name, value }) => [name, value])]
  expect(texts.join('').length).toBeLessThanOrEqual(6000)
}

const checkTelegram = ({ text, entities }: TelegramBody): void => {
  expect(text.length).toBeGreaterThan(0)
  expect(text.length).toBeLessThanOrEqual(4096)
  expect(entities.length).toBeLessThanOrEqual(100)
  for (const { offset, length } of entities) {
    expect(length).toBeGreaterThan(0)
    expect(offset + length).toBeLessThanOrEqual(text.length)
    // A character that takes two units is not cut in two.
    expect(text.slice(offset, offset + length).isWellFormed()).toBe(true)
  }
}

const names = Object.keys(KINDS) as KindName[]

describe.each(names)('messages to %s', (kind) => {
  it('A36: are within what the other side takes, whatever an event says', () => {
    const accepted = fc.property(hostileText, (text) => {
      ACCEPTED[kind](callOf(kind, speaking(text)))
    })
    const { counterexample, errorInstance } = fc.check(accepted, RUNS)
    expect({ counterexample, errorInstance }).toEqual({ counterexample: null, errorInstance: null })
  })

  it('A37: are cut where an event says a megabyte, between characters and not within what is escaped', () => {
    for (const piece of ['Cannot read ', '👩‍👩‍👧‍👦', '&<>', '`*_[', '\u0301', 'é@:/.']) {
      const call = callOf(kind, speaking(piece.repeat(Math.ceil(1_000_000 / piece.length))))
      ACCEPTED[kind](call)
      for (const [, text] of textsOf(JSON.parse(call.body))) {
        expect(text.isWellFormed()).toBe(true)
        expect(text.endsWith('\\') && !text.endsWith('\\\\')).toBe(false)
        if (kind === 'google_chat') expect(text).not.toMatch(/&(?!amp;|lt;|gt;)/)
      }
    }
  })

  it('A43: have no link but to our own address', () => {
    for (const text of HOSTILE) {
      const call = callOf(kind, speaking(text))
      const links = textsOf(JSON.parse(call.body)).filter(([path]) => /\.(url|href|click|client_url)$/.test(path))
      for (const [path, url] of links) expect({ path, url: `${url}/`.slice(0, OWN.length) }).toEqual({ path, url: OWN })
    }
  })
})

/** Marks that change the direction of writing, soft hyphens, tags, fillers: whatever is not seen. */
const UNSEEN_RANGES = [
  [0xad, 0xad],
  [0x3_4f, 0x3_4f],
  [0x6_1c, 0x6_1c],
  [0x11_5f, 0x11_60],
  [0x17_b4, 0x17_b5],
  [0x18_0b, 0x18_0f],
  [0x20_0b, 0x20_0f],
  [0x20_2a, 0x20_2e],
  [0x20_60, 0x20_6f],
  [0x31_64, 0x31_64],
  [0xfe_00, 0xfe_0f],
  [0xfe_ff, 0xfe_ff],
  [0xff_a0, 0xff_a0],
  [0xff_f0, 0xff_fb],
  [0x1_bc_a0, 0x1_bc_a3],
  [0x1_d1_73, 0x1_d1_7a],
  [0xe_00_00, 0xe_01_ff],
] as const
const UNSEEN = UNSEEN_RANGES.flatMap(([from, to]) =>
  Array.from({ length: to - from + 1 }, (_, index) => String.fromCodePoint(from + index)),
)

describe.each(names.filter((kind) => kind !== 'webhook'))('messages to %s', (kind) => {
  it('A40: have nothing in them that is not seen, be it of an event or of ours', () => {
    const unseen = UNSEEN.map((one) => `ht${one}tp://x${one}.ex${one}ample @${one}all`).join(' ')
    for (const text of [...HOSTILE, unseen.slice(0, 2000), UNSEEN.join('x'), UNSEEN.join('')]) {
      const { body } = callOf(kind, speaking(text))
      const found = [...body.matchAll(/[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\uFFF9-\uFFFB]/gu)]
      expect({ text, found: found.map(([one]) => one.codePointAt(0)?.toString(16)) }).toEqual({ text, found: [] })
    }
  })
})

describe('what an event says to Slack', () => {
  it('A38: is text, also where it looks like a mention or a link', () => {
    for (const text of HOSTILE) {
      const { blocks, text: notified } = bodyOf<{ blocks: KnownBlock[]; text: string }>('slack', speaking(text))
      expect(notified).not.toMatch(/[<>]/)
      for (const block of blocks) {
        const plain: PlainTextElement[] =
          block.type === 'header'
            ? [block.text]
            : block.type === 'context'
              ? (block.elements as PlainTextElement[])
              : []
        for (const { type, text: shown } of plain) {
          expect(type).toBe('plain_text')
          expect(shown).not.toMatch(/[<>]|&(?!amp;|lt;|gt;)/)
        }
        // In rich text a mention or a link is an element of its own, and these are all that there are.
        const types = textsOf(block)
          .filter(([path]) => path.endsWith('.type'))
          .map(([, type]) => type)
        for (const type of types) expect(type).not.toMatch(/mrkdwn|^user|usergroup|broadcast|^channel|emoji|date/)
      }
    }
  })

  it('A38: calls nobody by a bot, which looks for no names', () => {
    const body = bodyOf<{ link_names: boolean; parse: string }>('slack_bot', speaking('@everyone'))
    expect([body.link_names, body.parse]).toEqual([false, 'none'])
  })
})

/** Markdown that is left when fences, words of code, escapes and our own links are taken away. */
const markdownLeft = (text: string): string =>
  text
    .replaceAll(/^(`{3,})\n[\s\S]*?\n\1$/gm, '')
    .replaceAll(OWN_LINK, '')
    .replaceAll(/(?<=^|\s)(`+)(?!`)[^\n]*?(?<!`)\1(?=\s|:|$)/gm, '')
    .replaceAll(/\\[\\`*_{}[\]()#+\-.!|~><@:]/g, '')
    .replaceAll(/^(?:> |#### |• |- )/gm, '')

describe('what an event says to Discord and Mattermost', () => {
  it('A39: is text, and nobody is called', () => {
    for (const text of HOSTILE) {
      const { embeds, allowed_mentions: mentions } = bodyOf<RESTPostAPIWebhookWithTokenJSONBody>(
        'discord',
        speaking(text),
      )
      expect(mentions).toEqual({ parse: [] })
      const [embed] = embeds as [APIEmbed]
      const shown = [
        embed.title,
        embed.description,
        ...(embed.fields ?? []).flatMap(({ name, value }) => [name, value]),
      ]
      for (const one of shown) {
        expect(markdownLeft(one ?? '')).not.toMatch(/[`*_~|[\]<#@]|:\S/)
        // A fence that was opened is closed by us, and only there.
        expect((one ?? '').split('```').length % 2).toBe(1)
      }
    }
  })

  it('A40: is no mark-up, mention, channel, tag or link in Mattermost', () => {
    for (const text of HOSTILE) {
      const { text: shown } = bodyOf<{ text: string }>('mattermost', speaking(text))
      expect(markdownLeft(shown)).not.toMatch(/[`*_[\]|@~#$]|:\S|www|!\[/)
    }
  })

  it('A39, A40: stays so for any text', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const { embeds } = bodyOf<RESTPostAPIWebhookWithTokenJSONBody>('discord', speaking(text))
        expect(markdownLeft((embeds as [APIEmbed])[0].description ?? '')).not.toMatch(/[`*_~|[\]<#@]|:\S/)
        const { text: shown } = bodyOf<{ text: string }>('mattermost', speaking(text))
        expect(markdownLeft(shown)).not.toMatch(/[`*_[\]|@~#$]|:\S/)
      }),
      RUNS,
    )
  })
})

describe('what an event says to the other chats', () => {
  it('A40: stands in runs of text alone in Teams, which are not read as Markdown', () => {
    for (const text of HOSTILE) {
      const card = bodyOf<unknown>('teams', speaking(text))
      const elements = textsOf(card).filter(([path]) => path.endsWith('.type'))
      expect(new Set(elements.map(([, type]) => type))).toEqual(
        new Set(['message', 'AdaptiveCard', 'RichTextBlock', 'TextRun', 'Container', 'Action.OpenUrl']),
      )
    }
  })

  it('A40: is no element of the HTML that Google Chat reads, and calls nobody', () => {
    for (const text of HOSTILE) {
      const shown = textsOf(bodyOf('google_chat', speaking(text))).filter(([path]) => path.endsWith('Paragraph.text'))
      for (const [, one] of shown) {
        const left = one
          .replaceAll(/<\/?(?:b|i)>|<font face="monospace">|<\/font>|<\/a>/g, '')
          .replaceAll(/<a href="https:\/\/firsthand\.acme\.example\/[^"<>]*">/g, '')
        expect(left).not.toMatch(/[<>]|:\/\/|[\p{L}\p{N}]\.\p{L}{2}|&(?!amp;|lt;|gt;)/u)
      }
    }
  })

  it('A40: is nothing that Telegram finds by itself, outside of code and links where it looks for nothing', () => {
    for (const text of HOSTILE) {
      const { text: shown, entities } = bodyOf<TelegramBody>('telegram', speaking(text))
      const closed = entities.filter(({ type }) => ['pre', 'code', 'text_link'].includes(type))
      const left = closed.reduceRight(
        (rest, { offset, length }) => rest.slice(0, offset) + rest.slice(offset + length),
        shown,
      )
      expect(left).not.toMatch(/[@#$/][\p{L}\p{N}_]|:\/\/|[\p{L}\p{N}]\.[\p{L}\p{N}]|tg:/u)
      // Code within something else is no code there.
      const ordered = entities.toSorted((one, other) => one.offset - other.offset)
      for (const [index, { offset }] of ordered.entries()) {
        const before = ordered[index - 1]
        expect(offset).toBeGreaterThanOrEqual((before?.offset ?? 0) + (before?.length ?? 0))
      }
      expect(bodyOf<Record<string, unknown>>('telegram', speaking(text))).not.toHaveProperty('parse_mode')
    }
  })

  it('A40: has no number that Telegram would have called or paid to, and no host behind another full stop', () => {
    const found = [
      '+49 170 123 45 67',
      '+12125550123',
      '4111 1111 1111 1111',
      '5500-0000-0000-0004',
      'evil\u3002example',
    ]
    for (const one of found) {
      const { text, entities } = bodyOf<TelegramBody>('telegram', speaking(`Call ${one} now, 212 times of 1,000`))
      const markedAs = (type: string): readonly string[] =>
        entities
          .filter((entity) => entity.type === type)
          .map(({ length, offset }) => text.slice(offset, offset + length))
      expect(markedAs('code')).toContain(one)
      // Other numbers are no code.
      expect(markedAs('code').join(' ')).not.toContain('212 times')
    }
  })

  it('A40: is copied out of Telegram as it was said', () => {
    const said = 'Failed at www.x.example for a@x.example in shop@1.2.3'
    const { text, entities } = bodyOf<TelegramBody>('telegram', speaking(said))
    expect(text).toContain(said)
    expect(text).not.toMatch(/[\u200B-\u200F\u2060]/)
    const [bold, address] = entities
    expect([bold?.type, address?.type]).toEqual(['bold', 'code'])
    expect(text.slice(address?.offset, (address?.offset ?? 0) + (address?.length ?? 0))).toBe('www.x.example')
  })

  it('A40: is plain text in ntfy, without addresses', () => {
    for (const text of HOSTILE) {
      const call = callOf('ntfy', speaking(text))
      const { title, message, markdown } = JSON.parse(call.body) as NtfyBody & { readonly markdown: boolean }
      expect([`${title}\n${message}`.includes('://'), markdown]).toEqual([false, false])
      expect(message).not.toMatch(/[\p{L}\p{N}]\.\p{L}{2}/u)
      expect(Object.keys(call.headers)).toEqual(['content-type', 'authorization'])
    }
  })
})

describe('those who wake people', () => {
  it('A52: are told of beginning and end under one key', () => {
    const first = bodyOf<PagerDutyBody>('pagerduty', speaking('x'))
    const over = bodyOf<PagerDutyBody>('pagerduty', speaking('x', { stage: 'over', level: 'ok' }))
    expect([first.event_action, over.event_action]).toEqual(['trigger', 'resolve'])
    expect(over.dedup_key).toBe(first.dedup_key)
    const { alias } = bodyOf<OpsgenieBody>('opsgenie', speaking('x'))
    const closing = new URL(callOf('opsgenie', speaking('x', { stage: 'over', level: 'ok' })).url)
    expect(`${closing.pathname}${closing.search}`).toBe(`/v2/alerts/${alias}/close?identifierType=alias`)
  })

  it('open nothing for what is said once, since nobody would say that it is over; but for a test', () => {
    const note = callOf('pagerduty', speaking('x', { stage: 'single', level: 'fatal' }))
    expect(note.url).toBe('https://events.pagerduty.com/v2/change/enqueue')
    expect(JSON.parse(note.body)).not.toHaveProperty('event_action')
    expect(JSON.parse(note.body)).not.toHaveProperty('dedup_key')
    const test = callOf('pagerduty', speaking('x', { stage: 'single', kind: 'test', level: 'fatal' }))
    expect(test.url).toBe('https://events.pagerduty.com/v2/enqueue')
    expect(JSON.parse(test.body)).toMatchObject({ event_action: 'trigger', payload: { severity: 'info' } })
    const { priority, tags } = bodyOf<OpsgenieBody>('opsgenie', speaking('x', { stage: 'single', level: 'fatal' }))
    expect([priority, tags]).toEqual(['P5', ['firsthand', 'new', 'note']])
  })
})

describe('messages of one thread', () => {
  const over: Partial<Message> = { stage: 'over', level: 'ok' }

  it('A13: take the first one’s place or stand under it where the other side knows how', () => {
    const remote = JSON.stringify({ channel: 'C9', ts: '1.2' })
    const update = callOf('slack_bot', speaking('x', { stage: 'update' }), { remote })
    expect(update.url).toBe('https://slack.com/api/chat.update')
    expect(JSON.parse(update.body)).toMatchObject({ channel: 'C9', ts: '1.2' })
    const end = callOf('slack_bot', speaking('x', over), { remote })
    expect(end.url).toBe('https://slack.com/api/chat.postMessage')
    expect(JSON.parse(end.body)).toMatchObject({ channel: 'C9', thread_ts: '1.2' })
    const edited = callOf('discord', speaking('x', over), { remote: '77' })
    expect([edited.method, edited.url]).toEqual(['PATCH', `${SECRETS.url}/messages/77`])
    expect(callOf('telegram', speaking('x', { stage: 'update' }), { remote: '5' }).url).toMatch(/\/editMessageText$/)
    expect(bodyOf('telegram', speaking('x', over), { remote: '5' })).toMatchObject({
      reply_parameters: { message_id: 5 },
    })
    expect(bodyOf('google_chat', speaking('x'))).toMatchObject({ thread: { threadKey: 'f'.repeat(32) } })
  })
})
