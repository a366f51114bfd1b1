import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { fitScale, panBy, zoomAt } from './zoom.ts'

describe('the picture viewer', () => {
  it('fits large pictures and leaves small ones as they are', () => {
    expect(fitScale({ width: 2000, height: 500 }, { width: 1032, height: 900 })).toBe(0.5)
    expect(fitScale({ width: 100, height: 100 }, { width: 1000, height: 900 })).toBe(1)
  })

  it('keeps the point under the pointer where it is', () => {
    fc.assert(
      fc.property(
        fc.record({ x: fc.integer({ min: -500, max: 500 }), y: fc.integer({ min: -500, max: 500 }) }),
        fc.double({ min: 0.8, max: 1.25, noNaN: true }),
        (at, factor) => {
          const before = { scale: 1, x: 30, y: -20 }
          const after = zoomAt(before, factor, at)
          const place = (view: typeof before) => [(at.x - view.x) / view.scale, (at.y - view.y) / view.scale]
          const [x = 0, y = 0] = place(before)
          const [newX = 0, newY = 0] = place(after)
          expect(newX).toBeCloseTo(x, 6)
          expect(newY).toBeCloseTo(y, 6)
        },
      ),
    )
  })

  it('never loses the picture', () => {
    const far = panBy(
      { scale: 1, x: 0, y: 0 },
      { x: 1e6, y: -1e6 },
      { width: 400, height: 300 },
      { width: 1000, height: 800 },
    )
    expect(far).toEqual({ scale: 1, x: 668, y: -518 })
  })
})
