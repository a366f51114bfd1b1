import type { Block, Message } from '../channels/index.ts'
import { LIMITS } from './limits.ts'
import { cut, pathOf } from './message-text.ts'

interface Gathered {
  readonly cause: string
  readonly message: Message
}

const LEVELS: readonly Message['level'][] = ['fatal', 'error', 'warning', 'info', 'ok']

const worst = (messages: readonly Message[]): Message['level'] =>
  LEVELS.find((level) => messages.some((message) => message.level === level)) ?? 'info'

/**
 * Several things in one mail: of each cause the newest, and how many came before it, with who did it or why one is told.
 *
 * @param thread of its own: it is of no issue, so it is in no thread of one
 */
export const composeDigest = (gathered: readonly Gathered[], thread: string): Message => {
  const causes = [...Map.groupBy(gathered, ({ cause }) => cause).values()]
  const lines = causes.map((same) => {
    const newest = same.at(-1)?.message ?? { headline: '', reason: '', actions: [] }
    const more = same.length === 1 ? '' : ` (and ${same.length - 1} more)`
    const path = newest.actions[0]?.path ?? ''
    const what = `${cut(newest.headline, LIMITS.NOTICE_TITLE_CHARS)}${more}`
    const text = `${what} – ${cut(newest.reason, LIMITS.NOTICE_TITLE_CHARS)}`
    return { what, item: { text, ...(path === '' ? {} : { path }) } }
  })
  const shown = lines.slice(0, LIMITS.NOTICE_DIGEST_LINES)
  const rest = lines.length - shown.length
  const messages = gathered.map(({ message }) => message)
  const [first = ''] = lines.map(({ what }) => what)
  const blocks: Block[] = [{ kind: 'list', items: shown.map(({ item }) => item) }]
  if (rest > 0) blocks.push({ kind: 'text', text: `${rest} more stand in your inbox.` })
  return {
    kind: 'digest',
    level: worst(messages),
    headline: causes.length === 1 ? first : `${gathered.length} things happened: ${first}`,
    blocks,
    actions: [{ label: 'Open', path: inboxPathOf(messages) }],
    thread,
    stage: 'single',
    reason: 'These came while mails to you were gathered, or in your quiet hours.',
  }
}

/** The inbox of the organisation that the messages lead into. */
const inboxPathOf = (messages: readonly Message[]): string => {
  const organization = messages
    .map((message) => /^\/organizations\/[^/]+\//.exec(pathOf(message))?.[0])
    .find((path) => path !== undefined)
  return organization === undefined ? '/' : `${organization}inbox`
}
