import type { NamedOwner } from '../../issues/index.ts'
import type { Ledger } from '../../storage/index.ts'
import { ownersOfIssues } from './issue-owners.ts'

/** Whose issues were found to be, by name: those who are gone are left out. */
export const namedOwnersOfIssues = async (
  ledger: Pick<Ledger, 'db'>,
  issueIds: readonly number[],
): Promise<ReadonlyMap<number, readonly NamedOwner[]>> => {
  const found = await ownersOfIssues(ledger, issueIds)
  const all = [...found.values()].flat()
  const idsOf = (wanted: 'user' | 'team'): number[] => [
    ...new Set(all.filter(({ type }) => type === wanted).map(({ id }) => id)),
  ]
  const names = new Map<string, string>()
  const [users, teams] = [idsOf('user'), idsOf('team')]
  if (users.length > 0) {
    const rows = await ledger.db.selectFrom('users').select(['id', 'name', 'email']).where('id', 'in', users).execute()
    for (const { id, name, email } of rows) names.set(`user:${id}`, name === '' ? email : name)
  }
  if (teams.length > 0) {
    const rows = await ledger.db.selectFrom('teams').select(['id', 'slug']).where('id', 'in', teams).execute()
    for (const { id, slug } of rows) names.set(`team:${id}`, `#${slug}`)
  }
  return new Map(
    [...found].map(([issueId, owners]) => [
      issueId,
      owners.flatMap(({ foundAt, id, rule, source, type }) => {
        const name = names.get(`${type}:${id}`)
        return name === undefined ? [] : [{ source, type, id, name, rule, foundAt }]
      }),
    ]),
  )
}
