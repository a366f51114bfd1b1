import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOSTILE, hostileText } from '../../channels/test/hostile.ts'
import type { Block } from '../../channels/index.ts'
import { LIMITS } from '../limits.ts'
import { adfOf, type AdfNode } from './adf.ts'
import { titleOf, type Draft } from './draft.ts'
import { markdownOf } from './markdown.ts'
import { wikiOf } from './wiki.ts'

/** What trackers read: mentions, references, words that close, orders. */
const TRACKER_TEXTS: readonly string[] = [
  'fixes #12',
  'Closes: #12',
  'resolves acme/shop#12',
  'fix GH-12',
  'implements SHOP-12',
  'fixes https://github.com/acme/shop/issues/12',
  'closing !7 and #8',
  '@anna @acme/team please',
  'see %milestone ~bug $snippet &epic ^alert#3',
  '[~anna] [SHOP-1|http://x.example]',
  '/close',
  '  /assign @anna',
  'text\n/label ~bug\n/close',
  '```\n/close\n@anna\n```',
  '~~~\nfixes #1\n~~~',
  '``````',
  '{noformat}@anna{noformat}',
  '{code}x{code}',
  'h1. Headline',
  'bq. quoted',
  '\\\\ \\@anna',
  '![x](http://x.example/y.png)',
  '<img src=x onerror=alert(1)>',
  '1. fixes #2',
  ':rocket: www.x.example',
]

const anyHostile = fc.oneof(
  fc.constantFrom(...HOSTILE, ...TRACKER_TEXTS),
  hostileText,
  fc.array(fc.constantFrom(...TRACKER_TEXTS), { maxLength: 6 }).map((parts) => parts.join('\n')),
)

const LINK = 'https://firsthand.acme.example/organizations/acme/issues/1/#ticket-1'

const speaking = (text: string): Draft => ({
  title: text,
  blocks: [
    { kind: 'text', text },
    {
      kind: 'facts',
      rows: [
        { name: 'Where', value: text },
        { name: text, value: 'x' },
      ],
    },
    { kind: 'code', text: `${text}\n    at pay (${text})` },
    { kind: 'quote', text, by: text },
    { kind: 'list', items: [{ text }] },
  ],
  link: { label: 'SHOP-1 in Firsthand', url: LINK },
})

/** Lines that are not inside of a fence. */
const outside = (markdown: string): string => {
  const lines: string[] = []
  let fence: string | null = null
  for (const line of markdown.split('\n')) {
    const [run = ''] = /^`{3,}/.exec(line) ?? []
    if (fence === null && run !== '') fence = run
    else if (fence !== null && line === fence) fence = null
    else if (fence === null) lines.push(line)
  }
  // Whoever is inside at the end was let out, or never closed.
  expect(fence).toBeNull()
  return lines.join('\n')
}

const withoutLink = (text: string): string => text.replace(/\[SHOP-1 in Firsthand[\]|].*$/, '')

/** What a tracker would read in a text. */
const READ: readonly RegExp[] = [
  /@[A-Za-z0-9_~]/,
  /#\d/,
  /![0-9]/,
  /\b[A-Za-z]\w*-\d/,
  /\b(?:clos(?:e[ds]?|ing)|fix(?:e[ds]|ing)?|resolv(?:e[ds]?|ing)|implement(?:s|ed|ing)?)[\s:]/i,
  /https?:\/\//i,
  /^\s*\//m,
]

const expectHarmless = (text: string): void => {
  for (const pattern of READ) expect(text).not.toMatch(pattern)
}

describe('what a ticket says', () => {
  it('A42: pings nobody and closes nothing, in Markdown', () => {
    fc.assert(
      fc.property(anyHostile, (text) => {
        const body = markdownOf(speaking(text))
        expect(body.length).toBeLessThanOrEqual(LIMITS.TICKET_BODY_CHARS)
        expect(body).toContain(`](${LINK})`)
        const read = withoutLink(outside(body)).replaceAll(/^> ?/gm, '')
        expectHarmless(read)
        // No image, link or HTML but our own: each of their signs has a backslash before it.
        expect(read).not.toMatch(/(?<!\\)(?:\\\\)*[[\]<>`]/)
        // Orders are taken from code by some trackers.
        expect(body).not.toMatch(/^\s*\/\w/m)
      }),
      { numRuns: 400 },
    )
  })

  it('A42: pings nobody and closes nothing, in the mark-up of Jira', () => {
    fc.assert(
      fc.property(anyHostile, (text) => {
        const body = wikiOf(speaking(text))
        expect(body.length).toBeLessThanOrEqual(LIMITS.TICKET_BODY_CHARS)
        const blocks = body.split('{noformat}')
        // What opens is closed, and nothing within does either.
        expect(blocks.length % 2).toBe(1)
        // A backslash is written as a number.
        const read = withoutLink(blocks.filter((_, index) => index % 2 === 0).join('\n')).replaceAll('&#92;', '')
        expectHarmless(read)
        expect(read.replaceAll('{quote}', '')).not.toMatch(/(?<!\\)[{}[\]|]/)
        expect(read).not.toMatch(/^h[1-6]\./m)
      }),
      { numRuns: 400 },
    )
  })

  it('A42: is text and nothing else in a document of Jira Cloud', () => {
    const texts = (node: AdfNode): readonly AdfNode[] =>
      node.type === 'text' ? [node] : (node.content ?? []).flatMap(texts)
    const types = (node: AdfNode): readonly string[] => [node.type, ...(node.content ?? []).flatMap(types)]
    const known = new Set(['paragraph', 'text', 'hardBreak', 'codeBlock', 'blockquote', 'bulletList', 'listItem'])
    fc.assert(
      fc.property(anyHostile, (text) => {
        const { content } = adfOf(speaking(text))
        expect(content.flatMap(types).filter((type) => !known.has(type))).toEqual([])
        const leaves = content.flatMap(texts)
        expect(leaves.every((leaf) => leaf.text !== undefined && leaf.text !== '')).toBe(true)
        const links = leaves.flatMap(({ marks = [] }) => marks.flatMap(({ attrs }) => attrs?.['href'] ?? []))
        expect(links).toEqual([LINK])
      }),
      { numRuns: 200 },
    )
  })

  it('A42: has a title of one line in which nothing refers to anything', () => {
    fc.assert(
      fc.property(anyHostile, (text) => {
        const title = titleOf({ title: text })
        expect(title.length).toBeLessThanOrEqual(240)
        expect(title).not.toMatch(/[\n\r]/)
        expectHarmless(title)
      }),
      { numRuns: 300 },
    )
  })

  it('A37, A42: is cut where an event says very much, and keeps the way back', () => {
    const long = '@anna fixes #12 '.repeat(70_000)
    const many = Array.from({ length: 40 }, (): Block => ({ kind: 'quote', text: long, by: long }))
    for (const blocks of [speaking(long).blocks, many]) {
      const draft = { ...speaking(long), blocks }
      for (const body of [markdownOf(draft), wikiOf(draft)]) {
        expect(body.length).toBeLessThanOrEqual(LIMITS.TICKET_BODY_CHARS)
        expect(body).toContain(LINK)
      }
      expect(outside(markdownOf(draft)).includes('@anna')).toBe(false)
    }
  })

  it('A42: leaves what programmers read in code as it is', () => {
    const stack = 'TypeError: x\n    at pay (node_modules/@acme/cart/index.js:3:7)'
    expect(markdownOf({ ...speaking(''), blocks: [{ kind: 'code', text: stack }] })).toContain(stack)
  })
})
