import type { Block } from '../../channels/index.ts'
import { BREAK, breakReferences } from './break-references.ts'
import { boundedBlocks, type Draft } from './draft.ts'
import { fitting } from './fitting.ts'

/** The mark-up of Jira Data Center, of its API in version 2. */

const escapeLine = (line: string): string =>
  breakReferences(line.trimStart())
    // Two backslashes would be the end of a line, and one before a letter is shown.
    .replaceAll('\\', '&#92;')
    .replaceAll(/[{}[\]()|*_\-+^~?!]/g, String.raw`\$&`)
    .replace(/^#/, String.raw`\#`)
    .replace(/^(h[1-6]|bq)\./i, `$1${BREAK}.`)

const escape = (text: string): string => text.split('\n').map(escapeLine).join('\n')

/** Nothing ends the block but its own end. */
const preformatted = (code: string): string => `{noformat}\n${code.replaceAll('{', `{${BREAK}`)}\n{noformat}`

const written = (block: Block): string => {
  switch (block.kind) {
    case 'text':
      return escape(block.text)
    case 'code':
      return preformatted(block.text)
    case 'quote':
      return `{quote}\n${escape(block.text)}${block.by === '' ? '' : `\n— ${escapeLine(block.by)}`}\n{quote}`
    case 'facts':
      return block.rows.map(({ name, value }) => `* *${escapeLine(name)}:* ${escapeLine(value)}`).join('\n')
    case 'list':
      return block.items.map(({ text }) => `* ${escapeLine(text)}`).join('\n')
  }
}

export const wikiOf = ({ blocks, link }: Draft): string => {
  const back = `[${link.label}|${link.url}]`
  return fitting(boundedBlocks(blocks).map(written), back)
}
