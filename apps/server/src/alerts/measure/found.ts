import type { Member } from './batch.ts'
import type { NumberRow } from './numbers.ts'
import { OLD_SLOT } from './statement.ts'

/** Numbers of one group of a rule. */
export interface GroupNumbers {
  /** As they stand in the rows: ids where something has a name. */
  readonly values: readonly string[]
  /** Null of nothing. */
  readonly value: number | null
  /** The same time before. */
  readonly before: number | null
  readonly sampled: number
}

/** What was found of a rule: its groups, the worst first, and how much came too late to count. */
export interface Found {
  readonly groups: readonly GroupNumbers[]
  readonly old: number
}

const CURRENT = 1
const BEFORE = 2

/** Of a count nothing is 0; of other numbers it is nothing. */
export const nothingOf = ({ shape }: Pick<Member, 'shape'>): number | null => (shape.isCount ? 0 : null)

export const groupKey = (values: readonly string[]): string => JSON.stringify(values)

export const valuesOfKey = (key: string): readonly string[] => JSON.parse(key) as string[]

/** @param rows of the rule's cell */
export const foundOf = (rows: readonly NumberRow[], member: Member): Found => {
  const nothing = nothingOf(member)
  const before = new Map<string, number | null>()
  for (const { group, slot, values } of rows) {
    if (slot === BEFORE) before.set(groupKey(group), values[member.aggregate] ?? nothing)
  }
  return {
    groups: rows
      .filter(({ slot }) => slot === CURRENT)
      .map(({ group, sampled, values }) => ({
        values: group,
        sampled,
        value: values[member.aggregate] ?? nothing,
        before: before.get(groupKey(group)) ?? nothing,
      })),
    old: rows.reduce((sum, { sampled, slot }) => (slot === OLD_SLOT ? sum + sampled : sum), 0),
  }
}

/** Groups of which nothing came, but that fire or nearly do; a rule without groups is one itself. */
export const withSilent = (found: Found, member: Member, known: Iterable<string>): readonly GroupNumbers[] => {
  const there = new Set(found.groups.map(({ values }) => groupKey(values)))
  const keys = member.rule.trigger.groupBy.length === 0 ? [groupKey([])] : [...known]
  const nothing = nothingOf(member)
  const silent = keys
    .filter((key) => !there.has(key))
    .map((key) => ({ values: valuesOfKey(key), value: nothing, before: nothing, sampled: 0 }))
  return [...found.groups, ...silent]
}
