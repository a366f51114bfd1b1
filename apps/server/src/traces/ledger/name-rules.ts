import type { Clock } from '../../lib/clock.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { err, ok, type Result } from '../../lib/result.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import { LIMITS } from '../limits.ts'
import { readPattern } from '../names/pattern.ts'
import { UNUSED, type NamesSeen, type NameUse } from '../names/project-names.ts'

/** What becomes of a rule. */
export type RuleState = 'own' | 'removed' | 'refused' | 'learned'

export interface ListedRule {
  readonly pattern: string
  readonly isOwn: boolean
  readonly isRefused: boolean
  /** Milliseconds since the epoch. */
  readonly madeAt: number
  readonly use: NameUse
}

export interface ListedNames {
  readonly rules: readonly ListedRule[]
  /** Null before the first transaction. */
  readonly seen: NamesSeen | null
}

export type NameRules = ReturnType<typeof createNameRules>

/** Rules for names, as the members of a project see and change them. */
export const createNameRules = ({ ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock }) => ({
  /** The project's own rules first, then what was learned last. */
  load: async (projectId: number): Promise<ListedNames> => {
    const rules = await ledger.db
      .selectFrom('name_rules')
      .select(['pattern', 'is_own', 'is_refused', 'made_at', 'uses'])
      .where('project_id', '=', projectId)
      .orderBy('is_own', 'desc')
      .orderBy('made_at', 'desc')
      .orderBy('pattern')
      .execute()
    const known = await ledger.db
      .selectFrom('known_names')
      .select('seen')
      .where('project_id', '=', projectId)
      .executeTakeFirst()
    return {
      // Only the digest writes them.
      rules: rules.map((row) => ({
        pattern: row.pattern,
        isOwn: row.is_own === 1,
        isRefused: row.is_refused === 1,
        madeAt: row.made_at,
        use: JSON.parse(row.uses) as NameUse,
      })),
      seen: known === undefined ? null : (JSON.parse(known.seen) as NamesSeen),
    }
  },

  /** @returns a sentence when it cannot be done; null when there is no such rule */
  change: (projectId: number, pattern: string, state: RuleState): Promise<Result<null, string | null>> =>
    state === 'own'
      ? addOwn(ledger, projectId, pattern, clock.now())
      : ledger.transaction(async (transaction) => {
          const isChanged =
            state === 'removed'
              ? remove(transaction, projectId, pattern)
              : refuse(transaction, projectId, pattern, state === 'refused')
          return (await isChanged) ? ok(null) : err(null)
        }),

  /** Lets go learned rules that named nothing for long, and the examples of all. */
  forgetOld: async (): Promise<void> => {
    const before = clock.now() - LIMITS.NAME_RULE_DAYS * DAY_MS
    await ledger.db
      .deleteFrom('name_rules')
      .where('last_at', '<', before)
      .where('is_own', '=', 0)
      .where('is_refused', '=', 0)
      .execute()
    await ledger.db
      .updateTable('name_rules')
      .set({ uses: JSON.stringify(UNUSED), last_at: null })
      .where('last_at', '<', before)
      .execute()
    await ledger.db.deleteFrom('known_names').where('changed_at', '<', before).execute()
  },
})

const addOwn = (ledger: Ledger, projectId: number, pattern: string, now: number): Promise<Result<null, string>> => {
  const read = readPattern(pattern)
  if (!read.ok) return Promise.resolve(read)
  return ledger.transaction(async (transaction) => {
    const own = await transaction
      .selectFrom('name_rules')
      .select('pattern')
      .where('project_id', '=', projectId)
      .where('is_own', '=', 1)
      .execute()
    if (own.length >= LIMITS.NAME_RULES_OWN && own.every((rule) => rule.pattern !== pattern)) {
      return err(`A project has at most ${LIMITS.NAME_RULES_OWN} rules of its own.`)
    }
    await transaction
      .insertInto('name_rules')
      .values({
        project_id: projectId,
        pattern,
        is_own: 1,
        is_refused: 0,
        made_at: now,
        last_at: null,
        uses: JSON.stringify(UNUSED),
      })
      .onConflict((conflict) => conflict.columns(['project_id', 'pattern']).doUpdateSet({ is_own: 1, is_refused: 0 }))
      .execute()
    return ok(null)
  })
}

/** @returns whether there was one of the project's own */
const remove = async (transaction: LedgerTransaction, projectId: number, pattern: string): Promise<boolean> => {
  const { numDeletedRows } = await transaction
    .deleteFrom('name_rules')
    .where('project_id', '=', projectId)
    .where('pattern', '=', pattern)
    .where('is_own', '=', 1)
    .executeTakeFirst()
  return numDeletedRows > 0
}

/** @returns whether it was learned once */
const refuse = async (
  transaction: LedgerTransaction,
  projectId: number,
  pattern: string,
  isRefused: boolean,
): Promise<boolean> => {
  const { numUpdatedRows } = await transaction
    .updateTable('name_rules')
    .set({ is_refused: isRefused ? 1 : 0 })
    .where('project_id', '=', projectId)
    .where('pattern', '=', pattern)
    .where('is_own', '=', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0
}
