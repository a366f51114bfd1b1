import { Source } from './events.ts'
import { isFields, type Fields } from './fields.ts'

/** Of one sheet; more is not remembered. */
const MAX_CHANGES = 20_000
/** So far back it is looked for what a change makes undone. */
const MAX_LOOKED_AT = 100

interface Change {
  readonly data: Fields
  readonly weight: number
}

/** The place at which a change puts in exactly one rule, or takes out one; null for any other change. */
const onlyPlace = (data: Fields, list: 'adds' | 'removes', other: 'adds' | 'removes'): number | null => {
  const [entries, others] = [data[list], data[other]]
  if (data['source'] !== Source.StyleSheetRule || !Array.isArray(entries) || entries.length !== 1) return null
  if (Array.isArray(others) && others.length > 0) return null
  const [entry] = entries as readonly unknown[]
  const index = isFields(entry) ? entry['index'] : null
  return typeof index === 'number' ? index : null
}

const isWithin = (data: Fields, place: number): boolean =>
  data['source'] === Source.StyleDeclaration && Array.isArray(data['index']) && data['index'][0] === place

const propertyOf = (value: unknown): unknown => (isFields(value) ? value['property'] : undefined)

/**
 * What scripts changed in a style sheet since it was written, in that order, as it was recorded. A page may do so in every
 * frame for hours: what a later change makes undone is forgotten.
 */
export class SheetChanges {
  readonly #changes = new Map<number, Change>()
  /** Declarations since rules last changed their places. */
  readonly #declared = new Map<string, number>()
  #last = 0

  get list(): readonly Fields[] {
    return Array.from(this.#changes.values(), ({ data }) => data)
  }

  /** @returns how much more than before is remembered */
  add(data: Fields, weight: number): number {
    if (data['source'] === Source.StyleDeclaration) return this.#declare(data, weight)
    this.#declared.clear()
    const freed = typeof data['replace'] === 'string' || typeof data['replaceSync'] === 'string' ? this.clear() : 0
    const removed = onlyPlace(data, 'removes', 'adds')
    const undone = removed === null ? null : this.#undo(removed)
    return undone === null ? this.#push(data, weight) - freed : -undone - freed
  }

  /** @returns how much was remembered */
  clear(): number {
    let freed = 0
    for (const { weight } of this.#changes.values()) freed += weight
    this.#changes.clear()
    this.#declared.clear()
    return freed
  }

  #push(data: Fields, weight: number): number {
    if (this.#changes.size >= MAX_CHANGES) return 0
    this.#changes.set(++this.#last, { data, weight })
    return weight
  }

  #take(number: number): number {
    const weight = this.#changes.get(number)?.weight ?? 0
    this.#changes.delete(number)
    return weight
  }

  #declare(data: Fields, weight: number): number {
    const key = JSON.stringify([data['index'], propertyOf(data['set']), propertyOf(data['remove'])])
    const before = this.#declared.get(key)
    const freed = before === undefined ? 0 : this.#take(before)
    const added = this.#push(data, weight)
    if (added > 0) this.#declared.set(key, this.#last)
    return added - freed
  }

  /** Takes back the rule that was put in last, if it is the one at that place, with what was declared in it. */
  #undo(place: number): number | null {
    const taken: number[] = []
    for (let number = this.#last; number > Math.max(0, this.#last - MAX_LOOKED_AT); number--) {
      const data = this.#changes.get(number)?.data
      if (data === undefined) continue
      taken.push(number)
      if (isWithin(data, place)) continue
      if (onlyPlace(data, 'adds', 'removes') !== place) return null
      let freed = 0
      for (const one of taken) freed += this.#take(one)
      this.#last = number - 1
      return freed
    }
    return null
  }
}
