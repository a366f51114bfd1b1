import { describe, expect, it } from 'vitest'
import { lonePoints } from './lone-points.ts'

describe('points of a line', () => {
  it('are dots where no line leads to them', () => {
    expect(lonePoints([])).toEqual([])
    expect(lonePoints([7])).toEqual([0])
    expect(lonePoints([1, null, 2, 3, null, 0])).toEqual([0, 5])
    expect(lonePoints([null, 5, undefined, null, 6])).toEqual([1, 4])
    expect(lonePoints([1, 2, 3])).toEqual([])
  })
})
