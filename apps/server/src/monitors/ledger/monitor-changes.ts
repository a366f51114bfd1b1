import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import { noteFacts } from '../../facts/index.ts'
import { chunks } from '../../storage/ledger/chunks.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { ENVIRONMENTS_IN_A_FACT, removedEnvironments } from '../monitor-facts.ts'
import { reschedule } from './apply-check-ins.ts'
import { selectMonitors } from './monitor-rows.ts'
import { keepPastConfig } from './past-configs.ts'
import { termsOf } from './records.ts'
import { endIssuesOf } from './removed-environments.ts'
import type { MonitorTable } from './schema.ts'
import { endIncidents, resumeIncidents } from './unwatched.ts'

/** Columns that people change. */
export type MonitorChange = Partial<
  Pick<
    Selectable<MonitorTable>,
    | 'name'
    | 'slug'
    | 'config'
    | 'config_error'
    | 'is_disabled'
    | 'is_muted'
    | 'muted_until'
    | 'mute_windows'
    | 'owner_user_id'
    | 'owner_team_id'
    | 'source'
  >
>

export type MonitorChanges = ReturnType<typeof createMonitorChanges>

/** What people change of monitors. Every call names the organisation, or what was found in it. */
export const createMonitorChanges = ({ ledger }: { readonly ledger: Ledger }) => ({
  /** Null when the project has one with this slug, or too many. */
  add: (
    organizationId: number,
    projectId: number,
    monitor: Required<Omit<MonitorChange, 'config_error' | 'source'>>,
    now: number,
  ): Promise<{ readonly guid: string } | 'taken' | 'full'> =>
    ledger.transaction(async (transaction) => {
      const known = await transaction
        .selectFrom('monitors')
        .select((eb) => eb.fn.countAll<number>().as('monitors'))
        .where('project_id', '=', projectId)
        .executeTakeFirstOrThrow()
      if (known.monitors >= LIMITS.MONITORS_PER_PROJECT) return 'full'
      const guid = randomUUID()
      const added = await transaction
        .insertInto('monitors')
        .values({
          ...monitor,
          guid,
          organization_id: organizationId,
          project_id: projectId,
          config_error: '',
          source: 'person',
          created_at: now,
          deleted_at: null,
        })
        .onConflict((conflict) => conflict.columns(['project_id', 'slug']).doNothing())
        .returning('guid')
        .executeTakeFirst()
      return added ?? 'taken'
    }),

  /** False when the project has another one with this slug. */
  change: (organizationId: number, id: number, change: MonitorChange, now: number): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const before = await selectMonitors(transaction, organizationId).where('monitors.id', '=', id).executeTakeFirst()
      if (before === undefined) return false
      if (change.slug !== undefined && change.slug !== before.slug) {
        const other = await transaction
          .selectFrom('monitors')
          .select('id')
          .where('project_id', '=', before.project_id)
          .where('slug', '=', change.slug)
          .executeTakeFirst()
        if (other !== undefined) return false
      }
      // Whoever sets how it runs here means it.
      const isSetHere = change.config !== undefined && change.config !== before.config
      const columns = { ...(isSetHere ? { source: 'person' } : {}), ...change }
      if (Object.keys(columns).length > 0) {
        await transaction.updateTable('monitors').set(columns).where('id', '=', id).execute()
      }
      const after = { ...before, ...change }
      if (isSetHere) await keepPastConfig(transaction, id, { config: before.config, until: now })
      if (before.is_disabled === 1 && after.is_disabled === 0) await resumeIncidents(transaction, id, now)
      if (after.is_disabled === 1) {
        await switchOff(transaction, id)
        if (before.is_disabled === 0) await endIncidents(transaction, id, now)
      } else if (after.config !== before.config || before.is_disabled === 1) {
        await reschedule(transaction, id, termsOf(after), now)
      }
      return true
    }),

  remove: remove(ledger),

  restore: (organizationId: number, id: number, now: number): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const before = await selectMonitors(transaction, organizationId).where('monitors.id', '=', id).executeTakeFirst()
      if (before === undefined) return
      await transaction.updateTable('monitors').set({ deleted_at: null }).where('id', '=', id).execute()
      if (before.is_disabled === 1) return
      await resumeIncidents(transaction, id, now)
      await reschedule(transaction, id, termsOf(before), now)
    }),

  removeEnvironments: removeEnvironments(ledger),

  /** False when there is no such environment. */
  muteEnvironment: async (id: number, name: string, isMuted: boolean): Promise<boolean> => {
    const { numUpdatedRows } = await ledger.db
      .updateTable('monitor_environments')
      .set({ is_muted: isMuted ? 1 : 0 })
      .where('monitor_id', '=', id)
      .where('name', '=', name)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
})

const remove =
  (ledger: Ledger) =>
  (organizationId: number, id: number, now: number): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const removed = await transaction
        .updateTable('monitors')
        .set({ deleted_at: now })
        .where('organization_id', '=', organizationId)
        .where('id', '=', id)
        .returning('is_disabled')
        .executeTakeFirst()
      if (removed === undefined) return
      await switchOff(transaction, id)
      if (removed.is_disabled === 0) await endIncidents(transaction, id, now)
    })

/** They are gone for good. @returns whether issues are others than they were */
const removeEnvironments =
  (ledger: Ledger) =>
  (organizationId: number, id: number, names: readonly string[], now: number): Promise<boolean> =>
    ledger.transaction(async (transaction) => {
      const removed = await transaction
        .deleteFrom('monitor_environments')
        .where('monitor_id', '=', id)
        .where('organization_id', '=', organizationId)
        .where('name', 'in', ['', ...names])
        .returning('name')
        .execute()
      const monitor = await transaction
        .selectFrom('monitors')
        .select(['guid', 'project_id as projectId'])
        .where('id', '=', id)
        .executeTakeFirst()
      if (monitor === undefined || removed.length === 0) return false
      const { guid, projectId } = monitor
      const place = { organizationId, projectId, now }
      // Also of those that run again: what would have ended their issue may have waited, and went with them.
      const environments = removed.map(({ name }) => name)
      const areOver = await endIssuesOf(transaction, ledger, place, { guid, environments })
      const parts = chunks(environments, ENVIRONMENTS_IN_A_FACT)
      await noteFacts(
        transaction,
        parts.map((part) => removedEnvironments(place, guid, part)),
        now,
      )
      return areOver
    })

/** Nothing is due while it is off, and what runs cannot time out. */
const switchOff = async (transaction: LedgerTransaction, monitorId: number): Promise<void> => {
  await transaction
    .updateTable('monitor_environments')
    .set({ next_due_at: null, next_deadline_at: null, missed_due_at: null })
    .where('monitor_id', '=', monitorId)
    .execute()
  await transaction
    .updateTable('monitor_runs')
    .set({ status: 'unknown', timeout_at: null })
    .where('timeout_at', 'is not', null)
    .where('environment_id', 'in', (eb) =>
      eb.selectFrom('monitor_environments').select('id').where('monitor_id', '=', monitorId),
    )
    .execute()
}
