import type { ReplayMark } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { withoutJudgedClicks } from './verdicts'

const KINDS = ['click', 'dead_click', 'rage_click', 'input'] as const

const mark = (at: number, kind: ReplayMark['kind'], selector: string): ReplayMark =>
  ({ at, kind, selector, id: `${at}`, detail: {} }) as unknown as ReplayMark

it('R118 a click and the verdicts on it are told once, whatever else was clicked around the same time', () => {
  // Every mark with every other.
  const plain = (marks: readonly ReplayMark[]) =>
    marks.filter(
      (one) =>
        !marks.some(
          (other) =>
            one.kind !== 'input' &&
            other.kind !== 'input' &&
            other.selector === one.selector &&
            Math.abs(other.at - one.at) <= 50 &&
            KINDS.indexOf(other.kind as 'click') > KINDS.indexOf(one.kind as 'click'),
        ),
    )
  let state = 1
  const below = (most: number): number => {
    state = (state * 48_271) % 2_147_483_647
    return state % most
  }
  for (let round = 0; round < 300; round += 1) {
    const marks = Array.from({ length: below(14) }, () =>
      mark(below(300), KINDS[below(KINDS.length)] ?? 'click', `#${below(2)}`),
    )
    expect(withoutJudgedClicks(marks)).toEqual(plain(marks))
  }
})

it('R118 20,000 marks of one element and time are each looked at a few times', () => {
  let looks = 0
  const marks = Array.from({ length: 20_000 }, (_, index) => {
    const one = mark(0, index % 2 === 0 ? 'click' : 'rage_click', '#pay')
    return Object.defineProperty(one, 'at', {
      enumerable: true,
      get: () => {
        looks += 1
        return 1000
      },
    })
  })
  expect(withoutJudgedClicks(marks)).toHaveLength(10_000)
  expect(looks).toBeLessThan(10 * marks.length)
})
