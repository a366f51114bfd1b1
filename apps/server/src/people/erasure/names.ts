import type { Names } from '../person/person.ts'

/** The names of somebody as one list, as people choose among them, and back. */

export const listedNames = ({ keys, emails }: Names): readonly string[] => {
  const listed = new Map<string, string>()
  for (const name of [...keys, ...emails.map((email) => `email:${email}`)]) {
    const same = sameName(name)
    if (!listed.has(same)) listed.set(same, same)
  }
  return [...listed.values()]
}

/** An address is the same whatever its case. */
const sameName = (name: string): string => (name.startsWith('email:') ? name.toLowerCase() : name)

export const chosenNames = (names: readonly string[]): Names => {
  const keys = [...new Set(names.map(sameName))]
  return { keys, emails: keys.flatMap((key) => (key.startsWith('email:') ? [key.slice('email:'.length)] : [])) }
}
