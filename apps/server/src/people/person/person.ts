import type { AskedPerson } from '../../search/index.ts'

/** One person under all of their names: an id may have several addresses, and an address several ids. */

export interface Names {
  readonly keys: readonly string[]
  /** In lower case. */
  readonly emails: readonly string[]
}

/** What a key names, to begin with. */
export const namesOf = (key: string): Names =>
  key.startsWith('email:')
    ? { keys: [key], emails: [key.slice('email:'.length).toLowerCase()] }
    : { keys: [key], emails: [] }

const union = (one: readonly string[], other: readonly string[], most: number): readonly string[] =>
  [...new Set([...one, ...other])].slice(0, most)

/**
 * Names that stand beside others. Addresses of a network join nobody: whoever signs in behind the same one is somebody else.
 */
export const joinNames = (known: Names, found: Names, most: number): Names => {
  const keys = found.keys.filter((key) => !key.startsWith('ip:'))
  return { keys: union(known.keys, keys, most), emails: union(known.emails, found.emails, most) }
}

export const sameNames = (one: Names, other: Names): boolean =>
  one.keys.length === other.keys.length && one.emails.length === other.emails.length

/** A network's address stands for a person only while nothing better is known. */
export const isAnonymous = (key: string): boolean => key.startsWith('ip:')

export type PersonScope = Pick<AskedPerson, 'organizationId' | 'projectIds' | 'period'>
