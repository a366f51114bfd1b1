import { sql, type ExpressionBuilder, type SqlBool } from 'kysely'
import { containing } from '../../storage/ledger/containing.ts'
import type { Ledger } from '../../storage/index.ts'
import type { LedgerSchema } from '../../storage/ledger/schema.ts'
import type { OffsetPage } from '../../lib/offset-page.ts'
import type { AskedOwners } from '../asked-owners.ts'
import { LIMITS } from '../limits.ts'
import { selectMonitors, type MonitorRow } from './monitor-rows.ts'

export type Monitors = ReturnType<typeof createMonitors>

/** Monitors as people list them. Every call names the organisation. */
export const createMonitors = ({ ledger }: { readonly ledger: Ledger }) => {
  return {
    /** One more than the page holds when there are more. */
    list: (
      organizationId: number,
      asked: OffsetPage & {
        readonly projectIds: readonly number[] | null
        readonly environments: readonly string[]
        readonly text: string
        readonly owners: AskedOwners | null
      },
    ): Promise<MonitorRow[]> => {
      const { environments, limit, offset, owners, projectIds, text } = asked
      let query = selectMonitors(ledger.db, organizationId).where('monitors.deleted_at', 'is', null)
      if (projectIds !== null) query = query.where('monitors.project_id', 'in', [...projectIds, 0])
      if (text !== '') {
        query = query.where((eb) =>
          eb.or([containing(ledger.dialect, 'monitors.name', text), containing(ledger.dialect, 'monitors.slug', text)]),
        )
      }
      if (environments.length > 0) {
        query = query.where(({ exists, selectFrom }) =>
          exists(
            selectFrom('monitor_environments')
              .select('monitor_environments.id')
              .whereRef('monitor_environments.monitor_id', '=', 'monitors.id')
              .where('monitor_environments.name', 'in', environments),
          ),
        )
      }
      if (owners !== null) query = query.where((eb) => ownedBy(eb, organizationId, owners))
      return query
        .orderBy(NEEDS_SOMEBODY, 'desc')
        .orderBy('monitors.name')
        .orderBy('monitors.id')
        .offset(offset)
        .limit(limit + 1)
        .execute()
    },

    /** By slug or id. Of several with one slug, the oldest. */
    find: async (
      organizationId: number,
      reference: string,
      projectIds: readonly number[] | null,
      isDeleted = false,
    ): Promise<MonitorRow | null> => {
      let query = selectMonitors(ledger.db, organizationId)
        .where((eb) => eb.or([eb('monitors.slug', '=', reference), eb('monitors.guid', '=', reference)]))
        .where('monitors.deleted_at', isDeleted ? 'is not' : 'is', null)
      if (projectIds !== null) query = query.where('monitors.project_id', 'in', [...projectIds, 0])
      return (await query.orderBy('monitors.id').limit(1).executeTakeFirst()) ?? null
    },

    /** Those that were deleted so long ago that nobody undoes it any more. */
    purge: async (now: number): Promise<void> => {
      await ledger.db
        .deleteFrom('monitors')
        .where('deleted_at', '<', now - LIMITS.MONITOR_DELETION_MS)
        .execute()
    },

    /** Whoever owned some, and is no member any more, owns them no longer. */
    forgetOwner: async (organizationId: number, userId: number): Promise<void> => {
      await ledger.db
        .updateTable('monitors')
        .set({ owner_user_id: null })
        .where('organization_id', '=', organizationId)
        .where('owner_user_id', '=', userId)
        .execute()
    },

    exist: async (): Promise<boolean> =>
      (await ledger.db.selectFrom('monitors').select('id').limit(1).executeTakeFirst()) !== undefined,
  }
}

/** Lists are never empty in SQL: no row has the id 0. */
const ownedBy = (
  eb: ExpressionBuilder<LedgerSchema, 'monitors'>,
  organizationId: number,
  { ofTeamsOf, teamIds, unassigned, userIds }: AskedOwners,
) =>
  eb.or([
    eb('monitors.owner_user_id', 'in', [...userIds, 0]),
    eb('monitors.owner_team_id', 'in', [...teamIds, 0]),
    eb(
      'monitors.owner_team_id',
      'in',
      eb
        .selectFrom('team_members')
        .innerJoin('members', 'members.id', 'team_members.member_id')
        .select('team_members.team_id')
        .where('members.user_id', '=', ofTeamsOf ?? 0)
        .where('members.organization_id', '=', organizationId),
    ),
    ...(unassigned
      ? [eb.and([eb('monitors.owner_user_id', 'is', null), eb('monitors.owner_team_id', 'is', null)])]
      : []),
  ])

const NEEDS_SOMEBODY = sql<SqlBool>`CASE WHEN EXISTS (
  SELECT 1 FROM monitor_environments
  WHERE monitor_environments.monitor_id = monitors.id AND monitor_environments.status = 'error'
) THEN 1 ELSE 0 END`
