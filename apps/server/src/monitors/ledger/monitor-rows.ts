import type { Selectable } from 'kysely'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import type { MonitorTable } from './schema.ts'

export type MonitorRow = Selectable<MonitorTable> & {
  readonly project_slug: string
  readonly project_name: string
  readonly project_platform: string
}

/** Monitors of an organisation, with their projects. */
export const selectMonitors = (db: Ledger['db'] | LedgerTransaction, organizationId: number) =>
  db
    .selectFrom('monitors')
    .innerJoin('projects', 'projects.id', 'monitors.project_id')
    .selectAll('monitors')
    .select(['projects.slug as project_slug', 'projects.name as project_name', 'projects.platform as project_platform'])
    .where('monitors.organization_id', '=', organizationId)
    .where('projects.deleted_at', 'is', null)
