import type { GroupedEvent, StoredGrouping } from '../grouped.ts'
import { LIMITS } from '../limits.ts'

/**
 * What grouping decided, as the column `grouping` of an event has it: JSON with keys of one letter, because every event
 * has one.
 */
interface GroupingColumn {
  /** Version, hashes, variant, description. */
  readonly v: string
  readonly h: readonly string[]
  readonly k: string
  readonly d: string
  /** The rule that matched, and the index of the main exception. */
  readonly r?: string
  readonly m?: number
}

export const encodeGrouping = ({ grouping, decision }: GroupedEvent): string => {
  const { variant, description, rule, mainException } = decision
  const column: GroupingColumn = {
    v: grouping.version,
    h: grouping.hashes,
    k: variant,
    d: cut(description),
    // Half a rule would be another rule.
    ...(rule === undefined || rule.length > LIMITS.GROUPING_REASON_CHARACTERS ? {} : { r: rule }),
    ...(mainException === undefined ? {} : { m: mainException }),
  }
  return JSON.stringify(column)
}

const cut = (text: string): string =>
  text.length <= LIMITS.GROUPING_REASON_CHARACTERS ? text : `${text.slice(0, LIMITS.GROUPING_REASON_CHARACTERS - 1)}…`

/** Null for events of before the column. */
export const readGrouping = (text: string): StoredGrouping | null => {
  if (text === '') return null
  const { v, h, k, d, r, m } = JSON.parse(text) as GroupingColumn
  return {
    version: v,
    hashes: h,
    variant: k,
    description: d,
    ...(r === undefined ? {} : { rule: r }),
    ...(m === undefined ? {} : { mainException: m }),
  }
}
