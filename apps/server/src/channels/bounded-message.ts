import { LIMITS } from './limits.ts'
import type { Action, Block, Message } from './message.ts'
import { cut, inUnits, plainLine, plainText } from './text.ts'

/** More than any channel shows of each. */
const HEADLINE = 1000
const TEXT = 16_000
const LINE = 2000
const LABEL = 75
const REASON = 500
const BLOCKS = 40
const ROWS = 50
const ACTIONS = 8
const PATH = 2000
const ABOUT_BYTES = 16 * 1024

const line = (text: string, limit = LINE): string => cut(plainLine(text), limit, inUnits)
const lines = (text: string): string => cut(plainText(text), TEXT, inUnits)

const OWN = 'https://own.invalid'

/** Below our own origin and nowhere else: what would lead away, as `//host` does, leads to our first page. */
const ownPath = (path: string): string => {
  const url = path.startsWith('/') && path.length <= PATH ? URL.parse(path, OWN) : null
  return url?.origin === OWN ? `${url.pathname}${url.search}${url.hash}` : '/'
}

const boundedBlock = (block: Block): Block => {
  switch (block.kind) {
    case 'text':
    case 'code':
      return { kind: block.kind, text: lines(block.text) }
    case 'quote':
      return { kind: 'quote', text: lines(block.text), by: line(block.by, REASON) }
    case 'facts':
      return {
        kind: 'facts',
        rows: block.rows.slice(0, ROWS).map(({ name, value }) => ({ name: line(name, LABEL), value: line(value) })),
      }
    case 'list':
      return {
        kind: 'list',
        items: block.items
          .slice(0, ROWS)
          .map(({ text, path }) => ({ text: line(text), ...(path === undefined ? {} : { path: ownPath(path) }) })),
      }
  }
}

const boundedAction = ({ label, path }: Action): Action => ({ label: line(label, LABEL), path: ownPath(path) })

const sizeOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

/**
 * A message as it is kept and sent: plain text of bounded length. What makes it too large as a whole is left out, from its end.
 */
export const boundedMessage = (message: Message): Message => {
  const { about } = message
  const bounded: Message = {
    kind: message.kind,
    level: message.level,
    headline: line(message.headline, HEADLINE),
    blocks: message.blocks.slice(0, BLOCKS).map(boundedBlock),
    actions: message.actions.slice(0, ACTIONS).map(boundedAction),
    thread: message.thread,
    stage: message.stage,
    reason: line(message.reason, REASON),
    ...(about === undefined || sizeOf(about) > ABOUT_BYTES ? {} : { about }),
  }
  let fits = bounded.blocks
  while (fits.length > 0 && sizeOf({ ...bounded, blocks: fits }) > LIMITS.MESSAGE_BYTES) fits = fits.slice(0, -1)
  return { ...bounded, blocks: fits }
}
