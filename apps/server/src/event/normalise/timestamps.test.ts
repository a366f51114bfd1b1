import { describe, expect, it } from 'vitest'
import { normalised, RECEIVED, RECEIVED_AT } from './digest-item.fixture.ts'

describe('time', () => {
  const seconds = RECEIVED - 3600

  it.each([
    [seconds, seconds],
    [seconds + 0.25, seconds + 0.25],
    [String(seconds), seconds],
    [seconds * 1000, seconds],
    [undefined, RECEIVED],
    [null, RECEIVED],
    ['2026-11-20T21:23:00', seconds],
    ['2026-11-20 21:23:00.123456', seconds + 0.123456],
    ['2026-11-20T23:23:00.5+02:00', seconds + 0.5],
    ['2026-11-20T21:23:00.123456789Z', seconds + 0.123457],
  ])('check 60: timestamp %j is accepted', (timestamp, expected) => {
    const event = normalised({ timestamp })
    expect(event.timestamp).toBe(expected)
    expect(event.errors).toEqual([])
  })

  it('check 60: a negative timestamp is accepted, and too old', () => {
    expect(normalised({ timestamp: -5 })).toMatchObject({
      timestamp: RECEIVED,
      errors: [{ type: 'past_timestamp', value: -5 }],
    })
  })

  it('check 88: 3 h of drift shift all times, 30 min none', () => {
    const payload = { timestamp: seconds, breadcrumbs: [{ message: 'm', timestamp: seconds - 10 }] }
    const behind = normalised(
      { timestamp: seconds - 3 * 3600, breadcrumbs: [{ message: 'm', timestamp: seconds - 3 * 3600 - 10 }] },
      { header: { sentAt: RECEIVED_AT - 3 * 3600_000 } },
    )
    expect(behind.timestamp).toBe(seconds)
    expect(behind.breadcrumbs?.values[0]?.timestamp).toBe(seconds - 10)
    expect(behind.errors).toMatchObject([{ type: 'clock_drift' }])
    const small = normalised(payload, { header: { sentAt: RECEIVED_AT - 30 * 60_000 } })
    expect(small.timestamp).toBe(seconds)
    expect(small.errors).toEqual([])
  })

  it('check 121: breadcrumbs do not follow an absurd event time into the future', () => {
    const event = normalised({ timestamp: '0001-01-01', breadcrumbs: [{ message: 'm', timestamp: seconds }] })
    expect(event.breadcrumbs?.values[0]?.timestamp).toBe(seconds)
    expect(
      normalised({ breadcrumbs: [{ message: 'm', timestamp: '9999-01-01T00:00:00Z' }] }).breadcrumbs?.values,
    ).toEqual([{ type: 'default', level: 'info', message: 'm' }])
  })

  it('check 89: a day in the future is stored at receipt, with a note', () => {
    const event = normalised({ timestamp: RECEIVED + 86_400 })
    expect(event).toMatchObject({ timestamp: RECEIVED, errors: [{ type: 'future_timestamp', name: 'timestamp' }] })
  })

  it.each(['0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z', -1e15, 1e15, '0000-00-00', '1e400', 'NaN', {}, 1e308])(
    'check 121: timestamp %j is clamped to receipt',
    (timestamp) => {
      const event = normalised({ timestamp, breadcrumbs: [{ message: 'm', timestamp }] })
      expect(event.timestamp).toBe(RECEIVED)
      expect(event.errors.length).toBeGreaterThan(0)
    },
  )
})
