import type { Random } from './random.ts'

/** Bytes as no SDK sends them, made from those that one did. */

const HOSTILE_VALUES = [
  '1e999',
  '-1e999',
  '9007199254740993',
  '99999999999999999999999999999999',
  '-0',
  'null',
  'true',
  '[]',
  '{}',
  '""',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u0000"',
  '"__proto__"',
  '{"__proto__":{"polluted":1}}',
  '"constructor"',
  `"${'a'.repeat(5000)}"`,
  `${'['.repeat(300)}${']'.repeat(300)}`,
  `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`,
  '"\u202e\u0007"',
  '"<script>alert(1)</script>"',
  '"\'; DROP TABLE events; --"',
  '"2026-13-45T99:99:99Z"',
]

const ITEM_TYPES = [
  'event',
  'transaction',
  'feedback',
  'attachment',
  'session',
  'check_in',
  'log',
  'span',
  'nonsense',
  '',
]

type Mutation = (bytes: Buffer, random: Random) => Buffer

const splice = (bytes: Buffer, start: number, removed: number, inserted: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, start), inserted, bytes.subarray(start + removed)])

const flip: Mutation = (bytes, random) => {
  const changed = Buffer.from(bytes)
  if (changed.length === 0) return changed
  for (let count = 1 + random.below(8); count > 0; count -= 1) changed[random.below(changed.length)] = random.below(256)
  return changed
}

const truncate: Mutation = (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1))

const repeatSlice: Mutation = (bytes, random) => {
  const start = random.below(bytes.length + 1)
  return splice(bytes, start, 0, bytes.subarray(start, start + random.below(400)))
}

const removeSlice: Mutation = (bytes, random) =>
  splice(bytes, random.below(bytes.length + 1), random.below(60), Buffer.alloc(0))

const insertNoise: Mutation = (bytes, random) => {
  const noise = Buffer.from(Array.from({ length: 1 + random.below(20) }, () => random.below(256)))
  return splice(bytes, random.below(bytes.length + 1), 0, noise)
}

const insertLineFeeds: Mutation = (bytes, random) =>
  splice(bytes, random.below(bytes.length + 1), 0, Buffer.from(random.pick(['\n', '\r\n', '\n\n\n', '\0', '\u2028'])))

interface Found {
  readonly index: number
  readonly text: string
  /** What the pattern's group matched. */
  readonly group: string
}

/** The first match after a random place, else the first of all. */
const findSomewhere = (bytes: Buffer, pattern: RegExp, random: Random): Found | null => {
  const text = bytes.toString('latin1')
  const global = new RegExp(pattern, 'g')
  global.lastIndex = random.below(text.length + 1)
  const match = global.exec(text) ?? pattern.exec(text)
  return match === null ? null : { index: match.index, text: match[0], group: match[1] ?? '' }
}

/** One value of the JSON anywhere becomes another one. */
const replaceValue: Mutation = (bytes, random) => {
  const found = findSomewhere(bytes, /:\s*("(?:[^"\\\n]|\\.){0,200}"|-?\d[\d.eE+-]*|true|false|null)/, random)
  if (found === null) return flip(bytes, random)
  const { index, text, group } = found
  return splice(bytes, index + text.length - group.length, group.length, Buffer.from(random.pick(HOSTILE_VALUES)))
}

/** A key that is there is there again, with another value. */
const duplicateKey: Mutation = (bytes, random) => {
  const found = findSomewhere(bytes, /"([a-z_]{2,30})":/, random)
  if (found === null) return flip(bytes, random)
  return splice(bytes, found.index, 0, Buffer.from(`${found.text}${random.pick(HOSTILE_VALUES)},`))
}

const wrongLength: Mutation = (bytes, random) => {
  const wrong = random.pick(['0', '1', '-1', '1.5', '4294967295', '4294967296', '1e3', '"7"', 'null', '999999'])
  const length = findSomewhere(bytes, /"length":(\d+)/, random)
  if (length !== null) return splice(bytes, length.index, length.text.length, Buffer.from(`"length":${wrong}`))
  const type = findSomewhere(bytes, /\{"type":"[a-z_]+"/, random)
  if (type === null) return flip(bytes, random)
  return splice(bytes, type.index + type.text.length, 0, Buffer.from(`,"length":${wrong}`))
}

const otherItemType: Mutation = (bytes, random) => {
  const found = findSomewhere(bytes, /"type":"[a-z_]+"/, random)
  if (found === null) return flip(bytes, random)
  return splice(bytes, found.index, found.text.length, Buffer.from(`"type":"${random.pick(ITEM_TYPES)}"`))
}

const MUTATIONS: readonly Mutation[] = [
  flip,
  truncate,
  repeatSlice,
  removeSlice,
  insertNoise,
  insertLineFeeds,
  replaceValue,
  replaceValue,
  replaceValue,
  duplicateKey,
  wrongLength,
  otherItemType,
]

/** One to three mutations, one after the other. */
export const mutate = (bytes: Buffer, random: Random): Buffer => {
  let mutated = bytes
  for (let count = 1 + random.below(3); count > 0; count -= 1) mutated = random.pick(MUTATIONS)(mutated, random)
  return mutated
}
