interface Entry<Key, Value> {
  readonly key: Key
  readonly value: Value
  readonly weight: number
  older: Entry<Key, Value> | null
  newer: Entry<Key, Value> | null
}

/**
 * A map that never outgrows its capacity: when there is no room for one more entry, those that were not used for longest
 * are forgotten. `get` and `set` are uses, `peek` is none.
 *
 * The order of use is a linked list. The order that a `Map` keeps by itself would do, but finding its first key takes
 * longer the more keys were deleted before it: in a large cache that is full, that is most of the time.
 */
export class RecentMap<Key, Value> {
  readonly #capacity: number
  readonly #entries = new Map<Key, Entry<Key, Value>>()
  #oldest: Entry<Key, Value> | null = null
  #newest: Entry<Key, Value> | null = null
  #weight = 0

  /** @param capacity of all entries together, in the unit of their weights; without weights, their number */
  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#entries.size
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    if (entry !== this.#newest) {
      this.#unlink(entry)
      this.#append(entry)
    }
    return entry.value
  }

  peek(key: Key): Value | undefined {
    return this.#entries.get(key)?.value
  }

  /** @param weight an entry heavier than the capacity is not kept */
  set(key: Key, value: Value, weight = 1): void {
    this.delete(key)
    if (weight > this.#capacity) return
    const entry = { key, value, weight, older: null, newer: null }
    this.#entries.set(key, entry)
    this.#append(entry)
    this.#weight += weight
    while (this.#weight > this.#capacity && this.#oldest !== null) this.delete(this.#oldest.key)
  }

  delete(key: Key): void {
    const entry = this.#entries.get(key)
    if (entry === undefined) return
    this.#entries.delete(key)
    this.#unlink(entry)
    this.#weight -= entry.weight
  }

  /** Looking at them is no use. */
  *entries(): IterableIterator<readonly [Key, Value]> {
    for (const [key, { value }] of this.#entries) yield [key, value]
  }

  clear(): void {
    this.#entries.clear()
    this.#oldest = null
    this.#newest = null
    this.#weight = 0
  }

  #append(entry: Entry<Key, Value>): void {
    entry.older = this.#newest
    entry.newer = null
    if (this.#newest === null) this.#oldest = entry
    else this.#newest.newer = entry
    this.#newest = entry
  }

  #unlink({ older, newer }: Entry<Key, Value>): void {
    if (older === null) this.#oldest = newer
    else older.newer = newer
    if (newer === null) this.#newest = older
    else newer.older = older
  }
}
