import type { AlertMessage } from '@firsthand/contract'
import type { Block, Message } from '../../channels/index.ts'

const blockJson = (block: Block): AlertMessage['blocks'][number] => {
  switch (block.kind) {
    case 'text':
    case 'code':
    case 'quote':
      return { ...block }
    case 'facts':
      return { kind: 'facts', rows: block.rows.map((row) => ({ ...row })) }
    case 'list':
      return { kind: 'list', items: block.items.map((item) => ({ ...item })) }
  }
}

/** A message as it is shown before it is sent: without what machines are told. */
export const messageJson = ({ actions, blocks, headline, kind, level, reason, stage }: Message): AlertMessage => ({
  kind,
  level,
  headline,
  blocks: blocks.map(blockJson),
  actions: actions.map((action) => ({ ...action })),
  stage,
  reason,
})
