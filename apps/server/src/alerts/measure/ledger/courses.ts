import type { Ledger, LedgerTransaction } from '../../../storage/index.ts'
import { chunks, ROWS_PER_STATEMENT } from '../../../storage/ledger/chunks.ts'
import type { Course } from '../course.ts'

/** How rules and their groups stand, over restarts. */
export interface KeptCourse {
  readonly ruleId: number
  readonly organizationId: number
  readonly key: string
  readonly course: Course
  /** What its rule measured; '' where that was not noted. */
  readonly shape: string
}

/** Nothing of it has to be known the minute after. */
export const isPlain = ({ beyond, changes, isFlapping, phase }: Course): boolean =>
  phase === 'ok' && !isFlapping && changes.length === 0 && !beyond.includes(true)

const deleteGroups = async (
  db: Pick<LedgerTransaction, 'deleteFrom'>,
  ruleId: number,
  keys: readonly string[],
): Promise<void> => {
  for (const part of chunks(keys, ROWS_PER_STATEMENT)) {
    await db.deleteFrom('measured_courses').where('rule_id', '=', ruleId).where('group_key', 'in', part).execute()
  }
}

export const createCourses = ({ ledger }: { readonly ledger: Ledger }) => ({
  all: async (): Promise<readonly KeptCourse[]> => {
    const rows = await ledger.db.selectFrom('measured_courses').selectAll().execute()
    return rows.map(({ course, group_key: key, organization_id: organizationId, rule_id: ruleId, shape }) => ({
      ruleId,
      shape,
      organizationId,
      key,
      course: JSON.parse(course) as Course,
    }))
  },

  save: async (transaction: LedgerTransaction, courses: readonly KeptCourse[]): Promise<void> => {
    const plain = courses.filter(({ course }) => isPlain(course))
    for (const [ruleId, own] of Map.groupBy(plain, (one) => one.ruleId)) {
      await deleteGroups(
        transaction,
        ruleId,
        own.map(({ key }) => key),
      )
    }
    const rows = courses
      .filter(({ course }) => !isPlain(course))
      .map(({ course, key, organizationId, ruleId, shape }) => {
        return {
          rule_id: ruleId,
          organization_id: organizationId,
          group_key: key,
          course: JSON.stringify(course),
          shape,
        }
      })
    for (const part of chunks(rows, ROWS_PER_STATEMENT)) {
      await transaction
        .insertInto('measured_courses')
        .values(part)
        .onConflict((conflict) =>
          conflict.columns(['rule_id', 'group_key']).doUpdateSet(({ ref }) => ({
            course: ref('excluded.course'),
            shape: ref('excluded.shape'),
          })),
        )
        .execute()
    }
  },

  /** Of a rule that goes on with others. */
  endGroups: (ruleId: number, keys: readonly string[]): Promise<void> => deleteGroups(ledger.db, ruleId, keys),

  /** Of rules that measure something else now. */
  end: async (ruleIds: readonly number[]): Promise<void> => {
    if (ruleIds.length === 0) return
    await ledger.db.deleteFrom('measured_courses').where('rule_id', 'in', ruleIds).execute()
  },

  /** Of rules that are there no more. */
  forget: async (ruleIds: readonly number[]): Promise<void> => {
    if (ruleIds.length === 0) return
    await ledger.db.deleteFrom('measured_courses').where('rule_id', 'in', ruleIds).execute()
    await ledger.db.deleteFrom('measured_costs').where('rule_id', 'in', ruleIds).execute()
  },
})
