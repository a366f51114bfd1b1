import type { Selectable } from 'kysely'
import { alertDraft, type AlertDraft, type AlertDraftInput } from '@firsthand/contract'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS as STORAGE_LIMITS } from '../../storage/limits.ts'
import { DEFAULT_RULE } from '../default-rule.ts'
import { LIMITS } from '../limits.ts'
import type { AlertRule } from '../rule.ts'
import { withdrawLinesOfRule } from './groups.ts'
import { forgetHeldBack } from './held-back.ts'
import { dueNow } from './incidents.ts'
import { oneAtATime } from './one-at-a-time.ts'
import { readDraft } from './read-draft.ts'
import type { AlertRuleTable } from './schema.ts'
import { endedFor } from './untold-ends.ts'

type Db = Ledger['db'] | LedgerTransaction

/** Who changes something, where and when. */
export interface RuleActor {
  readonly organizationId: number
  readonly userId: number | null
  readonly now: number
}

export type Rules = ReturnType<typeof createRules>

/** Stands where a draft cannot be read any more, so that the rule can be seen, changed and deleted. */
const unreadable = ({ is_enabled: enabled, name, source }: Selectable<AlertRuleTable>): AlertDraft =>
  alertDraft.parse({ name, isEnabled: enabled === 1, trigger: UNREADABLE[source] })

const UNREADABLE: Readonly<Record<AlertRuleTable['source'], AlertDraftInput['trigger']>> = {
  happened: { source: 'happened', kinds: ['issue_opened'] },
  measured: {
    source: 'measured',
    dataset: 'errors',
    aggregate: 'count()',
    windowMinutes: 5,
    comparison: { kind: 'fixed', direction: 'above', limit: 0 },
  },
  silence: { source: 'silence', dataset: 'errors', minutes: 1 },
}

const toRule = (row: Selectable<AlertRuleTable>, projects: readonly number[]): AlertRule => {
  const projectIds = row.all_projects === 1 ? null : projects
  const read = readDraft(row.draft, { name: row.name, isEnabled: row.is_enabled === 1 })
  const draft = read.draft ?? unreadable(row)
  return {
    id: row.id,
    organizationId: row.organization_id,
    projectIds,
    draft: { ...draft, projects: projectIds === null ? null : projectIds.map(String) },
    problem: read.problem,
    version: row.version,
    isDefault: row.is_default === 1,
    mutedUntil: row.is_muted === 1 ? Infinity : row.muted_until,
    mutedBy: row.muted_by,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    lastFiredAt: row.last_fired_at,
    imported: row.imported,
  }
}

const withProjects = async (db: Db, rows: readonly Selectable<AlertRuleTable>[]): Promise<AlertRule[]> => {
  const [first] = rows
  if (first === undefined) return []
  const projects = await db
    .selectFrom('alert_rule_projects')
    .innerJoin('alert_rules', 'alert_rules.id', 'alert_rule_projects.rule_id')
    .innerJoin('projects', 'projects.id', 'alert_rule_projects.project_id')
    .select(['alert_rule_projects.rule_id', 'alert_rule_projects.project_id'])
    .where('alert_rules.organization_id', '=', first.organization_id)
    .where('projects.deleted_at', 'is', null)
    .orderBy('alert_rule_projects.project_id')
    .execute()
  const byRule = Map.groupBy(projects, ({ rule_id: id }) => id)
  return rows.map((row) =>
    toRule(
      row,
      (byRule.get(row.id) ?? []).map(({ project_id: id }) => id),
    ),
  )
}

const living = (db: Db, organizationId: number) =>
  db.selectFrom('alert_rules').selectAll().where('organization_id', '=', organizationId).where('deleted_at', 'is', null)

const columnsOf = ({ name, isEnabled, projects, ...draft }: AlertDraft) => ({
  name,
  source: draft.trigger.source,
  draft: JSON.stringify(draft),
  all_projects: projects === null ? (1 as const) : (0 as const),
  is_enabled: isEnabled ? (1 as const) : (0 as const),
})

/** What is watched: with another name, or other receivers, it is the same. */
const watchedOf = ({ environments, isEnabled, projects, query, trigger }: AlertDraft): string =>
  JSON.stringify([trigger, query, [...environments], projects, isEnabled])

const setProjects = async (
  transaction: LedgerTransaction,
  ruleId: number,
  { projects }: Pick<AlertDraft, 'projects'>,
): Promise<void> => {
  await transaction.deleteFrom('alert_rule_projects').where('rule_id', '=', ruleId).execute()
  if (projects === null) return
  const rows = [...new Set(projects)].map((id) => ({ rule_id: ruleId, project_id: Number(id) }))
  // All of its projects may be gone.
  if (rows.length === 0) return
  await transaction.insertInto('alert_rule_projects').values(rows).execute()
}

const insert = async (
  transaction: LedgerTransaction,
  actor: RuleActor,
  draft: AlertDraft,
  more: { readonly isDefault: boolean; readonly imported: string | null },
): Promise<number> => {
  const { id } = await transaction
    .insertInto('alert_rules')
    .values({
      ...columnsOf(draft),
      organization_id: actor.organizationId,
      version: 1,
      is_default: more.isDefault ? 1 : 0,
      muted_until: null,
      is_muted: 0,
      muted_by: null,
      created_by: actor.userId,
      created_at: actor.now,
      updated_at: actor.now,
      watched_since: actor.now,
      last_fired_at: null,
      deleted_at: null,
      imported: more.imported,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await setProjects(transaction, id, draft)
  return id
}

/** Incidents of a rule that nobody wants to hear of any more are over: whoever heard of one is told why. */
const closeIncidents = async (transaction: LedgerTransaction, ruleId: number, now: number): Promise<void> => {
  await transaction
    .updateTable('alert_incidents')
    .set(endedFor('the alert was deleted', now))
    .where('rule_id', '=', ruleId)
    .where('ended_at', 'is', null)
    .execute()
  await withdrawLinesOfRule(transaction, ruleId)
  await forgetHeldBack(transaction, ruleId)
}

const countRules = async (transaction: LedgerTransaction, organizationId: number): Promise<number> => {
  const { rules } = await transaction
    .selectFrom('alert_rules')
    .select(({ fn }) => fn.countAll<number>().as('rules'))
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return rules
}

/** @param changed told of the organisation whose rules changed */
// long: one statement or two for each thing that is done to a rule
export const createRules = ({
  ledger,
  changed,
}: {
  readonly ledger: Ledger
  readonly changed: (organizationId: number) => void
}) => {
  const told = async <Value>(organizationId: number, work: Promise<Value>): Promise<Value> => {
    const value = await work
    changed(organizationId)
    return value
  }

  const find = async (organizationId: number, id: number): Promise<AlertRule | null> => {
    const rows = await living(ledger.db, organizationId).where('id', '=', id).execute()
    return (await withProjects(ledger.db, rows))[0] ?? null
  }

  /** Does something to a rule, which may be gone. */
  const touch = async (
    { organizationId }: RuleActor,
    id: number,
    work: (transaction: LedgerTransaction) => Promise<unknown>,
  ): Promise<AlertRule | null> => {
    await ledger.transaction(async (transaction) => {
      const own = await living(transaction, organizationId).where('id', '=', id).executeTakeFirst()
      if (own !== undefined) await work(transaction)
    })
    changed(organizationId)
    return find(organizationId, id)
  }

  return {
    find,

    /** Those of an organisation, by name. The first time that it is asked, it gets the rule with which all begin. */
    list: async (organizationId: number, now: number): Promise<readonly AlertRule[]> => {
      const known = await ledger.db
        .selectFrom('alert_defaults')
        .select('organization_id')
        .where('organization_id', '=', organizationId)
        .executeTakeFirst()
      if (known === undefined) {
        await ledger.transaction(async (transaction) => {
          const { numInsertedOrUpdatedRows } = await transaction
            .insertInto('alert_defaults')
            .values({ organization_id: organizationId })
            .onConflict((conflict) => conflict.column('organization_id').doNothing())
            .executeTakeFirstOrThrow()
          if (numInsertedOrUpdatedRows !== 1n) return
          const machine = { organizationId, userId: null, now }
          await insert(transaction, machine, DEFAULT_RULE, { isDefault: true, imported: null })
        })
      }
      const rows = await living(ledger.db, organizationId).orderBy('name').orderBy('id').execute()
      return withProjects(ledger.db, rows)
    },

    /** Null when the organisation has as many as it may. */
    add: (actor: RuleActor, draft: AlertDraft, imported: string | null = null): Promise<AlertRule | null> =>
      told(
        actor.organizationId,
        ledger
          .transaction(async (transaction) => {
            return (await countRules(transaction, actor.organizationId)) >= LIMITS.ALERT_RULES
              ? null
              : insert(transaction, actor, draft, { isDefault: false, imported })
          })
          .then((id) => (id === null ? null : find(actor.organizationId, id))),
      ),

    /**
     * Its incidents and evaluations stay, and its version rises.
     *
     * @param version the one that was changed; null whichever it is
     * @returns `other` when somebody else changed it meanwhile, null when there is none
     */
    change: (
      actor: RuleActor,
      id: number,
      draft: AlertDraft,
      { version, imported }: { readonly version: number | null; readonly imported: string | null },
    ): Promise<AlertRule | 'other' | null> =>
      told<AlertRule | 'other' | null>(
        actor.organizationId,
        ledger
          .transaction(async (transaction) => {
            const row = await living(transaction, actor.organizationId).where('id', '=', id).executeTakeFirst()
            if (row === undefined) return null
            const [before] = await withProjects(transaction, [row])
            const isOther = before === undefined || watchedOf(before.draft) !== watchedOf(draft)
            const { numUpdatedRows } = await transaction
              .updateTable('alert_rules')
              .set({ ...columnsOf(draft), version: row.version + 1, updated_at: actor.now, imported })
              .$if(isOther, (query) => query.set({ watched_since: actor.now }))
              .where('id', '=', id)
              .where('version', '=', version ?? row.version)
              .executeTakeFirst()
            if (numUpdatedRows === 0n) return 'other' as const
            await setProjects(transaction, id, draft)
            return 'changed' as const
          })
          .then(async (done) => (done === 'changed' ? find(actor.organizationId, id) : done)),
      ),

    enable: (actor: RuleActor, id: number, isEnabled: boolean): Promise<AlertRule | null> =>
      touch(actor, id, (transaction) =>
        transaction
          .updateTable('alert_rules')
          .set((row) => ({
            is_enabled: isEnabled ? (1 as const) : (0 as const),
            version: row('version', '+', 1),
            updated_at: actor.now,
            ...(isEnabled ? { watched_since: actor.now } : {}),
          }))
          .where('id', '=', id)
          .execute(),
      ),

    /** @param until milliseconds since the epoch; `Infinity` until somebody takes it back, null for not at all */
    mute: (actor: RuleActor, id: number, until: number | null): Promise<AlertRule | null> =>
      touch(actor, id, async (transaction) => {
        await oneAtATime(transaction, ledger.dialect)
        const isForEver = until === Infinity
        await transaction
          .updateTable('alert_rules')
          .set({
            muted_until: isForEver ? null : until,
            is_muted: isForEver ? 1 : 0,
            muted_by: until === null ? null : actor.userId,
          })
          .where('id', '=', id)
          .execute()
        // What goes on and was not told for it may be told now.
        if (until === null) await dueNow(transaction, id, actor.now)
      }),

    /** False when there is none. */
    remove: ({ organizationId, now }: RuleActor, id: number): Promise<boolean> =>
      told(
        organizationId,
        ledger.transaction(async (transaction) => {
          await oneAtATime(transaction, ledger.dialect)
          const { numUpdatedRows } = await transaction
            .updateTable('alert_rules')
            .set({ deleted_at: now, updated_at: now })
            .where('id', '=', id)
            .where('organization_id', '=', organizationId)
            .where('deleted_at', 'is', null)
            .executeTakeFirst()
          if (numUpdatedRows === 0n) return false
          await closeIncidents(transaction, id, now)
          return true
        }),
      ),

    /** `full` when the organisation has as many as it may, null when there is none that was deleted. */
    restore: (actor: RuleActor, id: number): Promise<AlertRule | 'full' | null> =>
      told<AlertRule | 'full' | null>(
        actor.organizationId,
        ledger
          .transaction(async (transaction) => {
            if ((await countRules(transaction, actor.organizationId)) >= LIMITS.ALERT_RULES) return 'full' as const
            await transaction
              .updateTable('alert_rules')
              .set({ deleted_at: null, updated_at: actor.now, watched_since: actor.now })
              .where('id', '=', id)
              .where('organization_id', '=', actor.organizationId)
              .where('deleted_at', 'is not', null)
              .execute()
            return 'restored' as const
          })
          .then(async (done) => (done === 'full' ? done : find(actor.organizationId, id))),
      ),

    /** Those that were deleted long enough ago. */
    purge: async (now: number): Promise<number> => {
      const { numDeletedRows } = await ledger.db
        .deleteFrom('alert_rules')
        .where('deleted_at', 'is not', null)
        .where('deleted_at', '<', now - STORAGE_LIMITS.DELETION_UNDO_MS)
        .executeTakeFirst()
      // What a rule took is noted while its minutes are evaluated, be it gone by then.
      await ledger.db
        .deleteFrom('measured_costs')
        .where('rule_id', 'not in', ledger.db.selectFrom('alert_rules').select('id'))
        .execute()
      return Number(numDeletedRows)
    },
  }
}
