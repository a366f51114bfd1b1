import { describe, expect, it } from 'vitest'

import { fittingTabs } from './fitting-tabs.ts'

describe('tabs beside each other', () => {
  const widths = [100, 60, 60, 60]

  it('are all there where they have room', () => {
    expect(fittingTabs(widths, 340, 0)).toBeNull()
    expect(fittingTabs([], 0, -1)).toBeNull()
  })

  it('leave room for the menu with the rest, and keep the active one', () => {
    expect(fittingTabs(widths, 339, 0)).toEqual([0, 1, 2])
    expect(fittingTabs(widths, 339, 3)).toEqual([0, 1, 3])
    expect(fittingTabs(widths, 160, 0)).toEqual([0])
    expect(fittingTabs(widths, 10, 2)).toEqual([2])
  })
})
