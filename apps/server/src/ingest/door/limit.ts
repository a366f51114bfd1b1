import { categoryOf, DATA_CATEGORIES, formatRateLimits, type DataCategory, type Item } from '@firsthand/protocol'
import type { KeyContext } from '../../accounts/settings.ts'
import { LIMITS } from '../limits.ts'
import { fileOf, sizeOf } from '../payload-file.ts'
import type { ByteQuotas, ByteVerdict } from './byte-quotas.ts'
import type { ItemRules } from './item-rules.ts'
import type { Quotas } from './quotas.ts'

/** Categories that the rate limit of a key is about: whatever becomes an error event. */
const LIMITED: readonly DataCategory[] = ['default', 'error', 'security']
const limited: ReadonlySet<DataCategory> = new Set(LIMITED)

type LimitReason = Exclude<ReturnType<Quotas['take']>, { granted: true }>['reason']

interface Limiting {
  readonly kept: readonly Item[]
  readonly refused: readonly Item[]
  /** Null when nothing was refused. */
  readonly limit: { readonly reason: LimitReason; readonly retryAfterSeconds: number } | null
}

/**
 * Applies the rate limit of the key, and spike protection, to the items of one envelope (protocol.md 2.5). Attachments
 * share the fate of the event that they came with; client reports, sessions and all other categories pass.
 */
export const limitItems = (items: readonly Item[], key: KeyContext, quotas: Quotas, now: number): Limiting => {
  let limit: Limiting['limit'] = null
  let eventRefused = false
  const refusedItems = new Set<Item>()
  for (const item of items) {
    if (!limited.has(categoryOf(item.header.type))) continue
    const verdict = quotas.take(key, now)
    if (verdict.granted) continue
    limit = verdict
    refusedItems.add(item)
    eventRefused ||= item.header.type === 'event'
  }
  if (limit === null) return { kept: items, refused: [], limit }
  const isRefused = (item: Item): boolean =>
    refusedItems.has(item) || (eventRefused && categoryOf(item.header.type) === 'attachment')
  return { kept: items.filter((item) => !isRefused(item)), refused: items.filter(isRefused), limit }
}

/**
 * Leaves out what is heavy while the project has so much of it waiting, with what belongs to it: items of the same
 * category, like the description of a recording.
 */
export const limitHeavy = (
  items: readonly Item[],
  { projectId }: KeyContext,
  { rules, spool }: { readonly rules: ItemRules; readonly spool: { takesHeavy(projectId: number): boolean } },
): {
  readonly kept: readonly Item[]
  readonly refused: readonly Item[]
  readonly categories: readonly DataCategory[]
} => {
  const heavy = items.filter(({ header }) => rules.get(header.type)?.isHeavy === true)
  if (heavy.length === 0 || spool.takesHeavy(projectId)) return { kept: items, refused: [], categories: [] }
  const categories = new Set(heavy.map(({ header }) => categoryOf(header.type)))
  const isRefused = ({ header }: Item): boolean => categories.has(categoryOf(header.type))
  return {
    kept: items.filter((item) => !isRefused(item)),
    refused: items.filter(isRefused),
    categories: [...categories],
  }
}

/** What items are charged with. */
export interface Charges {
  readonly bytesOf: (item: Item) => number
  /** See `ItemRule.isSmall`. */
  readonly isSmall: (item: Item) => boolean
}

type OverBytes = Exclude<ByteVerdict, { granted: true }>

/** Applies the byte quotas to one envelope; what is small may go on when the rest may not. */
export const limitBytes = (
  items: readonly Item[],
  key: KeyContext,
  quotas: Pick<ByteQuotas, 'take'>,
  { bytesOf, isSmall }: Charges,
  now: number,
): { readonly kept: readonly Item[]; readonly refused: readonly Item[]; readonly over: OverBytes | null } => {
  const small = items.filter((item) => isSmall(item))
  const large = items.filter((item) => !isSmall(item))
  const verdictOn = (some: readonly Item[], areSmall: boolean): ByteVerdict =>
    some.length === 0
      ? { granted: true }
      : quotas.take(
          key,
          some.reduce((sum, item) => sum + bytesOf(item), 0),
          areSmall,
          now,
        )
  const ofLarge = verdictOn(large, false)
  const ofSmall = verdictOn(small, true)
  if (ofLarge.granted && ofSmall.granted) return { kept: items, refused: [], over: null }
  const isKept = (item: Item): boolean => (isSmall(item) ? ofSmall : ofLarge).granted
  return {
    kept: items.filter(isKept),
    refused: items.filter((item) => !isKept(item)),
    over: !ofSmall.granted ? ofSmall : ofLarge.granted ? null : ofLarge,
  }
}

/** Takes back what `limitBytes` counted for items that are not kept after all. */
export const giveBackBytes = (
  items: readonly Item[],
  key: KeyContext,
  quotas: Pick<ByteQuotas, 'giveBack'>,
  { bytesOf, isSmall }: Charges,
  takenAt: number,
): void => {
  for (const item of items) quotas.giveBack(key, bytesOf(item), isSmall(item), takenAt)
}

/**
 * Bytes that each item of a request is charged with: its size, but all together no more than `BYTE_QUOTA_INFLATION` times
 * what came over the wire, because what is so regular takes little room here, too, unless it is a file, or its rule says that it does not;
 * and never less than `BYTE_QUOTA_ITEM_BYTES`, because every item becomes a row.
 */
export const chargesFor = (items: readonly Item[], wireBytes: number, rules: ItemRules): Charges => {
  const plain = items.reduce((sum, item) => sum + sizeOf(item), 0)
  const share = Math.min(1, (LIMITS.BYTE_QUOTA_INFLATION * wireBytes) / Math.max(1, plain))
  return {
    bytesOf: (item) => {
      const isPlain = fileOf(item) !== null || rules.get(item.header.type)?.isKeptPlain === true
      const charged = isPlain ? 1 : share
      return Math.max(LIMITS.BYTE_QUOTA_ITEM_BYTES, Math.ceil(sizeOf(item) * charged))
    },
    isSmall: ({ header }) => rules.get(header.type)?.isSmall === true,
  }
}

/** `X-Sentry-Rate-Limits` for a key that is over its limit, or a project whose spike is held back. */
export const limitHeader = ({ reason, retryAfterSeconds }: NonNullable<Limiting['limit']>): string =>
  formatRateLimits([
    {
      retryAfterSeconds,
      categories: LIMITED,
      scope: reason === 'key_quota' ? 'key' : 'project',
      reasonCode: reason,
      namespaces: [],
    },
  ])

/** What a byte quota does not let in at first: everything but sessions and client reports. */
const HELD_BACK: readonly DataCategory[] = DATA_CATEGORIES.filter(
  (category) => category !== 'session' && category !== 'internal',
)

/** `X-Sentry-Rate-Limits` for a key or an organisation that sent more bytes than it may. */
export const byteLimitHeader = ({ scope, reason, everything, retryAfterSeconds }: OverBytes): string =>
  formatRateLimits([
    { retryAfterSeconds, categories: everything ? [] : HELD_BACK, scope, reasonCode: reason, namespaces: [] },
  ])

/** `X-Sentry-Rate-Limits` for what is heavy. */
export const heavyLimitHeader = (retryAfterSeconds: number, categories: readonly DataCategory[]): string =>
  formatRateLimits([{ retryAfterSeconds, categories, scope: 'project', reasonCode: 'project_backlog', namespaces: [] }])

/** `X-Sentry-Rate-Limits` for everything. */
export const backlogLimitHeader = (retryAfterSeconds: number, reasonCode = 'backlog'): string =>
  formatRateLimits([{ retryAfterSeconds, categories: [], scope: 'organization', reasonCode, namespaces: [] }])
