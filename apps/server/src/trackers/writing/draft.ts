import { cut, plainLine, plainText, type Block } from '../../channels/index.ts'
import { LIMITS } from '../limits.ts'
import { breakReferences } from './break-references.ts'

/** What a ticket says, without mark-up. Data from events stands only in text leaves. */
export interface Draft {
  readonly title: string
  readonly blocks: readonly Block[]
  /** Back to the issue or report, on our own origin. */
  readonly link: { readonly label: string; readonly url: string }
}

/** One line in which nothing refers to anything. */
export const titleOf = ({ title }: Pick<Draft, 'title'>): string =>
  cut(breakReferences(cut(plainLine(title), LIMITS.TICKET_TITLE_CHARS)), LIMITS.TICKET_TITLE_CHARS + 40)

/** Blocks whose texts are bounded, each by itself: whatever a renderer makes of them fits. */
export const boundedBlocks = (blocks: readonly Block[]): readonly Block[] =>
  blocks.map((block): Block => {
    switch (block.kind) {
      case 'text':
        return { kind: 'text', text: cut(plainText(block.text), LIMITS.TICKET_NOTE_CHARS) }
      case 'code':
        return { kind: 'code', text: cut(plainText(block.text), LIMITS.TICKET_STACK_CHARS) }
      case 'quote':
        return {
          kind: 'quote',
          text: cut(plainText(block.text), LIMITS.TICKET_REPORT_CHARS),
          by: cut(plainLine(block.by), LIMITS.TICKET_TAG_CHARS),
        }
      case 'facts':
        return {
          kind: 'facts',
          rows: block.rows.slice(0, 2 * LIMITS.TICKET_TAGS).map(({ name, value }) => ({
            name: cut(plainLine(name), LIMITS.TICKET_TAG_CHARS / 3),
            value: cut(plainLine(value), LIMITS.TICKET_TAG_CHARS),
          })),
        }
      case 'list':
        return {
          kind: 'list',
          items: block.items
            .slice(0, LIMITS.TICKET_TAGS)
            .map(({ text }) => ({ text: cut(plainLine(text), LIMITS.TICKET_TAG_CHARS) })),
        }
    }
  })
