import type { Ledger } from '../../storage/index.ts'
import './schema.ts'

/** Whether a project has pictures, fonts and style sheets of its pages fetched, and from where. */
export interface AssetSettings {
  readonly isOn: boolean
  readonly hosts: readonly string[]
}

export const NO_ASSETS: AssetSettings = { isOn: false, hosts: [] }

type Db = Pick<Ledger['db'], 'selectFrom'>

/** Of these projects, those that ever chose something. */
export const readAssetSettings = async (
  db: Db,
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, AssetSettings>> => {
  if (projectIds.length === 0) return new Map()
  const rows = await db.selectFrom('replay_asset_settings').selectAll().where('project_id', 'in', projectIds).execute()
  return new Map(
    rows.map((row) => [row.project_id, { isOn: row.is_on === 1, hosts: JSON.parse(row.hosts) as string[] }]),
  )
}

export const saveAssetSettings = async (
  { db }: Pick<Ledger, 'db'>,
  projectId: number,
  { hosts, isOn }: AssetSettings,
): Promise<void> => {
  const row = { is_on: isOn ? 1 : 0, hosts: JSON.stringify(hosts) }
  await db
    .insertInto('replay_asset_settings')
    .values({ project_id: projectId, ...row })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute()
}
