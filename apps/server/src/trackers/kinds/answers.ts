import { TrackerFailure } from './failure.ts'
import type { Answered } from './kind.ts'

/** Reading what trackers answer: it is theirs, and may be anything. */

export const fieldOf = (value: unknown, ...path: readonly (string | number)[]): unknown => {
  let at: unknown = value
  for (const step of path) {
    if (typeof at !== 'object' || at === null) return undefined
    at = (at as Readonly<Record<string | number, unknown>>)[step]
  }
  return at
}

export const textOf = (value: unknown, ...path: readonly (string | number)[]): string => {
  const found = fieldOf(value, ...path)
  return typeof found === 'string' ? found : typeof found === 'number' ? String(found) : ''
}

export const listOf = (value: unknown, ...path: readonly (string | number)[]): readonly unknown[] => {
  const found = fieldOf(value, ...path)
  return Array.isArray(found) ? found : []
}

/** What was answered in the place of what was asked for, in words. @param type the content type that it was said to be */
const instead = (json: unknown, type: string): string => {
  if (json === undefined) return type === '' ? 'something that is no JSON' : `${type}, which is no JSON`
  if (Array.isArray(json)) return 'a list'
  if (typeof json !== 'object' || json === null) return `JSON that is ${json === null ? 'null' : `a ${typeof json}`}`
  const names = Object.keys(json).slice(0, NAMES_SAID)
  return names.length === 0 ? 'an empty object' : `an object with ${names.map((name) => name.slice(0, 40)).join(', ')}`
}

const NAMES_SAID = 5

/** A test that got an answer of another program, e.g. the page by which a proxy has people sign in. */
export const isNoAnswer = (tracker: string, what: string, { json, type }: Answered): TrackerFailure =>
  new TrackerFailure(
    `This is no answer of ${tracker}: instead of ${what} came ${instead(json, type)}. Check the address: a proxy or another program may answer there.`,
  )

/** JSON of a webhook; null for what is none. */
export const readJson = (bytes: Uint8Array): unknown => {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'))
  } catch {
    // Whoever has the secret can sign anything.
    return null
  }
}

/** Ids of tickets are numbers in most trackers. */
export const isNumber = (text: string): boolean => /^[1-9]\d{0,14}$/.test(text)

/** Without a final slash. */
export const trimmed = (address: string): string => address.replace(/\/+$/, '')

/** The part of an address below a base; null when it is not below. */
export const pathBelow = (base: string, url: URL): readonly string[] | null => {
  const own = URL.parse(`${trimmed(base)}/`)
  if (own === null || own.origin !== url.origin || !url.pathname.startsWith(own.pathname)) return null
  return url.pathname
    .slice(own.pathname.length)
    .split('/')
    .filter((part) => part !== '')
}

export const isSame = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** Whether a ticket is of a project or team, by what stands before its number: `SHOP-12`. */
export const isKeyOf = (place: string, key: string): boolean => key.slice(0, key.lastIndexOf('-')) === place
