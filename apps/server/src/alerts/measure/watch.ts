import type { SettledClock } from '../../ingest/index.ts'
import type { Period } from '../../search/index.ts'
import { createLine } from '../../lib/in-line.ts'
import type { Ledger, LedgerTransaction } from '../../storage/index.ts'
import type { Costs } from './costs.ts'
import { QUIET } from './course.ts'
import type { AskedMinute } from './evaluate.ts'
import { valuesOfKey } from './found.ts'
import { isPlain, type createCourses } from './ledger/courses.ts'
import type { MeasuredClocks } from './ledger/measured-clock.ts'
import type { EndReason } from '../ledger/untold-ends.ts'
import { LIMITS } from '../limits.ts'
import { endOf, minuteOf } from './minute.ts'
import type { Outcome, Repeated } from './outcome.ts'
import { projectsOf, type createPlanner, type Plan, type Projects } from './plan.ts'
import type { WatchedRule } from './rule.ts'
import type { Standings } from './standings.ts'

/**
 * Evaluates each minute once, when all that was received in it is stored, one after the other: after a lag late, never
 * skipped and never twice.
 */

export interface WatchParts {
  readonly settled: SettledClock
  readonly ledger: Ledger
  readonly clocks: MeasuredClocks
  readonly courses: ReturnType<typeof createCourses>
  /** How rules stand, shared with whoever evaluates them. */
  readonly standing: Standings
  readonly costs: Costs
  readonly planner: ReturnType<typeof createPlanner>
  readonly evaluateMinute: (plan: Plan, asked: AskedMinute) => Promise<readonly Outcome[]>
  /** What is known of rules is forgotten, but for these. */
  readonly forget: readonly ((ruleIds: ReadonlySet<number>) => void)[]
  /** Those that are switched on. */
  readonly rules: () => Promise<readonly WatchedRule[]>
  readonly projects: () => Promise<Projects>
  /**
   * Reads what has to be known to tell of a minute; what is answered keeps it, and tells who is to be told, in the
   * transaction that says that the minute is done.
   */
  readonly take: (outcomes: readonly Outcome[], minute: number, repeated: readonly Repeated[]) => Promise<Keep>
  /** Up to when rows can be read that are stored beside the digest, of the tables that rules are about. */
  readonly storedUntil: (rules: readonly WatchedRule[]) => Promise<number>
  /** Groups that could not be told when they began to fire, and may be now: by rule and key. */
  readonly due: (at: number) => Promise<ReadonlySet<string>>
  /** Rules that fire, or nearly do, and are watched no more, or measure something else now. */
  readonly gone: (ruleIds: readonly number[], why: EndReason) => Promise<void>
  /** Groups of a rule that fire, or nearly do, and are about a project that it watches no more. */
  readonly goneGroups: (ruleId: number, keys: readonly string[], why: EndReason) => Promise<void>
}

/** Has no effects beside the transaction, which may be tried again. */
export type Keep = (transaction: LedgerTransaction) => Promise<void>

/**
 * Of minutes in which nothing could be received nothing can be said: after more of them than are evaluated in one go, it
 * goes on with the last.
 */
const afterGap = async (clocks: MeasuredClocks, minute: number, last: number, gap: Period | null): Promise<number> => {
  if (gap === null) return minute
  const next = Math.min(minuteOf(gap.to), last)
  if (minute <= minuteOf(gap.from) || next - minute < LIMITS.MEASURE_MINUTES_AT_ONCE) return minute
  await clocks.skip(minute - 1, next - 1)
  return next
}

/** Writes down that somebody listens, and when nobody could: a server where nothing happens writes as little as it can. */
const createHearing = ({ clocks, settled }: Pick<WatchParts, 'clocks' | 'settled'>) => {
  let heardAt: number | null = null
  const hear = async (now: number, gap: Period | null): Promise<void> => {
    await clocks.hear(now, gap)
    heardAt = now
  }
  const listen = async (): Promise<void> => {
    const now = settled.now()
    const jump = settled.jump()
    const gap = jump === null ? null : ((await clocks.read())?.gap ?? null)
    if (jump !== null && (gap === null || gap.to < jump.to)) return hear(now, jump)
    if (heardAt === null || now - heardAt >= LIMITS.MEASURE_HEARD_MS) await hear(now, null)
  }
  return { hear, listen }
}

/** What the groups of a rule are of: how those of something else stood says nothing of them. */
const shapeOf = ({ trigger }: WatchedRule): string => JSON.stringify([trigger.source, trigger.dataset, trigger.groupBy])

/** Of a project that is there no more nothing comes: that is not too little. */
const leaveGroups = async (
  { courses, goneGroups, standing }: Pick<WatchParts, 'courses' | 'goneGroups' | 'standing'>,
  { byProject }: Plan,
  projects: Projects,
): Promise<void> => {
  for (const { place, projectIds, rule } of byProject) {
    const keys = [...standing.of(rule.id).keys()]
    const projectOf = (key: string): number => Number(valuesOfKey(key)[place])
    const left = keys.filter((key) => !projectIds.has(projectOf(key)))
    if (left.length === 0) continue
    const living = new Set(projects.get(rule.organizationId))
    const [other, deleted] = [true, false].map((is) => left.filter((key) => living.has(projectOf(key)) === is))
    await goneGroups(rule.id, deleted ?? [], 'its project was deleted')
    await goneGroups(rule.id, other ?? [], 'the alert watches its project no more')
    await courses.endGroups(rule.id, left)
    for (const key of left) standing.set(rule.id, key, QUIET)
  }
}

/** What rules measured is over where they measure something else now, or where none of their projects is left. */
const createLeaving = (parts: Pick<WatchParts, 'courses' | 'gone' | 'goneGroups' | 'standing'>) => {
  const { courses, gone, standing } = parts
  let known = new Map<number, string>()
  return {
    /** As it was noted. */
    know: (shapes: ReadonlyMap<number, string>): void => {
      known = new Map(shapes)
    },
    leave: async (rules: readonly WatchedRule[], projects: Projects, plan: Plan): Promise<void> => {
      const there = rules.filter(({ id }) => standing.of(id).size > 0)
      const isEmpty = (rule: WatchedRule): boolean => projectsOf(rule, projects).length === 0
      const isOther = (rule: WatchedRule): boolean => (known.get(rule.id) ?? shapeOf(rule)) !== shapeOf(rule)
      const empty = there.filter(isEmpty).map(({ id }) => id)
      const other = there.filter((rule) => isOther(rule) && !isEmpty(rule)).map(({ id }) => id)
      await gone(empty, 'none of its projects is left')
      await gone(other, 'the alert measures something else now')
      const left = [...empty, ...other]
      await courses.end(left)
      for (const id of left) standing.leave(id)
      await leaveGroups(parts, plan, projects)
      known = new Map(rules.map((rule) => [rule.id, shapeOf(rule)]))
    },
  }
}

/** @returns of the minutes up to one that the digest has stored, the last one of which every row can be read */
const lastStored = async (
  { rules, storedUntil }: Pick<WatchParts, 'rules' | 'storedUntil'>,
  last: number,
  done: number | null,
): Promise<number> =>
  // Most of the time there is nothing to evaluate, and nobody has to know.
  done !== null && done >= last ? last : Math.min(last, minuteOf(await storedUntil(await rules())) - 1)

export const createWatch = (parts: WatchParts) => {
  const { clocks, costs, ledger, settled, standing } = parts
  const inLine = createLine()
  const { hear, listen } = createHearing(parts)
  const leaving = createLeaving(parts)
  const startedAt = settled.now()
  let done: number | null = null
  let isLoaded = false
  /** What was known before this process began, and when nobody listened in between. */
  const begin = async (): Promise<void> => {
    const clock = await clocks.read()
    standing.clear()
    const shapes = new Map<number, string>()
    for (const { course, key, ruleId, shape } of await parts.courses.all()) {
      standing.set(ruleId, key, course)
      if (shape !== '') shapes.set(ruleId, shape)
    }
    leaving.know(shapes)
    await costs.load()
    if (clock !== null && startedAt - clock.heardUntil > LIMITS.MEASURE_GAP_MS) {
      await hear(startedAt, { from: clock.heardUntil, to: startedAt })
    }
    isLoaded = true
  }

  /** @returns those that are kept by themselves; null when somebody else did the minute */
  const keep = async (minute: number, outcomes: readonly Outcome[]): Promise<ReadonlySet<Outcome> | null> => {
    const changed = outcomes.filter(({ course, key, rule }) => {
      const before = standing.of(rule.id).get(key)
      return before === undefined ? !isPlain(course) : before !== course
    })
    const courses = changed.map(({ course, key, rule }) => {
      return { ruleId: rule.id, organizationId: rule.organizationId, key, course, shape: shapeOf(rule) }
    })
    const due = await parts.due(endOf(minute))
    const kept = outcomes.filter((one) => standing.isNew(one) || due.has(`${one.rule.id} ${one.key}`))
    const write = await parts.take(kept, minute, standing.repeatedBefore(kept))
    return ledger.transaction(async (transaction) => {
      if (!(await clocks.advance(transaction, minute))) return null
      await parts.courses.save(transaction, courses)
      await write(transaction)
      return new Set(kept)
    })
  }

  /** @returns false when somebody else did the minute */
  const doMinute = async (minute: number): Promise<boolean> => {
    const [rules, projects, clock] = await Promise.all([parts.rules(), parts.projects(), clocks.read()])
    const plan = parts.planner.plan(rules, projects)
    await leaving.leave(rules, projects, plan)
    const lateSeconds = Math.max(0, Math.round((settled.now() - endOf(minute)) / 1000))
    const outcomes = await parts.evaluateMinute(plan, { minute, lateSeconds, gap: clock?.gap ?? null })
    const kept = await keep(minute, outcomes)
    if (kept === null) return false
    for (const outcome of outcomes) {
      standing.set(outcome.rule.id, outcome.key, outcome.course)
      standing.say(outcome, kept.has(outcome))
    }
    await costs.save()
    const gone = standing.missing(plan.ids)
    // Last of all it is forgotten that they fired: whoever is interrupted finds them again.
    await parts.gone(gone, 'the alert was switched off')
    await parts.courses.forget(gone)
    standing.forget(plan.ids, minute)
    for (const forget of parts.forget) forget(plan.ids)
    done = minute
    return true
  }

  return {
    run: async (): Promise<void> => {
      if (!isLoaded) await inLine(begin)
      await listen()
      const until = settled.until()
      if (until === null) return
      const last = await lastStored(parts, minuteOf(until) - 1, done)
      const known = await clocks.read()
      if (known === null) await clocks.begin(last, settled.now())
      const clock = known ?? (await clocks.read())
      const first = (clock?.minute ?? last) + 1
      let minute = await afterGap(clocks, first, last, clock?.gap ?? null)
      for (let count = 0; minute <= last && count < LIMITS.MEASURE_MINUTES_AT_ONCE; count += 1) {
        const current = minute
        if (!(await inLine(() => doMinute(current)))) {
          // Another process goes on with it: what is known here is old.
          isLoaded = false
          return
        }
        minute = await afterGap(clocks, minute + 1, last, clock?.gap ?? null)
      }
    },
    /** Between two minutes: none is under way, whose outcomes are kept afterwards. */
    between: inLine,
    /** Up to when rules are evaluated, and could be: what is told of how late they are. */
    progress: (): { readonly until: number | null; readonly now: number } => ({
      until: done === null ? null : endOf(done),
      now: settled.now(),
    }),
  }
}
