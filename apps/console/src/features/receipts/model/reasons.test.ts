import { OUTCOMES } from '@firsthand/contract'
import { CLIENT_REPORT_REASONS } from '@firsthand/protocol'
import { describe, expect, it } from 'vitest'
import { explainReason } from './reasons.ts'

describe('explainReason', () => {
  it('every outcome but accepted has words, even for a reason nobody knows', () => {
    for (const outcome of OUTCOMES) {
      const explanation = explainReason(outcome, 'a_reason_of_tomorrow')
      expect(explanation === null).toBe(outcome === 'accepted')
    }
  })

  it('the same reason means something else in a client report', () => {
    expect(explainReason('client_discard', 'sample_rate')?.why).toMatch(/SDK/)
  })

  it('every reason of the protocol has words of its own', () => {
    const general = explainReason('client_discard', 'a_reason_of_tomorrow')
    for (const reason of CLIENT_REPORT_REASONS) expect(explainReason('client_discard', reason)).not.toEqual(general)
  })

  it('a reason named like a property of objects is not found', () => {
    expect(explainReason('filtered', 'constructor')).toEqual(explainReason('filtered', ''))
  })
})
