import { randomUUID } from 'node:crypto'
import type { Selectable } from 'kysely'
import type { OffsetPage } from '../../lib/offset-page.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import type { CheckRow } from './records.ts'
import type { UptimeCheckTable } from './schema.ts'
import { endIncidents, resumeIncidents } from './unwatched.ts'

/** Columns that people change. */
export type CheckChange = Partial<
  Pick<
    Selectable<UptimeCheckTable>,
    | 'name'
    | 'environment'
    | 'asked'
    | 'interval_seconds'
    | 'failures_needed'
    | 'oks_needed'
    | 'is_disabled'
    | 'is_muted'
  >
>

const selectChecks = (db: Ledger['db'] | LedgerTransaction, organizationId: number) =>
  db
    .selectFrom('uptime_checks')
    .innerJoin('projects', 'projects.id', 'uptime_checks.project_id')
    .selectAll('uptime_checks')
    .select(['projects.slug as project_slug', 'projects.name as project_name', 'projects.platform as project_platform'])
    .where('uptime_checks.organization_id', '=', organizationId)
    .where('projects.deleted_at', 'is', null)

const own = (transaction: LedgerTransaction, organizationId: number, id: number) =>
  transaction
    .selectFrom('uptime_checks')
    .select(['id', 'is_disabled', 'has_issue', 'certificate_step'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()

export type Checks = ReturnType<typeof createChecks>

/** Checks as people list and change them. Every call names the organisation. */
export const createChecks = ({ ledger }: { readonly ledger: Ledger }) => ({
  list: (
    organizationId: number,
    { limit, offset, projectIds }: OffsetPage & { readonly projectIds: readonly number[] | null },
  ): Promise<CheckRow[]> => {
    let query = selectChecks(ledger.db, organizationId).where('uptime_checks.deleted_at', 'is', null)
    if (projectIds !== null) query = query.where('uptime_checks.project_id', 'in', [...projectIds, 0])
    return query
      .orderBy('uptime_checks.name')
      .orderBy('uptime_checks.id')
      .offset(offset)
      .limit(limit + 1)
      .execute()
  },
  find: async (organizationId: number, guid: string, isDeleted = false): Promise<CheckRow | null> =>
    (await selectChecks(ledger.db, organizationId)
      .where('uptime_checks.guid', '=', guid)
      .where('uptime_checks.deleted_at', isDeleted ? 'is not' : 'is', null)
      .executeTakeFirst()) ?? null,
  /** Null when the organisation has as many as it may. */
  add: (organizationId: number, projectId: number, check: Required<CheckChange>, now: number): Promise<string | null> =>
    ledger.transaction(async (transaction) => {
      const { checks } = await transaction
        .selectFrom('uptime_checks')
        .select((eb) => eb.fn.countAll<number>().as('checks'))
        .where('organization_id', '=', organizationId)
        .executeTakeFirstOrThrow()
      if (checks >= LIMITS.UPTIME_CHECKS) return null
      const guid = randomUUID()
      await transaction
        .insertInto('uptime_checks')
        .values({
          ...check,
          guid,
          organization_id: organizationId,
          project_id: projectId,
          status: 'active',
          failures_in_row: 0,
          oks_in_row: 0,
          incident_since: null,
          has_issue: 0,
          last_failure: '',
          last_asked_at: null,
          next_at: check.is_disabled === 1 ? null : now,
          certificate_ends_at: null,
          certificate_step: null,
          created_at: now,
          deleted_at: null,
        })
        .execute()
      return guid
    }),
  /** What is asked after a change is asked at once. */
  change: async (organizationId: number, id: number, change: CheckChange, now: number): Promise<void> => {
    if (Object.keys(change).length === 0) return
    const next = change.is_disabled === 1 ? { next_at: null } : { next_at: now }
    const isAskedElse = change.asked !== undefined || change.is_disabled !== undefined
    await ledger.transaction(async (transaction) => {
      const before = await own(transaction, organizationId, id)
      if (before === undefined) return
      await transaction
        .updateTable('uptime_checks')
        .set({ ...change, ...(isAskedElse ? next : {}) })
        .where('id', '=', id)
        .execute()
      if (change.is_disabled === 1 && before.is_disabled === 0) await endIncidents(transaction, before, now)
      if (change.is_disabled === 0 && before.is_disabled === 1) await resumeIncidents(transaction, id, now)
    })
  },
  remove: (organizationId: number, id: number, now: number): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const before = await own(transaction, organizationId, id)
      if (before === undefined) return
      await transaction
        .updateTable('uptime_checks')
        .set({ deleted_at: now, next_at: null })
        .where('id', '=', id)
        .execute()
      if (before.is_disabled === 0) await endIncidents(transaction, before, now)
    }),
  restore: (organizationId: number, id: number, now: number): Promise<void> =>
    ledger.transaction(async (transaction) => {
      const before = await own(transaction, organizationId, id)
      if (before === undefined) return
      const isOff = before.is_disabled === 1
      await transaction
        .updateTable('uptime_checks')
        .set({ deleted_at: null, next_at: isOff ? null : now })
        .where('id', '=', id)
        .execute()
      if (!isOff) await resumeIncidents(transaction, id, now)
    }),
  purge: async (now: number): Promise<void> => {
    await ledger.db
      .deleteFrom('uptime_checks')
      .where('deleted_at', '<', now - LIMITS.UPTIME_DELETION_MS)
      .execute()
  },
})
