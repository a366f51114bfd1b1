import type { FindingSettings } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { draftOf, hasErrors, isChanged, numberError, wantedOf } from './draft.ts'

const SETTINGS: FindingSettings = {
  mutes: [{ detector: '', transaction: 'GET /health' }],
  detectors: [
    {
      id: 'slow_db',
      title: 'Slow database query',
      rule: 'One SELECT takes longer than the limit.',
      type: 'performance_slow_db_query',
      enabled: true,
      seen: 100,
      defaultSeen: 100,
      perTrace: true,
      thresholds: [
        { name: 'duration', label: 'Takes at least', unit: 'ms', value: 500, default: 1000, min: 50, max: 600_000 },
      ],
    },
  ],
}

it('settings that nobody touched are sent as they are, and count as not changed', () => {
  const draft = draftOf(SETTINGS)
  expect(wantedOf(draft)).toEqual({
    mutes: SETTINGS.mutes,
    detectors: [{ id: 'slow_db', enabled: true, seen: 100, thresholds: { duration: 500 } }],
  })
  expect(isChanged(draft, SETTINGS)).toBe(false)
  expect(hasErrors(draft)).toBe(false)
})

it('a number out of its bounds is told, and nothing can be saved with it', () => {
  expect(numberError('50', 50, 100)).toBeUndefined()
  for (const text of ['', 'x', '49', '101']) expect(numberError(text, 50, 100)).toBe('A number from 50 to 100')
  expect(numberError('1.5', 1, 10_000, true)).toBe('A whole number from 1 to 10,000')
  const draft = draftOf(SETTINGS)
  const broken = { ...draft, rules: draft.rules.map((rule) => ({ ...rule, values: { duration: '1' } })) }
  expect(hasErrors(broken)).toBe(true)
  expect(isChanged(broken, SETTINGS)).toBe(true)
})
