import { err, ok, type Result } from '../lib/result.ts'
import type { Ledger } from '../storage/index.ts'

export interface ProjectReference {
  readonly id: number
  readonly slug: string
  readonly name: string
  readonly platform: string
  /** JSON of `ProjectSettings`. */
  readonly settings: string
}

/** Those of an organisation that are not deleted. */
export const livingProjects =
  ({ db }: Pick<Ledger, 'db'>) =>
  (organizationId: number): Promise<readonly ProjectReference[]> =>
    db
      .selectFrom('projects')
      .select(['id', 'slug', 'name', 'platform', 'settings'])
      .where('organization_id', '=', organizationId)
      .where('deleted_at', 'is', null)
      .orderBy('id')
      .execute()

/** The projects that a request names by id or slug; all when it names none (`-1` says so, too). */
export const chooseProjects = (
  living: readonly ProjectReference[],
  references: readonly string[] = [],
): Result<readonly ProjectReference[], string> => {
  const wanted = references.filter((reference) => reference !== '' && reference !== '-1')
  if (wanted.length === 0) return ok(living)
  const chosen = new Set<ProjectReference>()
  for (const reference of wanted) {
    const project = living.find(({ id, slug }) => slug === reference || String(id) === reference)
    if (project === undefined) return err(`There is no project "${reference}" in this organisation.`)
    chosen.add(project)
  }
  return ok([...chosen])
}
