import type { Backfill } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'

import { backfillLines, isUnderWay } from './backfills.ts'

const backfill = (state: Backfill['state'], fields: Partial<Backfill> = {}): Backfill => ({
  projectId: '1',
  itemTypes: ['transaction'],
  items: 40_000,
  ended: 12_400,
  state,
  since: '2026-11-22T10:00:00.000Z',
  ...fields,
})

describe('items that were received before the upgrade', () => {
  it('say how far they are read, and what becomes of the rest', () => {
    const text = (state: Backfill['state'], fields?: Partial<Backfill>): string | undefined =>
      backfillLines([backfill(state, fields)], undefined)[0]?.text
    expect(text('running')).toBe('Transactions received before the upgrade are being read: 12,400 of 40,000.')
    expect(text('queued')).toBe('Transactions received before the upgrade will be read soon: 40,000.')
    expect(text('done', { ended: 40_000 })).toBe('Transactions received before the upgrade have been read: 40,000.')
    expect(text('waiting')).toContain('12,400 of 40,000 are read. The rest waits')
    expect(text('failed')).toContain('could not all be read: 12,400 of 40,000.')
    expect(text('running', { itemTypes: ['hologram', 'glint'] })).toMatch(/^Items of type hologram received/)
  })

  it('are summed over projects, and say the state that most needs to be known', () => {
    const lines = (...states: Backfill['state'][]) =>
      backfillLines(
        states.map((state, index) => backfill(state, { projectId: String(index), items: 10, ended: 5 })),
        undefined,
      )
    expect(lines('done', 'failed', 'running')).toMatchObject([
      { state: 'failed', text: expect.stringContaining('15 of 30') },
    ])
    expect(lines('done', 'waiting', 'queued')).toMatchObject([{ state: 'waiting' }])
    expect(lines('done', 'queued')).toMatchObject([{ state: 'running' }])
    expect(lines('done', 'done')).toMatchObject([{ state: 'done' }])
  })

  it('are those of the project that is shown, a line for each type', () => {
    const all = [
      backfill('running'),
      backfill('queued', { itemTypes: ['log'] }),
      backfill('running', { projectId: '2', itemTypes: ['profile'] }),
    ]
    expect(backfillLines(all, '1').map(({ itemType }) => itemType)).toEqual(['transaction', 'log'])
    expect(backfillLines(all, '3')).toEqual([])
    expect(all.map(isUnderWay)).toEqual([true, true, true])
    expect([backfill('done'), backfill('failed')].map(isUnderWay)).toEqual([false, false])
  })
})
