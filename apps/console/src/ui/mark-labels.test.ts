import { describe, expect, it } from 'vitest'
import { markLabels } from './mark-labels.ts'

const at = (...places: number[]) => places.map((x) => ({ x, width: 30 }))

describe('words of marks', () => {
  it('stand after their line, and before it where the chart ends', () => {
    expect(markLabels(at(10, 90), 100)).toEqual([15, 55])
    expect(markLabels([], 100)).toEqual([])
  })

  it('are left out where they would stand on those of a newer one', () => {
    expect(markLabels(at(10, 20, 60), 200)).toEqual([null, 25, 65])
  })
})
