import type { AttributeValue } from './attributes.ts'

/** How the attributes of spans, log lines and metrics become columns: words of their own, who it was, and maps by type. */

type Values = { [name: string]: AttributeValue }

/** Takes out what has a column; a text that is too long for its column stays an attribute as well. */
export const takeText = (attributes: Values, name: string, longest: number): string => {
  const value = attributes[name]
  if (typeof value !== 'string') return ''
  if (value.length > longest) return value.slice(0, longest).toWellFormed()
  delete attributes[name]
  return value
}

/** @param names in the order of the columns */
export const columnsOf = (attributes: Values, names: Iterable<string>, longest: number): string[] =>
  Array.from(names, (name) => takeText(attributes, name, longest))

const USER_KEYS: readonly (readonly [attribute: string, prefix: string])[] = [
  ['user.id', 'id'],
  ['user.name', 'username'],
  ['user.email', 'email'],
  ['user.ip_address', 'ip'],
]

/** By what users are counted: the first that is known (protocol.md 4.7). */
export const userOf = (attributes: Readonly<Values>): string => {
  for (const [attribute, prefix] of USER_KEYS) {
    const value = attributes[attribute]
    if (typeof value === 'string' || typeof value === 'number') return `${prefix}:${String(value)}`.slice(0, 256)
  }
  return ''
}

/** By the type that they were sent as, lists as JSON; and how many characters all of it has. */
export const mapsOf = (attributes: Readonly<Values>, without: ReadonlySet<string>) => {
  const maps = {
    strings: [] as [string, string][],
    numbers: [] as [string, number][],
    flags: [] as [string, boolean][],
    lists: [] as [string, string][],
    characters: 0,
  }
  for (const name in attributes) {
    if (without.has(name)) continue
    const value = attributes[name]
    maps.characters += name.length
    if (typeof value === 'string') {
      maps.characters += value.length
      maps.strings.push([name, value])
    } else if (typeof value === 'number') maps.numbers.push([name, value])
    else if (typeof value === 'boolean') maps.flags.push([name, value])
    else {
      const json = JSON.stringify(value)
      maps.characters += json.length
      maps.lists.push([name, json])
    }
  }
  return maps
}
