import type { Period } from '../../search/index.ts'
import type { Batch, Member } from './batch.ts'
import { afterMinute, QUIET, type Course, type Step } from './course.ts'
import type { AskedMinute, CoursesOf, NamesOf } from './evaluate.ts'
import { groupKey, valuesOfKey } from './found.ts'
import { LIMITS } from '../limits.ts'
import { endOf, MINUTE_MS } from './minute.ts'
import type { AskNumbers, NumberRow } from './numbers.ts'
import type { Outcome } from './outcome.ts'
import type { SilenceRule } from './rule.ts'
import { minutesText, clockTime } from './say.ts'
import { projectPlaceOf } from './shape.ts'
import type { Grid } from './windows.ts'

/**
 * Rules about nothing: "no errors for 10 minutes". Each has a deadline, which what arrives moves; only a rule whose
 * deadline is near is looked at. The deadline is by received time, of which nothing is missing: a digest that lags moves it
 * as well, so that no lag is silence.
 */

type SilenceBatch = Batch<SilenceRule>
type SilenceMember = Member<SilenceRule>

/** Steps of equal length, as many as there may be; where the time cannot be cut so, they reach a little further back. */
const stepOf = (minutes: number): number => {
  const least = Math.ceil(minutes / LIMITS.SILENCE_STEPS)
  for (let step = least; step <= minutes / LIMITS.SILENCE_LEAST_STEPS; step += 1) if (minutes % step === 0) return step
  return least
}

/** The time in which nothing may come, in steps: which of them was the last with something says when to look again. */
export const stepsOf = (minute: number, minutes: number): Grid => {
  const stepMinutes = stepOf(minutes)
  const stepMs = stepMinutes * MINUTE_MS
  return { end: endOf(minute), stepMs, lengthMs: stepMs, count: Math.ceil(minutes / stepMinutes) }
}

/** When the newest step with something ended, by group: nothing came since then. */
const lastOf = (rows: readonly NumberRow[], grid: Grid): ReadonlyMap<string, number> => {
  const last = new Map<string, number>()
  for (const { group, slot } of rows) {
    const key = groupKey(group)
    last.set(key, Math.max(last.get(key) ?? 0, grid.end - (slot - 1) * grid.stepMs))
  }
  return last
}

/** From here on silence counts: the rule was made, or things can be received again. */
const begunAt = ({ since }: SilenceRule, gap: Period | null, end: number): number =>
  Math.max(since, gap !== null && gap.from < end ? gap.to : 0)

interface GroupSilence {
  readonly key: string
  /** Nothing came since then; or silence counts from then on. */
  readonly last: number
  /** Something came within the time. */
  readonly isHeard: boolean
  /** Nothing came yet since it is watched. */
  readonly isFirst: boolean
}

/** Only what comes ends a silence: that time counts anew, after a start of the server or a change of the rule, says nothing. */
const judgeSilence = (
  { isHeard, last }: Pick<GroupSilence, 'isHeard' | 'last'>,
  begun: number,
  minutes: number,
  end: number,
) => {
  const isBeyond = !isHeard && end - begun >= minutes * MINUTE_MS
  return { value: Math.max(0, Math.floor((end - last) / MINUTE_MS)), isBeyond, isFar: false, isBack: isHeard }
}

/** Silence is told at once, and over with what comes. */
export const SILENCE_COURSE = {
  needed: 1,
  of: 1,
  recoveryMinutes: 0,
  direction: 'above',
  hasSecondLimit: true,
} as const

const sentenceOf = (minutes: number, { isFirst, isHeard, last }: GroupSilence, isBeyond: boolean): string => {
  const since = clockTime(last)
  const begun = isFirst ? ', when watching began' : ''
  if (isBeyond) return `Nothing came for ${minutesText(minutes)} (since ${since}${begun})`
  return isHeard
    ? `Something came before ${since}; nothing for ${minutesText(minutes)} is too long`
    : `Nothing came since ${since}${begun}, which is not yet ${minutesText(minutes)}`
}

/** What a group came to in a minute. */
export const silenceOutcome = (
  rule: SilenceRule,
  minute: number,
  about: GroupSilence & {
    readonly names: readonly string[]
    readonly value: number
    readonly isBeyond: boolean
    readonly before: Course
    readonly course: Course
    readonly step: Step
  } & Pick<Outcome, 'lateSeconds' | 'rows' | 'milliseconds'>,
): Outcome => {
  const { before, course, isBeyond, key, names, step, value } = about
  const { groupBy, minutes } = rule.trigger
  return {
    rule,
    minute,
    key,
    group: groupBy.map((name, place) => ({ name, value: names[place] ?? '' })),
    projectId: null,
    step,
    reason: isBeyond ? 'limit' : 'other',
    sentence: () => sentenceOf(minutes, about, isBeyond),
    value,
    limit: minutes,
    unit: 'minute',
    windowMinutes: minutes,
    peak: course.peak ?? before.peak,
    baseline: null,
    old: 0,
    course,
    isNew: step !== 'still' && step !== 'quiet',
    lateSeconds: about.lateSeconds,
    rows: about.rows,
    milliseconds: about.milliseconds,
  }
}

/** Of a project that was deleted, or is watched no more, nothing is missed. */
const watchedIn = (batch: SilenceBatch, { cell, shape }: SilenceMember): ((key: string) => boolean) => {
  const place = projectPlaceOf(shape)
  if (place === -1) return () => true
  const projectIds = new Set(batch.own?.projectIds ?? batch.cells[cell]?.projectIds)
  return (key) => projectIds.has(Number(valuesOfKey(key)[place]))
}

export interface SilenceParts {
  readonly numbers: AskNumbers
  readonly coursesOf: CoursesOf
  readonly namesOf: NamesOf
}

/** What is known of the groups of a rule: when something of each came last, as far as that was looked at. */
type Known = ReadonlyMap<string, number>

export const createSilences = ({ numbers, coursesOf, namesOf }: SilenceParts) => {
  const known = new Map<number, { readonly version: number; readonly groups: Known }>()
  /** The first minute in which a rule can have become silent. */
  const due = new Map<number, { readonly version: number; readonly minute: number }>()

  /** Groups that there were before, so that one that is gone by now is missed: as far back as the rule itself is. */
  const before = async (batch: SilenceBatch, member: SilenceMember, minute: number): Promise<Known> => {
    const { rule } = member
    if (rule.trigger.groupBy.length === 0) return new Map([[groupKey([]), 0]])
    const length = rule.trigger.minutes * MINUTE_MS
    const to = endOf(minute) - length
    const from = Math.max(rule.since - length, to - Math.max(length, LIMITS.SILENCE_GROUPS_MS))
    if (from >= to) return new Map()
    const { rows } = await numbers(batch, { windows: [{ from, to }] })
    return new Map(rows.filter(({ cell }) => cell === member.cell).map(({ group }) => [groupKey(group), from]))
  }

  const evaluate = async (
    batch: SilenceBatch,
    member: SilenceMember,
    rows: readonly NumberRow[],
    grid: Grid,
    asked: AskedMinute,
    cost: Pick<Outcome, 'rows' | 'milliseconds'>,
  ): Promise<Outcome[]> => {
    const { rule } = member
    const { groupBy, minutes } = rule.trigger
    const end = endOf(asked.minute)
    const own = known.get(rule.id)
    const past = own?.version === rule.version ? own.groups : await before(batch, member, asked.minute)
    const found = lastOf(rows, grid)
    const courses = coursesOf(rule.id)
    const keys = [...new Set([...past.keys(), ...found.keys(), ...courses.keys()])].filter(watchedIn(batch, member))
    const begun = begunAt(rule, asked.gap, end)
    const groups = keys.map((key): GroupSilence => {
      const last = Math.max(begun, found.get(key) ?? past.get(key) ?? 0)
      return { key, last, isHeard: found.has(key), isFirst: last === begun && !found.has(key) }
    })
    known.set(rule.id, { version: rule.version, groups: new Map(groups.map(({ key, last }) => [key, last])) })
    const names = await namesOf(
      member,
      groups.map(({ key }) => valuesOfKey(key)),
    )
    const outcomes = groups.map((group, index) => {
      const standing = judgeSilence(group, begun, minutes, end)
      const course: Course = courses.get(group.key) ?? QUIET
      const next = afterMinute(course, standing, SILENCE_COURSE, asked.minute)
      const about = { ...next, before: course, lateSeconds: asked.lateSeconds, ...cost }
      return silenceOutcome(rule, asked.minute, { ...group, ...standing, names: names[index] ?? [], ...about })
    })
    due.set(rule.id, {
      version: rule.version,
      minute: nextDue(groups, outcomes, minutes * MINUTE_MS - grid.stepMs, asked.minute),
    })
    if (groupBy.length === 0) return outcomes
    const quiet = outcomes.find(({ step }) => step === 'quiet')
    const told = outcomes.filter(({ step }) => step !== 'quiet')
    return quiet === undefined ? told : [...told, quiet]
  }

  return {
    isDue: ({ id, version }: SilenceRule, minute: number): boolean => {
      const own = due.get(id)
      return own === undefined || own.version !== version || minute >= own.minute
    },
    /** @throws when telemetry does not answer */
    evaluate: async (batch: SilenceBatch, asked: AskedMinute): Promise<readonly Outcome[]> => {
      const { members } = batch
      const [first] = members
      if (first === undefined) return []
      const grid = stepsOf(asked.minute, first.rule.trigger.minutes)
      const { milliseconds, readRows, rows } = await numbers(batch, { windows: grid })
      const cost = { rows: readRows / members.length, milliseconds: milliseconds / members.length }
      const byCell = Map.groupBy(rows, ({ cell }) => cell)
      const outcomes: Outcome[] = []
      for (const member of members) {
        outcomes.push(...(await evaluate(batch, member, byCell.get(member.cell) ?? [], grid, asked, cost)))
      }
      return outcomes
    },
    /** Groups of a rule of which it is known when something came. */
    groupsOf: (ruleId: number): readonly string[] => [...(known.get(ruleId)?.groups.keys() ?? [])],
    /** What is not expected any more is not missed. */
    forgetGroups: (ruleId: number, keys: ReadonlySet<string>): void => {
      const own = known.get(ruleId)
      if (own === undefined) return
      known.set(ruleId, { ...own, groups: new Map([...own.groups].filter(([key]) => !keys.has(key))) })
    },
    forget: (ruleIds: ReadonlySet<number>): void => {
      for (const one of [known, due]) for (const id of one.keys()) if (!ruleIds.has(id)) one.delete(id)
    },
  }
}

/**
 * A rule that fires is looked at each minute: what comes ends it.
 *
 * @param atLeastMs after the end of the step with the last: that may have come at its beginning
 */
const nextDue = (
  groups: readonly GroupSilence[],
  outcomes: readonly Outcome[],
  atLeastMs: number,
  minute: number,
): number => {
  if (outcomes.some(({ course }) => course.phase !== 'ok')) return minute + 1
  const first = Math.min(...groups.map(({ last }) => last + atLeastMs))
  if (!Number.isFinite(first)) return minute + 1
  return Math.max(minute + 1, Math.ceil(first / MINUTE_MS) - 1)
}
