import type { Block } from '../../channels/index.ts'
import { boundedBlocks, type Draft } from './draft.ts'

/** What a ticket is going to say, for whoever is about to make it: without the marks of any tracker. */

const written = (block: Block): string => {
  switch (block.kind) {
    case 'text':
    case 'code':
      return block.text
    case 'quote':
      return `“${block.text}”${block.by === '' ? '' : `\n— ${block.by}`}`
    case 'facts':
      return block.rows.map(({ name, value }) => `${name}: ${value}`).join('\n')
    case 'list':
      return block.items.map(({ text }) => `• ${text}`).join('\n')
  }
}

export const plainOf = ({ blocks, link }: Draft): string =>
  [...boundedBlocks(blocks).map(written), `${link.label}: ${link.url}`].filter((part) => part !== '').join('\n\n')
