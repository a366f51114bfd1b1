import { isObject } from '@firsthand/protocol'
import { isRecurring } from '../lib/recurring.ts'
import { EVENT_LIMITS } from './limits.ts'
import type { Json, JsonObject, NormalisedEvent } from './event.ts'

/**
 * What was cut out of an event or scrubbed in it, by its place (`_meta`, protocol.md 3.1 and 4.6). The tree mirrors the
 * event; under the key `''` stands what is known of that place:
 * `{"extra": {"body": {"": {"rem": [["@password:filter", "s", 0, 10]], "len": 12}}}}`.
 *
 * Those who change a value say so about the object or list that holds it. Where that one ends up in the event is found
 * when the event is complete, so that nobody has to carry a path along: reading and scrubbing are the hottest code there
 * is, and most events are never changed.
 */
export interface Remark {
  /** `[rule, kind]`, or with the part of the text: `[rule, kind, from, to]`. `s`: replaced or cut, `x`: removed. */
  readonly rem: readonly (readonly (string | number)[])[]
  /** Characters or entries that there were. */
  readonly len?: number
}

/** By the object or list that holds the value, then by its key; `''` stands for the holder as a whole. */
const remarks = new WeakMap<object, Map<string | number, Remark>>()
/** Whether anything was said since the last event was completed: then its holders are looked for. */
let isAnySaid = false

const say = (holder: object, key: string | number, remark: Remark): void => {
  isAnySaid = true
  const known = remarks.get(holder)
  if (known === undefined) remarks.set(holder, new Map([[key, remark]]))
  else {
    const before = known.get(key)
    const len = before?.len ?? remark.len
    known.set(key, {
      rem: before === undefined ? remark.rem : [...before.rem, ...remark.rem],
      ...(len === undefined ? {} : { len }),
    })
  }
}

/** The text is too long, or holds too deep a value as text: its end is gone. */
export const sayCut = (holder: object, key: string | number, kept: string, length: number): void => {
  say(holder, key, { rem: [['!limit', 's', Math.max(0, kept.length - 3), kept.length]], len: length })
}

/** Of an object or list, only some entries are left. @param count how many there were */
export const sayShortened = (holder: object, count: number): void => {
  say(holder, '', { rem: [['!limit', 'x']], len: count })
}

/** @param rule as Sentry names its rules: `@password`, `@creditcard`, … */
export const sayScrubbed = (
  holder: object,
  key: string | number,
  rule: string,
  before: unknown,
  after: unknown,
): void => {
  const len = typeof before === 'string' ? { len: before.length } : {}
  const name = rule.startsWith('@') ? `${rule}:filter` : rule
  say(holder, key, { rem: [[name, 's', 0, typeof after === 'string' ? after.length : 0]], ...len })
}

type Tree = { [key: string]: unknown }

/** Puts what was said about an event into its `_meta`, beside what its SDK said. As much as the limit leaves room for. */
export const attachRemarks = (event: NormalisedEvent): NormalisedEvent => {
  if (!isAnySaid) return event
  isAnySaid = false
  const tree: Tree = event._meta ?? {}
  let left = EVENT_LIMITS.META_CHARS - JSON.stringify(tree).length
  const path: string[] = []
  const note = (key: string | number, remark: Remark): void => {
    const place = key === '' ? path : [...path, String(key)]
    left -= JSON.stringify(remark).length + place.reduce((sum, part) => sum + part.length + PUNCTUATION, PUNCTUATION)
    if (left > 0) insert(tree, place, remark)
  }
  const walk = (value: unknown): void => {
    if (typeof value !== 'object' || value === null || left <= 0 || isRecurring(value)) return
    for (const [key, remark] of remarks.get(value) ?? []) note(key, remark)
    for (const key in value) {
      const part = (value as Tree)[key]
      if (typeof part !== 'object' || part === null) continue
      path.push(key)
      walk(part)
      path.pop()
    }
  }
  const { errors: _notes, _meta: _sent, ...whole } = event
  // The event itself holds texts; the copy that is walked is not the object that was named.
  for (const [key, remark] of remarks.get(event) ?? []) note(key, remark)
  walk(whole)
  if (Object.keys(tree).length > 0) event._meta = tree as JsonObject
  return event
}

const PUNCTUATION = 5

const insert = (tree: Tree, path: readonly string[], remark: Remark): void => {
  let node = tree
  for (const key of path) {
    const child = Object.hasOwn(node, key) ? node[key] : undefined
    if (isObject(child)) node = child
    else {
      const fresh: Tree = {}
      // An own field, whatever it is called.
      Object.defineProperty(node, key, { value: fresh, enumerable: true, writable: true, configurable: true })
      node = fresh
    }
  }
  const known = isObject(node['']) ? node[''] : {}
  const rem = Array.isArray(known['rem']) ? (known['rem'] as Json[]) : []
  node[''] = { ...remark, ...known, rem: [...rem, ...remark.rem] }
}

/** What an SDK says it cut or scrubbed itself, in the same form; what is not in that form goes. */
export const readSentRemarks = (event: { readonly [key: string]: unknown }): JsonObject | undefined => {
  const budget = { left: EVENT_LIMITS.META_CHARS }
  const tree = readNode(event['_meta'], EVENT_LIMITS.META_DEPTH, budget)
  if (tree === undefined) return undefined
  // Tags are put in order: from then on they are known by their names.
  const { tags } = event
  if (Array.isArray(tags) && isObject(tree['tags'])) tree['tags'] = tagsByName(tags, tree['tags'])
  return tree as JsonObject
}

const tagsByName = (tags: readonly unknown[], sent: Tree): Tree => {
  const byName: Tree = {}
  for (const [key, remark] of Object.entries(sent)) {
    const pair = tags[Number(key)]
    const name: unknown = Array.isArray(pair) ? pair[0] : undefined
    const ofValue = isObject(remark) ? remark['1'] : undefined
    if (typeof name !== 'string' || ofValue === undefined) byName[key] = remark
    else if (name !== '__proto__') byName[name] = ofValue
  }
  return byName
}

const readNode = (value: unknown, depth: number, budget: { left: number }): Tree | undefined => {
  if (!isObject(value) || depth === 0) return undefined
  const node: Tree = {}
  for (const key in value) {
    if (key === '__proto__' || key.length > EVENT_LIMITS.BAG_KEY_CHARS) continue
    const child = key === '' ? readSentRemark(value[key]) : readNode(value[key], depth - 1, budget)
    if (child === undefined) continue
    budget.left -= key.length + PUNCTUATION + (key === '' ? JSON.stringify(child).length : 0)
    if (budget.left <= 0) break
    node[key] = child
  }
  return Object.keys(node).length === 0 ? undefined : node
}

const REMARKS_OF_ONE = 10

const readSentRemark = (value: unknown): Tree | undefined => {
  if (!isObject(value)) return undefined
  const { rem, len, err } = value
  const remark: Tree = {}
  if (Array.isArray(rem)) {
    const read = rem
      .slice(0, REMARKS_OF_ONE)
      .filter((one) => Array.isArray(one) && one.length <= 4 && one.every(isWord))
    if (read.length > 0) remark['rem'] = read
  }
  if (typeof len === 'number' && Number.isSafeInteger(len) && len >= 0) remark['len'] = len
  if (Array.isArray(err)) {
    // With what went wrong may come the value that was wrong: only the name is kept.
    const names = err.slice(0, REMARKS_OF_ONE).flatMap((one: unknown) => {
      const name: unknown = Array.isArray(one) ? one[0] : one
      return typeof name === 'string' && isWord(name) ? [name] : []
    })
    if (names.length > 0) remark['err'] = names
  }
  return Object.keys(remark).length === 0 ? undefined : remark
}

const isWord = (value: unknown): boolean =>
  (typeof value === 'string' && value.length <= EVENT_LIMITS.WORD_CHARS) || Number.isSafeInteger(value)
