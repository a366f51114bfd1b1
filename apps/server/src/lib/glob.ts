import type { Work } from './work.ts'

/**
 * Patterns as people write them into settings. `*` is any run of characters, `?` any one, everything else itself; the
 * whole value must match. With `path`, `*` stays inside one path segment and `**` crosses them.
 *
 * Rules come from people and values from anybody, so this is no regular expression: `*a*a*a*b` makes a backtracking one
 * explode. All places of the pattern that the value may have come to are one bit each and move on together, 32 at a time;
 * once a `*` is reached, what is before it does not matter any more. Each character of the value costs one step per 32
 * pattern characters still in play.
 *
 * Grouping relies on this matcher: what matches today matches for ever.
 */
export interface Glob {
  /** False as well when `work` does not suffice: ask it before the answer is used. */
  matches(value: string, work: Work): boolean
}

export interface GlobOptions {
  readonly ignoreCase?: boolean
  /** Separators are normalised to `/`, and `*` does not cross them. */
  readonly path?: boolean
}

/** Asking at all costs about as much as so many characters. */
const STEPS_PER_QUESTION = 16

export const createGlob = (pattern: string, options: GlobOptions = {}): Glob => {
  const prepare = preparations[`${options.ignoreCase === true}:${options.path === true}`]
  const prepared = prepare(pattern)
  if (!/[*?]/.test(prepared)) {
    return { matches: (value, work) => work.spend(STEPS_PER_QUESTION) && prepare(value) === prepared }
  }
  // Most rules of most projects are never asked: they are compiled when they are.
  let places: Places | undefined
  return {
    matches: (value, work) =>
      work.spend(STEPS_PER_QUESTION) &&
      run((places ??= compile(prepared, options.path === true)), prepare(value), work),
  }
}

/** Many patterns are asked about one value after the other. */
const rememberLast = (compute: (text: string) => string): ((text: string) => string) => {
  let text = ''
  let result = ''
  return (given) => {
    if (given !== text) {
      result = compute(given)
      text = given
    }
    return result
  }
}

const slashes = (text: string): string => text.replaceAll('\\', '/')
const preparations: Readonly<Record<`${boolean}:${boolean}`, (text: string) => string>> = {
  'false:false': (text) => text,
  'true:false': rememberLast((text) => text.toLowerCase()),
  'false:true': rememberLast(slashes),
  'true:true': rememberLast((text) => slashes(text.toLowerCase())),
}

const SLASH = 0x2f

/** Bit n stands for "n characters of the pattern, stars not counted, have been found". */
interface Places {
  readonly words: number
  readonly end: number
  /** Class of a UTF-16 unit, of the first 128 by index; 0 is every unit that is not in the pattern. */
  readonly plain: Uint16Array
  readonly others: ReadonlyMap<number, number>
  /** By class, `words` each: the places to which a unit of the class may lead from the one before. */
  readonly reachable: Uint32Array
  /** Places behind a star that any character, or any but `/`, may follow. */
  readonly any: Uint32Array
  readonly segment: Uint32Array
  /** Scratch: the places that the value at hand may have come to. */
  readonly current: Uint32Array
}

const compile = (pattern: string, path: boolean): Places => {
  const units: (number | null)[] = []
  const stars: { readonly place: number; readonly any: boolean }[] = []
  for (let index = 0; index < pattern.length; index++) {
    const unit = pattern.charCodeAt(index)
    if (unit === QUESTION) units.push(null)
    else if (unit !== STAR) units.push(unit)
    else {
      const first = index
      while (pattern.charCodeAt(index + 1) === STAR) index++
      const any = !path || index > first
      stars.push({ place: units.length, any })
      // `**/x` also matches `x` itself, as in Sentry's rules.
      if (any && path && first === 0 && pattern.charCodeAt(index + 1) === SLASH) index++
    }
  }
  const words = (units.length >>> 5) + 1
  const classes = new Map<number, number>()
  for (const unit of units) if (unit !== null && !classes.has(unit)) classes.set(unit, classes.size + 1)
  const reachable = new Uint32Array((classes.size + 1) * words)
  const any = new Uint32Array(words)
  const segment = new Uint32Array(words)
  for (const [index, unit] of units.entries()) {
    const first = unit === null ? 0 : (classes.get(unit) ?? 0)
    const last = unit === null ? classes.size : first
    for (let of = first; of <= last; of++) setBit(reachable, of * words, index + 1)
  }
  for (const star of stars) setBit(star.any ? any : segment, 0, star.place)
  const plain = new Uint16Array(PLAIN)
  const others = new Map<number, number>()
  for (const [unit, of] of classes) {
    if (unit < PLAIN) plain[unit] = of
    else others.set(unit, of)
  }
  return { words, end: units.length, plain, others, reachable, any, segment, current: new Uint32Array(words) }
}

const PLAIN = 128
const STAR = 0x2a
const QUESTION = 0x3f

const setBit = (bits: Uint32Array, from: number, place: number): void => {
  const at = from + (place >>> 5)
  bits[at] = (bits[at] ?? 0) | (1 << (place & 31))
}

/** The same as `run` for patterns of up to 31 characters, which most are. */
const runShort = ({ end, plain, others, reachable, any, segment }: Places, value: string, work: Work): boolean => {
  const inSegment = (any[0] ?? 0) | (segment[0] ?? 0)
  const atSlash = any[0] ?? 0
  const most = Math.min(value.length, work.left)
  let current = 1
  let index = 0
  for (; index < most && current !== 0; index++) {
    const unit = value.charCodeAt(index)
    const mask = reachable[unit < PLAIN ? (plain[unit] ?? 0) : (others.get(unit) ?? 0)] ?? 0
    current = ((current << 1) & mask) | (current & (unit === SLASH ? atSlash : inSegment))
  }
  if (current !== 0 && index < value.length) index++
  return work.spend(index) && (current & (1 << end)) !== 0
}

const run = (places: Places, value: string, work: Work): boolean => {
  if (places.words === 1) return runShort(places, value, work)
  const { words, end, plain, others, reachable, any, segment } = places
  const { current } = places
  current.fill(0)
  current[0] = 1
  // Only words between these two can have a place in them.
  let low = 0
  let high = 0
  let steps = 0
  const { left } = work
  for (let index = 0; index < value.length; index++) {
    const unit = value.charCodeAt(index)
    const masks = (unit < PLAIN ? (plain[unit] ?? 0) : (others.get(unit) ?? 0)) * words
    const top = high + 1 < words ? high + 1 : words - 1
    steps += 1 + top - low
    if (steps > left) {
      work.spend(steps)
      return false
    }
    let carry = 0
    let highest = -1
    for (let word = low; word <= top; word++) {
      const before = current[word] ?? 0
      const loops = unit === SLASH ? (any[word] ?? 0) : (any[word] ?? 0) | (segment[word] ?? 0)
      const after = (((before << 1) | carry) & (reachable[masks + word] ?? 0)) | (before & loops)
      carry = before >>> 31
      current[word] = after
      if (after !== 0) highest = word
    }
    if (highest < 0) {
      work.spend(steps)
      return false
    }
    high = highest
    for (let word = high; word > low; word--) if (((current[word] ?? 0) & (any[word] ?? 0)) !== 0) low = word
  }
  work.spend(steps)
  return high >= end >>> 5 && low <= end >>> 5 && ((current[end >>> 5] ?? 0) & (1 << (end & 31))) !== 0
}
