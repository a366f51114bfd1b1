import type { ReplayMark } from '@firsthand/contract'

/** A verdict on a click has the click's own time; recorders differ by a few milliseconds. */
const SAME_CLICK_MS = 50

/** What a mark says of a click, the more the later. */
const SAYS: readonly ReplayMark['kind'][] = ['click', 'dead_click', 'rage_click']

/** Marks without the clicks of which a verdict is there: a dead or rage click and its click are one, told once. By time. */
export function withoutJudgedClicks(marks: readonly ReplayMark[]): readonly ReplayMark[] {
  const judged = new Set<ReplayMark>()
  const clicks = marks.filter(({ kind }) => SAYS.includes(kind)).toSorted((one, other) => one.at - other.at)
  clicks.forEach((verdict, place) => {
    for (const step of [-1, 1]) {
      for (let index = place + step; ; index += step) {
        const click = clicks[index]
        if (click === undefined || Math.abs(click.at - verdict.at) > SAME_CLICK_MS) break
        const isOfIt = click.selector === verdict.selector && SAYS.indexOf(click.kind) < SAYS.indexOf(verdict.kind)
        if (isOfIt) judged.add(click)
      }
    }
  })
  return judged.size === 0 ? marks : marks.filter((mark) => !judged.has(mark))
}
