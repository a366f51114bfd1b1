import type { Ledger, LedgerTransaction } from '../../../storage/index.ts'
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
    for (const { course, key, organizationId, ruleId, shape } of courses) {
      if (isPlain(course)) {
        await transaction
          .deleteFrom('measured_courses')
          .where('rule_id', '=', ruleId)
          .where('group_key', '=', key)
          .execute()
        continue
      }
      const text = JSON.stringify(course)
      await transaction
        .insertInto('measured_courses')
        .values({ rule_id: ruleId, organization_id: organizationId, group_key: key, course: text, shape })
        .onConflict((conflict) => conflict.columns(['rule_id', 'group_key']).doUpdateSet({ course: text, shape }))
        .execute()
    }
  },

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
