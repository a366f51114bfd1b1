import { guard, isObject, text } from './guard.ts'

/** Longest string, in characters, and most members of one object that are sent. */
const MAX_STRING = 65_536
const MAX_MEMBERS = 1000
/** Values in all: an object with a thousand members of a thousand members must not stop the page. */
const MAX_VALUES = 20_000

/** A page and what it is made of: they know everything else. */
const PAGE = /(Window|Document|Element|Text)$/
const THROWS = '[Throws]'

/**
 * A copy that JSON can carry, of anything at all: cycles, getters that throw, revoked proxies, a whole window.
 *
 * @param depth levels of objects that are kept; those below are named only
 * @param longest characters of one string that are kept
 */
export const normalise = (value: unknown, depth = 3, longest = MAX_STRING): unknown => {
  const above = new Set<object>()
  let left = MAX_VALUES

  const visit = (given: unknown, levels: number): unknown => {
    left -= 1
    if (given === null || typeof given === 'boolean') return given
    if (typeof given === 'string') return text(given, longest)
    if (typeof given === 'number') return Number.isFinite(given) ? given : `[${given}]`
    if (typeof given === 'function') return `[Function: ${text(guard(() => given.name, '')) || '<anonymous>'}]`
    if (!isObject(given)) return `[${typeof given === 'bigint' ? 'BigInt: ' : ''}${text(given)}]`
    if (above.has(given)) return '[Circular ~]'
    above.add(given)
    const made = guard(() => visitObject(given, levels), THROWS)
    above.delete(given)
    return made
  }

  const visitObject = (given: Record<string, unknown>, levels: number): unknown => {
    const kind = Object.prototype.toString.call(given).slice(8, -1)
    if (PAGE.test(kind)) return `[${kind}]`
    if (typeof given['toJSON'] === 'function') return visit((given as { toJSON(): unknown }).toJSON(), levels)
    if (levels <= 0 || left <= 0) return `[${kind}]`
    if (given instanceof Error) {
      const { name, message, stack } = given
      return membersOf(Object.assign({}, given, { name, message, stack }), levels)
    }
    return membersOf(given instanceof Map || given instanceof Set ? [...given] : given, levels)
  }

  const membersOf = (members: object, levels: number): unknown => {
    // Makes a member also of one that is called __proto__.
    const made = Object.fromEntries(
      Object.keys(members)
        .slice(0, MAX_MEMBERS)
        .flatMap((key) => {
          const member = guard(() => (members as Record<string, unknown>)[key], THROWS)
          return member === undefined ? [] : [[key, visit(member, levels - 1)]]
        }),
    )
    return Array.isArray(members) ? Object.assign([], made) : made
  }

  return visit(value, depth)
}

/** JSON of anything: plainly where that works, else of a copy. */
export const toJson = (value: unknown): string =>
  guard(() => JSON.stringify(value), undefined) ?? JSON.stringify(normalise(value, 12)) ?? 'null'
