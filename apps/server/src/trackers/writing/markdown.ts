import type { Block } from '../../channels/index.ts'
import { breakOrders, breakReferences } from './break-references.ts'
import { boundedBlocks, type Draft } from './draft.ts'
import { fitting } from './fitting.ts'

/** Markdown of GitHub, GitLab, Gitea and Linear. What events say is text or code in it, and nothing else. */

const escapeLine = (line: string): string =>
  breakReferences(line.trimStart())
    .replaceAll(/[\\`*_[\]<>#!|~&$]/g, String.raw`\$&`)
    // Lists begin so, and the lines under headlines.
    .replace(/^[-+=]/, String.raw`\$&`)
    .replace(/^(\d{1,9})([.)])/, String.raw`$1\$2`)

const escape = (text: string): string => text.split('\n').map(escapeLine).join('\n')

/** A fence that is longer than any within. */
const fenced = (code: string): string => {
  const longest = Math.max(0, ...[...code.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(Math.max(3, longest + 1))
  return `${fence}\n${breakOrders(code)}\n${fence}`
}

const written = (block: Block): string => {
  switch (block.kind) {
    case 'text':
      return escape(block.text)
    case 'code':
      return fenced(block.text)
    case 'quote':
      return [...escape(block.text).split('\n'), ...(block.by === '' ? [] : ['', `— ${escapeLine(block.by)}`])]
        .map((line) => `> ${line}`)
        .join('\n')
    case 'facts':
      return block.rows.map(({ name, value }) => `- **${escapeLine(name)}:** ${escapeLine(value)}`).join('\n')
    case 'list':
      return block.items.map(({ text }) => `- ${escapeLine(text)}`).join('\n')
  }
}

export const markdownOf = ({ blocks, link }: Draft): string => {
  const back = `[${link.label}](${link.url})`
  return fitting(boundedBlocks(blocks).map(written), back)
}
