import { describe, expect, it } from 'vitest'
import { crashFreeText, crashWords, differenceText, endsText, latelyWords, shareOfText, shareText } from './rates.ts'

describe('rates of releases', () => {
  it('L98: are rounded down, so that 99.996 % is not shown as 100 %', () => {
    expect(crashFreeText({ crashed: 4, total: 100_000 })).toBe('99.99%')
    expect(crashFreeText({ crashed: 1, total: 1_000_000_000 })).toBe('99.99%')
    expect(crashFreeText({ crashed: 0, total: 1 })).toBe('100%')
    expect(crashFreeText({ crashed: 1, total: 10_000 })).toBe('99.99%')
    expect(crashFreeText({ crashed: 84, total: 9240 })).toBe('99.09%')
    expect(crashFreeText({ crashed: 99_999, total: 100_000 })).toBe('<0.01%')
    expect(crashFreeText({ crashed: 3, total: 3 })).toBe('0.00%')
    expect(crashFreeText({ crashed: 0, total: 0 })).toBeNull()
  })

  it('are parts that are whole only for the whole, and nothing only for nothing', () => {
    expect(shareText(99_999, 100_000)).toBe('99%')
    expect(shareText(1, 100_000)).toBe('<1%')
    expect(shareText(0, 7)).toBe('0%')
    expect(shareText(7, 7)).toBe('100%')
    expect(shareText(0, 0)).toBeNull()
  })

  it('differ by points of a percent', () => {
    expect(differenceText(0.9909, 0.9971)).toBe('−0.62')
    expect(differenceText(0.9971, 0.9909)).toBe('+0.62')
    expect(differenceText(1, 1)).toBe('±0.00')
    expect(differenceText(null, 1)).toBeNull()
    expect(differenceText(1, null)).toBeNull()
  })

  it('of what is rare have hundredths', () => {
    expect(shareOfText(1, 100_000)).toBe('<0.01%')
    expect(shareOfText(99_999, 100_000)).toBe('99.99%')
    expect(shareOfText(0, 7)).toBe('0.00%')
    expect(shareOfText(7, 7)).toBe('100%')
    expect(shareOfText(0, 0)).toBe('–')
  })

  it('are a sentence', () => {
    const sessions = (total: number, crashed: number) => ({
      sessions: { total, crashed, healthy: total - crashed, errored: 0, abnormal: 0, unhandled: 0 },
    })
    expect(crashWords(sessions(1100, 10), sessions(3450, 10), null)).toBe(
      '1 in 110 of its sessions crashed; of the release before at that age it was 1 in 345.',
    )
    expect(crashWords(sessions(7, 0), sessions(5, 0), null)).toBe(
      'None of its 7 sessions crashed; of the release before at that age none had.',
    )
    expect(crashWords(sessions(1, 1), null, null)).toBe('The only one of its sessions crashed.')
    expect(crashWords(sessions(3, 3), sessions(0, 0), null)).toBe('All 3 of its sessions crashed.')
    // From one half on, "1 in 1" and "1 in 2" would be wrong.
    expect(crashWords(sessions(4, 3), sessions(3, 2), null)).toBe(
      '3 of its 4 sessions crashed; of the release before at that age it was 2 of 3.',
    )
    expect(crashWords(sessions(2000, 1000), null, null)).toBe('1,000 of its 2,000 sessions crashed.')
    expect(crashWords(sessions(5, 2), null, null)).toBe('1 in 3 of its sessions crashed.')
  })

  it('say of which time they are where that is not the whole life of a release', () => {
    const sessions = (total: number, crashed: number) => ({
      sessions: { total, crashed, healthy: total - crashed, errored: 0, abnormal: 0, unhandled: 0 },
    })
    expect(crashWords(sessions(20_000, 0), null, 30)).toBe('In its first 30 days, none of its 20,000 sessions crashed.')
    expect(latelyWords(sessions(10, 6))).toBe('In the last 14 days, 6 of its 10 sessions crashed.')
    expect(latelyWords(sessions(0, 0))).toBe('In the last 14 days it had no sessions.')
  })

  it('come with every number that is behind them', () => {
    const none = { healthy: 0, errored: 0, unhandled: 0, abnormal: 0, crashed: 0, total: 0 }
    expect(endsText({ sessions: { ...none, total: 3, healthy: 2, crashed: 1 }, users: none })).toBe(
      '3 sessions in 14 days: crashed 1, healthy 2; no user is named',
    )
    expect(endsText({ sessions: { ...none, total: 1, errored: 1 }, users: { ...none, total: 1, errored: 1 } })).toBe(
      '1 session in 14 days: errored 1; 100% of 1 user had no crash',
    )
  })
})
