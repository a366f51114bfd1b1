import { afterMinute, QUIET } from '../measure/course.ts'
import { endOf, MINUTE_MS, minuteOf } from '../measure/minute.ts'
import type { Outcome } from '../measure/outcome.ts'
import type { SilenceRule } from '../measure/rule.ts'
import { SILENCE_COURSE, silenceOutcome } from '../measure/silence.ts'
import type { PastValues } from './read-days.ts'

/** From here on silence counts: no alert watched a project before there was one. What came counts in any case. */
export const silenceBegins = ({ end, groups, steps }: PastValues, projectsSince: number): number => {
  const first = Math.max(end - steps * MINUTE_MS, Math.ceil(projectsSince / MINUTE_MS) * MINUTE_MS)
  return Math.min(first, firstCame({ end, groups, steps }) ?? end)
}

/** The beginning of the first minute in which something came; null for none. */
export const firstCame = ({ end, groups, steps }: Pick<PastValues, 'end' | 'groups' | 'steps'>): number | null => {
  let first: number | null = null
  for (const { values } of groups.values()) {
    const oldest = values.subarray(0, steps).findLastIndex((value) => value > 0)
    if (oldest !== -1) first = Math.min(first ?? end, end - (oldest + 1) * MINUTE_MS)
  }
  return first
}

/**
 * A rule about nothing over the minutes of the past, as if it had been made when they begin. Groups are missed from the
 * first time that they were there.
 *
 * @param begun from there on silence counts
 */
export const replaySilence = (
  rule: SilenceRule,
  past: PastValues,
  begun: number,
  namesOf: (key: string) => readonly string[],
  tell: (outcome: Outcome) => void,
): void => {
  const { groupBy, minutes } = rule.trigger
  const newest = minuteOf(past.end - 1)
  const keys = groupBy.length === 0 ? ['[]'] : [...past.groups.keys()]
  const standings = keys.map((key) => ({ key, course: QUIET, silent: 0, hadSome: false }))
  for (let step = past.steps - 1; step >= 0; step -= 1) {
    const minute = newest - step
    if (endOf(minute) <= begun) continue
    for (const group of standings) {
      const came = (past.groups.get(group.key)?.values[step] ?? 0) > 0
      group.hadSome ||= came
      group.silent = came ? 0 : group.silent + 1
      if (!group.hadSome && groupBy.length > 0) continue
      const isBeyond = group.silent >= minutes
      const standing = { value: group.silent, isBeyond, isFar: false, isBack: !isBeyond }
      const next = afterMinute(group.course, standing, SILENCE_COURSE, minute)
      tell(
        silenceOutcome(rule, minute, {
          key: group.key,
          last: endOf(minute) - group.silent * MINUTE_MS,
          isHeard: group.hadSome && group.silent < minutes,
          isFirst: !group.hadSome,
          names: namesOf(group.key),
          value: group.silent,
          isBeyond,
          before: group.course,
          ...next,
          lateSeconds: 0,
          rows: 0,
          milliseconds: 0,
        }),
      )
      group.course = next.course
    }
  }
}
