import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  boxBetween,
  CORNERS,
  keepInside,
  moveBox,
  moveCorner,
  shownScale,
  SMALLEST_SELECTION_PX,
  smallestSelection,
  wholePixels,
} from './geometry.ts'

const side = fc.integer({ min: 1, max: 2560 })
const picture = fc.record({ width: side, height: side })
const anywhere = fc.record({
  x: fc.double({ min: -9000, max: 9000, noNaN: true }),
  y: fc.double({ min: -9000, max: 9000, noNaN: true }),
})
const scale = fc.double({ min: 0.02, max: 1, noNaN: true })
const TINY = 1e-6

const expectInside = (
  box: { x: number; y: number; width: number; height: number },
  area: { width: number; height: number },
): void => {
  expect(box.x).toBeGreaterThanOrEqual(-TINY)
  expect(box.y).toBeGreaterThanOrEqual(-TINY)
  expect(box.x + box.width).toBeLessThanOrEqual(area.width + TINY)
  expect(box.y + box.height).toBeLessThanOrEqual(area.height + TINY)
}

describe('crop geometry', () => {
  it('any chain of corner drags keeps the selection at least 33 shown pixels, or the whole of a smaller picture', () => {
    fc.assert(
      fc.property(
        picture,
        scale,
        fc.array(fc.tuple(fc.constantFrom(...CORNERS), anywhere), { maxLength: 12 }),
        (area, shown, drags) => {
          const smallest = smallestSelection(area, shown)
          let box = { x: 0, y: 0, ...area }
          for (const [corner, to] of drags) {
            box = moveCorner(box, corner, to, area, smallest)
            expectInside(box, area)
            expect(box.width * shown).toBeGreaterThanOrEqual(Math.min(SMALLEST_SELECTION_PX, area.width * shown) - TINY)
            expect(box.height * shown).toBeGreaterThanOrEqual(
              Math.min(SMALLEST_SELECTION_PX, area.height * shown) - TINY,
            )
          }
        },
      ),
    )
  })

  it('the opposite corner stays where it is', () => {
    const box = { x: 100, y: 100, width: 200, height: 150 }
    const area = { width: 1000, height: 800 }
    expect(moveCorner(box, 'topLeft', { x: 5000, y: 5000 }, area, { width: 33, height: 33 })).toEqual({
      x: 267,
      y: 217,
      width: 33,
      height: 33,
    })
    expect(moveCorner(box, 'bottomRight', { x: -50, y: -50 }, area, { width: 33, height: 33 })).toEqual({
      x: 100,
      y: 100,
      width: 33,
      height: 33,
    })
  })

  it('moving keeps the size and stays inside', () => {
    fc.assert(
      fc.property(picture, anywhere, anywhere, anywhere, (area, a, b, by) => {
        const box = keepInside(boxBetween(a, b), area, smallestSelection(area, 1))
        const moved = moveBox(box, by, area)
        expectInside(moved, area)
        expect(moved.width).toBeCloseTo(box.width)
        expect(moved.height).toBeCloseTo(box.height)
      }),
    )
  })

  it('whole pixels cover the box, stay inside, and are at least one', () => {
    fc.assert(
      fc.property(picture, anywhere, anywhere, (area, a, b) => {
        const box = keepInside(boxBetween(a, b), area, { width: 0, height: 0 })
        const whole = wholePixels(box, area)
        expectInside(whole, area)
        for (const value of Object.values(whole)) expect(Number.isInteger(value)).toBe(true)
        expect(whole.width).toBeGreaterThanOrEqual(Math.max(1, box.width - 1e-5))
        expect(whole.height).toBeGreaterThanOrEqual(Math.max(1, box.height - 1e-5))
      }),
    )
  })

  it('a picture is never shown enlarged', () => {
    expect(shownScale({ width: 20, height: 10 }, { width: 500, height: 500 })).toBe(1)
    expect(shownScale({ width: 1000, height: 100 }, { width: 250, height: 500 })).toBe(0.25)
  })
})
