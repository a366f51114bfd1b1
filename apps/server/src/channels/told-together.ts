import type { Block, Message } from './message.ts'

/** What the message about messages that were held back is before anybody knows how many they are. */
export const heldMessage: Message = {
  kind: 'other',
  level: 'warning',
  headline: 'Messages were held back',
  blocks: [],
  actions: [],
  thread: 'held',
  stage: 'single',
  reason: 'So many messages at once help nobody: only some of them are sent in an hour.',
}

const listed = (count: number, headlines: readonly string[]): Block => ({
  kind: 'list',
  items: [
    ...headlines.map((text) => ({ text })),
    ...(count > headlines.length ? [{ text: `and ${count - headlines.length} more` }] : []),
  ],
})

/**
 * A message with what it tells of others: those that were held back, or those of its thread that could not be sent while
 * they were news.
 */
export const tellingOf = (
  message: Message,
  { count, headlines }: { readonly count: number; readonly headlines: readonly string[] },
): Message => {
  if (count === 0) return message
  if (message.thread === heldMessage.thread) {
    const headline = count === 1 ? '1 message was held back' : `Held back ${count} messages`
    return { ...message, headline, blocks: [listed(count, headlines)] }
  }
  const said = count === 1 ? 'This could not be sent in time:' : 'These could not be sent in time:'
  return { ...message, blocks: [...message.blocks, { kind: 'text', text: said }, listed(count, headlines)] }
}
