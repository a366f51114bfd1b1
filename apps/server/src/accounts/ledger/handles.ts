import type { Ledger } from '../../storage/index.ts'
import { handlesOf, mentionsIn, wordsThatName, type Handle, type Mention } from '../handles.ts'

export type Handles = ReturnType<typeof createHandles>

/** Whom members can name in what they write. */
export const createHandles = ({ ledger: { db } }: { readonly ledger: Pick<Ledger, 'db'> }) => {
  const all = async (organizationId: number): Promise<readonly Handle[]> => {
    const people = await db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .select(['users.id', 'users.name', 'users.email'])
      .where('members.organization_id', '=', organizationId)
      .orderBy('users.email')
      .execute()
    const teams = await db
      .selectFrom('teams')
      .select(['id', 'slug', 'name'])
      .where('organization_id', '=', organizationId)
      .orderBy('slug')
      .execute()
    return handlesOf(people, teams)
  }
  return {
    /** Those with the text at the beginning of a word of theirs. @param text with or without its sign */
    find: async (organizationId: number, text: string, limit: number): Promise<readonly Handle[]> => {
      const wanted = text.toLowerCase()
      const plain = wanted.replace(/^[@#]/, '')
      return (await all(organizationId))
        .filter(({ handle }) => wanted === plain || handle.startsWith(wanted.slice(0, 1)))
        .filter(({ handle, name }) =>
          [handle.slice(1), ...name.toLowerCase().split(/\s+/)].some((word) => word.startsWith(plain)),
        )
        .slice(0, limit)
    },
    /** Who is named in a text, and which words name nobody. */
    mentionsIn: async (organizationId: number, text: string): Promise<readonly Mention[]> =>
      wordsThatName(text).length === 0 ? [] : mentionsIn(text, await all(organizationId)),
  }
}
