import { describe, expect, it } from 'vitest'
import { EventType, Interaction, Source } from './events.ts'
import { readTouches } from './touches.ts'

const interaction = (at: number, type: number, x: unknown, y: unknown, pointerId?: number) => ({
  type: EventType.IncrementalSnapshot,
  timestamp: at,
  data: { source: Source.MouseInteraction, type, id: 0, x, y, pointerType: 2, pointerId },
})

const move = (at: number, positions: unknown, pointerId?: number) => ({
  type: EventType.IncrementalSnapshot,
  timestamp: at,
  data: { source: Source.TouchMove, pointerId, positions },
})

describe('touches of a recorded screen', () => {
  it('R11 R50 go from where a finger went down to where it was lifted, by the corrected clock', () => {
    const events = [
      interaction(1000, Interaction.TouchStart, 10, 20, 1),
      move(
        1100,
        [
          { id: 0, x: 12, y: 30, timeOffset: -60 },
          { id: 0, x: 14, y: 40, timeOffset: 0 },
        ],
        1,
      ),
      interaction(1150, Interaction.TouchEnd, 15, 44, 1),
      interaction(3000, Interaction.Click, 1, 2),
    ]
    expect(readTouches(events, 500)).toEqual([
      {
        from: 1500,
        to: 1650,
        points: [
          { at: 1500, x: 10, y: 20 },
          { at: 1540, x: 12, y: 30 },
          { at: 1600, x: 14, y: 40 },
          { at: 1650, x: 15, y: 44 },
        ],
      },
      { from: 3500, to: 3500, points: [{ at: 3500, x: 1, y: 2 }] },
    ])
  })

  it('R11 two fingers are two touches, and one that goes down again is another', () => {
    const touches = readTouches(
      [
        interaction(1000, Interaction.TouchStart, 1, 1, 1),
        interaction(1010, Interaction.TouchStart, 9, 9, 2),
        move(1100, [{ x: 2, y: 2, timeOffset: 0 }], 1),
        move(1110, [{ x: 8, y: 8, timeOffset: 0 }], 2),
        interaction(1200, Interaction.TouchStart, 5, 5, 1),
      ],
      0,
    )
    expect(touches.map(({ points }) => points.map(({ x }) => x))).toEqual([[1, 2], [9, 8], [5]])
  })

  it('R11 what is no position is left out, times never run back, and their number is bounded', () => {
    const events = [
      interaction(1000, Interaction.TouchStart, Number.NaN, 1),
      interaction(1000, Interaction.TouchStart, '1', 1),
      interaction(1000, Interaction.Focus, 1, 1),
      { type: EventType.IncrementalSnapshot, timestamp: 1000, data: null },
      move(1000, 'nonsense'),
      move(1000, [null, { x: 1e9, y: 1 }, { x: 5, y: 6, timeOffset: 99 }, { x: 7, y: 8, timeOffset: -1e9 }]),
    ]
    expect(readTouches(events, 0)).toEqual([
      {
        from: 1000,
        to: 1000,
        points: [
          { at: 1000, x: 5, y: 6 },
          { at: 1000, x: 7, y: 8 },
        ],
      },
    ])
    const many = Array.from({ length: 30_000 }, (_, index) => move(index + 1, [{ x: 1, y: 1, timeOffset: 0 }]))
    expect(readTouches(many, 0)[0]?.points).toHaveLength(20_000)
  })
})
