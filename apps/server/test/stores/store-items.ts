import { expect } from 'vitest'
import { DEFAULT_PROJECT_SETTINGS } from '../../src/accounts/index.ts'
import type { DigestItem, ItemKind, ItemPart } from '../../src/ingest/index.ts'

/**
 * Expands and writes items of a kind that has no ledger of its own, as the digest does.
 *
 * @returns what ended before it was stored
 */
export const storeOf = <Value>(kind: ItemKind<Value>) => {
  let tokens = 0
  return async (
    items: readonly DigestItem[],
    again = false,
    token = `${kind.name}:${(tokens += 1)}`,
    siblings: readonly DigestItem[] = [],
  ): Promise<ItemPart[]> => {
    const values = items.map((item) => {
      const beside = [item, ...siblings].map((one) => one.item)
      const expanded = kind.expand(item, { settings: DEFAULT_PROJECT_SETTINGS, siblings: beside })
      if (!expanded.ok) throw new Error(expanded.error.detail)
      return { item, value: expanded.value }
    })
    const entries = values.map(({ item, value }) => ({
      entry: { item, value, id: () => '', followers: 0 },
      ready: undefined,
      stored: undefined,
    }))
    expect(await kind.write?.(entries, { token, again })).toEqual(new Map())
    return values.flatMap(({ value }) => kind.partsOf?.(value) ?? [])
  }
}
