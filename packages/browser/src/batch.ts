import { guard } from './guard.ts'
import type { Client } from './client.ts'

/** Of one envelope: with room for its headers, what a browser still sends for a page that goes away (64 KiB). */
const MAX_BYTES = 58_000
/** So many do not wait any longer. */
const MAX_ITEMS = 100

export interface Batch<Item> {
  /** @param withinMs how long it may wait */
  add(item: Item, withinMs: number): void
  flush(): void
}

interface Kind<Item> {
  /** Of the item in the envelope. */
  readonly type: string
  readonly contentType: string
  /** Items of one group go together; the group becomes the header of their envelopes. */
  readonly groupOf: (item: Item) => object | undefined
  readonly headersOf: (item: Item) => Record<string, unknown>
  /** Null: it is not sent after all. */
  readonly encode: (item: Item) => object | null
}

/** Things of one kind that go together: after a while, when there are many, and when the page goes away. */
export const createBatch = <Item>(client: Client, kind: Kind<Item>): Batch<Item> => {
  const { type, contentType, groupOf, headersOf, encode } = kind
  let items: Item[] = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let due = Infinity
  const pii = client.getOptions().sendDefaultPii === false ? 'never' : 'auto'
  const head = `{"version":2,"ingest_settings":{"infer_ip":"${pii}","infer_user_agent":"auto"},"items":[`

  const send = (group: readonly Item[]): void => {
    const headers = group[0] ? headersOf(group[0]) : {}
    let texts: string[] = []
    let bytes = 0
    const post = (): void => {
      if (texts.length === 0) return
      void client.sendEnvelope([
        headers,
        [[{ type, item_count: texts.length, content_type: contentType }, `${head}${texts.join(',')}]}`]],
      ])
      texts = []
      bytes = 0
    }
    for (const item of group) {
      const made = guard(() => encode(item), null)
      if (made === null) continue
      const json = JSON.stringify(made)
      const size = new TextEncoder().encode(json).length
      if (bytes + size > MAX_BYTES) post()
      texts.push(json)
      bytes += size
    }
    post()
  }

  const flush = (): void => {
    clearTimeout(timer)
    due = Infinity
    const groups = new Map<unknown, Item[]>()
    for (const item of items) {
      const key = groupOf(item)
      const group = groups.get(key)
      if (group) group.push(item)
      else groups.set(key, [item])
    }
    items = []
    for (const group of groups.values()) send(group)
  }
  client.on('flush', flush)
  client.on('close', flush)
  return {
    add: (item, withinMs) => {
      items.push(item)
      const at = Date.now() + withinMs
      if (items.length >= MAX_ITEMS) flush()
      else if (at < due) {
        clearTimeout(timer)
        due = at
        timer = setTimeout(() => guard(flush), withinMs)
      }
    },
    flush,
  }
}
