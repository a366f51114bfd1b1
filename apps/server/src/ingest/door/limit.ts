import { categoryOf, formatRateLimits, type DataCategory, type Item } from '@firsthand/protocol'
import type { KeyContext } from '../../accounts/settings.ts'
import type { Quotas } from './quotas.ts'

/** Categories that the rate limit of a key is about: whatever becomes an error event. */
const LIMITED: readonly DataCategory[] = ['default', 'error', 'security']
const limited: ReadonlySet<DataCategory> = new Set(LIMITED)

interface Limiting {
  readonly kept: readonly Item[]
  readonly refused: readonly Item[]
  /** Null when nothing was refused. */
  readonly retryAfterSeconds: number | null
}

/**
 * Applies the rate limit of the key to the items of one envelope (protocol.md 2.5). Attachments share the fate of the
 * event that they came with; client reports, sessions and all other categories pass.
 */
export const limitItems = (items: readonly Item[], key: KeyContext, quotas: Quotas, now: number): Limiting => {
  if (key.rateLimit === null) return { kept: items, refused: [], retryAfterSeconds: null }
  let retryAfterSeconds: number | null = null
  let eventRefused = false
  const refusedItems = new Set<Item>()
  for (const item of items) {
    if (!limited.has(categoryOf(item.header.type))) continue
    const verdict = quotas.take(key, now)
    if (verdict.granted) continue
    retryAfterSeconds = verdict.retryAfterSeconds
    refusedItems.add(item)
    eventRefused ||= item.header.type === 'event'
  }
  if (retryAfterSeconds === null) return { kept: items, refused: [], retryAfterSeconds }
  const isRefused = (item: Item): boolean =>
    refusedItems.has(item) || (eventRefused && categoryOf(item.header.type) === 'attachment')
  return {
    kept: items.filter((item) => !isRefused(item)),
    refused: items.filter(isRefused),
    retryAfterSeconds,
  }
}

/** `X-Sentry-Rate-Limits` for a key that is over its limit. */
export const keyLimitHeader = (retryAfterSeconds: number): string =>
  formatRateLimits([{ retryAfterSeconds, categories: LIMITED, scope: 'key', reasonCode: 'key_quota', namespaces: [] }])

/** `X-Sentry-Rate-Limits` for everything. */
export const backlogLimitHeader = (retryAfterSeconds: number): string =>
  formatRateLimits([
    { retryAfterSeconds, categories: [], scope: 'organization', reasonCode: 'backlog', namespaces: [] },
  ])
