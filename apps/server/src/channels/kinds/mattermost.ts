import type { Block } from '../message.ts'
import type { ChannelKind, Sending } from './kind.ts'
import { fit, footOf, linkTo, portions, type Escaper } from './writing.ts'

const TEXT = 16_383
const HEADLINE = 500
const FOOT = 1500
const LINKS = 2000

const runsOf = (text: string): number => Math.max(0, ...(text.match(/`+/g) ?? []).map(({ length }) => length))

/** What calls people, names channels, tags or emoji, begins a formula, or is an address: in code nothing is looked for. */
const FOUND = /[@~#$]|:\S|www\./i

const codeWord = (word: string): string => {
  const delimiter = '`'.repeat(runsOf(word) + 1)
  const space = word.startsWith('`') || word.endsWith('`') ? ' ' : ''
  return `${delimiter}${space}${word}${space}${delimiter}`
}

/** What a character takes in a word of code at most; each such word has one of the first. */
const MEASURES: Readonly<Record<string, number>> = {
  ...Object.fromEntries(Array.from('@~#$:.', (one) => [one, 1 + '`  `'.length])),
  // It makes the delimiters longer.
  '`': 3,
}

/** Backslashes for Markdown, which are not shown; words in which something would be found are code. */
export const mattermostText: Escaper = {
  escape: (text) =>
    text
      .split(/(\s+)/)
      .map((word) => (FOUND.test(word) ? codeWord(word) : word.replaceAll(/[\\`*_{}[\]()+\-.!|>]/g, String.raw`\$&`)))
      .join(''),
  measure: (grapheme) =>
    Array.from(grapheme).reduce((sum, one) => sum + (MEASURES[one] ?? mattermostText.escape(one).length), 0),
}

/** Nothing means anything in it but the end of it, which is longer than what of its kind is within. */
const codeBlock = (text: string, limit: number): string => {
  const escape = (code: string): string => {
    const fence = '`'.repeat(Math.max(3, runsOf(code) + 1))
    return `${fence}\n${code}\n${fence}`
  }
  const measure = (grapheme: string): number => grapheme.length + (grapheme.startsWith('`') ? 2 : 0)
  return fit(text, limit - '```\n\n```'.length, { escape, measure })
}

const linkLine = (label: string, url: string): string => `[${label.replaceAll(/[^\p{L}\p{N} ]/gu, '')}](${url})`

const written = (block: Block, limit: number, sending: Sending): string => {
  switch (block.kind) {
    case 'text':
      return fit(block.text, limit, mattermostText)
    case 'code':
      return codeBlock(block.text, limit)
    case 'quote': {
      const by = fit(block.by, 200, mattermostText)
      const lines = block.text.split('\n').length
      const text = fit(block.text, limit - by.length - 2 * lines - 4, mattermostText)
      return `${text.replaceAll(/^/gm, '> ')}\n> ${by}`
    }
    case 'facts': {
      const rows = portions(block.rows, { total: limit, most: 1000, least: 30 }, ({ name, value }, most) => {
        const label = fit(name, Math.min(150, most), mattermostText)
        const line = `${label}: ${fit(value, Math.max(10, most - label.length - 5), mattermostText)}`
        return { line, size: line.length + 1 }
      })
      return rows.map(({ line }) => line).join('\n')
    }
    case 'list': {
      const items = portions(block.items, { total: limit, most: 1000, least: 30 }, ({ text, path }, most) => {
        const link = path === undefined ? '' : ` ${linkLine('open', linkTo(sending, path))}`
        const line = `- ${fit(text, Math.max(10, most - link.length - 3), mattermostText)}${link}`
        return { line, size: line.length + 1 }
      })
      return items.map(({ line }) => line).join('\n')
    }
  }
}

export const mattermostMessage = (sending: Sending): { readonly text: string } => {
  const { message } = sending
  const headline = `#### ${fit(message.headline, HEADLINE, mattermostText)}`
  const foot = fit(footOf(sending), FOOT, mattermostText)
  const links = portions(message.actions, { total: LINKS, most: LINKS, least: 1 }, ({ label, path }) => {
    const line = linkLine(label, linkTo(sending, path))
    return { line, size: line.length + 3 }
  })
    .map(({ line }) => line)
    .join(' · ')
  const total = TEXT - headline.length - foot.length - links.length - 8
  const parts = portions(message.blocks, { total, most: 6000, least: 60 }, (block, limit) => {
    const text = written(block, limit - 2, sending)
    return { text, size: text.length + 2 }
  }).map(({ text }) => text)
  return { text: [headline, ...parts, links, foot].filter((part) => part !== '').join('\n\n') }
}

export const mattermost: ChannelKind<'mattermost'> = {
  spacingMs: 200,
  address: ({ secrets }) => secrets.url,
  call: ({ secrets }, sending) => ({
    method: 'POST',
    url: secrets.url,
    headers: { 'content-type': 'application/json' },
    // Mentions are looked for in the text, and in what stands before attachments as well: there are none.
    body: JSON.stringify(mattermostMessage(sending)),
  }),
}
