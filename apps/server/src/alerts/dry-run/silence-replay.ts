import { afterMinute, QUIET } from '../measure/course.ts'
import { endOf, MINUTE_MS, minuteOf } from '../measure/minute.ts'
import type { Outcome } from '../measure/outcome.ts'
import type { SilenceRule } from '../measure/rule.ts'
import { SILENCE_COURSE, silenceOutcome } from '../measure/silence.ts'
import type { PastValues } from './read-days.ts'

/** A rule about nothing over the minutes of the past. Groups are missed from the first time that they were there. */
export const replaySilence = (
  rule: SilenceRule,
  past: PastValues,
  namesOf: (key: string) => readonly string[],
  tell: (outcome: Outcome) => void,
): void => {
  const { groupBy, minutes } = rule.trigger
  const newest = minuteOf(past.end - 1)
  const keys = groupBy.length === 0 ? ['[]'] : [...past.groups.keys()]
  const standings = keys.map((key) => ({ key, course: QUIET, silent: 0, isKnown: groupBy.length === 0 }))
  for (let step = past.steps - 1; step >= 0; step -= 1) {
    const minute = newest - step
    for (const group of standings) {
      const came = (past.groups.get(group.key)?.values[step] ?? 0) > 0
      group.isKnown ||= came
      // What was before is not known, so silence counts from here.
      group.silent = came ? 0 : group.silent + 1
      if (!group.isKnown) continue
      const isBeyond = group.silent >= minutes
      const standing = { value: group.silent, isBeyond, isFar: false, isBack: !isBeyond }
      const next = afterMinute(group.course, standing, SILENCE_COURSE, minute)
      tell(
        silenceOutcome(rule, minute, {
          key: group.key,
          last: endOf(minute) - group.silent * MINUTE_MS,
          isHeard: group.silent < minutes,
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
