import type { Period } from '../../search/index.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import type { Batch, Member } from './batch.ts'
import type { MeasuredRule } from './rule.ts'
import { baselineOf, type Baseline, type History } from './baseline.ts'
import { leastSampled } from './least-sampled.ts'
import { LIMITS } from '../limits.ts'
import { endOf, MINUTE_MS } from './minute.ts'
import type { AskNumbers, NumberRow } from './numbers.ts'
import { scatterOf } from './shape.ts'
import { periodsOf, type Grid, type Windows } from './windows.ts'

/** What the past of a rule says is usual: read once an hour, for all rules of a statement. */

const WEEK_MS = 7 * 24 * HOUR_MS

/** Windows that end with the hours like this one: of each week the hour before, this one, and the one after. */
export const hoursAlike = (hour: number, windowMinutes: number): readonly Period[] => {
  const end = (hour + 1) * HOUR_MS
  const weeks = Array.from({ length: LIMITS.BASELINE_WEEKS }, (_, index) => index + 1)
  return weeks.flatMap((week) =>
    [-1, 0, 1].map((beside) => {
      const to = end - week * WEEK_MS + beside * HOUR_MS
      return { from: to - windowMinutes * MINUTE_MS, to }
    }),
  )
}

/** Windows of the days before, one for each hour or longer, while there are too few weeks. */
export const allHours = (hour: number, windowMinutes: number): Grid => {
  const stepMs = Math.max(HOUR_MS, windowMinutes * MINUTE_MS)
  const count = Math.floor((LIMITS.BASELINE_LEARNING_DAYS * DAY_MS) / stepMs)
  return { end: hour * HOUR_MS, stepMs, lengthMs: windowMinutes * MINUTE_MS, count }
}

/** The days of the weeks that are looked at. */
const allDays = (hour: number): Grid => ({
  end: (hour + 1) * HOUR_MS,
  stepMs: DAY_MS,
  lengthMs: DAY_MS,
  count: LIMITS.BASELINE_WEEKS * 7,
})

export const hourOf = (minute: number): number => Math.floor((endOf(minute) - 1) / HOUR_MS)

/** Times in which a rule fired: what was unusual then does not say what is usual. */
export type IncidentsOf = (ruleIds: readonly number[], since: number) => Promise<ReadonlyMap<number, readonly Period[]>>

const overlaps = (window: Period, { from, to }: Period): boolean => window.from < to && window.to > from

export interface PastOf {
  /** By the group's key in the answer. */
  readonly baselines: ReadonlyMap<string, Baseline | null>
  /** Of a group that was not there before. */
  readonly otherwise: Baseline | null
}

const groupKey = (group: readonly string[]): string => JSON.stringify(group)

/** Values by group and window, of one rule. */
const valuesOf = (rows: readonly NumberRow[], member: Member): ReadonlyMap<string, ReadonlyMap<number, number>> => {
  const found = new Map<string, Map<number, number>>()
  const least = leastSampled(member)
  for (const row of rows) {
    const value = row.values[member.aggregate] ?? null
    if (row.cell !== member.cell || value === null || row.sampled < least) continue
    const key = groupKey(row.group)
    const slots = found.get(key) ?? new Map<number, number>()
    found.set(key, slots.set(row.slot, value))
  }
  return found
}

/** Counts of nothing are 0 as far back as there is anything; of other numbers nothing is known then. */
const listed = (
  slots: ReadonlyMap<number, number>,
  windows: Windows,
  {
    isCount,
    since,
    skipped,
  }: { readonly isCount: boolean; readonly since: number; readonly skipped: readonly Period[] },
): number[] =>
  periodsOf(windows).flatMap((window, index) => {
    if (window.from < since || skipped.some((incident) => overlaps(window, incident))) return []
    const value = slots.get(index + 1) ?? (isCount ? 0 : null)
    return value === null ? [] : [value]
  })

const NOTHING = { rows: [], milliseconds: 0 } as const

export const createPast = ({ numbers }: { readonly numbers: AskNumbers }) => {
  const kept = new Map<number, { readonly version: number; readonly hour: number; readonly past: PastOf }>()
  /** Since when there is anything of a rule: that stays as it is. */
  const begun = new Map<number, { readonly version: number; readonly since: number }>()

  /** Since when there is anything, not further back than the weeks that are looked at: which days had rows says so. */
  const findBegin = async (batch: Batch<MeasuredRule>, members: readonly Member[], hour: number): Promise<number> => {
    const missing = members.filter(({ rule }) => begun.get(rule.id)?.version !== rule.version)
    if (missing.length === 0) return 0
    const days = allDays(hour)
    const { milliseconds, rows } = await numbers({ ...batch, aggregates: ['count()'], by: [] }, { windows: days })
    for (const { cell, rule } of missing) {
      const oldest = Math.max(0, ...rows.filter((row) => row.cell === cell).map(({ slot }) => slot))
      if (oldest > 0) begun.set(rule.id, { version: rule.version, since: days.end - oldest * DAY_MS })
    }
    return milliseconds
  }

  const read = async (
    batch: Batch<MeasuredRule>,
    members: readonly Member[],
    hour: number,
    incidentsOf: IncidentsOf,
  ): Promise<number> => {
    const beginMs = await findBegin(batch, members, hour)
    const now = (hour + 1) * HOUR_MS
    const sinceOf = ({ rule }: Member): number => begun.get(rule.id)?.since ?? now
    const isLearning = (member: Member): boolean => now - sinceOf(member) < LIMITS.BASELINE_LEARNING_DAYS * DAY_MS
    const windows = { alike: hoursAlike(hour, batch.windowMinutes), all: allHours(hour, batch.windowMinutes) }
    const alike = members.every(isLearning) ? NOTHING : await numbers(batch, { windows: windows.alike })
    const all = members.some(isLearning) ? await numbers(batch, { windows: windows.all }) : NOTHING
    const incidents = await incidentsOf(
      members.map(({ rule }) => rule.id),
      now - LIMITS.BASELINE_WEEKS * WEEK_MS,
    )
    for (const member of members) {
      const { rule, shape } = member
      const { comparison } = rule.trigger
      const values = { alike: valuesOf(alike.rows, member), all: valuesOf(all.rows, member) }
      const how = { isCount: shape.isCount, since: sinceOf(member), skipped: incidents.get(rule.id) ?? [] }
      const historyOf = (key: string): History => ({
        alike: listed(values.alike.get(key) ?? new Map(), windows.alike, how),
        all: listed(values.all.get(key) ?? new Map(), windows.all, how),
        days: (now - sinceOf(member)) / DAY_MS,
      })
      const sensitivity = comparison.kind === 'unusual' ? comparison.sensitivity : 'normal'
      const ofGroup = (key: string): Baseline | null => baselineOf(historyOf(key), sensitivity, scatterOf(shape))
      const keys = new Set([...values.alike.keys(), ...values.all.keys()])
      const baselines = new Map([...keys].map((key) => [key, ofGroup(key)]))
      const past = { baselines, otherwise: shape.isCount ? ofGroup('') : null }
      kept.set(rule.id, { version: rule.version, hour, past })
    }
    return beginMs + alike.milliseconds + all.milliseconds
  }

  return {
    /** Reads what is not known yet of the hour in which a minute is. @returns how long telemetry worked on it */
    prepare: async (batch: Batch<MeasuredRule>, minute: number, incidentsOf: IncidentsOf): Promise<number> => {
      const hour = hourOf(minute)
      const missing = batch.members.filter(({ rule }) => {
        if (rule.trigger.comparison.kind !== 'unusual') return false
        const known = kept.get(rule.id)
        return known === undefined || known.hour !== hour || known.version !== rule.version
      })
      return missing.length === 0 ? 0 : read(batch, missing, hour, incidentsOf)
    },
    /** Null when nothing is known of it. */
    of: (ruleId: number, group: readonly string[]): Baseline | null => {
      const past = kept.get(ruleId)?.past
      return past === undefined ? null : (past.baselines.get(groupKey(group)) ?? past.otherwise)
    },
    /** Rules that are there no more. */
    forget: (ruleIds: ReadonlySet<number>): void => {
      for (const one of [kept, begun]) for (const id of one.keys()) if (!ruleIds.has(id)) one.delete(id)
    },
  }
}

export type Past = ReturnType<typeof createPast>
