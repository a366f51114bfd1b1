import { isObject } from '@firsthand/protocol'
import { EVENT_LIMITS } from '../limits.ts'
import type { Json, JsonObject } from '../event.ts'
import { isAbsent, type Raw, type Reading } from './reading.ts'
import { sayCut, sayShortened } from '../remarks.ts'
import { cut } from './text.ts'

/**
 * Databags are the parts of an event whose keys are the sender's own: extra, contexts, variables, breadcrumb data.
 * They are trimmed by size and depth (protocol.md 4.6), in place, because the parsed payload is ours and copying every
 * bag would cost more than everything else that is done to an event.
 */

type MutableObject = { [key: string]: unknown }

/**
 * What a bag may still hold. Characters of keys and strings count as they are, other values and separators by what they
 * take in JSON, roughly.
 */
interface Budget {
  left: number
}

const NUMBER_CHARS = 8
const WORD_CHARS = 4
const SEPARATOR_CHARS = 1

/** Trims one value. Containers deeper than `maxDepth` become JSON text. */
export const trimValue = (value: unknown, maxDepth: number, maxChars: number): Json =>
  trim(value, maxDepth, { left: maxChars }) as Json

const trim = (value: unknown, depth: number, budget: Budget): unknown => {
  if (typeof value === 'string') {
    if (value.length <= budget.left) {
      budget.left -= value.length
      return value
    }
    const shorter = cut(value, budget.left)
    budget.left = 0
    return shorter
  }
  if (typeof value === 'number') {
    budget.left -= NUMBER_CHARS
    return Number.isFinite(value) ? value : null
  }
  if (typeof value !== 'object' || value === null) {
    budget.left -= WORD_CHARS
    return value
  }
  if (Array.isArray(value)) {
    if (value.length === 0) return value
    return depth <= 0 ? trim(JSON.stringify(value), 0, budget) : trimArray(value, depth, budget)
  }
  return trimObject(value as MutableObject, depth, budget)
}

/** A text that is shorter than what stood there. */
const sayIfCut = (holder: object, key: string | number, before: unknown, after: unknown): void => {
  if (typeof after !== 'string') return
  const { length } = typeof before === 'string' ? before : JSON.stringify(before)
  sayCut(holder, key, after, length)
}

const trimArray = (array: unknown[], depth: number, budget: Budget): unknown[] => {
  for (let index = 0; index < array.length; index++) {
    if (budget.left <= 0) {
      sayShortened(array, array.length)
      array.length = index
      break
    }
    budget.left -= SEPARATOR_CHARS
    const element: unknown = array[index]
    const trimmed = trim(element, depth - 1, budget)
    if (trimmed !== element) {
      array[index] = trimmed
      sayIfCut(array, index, element, trimmed)
    }
  }
  return array
}

const trimObject = (object: MutableObject, depth: number, budget: Budget): unknown => {
  let empty = true
  let removed = 0
  for (const key in object) {
    if (empty && depth <= 0) return trim(JSON.stringify(object), 0, budget)
    empty = false
    budget.left -= key.length + SEPARATOR_CHARS
    if (budget.left <= 0 || key.length > EVENT_LIMITS.BAG_KEY_CHARS) {
      delete object[key]
      removed++
      continue
    }
    const element = object[key]
    const trimmed = trim(element, depth - 1, budget)
    if (trimmed !== element) {
      object[key] = trimmed
      sayIfCut(object, key, element, trimmed)
    }
  }
  if (removed > 0) sayShortened(object, Object.keys(object).length + removed)
  return object
}

/** A field that is a bag as a whole; a list becomes an object keyed by index when `lists` says so. */
export const readBag = (
  reading: Reading,
  raw: Raw,
  key: string,
  maxDepth: number,
  maxChars: number,
  lists: 'reject' | 'index-keys' = 'reject',
): JsonObject | undefined => {
  let value = raw[key]
  if (isAbsent(value)) return undefined
  if (lists === 'index-keys' && Array.isArray(value)) value = Object.fromEntries(value.entries())
  if (!isObject(value)) {
    reading.invalid(key, value, 'expected an object')
    return undefined
  }
  const bag = trimValue(value, maxDepth, maxChars)
  return isEmpty(bag) ? undefined : (bag as JsonObject)
}

/** A bag of bags: each value has a limit of its own, and all together have one (`extra`). */
export const readBags = (
  reading: Reading,
  raw: Raw,
  key: string,
  maxDepth: number,
  maxCharsEach: number,
  maxChars: number,
): JsonObject | undefined => {
  const value = raw[key]
  if (isAbsent(value)) return undefined
  if (!isObject(value)) {
    reading.invalid(key, value, 'expected an object')
    return undefined
  }
  const bags: MutableObject = value
  let left = maxChars
  let removed = 0
  for (const name in bags) {
    left -= name.length + SEPARATOR_CHARS
    if (left <= 0 || name.length > EVENT_LIMITS.BAG_KEY_CHARS) {
      delete bags[name]
      removed++
      continue
    }
    const budget: Budget = { left: Math.min(maxCharsEach, left) }
    const before = budget.left
    const element = bags[name]
    const trimmed = trim(element, maxDepth, budget)
    if (trimmed !== element) {
      bags[name] = trimmed
      sayIfCut(bags, name, element, trimmed)
    }
    left -= before - budget.left
  }
  if (removed > 0) sayShortened(bags, Object.keys(bags).length + removed)
  return isEmpty(bags) ? undefined : (bags as JsonObject)
}

export const isEmpty = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  for (const _key in value) return false
  return true
}
