/** How people and teams are named in what colleagues write: `@ann`, `#checkout`. */

export interface HandledPerson {
  readonly id: number
  readonly name: string
  readonly email: string
}

export interface HandledTeam {
  readonly id: number
  readonly slug: string
  readonly name: string
}

/** Somebody who can be named, with the words that do. */
export interface Handle {
  /** With its sign: `@ann`, `#checkout`. */
  readonly handle: string
  readonly type: 'user' | 'team'
  readonly id: number
  readonly name: string
  /** `''` for a team. */
  readonly email: string
}

/** A word in a text that names somebody, or looks as if it did. */
export interface Mention {
  readonly handle: string
  /** Null: nobody, see `reason`. */
  readonly whom: Handle | null
  readonly reason: string | null
}

const localPart = (email: string): string => email.slice(0, email.lastIndexOf('@')).toLowerCase()

/** The part of the address before the `@`; the whole address where two people share it. */
export const handlesOf = (people: readonly HandledPerson[], teams: readonly HandledTeam[]): readonly Handle[] => {
  const shared = Map.groupBy(people, ({ email }) => localPart(email))
  return [
    ...people.map(({ id, name, email }): Handle => {
      const local = localPart(email)
      const handle = shared.get(local)?.length === 1 && /^[\w.+-]+$/.test(local) ? local : email.toLowerCase()
      return { handle: `@${handle}`, type: 'user', id, name: name || email, email }
    }),
    ...teams.map(({ id, slug, name }): Handle => ({ handle: `#${slug}`, type: 'team', id, name, email: '' })),
  ]
}

/** Words of a text that begin like a handle: not within an address, a word or code. */
const WORDS = /(?<![\w@#&/.])(@[\w+-]+(?:\.[\w+-]+)*(?:@[\w-]+(?:\.[\w-]+)+)?|#(?=[\w-]*[a-z])[a-z0-9][a-z0-9_-]*)/gi

/** More of them are no conversation. */
const MENTIONS = 50

export const wordsThatName = (text: string): readonly string[] => {
  const plain = text.replaceAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g, ' ')
  return [...new Set([...plain.matchAll(WORDS)].map(([word]) => word.toLowerCase()))].slice(0, MENTIONS)
}

/**
 * Who is named. A word with `#` that is no team is a word like any other; one with `@` was meant for somebody, and its
 * writer shall know that nobody was told.
 */
export const mentionsIn = (text: string, handles: readonly Handle[]): readonly Mention[] =>
  wordsThatName(text).flatMap((word): readonly Mention[] => {
    const whom = handles.find(
      ({ handle, email }) => handle === word || (email !== '' && `@${email.toLowerCase()}` === word),
    )
    if (whom !== undefined) return [{ handle: word, whom, reason: null }]
    if (word.startsWith('#')) return []
    const several = handles.filter(({ email }) => email !== '' && `@${localPart(email)}` === word)
    const reason =
      several.length > 1
        ? `Several people are called ${word}, so nobody was told: write ${several
            .map(({ handle }) => handle)
            .slice(0, 3)
            .join(' or ')}.`
        : `Nobody in this organisation is called ${word}: they have no access here, and were not told.`
    return [{ handle: word, whom: null, reason }]
  })
