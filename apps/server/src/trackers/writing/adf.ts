import type { Block } from '../../channels/index.ts'
import { boundedBlocks, type Draft } from './draft.ts'
import { breakReferences } from './break-references.ts'

/** Atlassian's document format, of Jira Cloud's API in version 3: a tree, in which a text is nothing but a text. */

interface Mark {
  readonly type: string
  readonly attrs?: Readonly<Record<string, string>>
}

export interface AdfNode {
  readonly type: string
  readonly text?: string
  readonly marks?: readonly Mark[]
  readonly content?: readonly AdfNode[]
}

/** A node of text may not be empty. */
const text = (said: string, marks: readonly Mark[] = []): readonly AdfNode[] =>
  said === '' ? [] : [{ type: 'text', text: said, ...(marks.length > 0 && { marks }) }]

const paragraph = (...content: readonly AdfNode[]): AdfNode => ({ type: 'paragraph', content })

const lines = (said: string): readonly AdfNode[] =>
  breakReferences(said)
    .split('\n')
    .flatMap((line, index) => [...(index === 0 ? [] : [{ type: 'hardBreak' }]), ...text(line)])

const item = (...content: readonly AdfNode[]): AdfNode => ({ type: 'listItem', content: [paragraph(...content)] })

const STRONG: readonly Mark[] = [{ type: 'strong' }]

const written = (block: Block): readonly AdfNode[] => {
  switch (block.kind) {
    case 'text':
      return block.text === '' ? [] : [paragraph(...lines(block.text))]
    case 'code':
      return block.text === '' ? [] : [{ type: 'codeBlock', content: text(block.text) }]
    case 'quote': {
      const by = block.by === '' ? [] : [paragraph(...text(`— ${breakReferences(block.by)}`))]
      return [{ type: 'blockquote', content: [paragraph(...lines(block.text)), ...by] }]
    }
    case 'facts':
      return block.rows.length === 0
        ? []
        : [
            {
              type: 'bulletList',
              content: block.rows.map(({ name, value }) =>
                item(...text(`${breakReferences(name)}: `, STRONG), ...text(breakReferences(value))),
              ),
            },
          ]
    case 'list':
      return block.items.length === 0
        ? []
        : [{ type: 'bulletList', content: block.items.map((one) => item(...text(breakReferences(one.text)))) }]
  }
}

export const adfOf = ({
  blocks,
  link,
}: Draft): { readonly type: 'doc'; readonly version: 1; readonly content: readonly AdfNode[] } => ({
  type: 'doc',
  version: 1,
  content: [
    ...boundedBlocks(blocks).flatMap(written),
    paragraph(...text(link.label, [{ type: 'link', attrs: { href: link.url } }])),
  ],
})
