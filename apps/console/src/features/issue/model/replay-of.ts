import type { EventView } from './event-view.ts'

const ID = /^[0-9a-f]{32}$/

/** The replay that the SDK named beside the event; null when it named none. It need not have been sent. */
export function replayOf({ contexts, tags }: Pick<EventView, 'contexts' | 'tags'>): string | null {
  const fields = new Map(contexts.find(({ name }) => name === 'replay')?.fields)
  const named = [fields.get('replay_id'), new Map(tags).get('replayId'), new Map(tags).get('replay_id')]
  const ids = named.map((value) => (typeof value === 'string' ? value.replaceAll('-', '').toLowerCase() : ''))
  return ids.find((id) => ID.test(id)) ?? null
}
