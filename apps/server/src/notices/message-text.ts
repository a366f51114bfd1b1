import type { Message } from '../channels/index.ts'

/** Cut without half a character. */
export const cut = (text: string, maximum: number): string =>
  text.length <= maximum ? text : `${text.slice(0, maximum - 1).toWellFormed()}…`

/** The first words that somebody said or a program wrote, for one line; '' for none. */
export const detailOf = ({ blocks }: Message, maximum: number): string => {
  for (const block of blocks) {
    if (block.kind === 'text' || block.kind === 'quote') return cut(block.text.replaceAll(/\s+/g, ' ').trim(), maximum)
  }
  return ''
}

/** Where a message leads; '' for nowhere. */
export const pathOf = ({ actions }: Message): string => actions[0]?.path ?? ''
