import { describe, expect, it } from 'vitest'
import { markLabels } from './mark-labels.ts'

const at = (...places: number[]) => places.map((x) => ({ x, width: 30 }))

const room = (right: number) => ({ left: 0, right, gap: 5 })

describe('words of marks', () => {
  it('stand after their line, and before it where the chart ends', () => {
    expect(markLabels(at(10, 90), room(100))).toEqual([15, 55])
    expect(markLabels([], room(100))).toEqual([])
    // There is room for them nowhere.
    expect(markLabels(at(20), room(30))).toEqual([0])
  })

  it('are left out where they would stand on those of a newer one', () => {
    expect(markLabels(at(10, 20, 60), room(200))).toEqual([null, 25, 65])
  })
})
