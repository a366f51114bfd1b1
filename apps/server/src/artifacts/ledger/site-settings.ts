import type { Ledger } from '../../storage/ledger/ledger.ts'

/** Whether a project has the source maps of its sites fetched, and from where. */
export interface SiteSettings {
  readonly isOn: boolean
  readonly hosts: readonly string[]
}

export const NO_SITE: SiteSettings = { isOn: false, hosts: [] }

type Reading = Pick<Ledger['db'], 'selectFrom'>

export const readSiteSettings = async (db: Reading, projectId: number): Promise<SiteSettings> => {
  const row = await db
    .selectFrom('site_map_settings')
    .select(['is_on', 'hosts'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return row === undefined ? NO_SITE : { isOn: row.is_on === 1, hosts: JSON.parse(row.hosts) as string[] }
}

/** Of these projects, those that have it on. */
export const projectsWithSites = async (db: Reading, projectIds: readonly number[]): Promise<readonly number[]> => {
  if (projectIds.length === 0) return []
  const rows = await db
    .selectFrom('site_map_settings')
    .select('project_id')
    .where('project_id', 'in', projectIds)
    .where('is_on', '=', 1)
    .execute()
  return rows.map((row) => row.project_id)
}

export const saveSiteSettings = async (
  { db }: Pick<Ledger, 'db'>,
  projectId: number,
  { hosts, isOn }: SiteSettings,
): Promise<void> => {
  const row = { is_on: isOn ? 1 : 0, hosts: JSON.stringify(hosts) }
  await db
    .insertInto('site_map_settings')
    .values({ project_id: projectId, ...row })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute()
}
