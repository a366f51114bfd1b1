import type { ReplayMark } from '@firsthand/contract'

/** A verdict on a click has the click's own time; recorders differ by a few milliseconds. */
const SAME_CLICK_MS = 50

/** What a mark says of a click, the more the later. */
const SAYS: readonly ReplayMark['kind'][] = ['click', 'dead_click', 'rage_click']

/** Marks without the clicks of which a verdict is there: a dead or rage click and its click are one, told once. By time. */
export function withoutJudgedClicks(marks: readonly ReplayMark[]): readonly ReplayMark[] {
  const judged = new Set<ReplayMark>()
  const clicks = marks.filter(({ kind }) => SAYS.includes(kind)).toSorted((one, other) => one.at - other.at)
  for (const own of Map.groupBy(clicks, ({ selector }) => selector).values()) {
    for (let rank = 0; rank < SAYS.length - 1; rank += 1) {
      const verdicts = own.flatMap(({ at, kind }) => (SAYS.indexOf(kind) > rank ? [at] : []))
      // Both go by time, so that each is passed once: there may be thousands of one time.
      let next = 0
      for (const click of own) {
        if (SAYS.indexOf(click.kind) !== rank) continue
        const { at } = click
        while (at - (verdicts[next] ?? Infinity) > SAME_CLICK_MS) next += 1
        if ((verdicts[next] ?? Infinity) - at <= SAME_CLICK_MS) judged.add(click)
      }
    }
  }
  return judged.size === 0 ? marks : marks.filter((mark) => !judged.has(mark))
}
