import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import {
  UNUSED,
  type ChangedNames,
  type NameRule,
  type NamesSeen,
  type NameUse,
  type StoredRule,
} from '../names/project-names.ts'

/** What the digest knows of names, as it is stored. */

export interface KnownNames {
  readonly rules: readonly StoredRule[]
  readonly seen: NamesSeen | null
  readonly tree: string | null
}

interface RuleRow {
  readonly pattern: string
  readonly is_own: number
  readonly is_refused: number
}

const ruleOf = ({ is_own, is_refused, pattern }: RuleRow): NameRule => ({
  pattern,
  isOwn: is_own === 1,
  isRefused: is_refused === 1,
})

const groupedRules = async (db: Ledger['db'], projectIds: readonly number[]) => {
  const rows = await db
    .selectFrom('name_rules')
    .select(['project_id', 'pattern', 'is_own', 'is_refused'])
    .where('project_id', 'in', projectIds)
    .execute()
  return Map.groupBy(rows, ({ project_id }) => project_id)
}

/** Of each of these projects. */
export const readRules = async (
  db: Ledger['db'],
  projectIds: readonly number[],
): Promise<ReadonlyMap<number, readonly NameRule[]>> => {
  const rows = await groupedRules(db, projectIds)
  return new Map(projectIds.map((id) => [id, (rows.get(id) ?? []).map(ruleOf)]))
}

/** All that is known of one. */
export const readKnownNames = async (db: Ledger['db'], projectId: number): Promise<KnownNames> => {
  const rules = await db
    .selectFrom('name_rules')
    .select(['pattern', 'is_own', 'is_refused', 'uses'])
    .where('project_id', '=', projectId)
    .execute()
  const names = await db
    .selectFrom('known_names')
    .select(['tree', 'seen'])
    .where('project_id', '=', projectId)
    .executeTakeFirst()
  return {
    // Only what follows writes them.
    rules: rules.map((row) => ({ ...ruleOf(row), use: JSON.parse(row.uses) as NameUse })),
    seen: names === undefined ? null : (JSON.parse(names.seen) as NamesSeen),
    tree: names?.tree ?? null,
  }
}

/** Those that were not deleted meanwhile. */
export const livingOf = async (
  transaction: LedgerTransaction,
  projectIds: readonly number[],
): Promise<ReadonlySet<number>> => {
  const rows = await transaction.selectFrom('projects').select('id').where('id', 'in', projectIds).execute()
  return new Set(rows.map(({ id }) => id))
}

/** Rules that are gone by now stay so, and one that was refused stays refused. */
export const saveChanges = async (
  transaction: LedgerTransaction,
  projectId: number,
  { learned, seen, tree, uses }: ChangedNames,
  now: number,
): Promise<void> => {
  const row = { seen: JSON.stringify(seen), changed_at: now, ...(tree === null ? {} : { tree }) }
  await transaction
    .insertInto('known_names')
    .values({ tree: '', ...row, project_id: projectId })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(row))
    .execute()
  if (learned.length > 0) {
    await transaction
      .insertInto('name_rules')
      .values(
        learned.map((pattern) => ({
          project_id: projectId,
          pattern,
          is_own: 0 as const,
          is_refused: 0 as const,
          made_at: now,
          last_at: now,
          uses: JSON.stringify(UNUSED),
        })),
      )
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  for (const [pattern, use] of uses) {
    await transaction
      .updateTable('name_rules')
      .set({ uses: JSON.stringify(use), last_at: use.lastAt ?? now })
      .where('project_id', '=', projectId)
      .where('pattern', '=', pattern)
      .execute()
  }
}
