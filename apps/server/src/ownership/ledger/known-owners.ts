import type { AssigneeRecord } from '../../issues/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../storage/ledger/chunks.ts'
import type { Ledger } from '../../storage/index.ts'
import type { OwnershipLine } from '../line.ts'

/** Owners, as lines write them, whom the organisation has: members by their e-mail, teams by their slug. */
export type KnownOwners = ReadonlyMap<string, AssigneeRecord>

type Named = { readonly email: string } | { readonly slug: string } | null

/** Whom a name means. `@organisation/team` is the team of that slug, if nothing else is said of the name. */
const meaningOf = (name: string, names: Readonly<Record<string, string>>): Named => {
  const meant = names[name] ?? name
  if (meant.startsWith('#')) return { slug: meant.slice(1) }
  if (!meant.startsWith('@')) return { email: meant.toLowerCase() }
  const [, team] = /^@[^/]+\/(.+)$/.exec(meant) ?? []
  return team === undefined ? null : { slug: team.replaceAll('/', '-') }
}

export const findKnownOwners = async (
  { db }: Pick<Ledger, 'db'>,
  organizationId: number,
  lines: readonly OwnershipLine[],
  names: Readonly<Record<string, string>>,
): Promise<KnownOwners> => {
  const meanings = new Map(
    [...new Set(lines.flatMap(({ owners }) => owners))].map((name) => [name, meaningOf(name, names)] as const),
  )
  const emails: string[] = []
  const slugs: string[] = []
  for (const meaning of meanings.values()) {
    if (meaning === null) continue
    if ('email' in meaning) emails.push(meaning.email)
    else slugs.push(meaning.slug)
  }
  const members = new Map<string, AssigneeRecord>()
  for (const part of chunks(emails, ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('members')
      .innerJoin('users', 'users.id', 'members.user_id')
      .select(['users.id', 'users.name', 'users.email'])
      .where('members.organization_id', '=', organizationId)
      .where('users.email', 'in', part)
      .execute()
    for (const row of rows) members.set(row.email, { type: 'user', ...row })
  }
  const teams = new Map<string, AssigneeRecord>()
  for (const part of chunks(slugs, ROWS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('teams')
      .select(['id', 'name', 'slug'])
      .where('organization_id', '=', organizationId)
      .where('slug', 'in', part)
      .execute()
    for (const row of rows) teams.set(row.slug, { type: 'team', ...row })
  }
  const known = new Map<string, AssigneeRecord>()
  for (const [name, meaning] of meanings) {
    const owner =
      meaning === null ? undefined : 'email' in meaning ? members.get(meaning.email) : teams.get(meaning.slug)
    if (owner !== undefined) known.set(name, owner)
  }
  return known
}
