import type { Block } from '../message.ts'
import { cut, inUnits } from '../text.ts'
import type { Sending } from './kind.ts'

/** Standard Webhooks advises no more. */
const BODY_BYTES = 20_000
const TEXT_CHARS = 4000

const shorter = (block: Block, chars: number): Block => {
  switch (block.kind) {
    case 'text':
    case 'code':
    case 'quote':
      return { ...block, text: cut(block.text, chars, inUnits) }
    case 'facts':
    case 'list':
      return block
  }
}

/** Links are whole, and of our origin. */
const linked = (block: Block, publicUrl: string): unknown =>
  block.kind !== 'list'
    ? block
    : {
        kind: 'list',
        items: block.items.map(({ text, path }) =>
          path === undefined ? { text } : { text, url: `${publicUrl}${path}` },
        ),
      }

/** What a webhook carries: the message, block by block. */
export const webhookBody = ({ message, thread, organization, publicUrl, createdAt }: Sending): string => {
  const bodyOf = (blocks: readonly Block[], about: unknown): string =>
    JSON.stringify({
      type: `message.${message.stage}`,
      timestamp: new Date(createdAt).toISOString(),
      data: {
        kind: message.kind,
        level: message.level,
        headline: message.headline,
        blocks: blocks.map((block) => linked(block, publicUrl)),
        links: message.actions.map(({ label, path }) => ({ label, url: `${publicUrl}${path}` })),
        thread,
        stage: message.stage,
        reason: message.reason,
        organization: { slug: organization.slug, name: organization.name },
        ...(about === undefined ? {} : { about }),
      },
    })
  const whole = bodyOf(message.blocks, message.about)
  if (Buffer.byteLength(whole) <= BODY_BYTES) return whole
  for (let chars = TEXT_CHARS; chars >= 100; chars = Math.floor(chars / 2)) {
    const body = bodyOf(
      message.blocks.map((block) => shorter(block, chars)),
      undefined,
    )
    if (Buffer.byteLength(body) <= BODY_BYTES) return body
  }
  return bodyOf([], undefined)
}
