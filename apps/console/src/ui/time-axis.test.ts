import { beforeAll, expect, it } from 'vitest'
import { applyTimePreferences } from '../lib/moments.ts'
import { timeTexts } from './time-axis.ts'

beforeAll(() => applyTimePreferences({ timezone: 'UTC', clock24Hours: true }))

const at = (text: string): number => Date.parse(`${text}Z`) / 1000
const SPLITS = ['2026-11-22T20:00', '2026-11-23T00:00', '2026-11-23T04:00', '2026-11-23T08:00'].map(at)
const SCALE = { min: at('2026-11-22T18:00'), max: at('2026-11-23T08:00'), width: 700 }

it('names hours, and midnights by their day', () => {
  expect(timeTexts(SPLITS, { ...SCALE, endsNow: false })).toEqual(['20:00', '23 Nov', '04:00', '08:00'])
  expect(timeTexts([at('2026-11-22T20:00:30')], { ...SCALE, endsNow: false })).toEqual(['20:00:30'])
})

it('leaves the end to "now" where the axis ends in the present', () => {
  expect(timeTexts(SPLITS, { ...SCALE, endsNow: true })).toEqual(['20:00', '23 Nov', '04:00', ''])
  // On a narrow chart the text before it would touch it.
  expect(timeTexts(SPLITS, { ...SCALE, width: 160, endsNow: true })).toEqual(['20:00', '23 Nov', '', ''])
})
