import { describe, expect, it } from 'vitest'

import { touchesAt } from './draw-touches.ts'

describe('touches over a film', () => {
  const points = [1000, 1200, 1400, 2500].map((at, index) => ({ at, x: index * 10, y: 5 }))
  const touches = [{ from: 1000, to: 2500, points }]
  const drawn = (at: number) =>
    touchesAt(touches, at).map(({ finger, strength, trail }) => [finger.x, strength, trail.map(({ x }) => x)])

  it('R50 a finger stands where it was last, with the trail of the last moments behind it', () => {
    expect(drawn(999)).toEqual([])
    expect(drawn(1000)).toEqual([[0, 1, [0]]])
    expect(drawn(1450)).toEqual([[20, 1, [0, 10, 20]]])
    expect(drawn(1700)).toEqual([[20, 1, [10, 20]]])
    expect(drawn(2400)).toEqual([[20, 1, []]])
  })

  it('R50 one that was lifted fades', () => {
    expect(drawn(2500)).toEqual([[30, 1, [30]]])
    expect(drawn(2600)).toEqual([[30, 0.75, [30]]])
    expect(drawn(2900)).toEqual([])
  })
})
