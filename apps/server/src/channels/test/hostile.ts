import fc from 'fast-check'
import type { Message } from '../message.ts'
import { message } from './outbox.ts'

/** What events say to be more than text: mentions, links, mark-up, headers, marks of direction, ends of everything. */
export const HOSTILE: readonly string[] = [
  '<!channel>',
  '<!here|here>',
  '<@U1>',
  '<#C024BE7LR|general>',
  '<http://x.example|y>',
  '<https://x.example>',
  '&lt;!channel&gt;',
  '&amp;lt;',
  '@everyone',
  '@here',
  '@channel',
  '@all',
  '@team.lead',
  '<@123456789012345678>',
  '<@&123456789012345678>',
  '<#123456789012345678>',
  '<:smile:123456789012345678>',
  '<t:1618953630:R>',
  '[a](http://x.example)',
  '[a](<http://x.example>)',
  '![a](http://x.example/y.png)',
  '[a]: http://x.example',
  'http://x.example/path?a=b&c=d',
  'HTTPS://X.EXAMPLE',
  'www.x.example',
  'x.example/login',
  'mailto:a@x.example',
  'a@x.example',
  'javascript:alert(1)',
  'tg://user?id=1',
  '/start@bot',
  '#hashtag',
  '$USD',
  '~town-square',
  ':rotating_light:',
  '**bold**',
  '__under__',
  '~~gone~~',
  '||hidden||',
  '`code`',
  '```\nout of the fence\n```',
  '> quoted',
  '# headline',
  '- item',
  '1. item',
  '| a | b |\n|---|---|',
  '$$x^2$$',
  '<b>bold</b>',
  '<a href="http://x.example">y</a>',
  '<img src=x onerror=alert(1)>',
  '<users/all>',
  '<script>alert(1)</script>',
  '\r\nBcc: victim@x.example',
  '\r\n\r\nanother body',
  'a\u0000b',
  '\u202Egnp.exe',
  '\u2066x\u2069',
  'a\u200B@\u200Beveryone',
  '\u2028line\u2029',
  '\\',
  String.raw`\*not escaped\*`,
  '{{template}}',
  '%0d%0aSubject: x',
  '👩‍👩‍👧‍👦 family',
  'e\u0301\u0301\u0301',
  '\uD83D',
  'إشعار',
]

/** Texts made of such pieces and of any others. */
export const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...HOSTILE), fc.string({ unit: 'grapheme', maxLength: 12 })), { maxLength: 12 })
  .map((parts) => parts.join(' '))

/** A message in which an event speaks wherever it can. */
export const speaking = (text: string, more: Partial<Message> = {}): Message =>
  message({
    headline: `New: ${text}`,
    blocks: [
      { kind: 'text', text },
      { kind: 'code', text: `${text}\n  at checkout (${text})` },
      { kind: 'quote', text, by: text },
      {
        kind: 'facts',
        rows: [
          { name: 'Release', value: text },
          { name: text, value: 'production' },
        ],
      },
      { kind: 'list', items: [{ text, path: '/organizations/acme/issues/2/' }, { text }] },
    ],
    actions: [
      { label: 'Open', path: '/organizations/acme/issues/1/' },
      { label: 'Why', path: '/organizations/acme/alerts/1/?evaluation=2' },
    ],
    ...more,
  })
