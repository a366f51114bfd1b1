import type { AlertDryRun, AlertMessage } from '@firsthand/contract'
import type { Block, Message } from '../../channels/index.ts'
import { toDate } from '../../lib/instant-text.ts'

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

/** A message of a dry run, with its form in each channel. */
export type Shown = AlertDryRun['firings'][number]['messages'][number]

export const shownMessage = (
  message: Message,
  at: number,
  render: (message: Message, at: number) => Shown['rendered'],
): Shown => ({ at: toDate(at), message: messageJson(message), rendered: render(message, at) })

/** A message as it is shown before it is sent: without what machines are told. */
const messageJson = ({ actions, blocks, headline, kind, level, reason, stage }: Message): AlertMessage => ({
  kind,
  level,
  headline,
  blocks: blocks.map(blockJson),
  actions: actions.map((action) => ({ ...action })),
  stage,
  reason,
})
