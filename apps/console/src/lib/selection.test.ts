import { describe, expect, it } from 'vitest'

import {
  ALL_MATCHES,
  NOTHING,
  countSelected,
  keepOnly,
  loadedState,
  toggle,
  toggleLoaded,
  toggleRange,
} from './selection.ts'

describe('selection', () => {
  const order = ['a', 'b', 'c', 'd', 'e']

  it('takes a range with Shift, in both directions, and takes it back', () => {
    const range = toggleRange(toggle(NOTHING, order, 'd'), order, 'b')
    expect([...range.ids].toSorted()).toEqual(['b', 'c', 'd'])
    const back = toggleRange(range, order, 'd')
    expect([...back.ids]).toEqual([])
  })

  it('leaves a row out of "all that match" by naming the others', () => {
    const rest = toggle(ALL_MATCHES, order, 'c')
    expect(rest.kind).toBe('some')
    expect(countSelected(rest, 1204)).toBe(4)
    expect(countSelected(ALL_MATCHES, 1204)).toBe(1204)
  })

  it('checks all that is loaded, then none', () => {
    const all = toggleLoaded(NOTHING, order)
    expect(loadedState(all, order)).toBe('all')
    expect(toggleLoaded(all, order)).toEqual(NOTHING)
    expect(loadedState(toggle(NOTHING, order, 'a'), order)).toBe('some')
  })

  it('forgets rows that left the list', () => {
    expect([...keepOnly(toggleLoaded(NOTHING, order), ['a', 'z']).ids]).toEqual(['a'])
  })
})
