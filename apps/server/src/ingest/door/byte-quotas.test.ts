import { describe, expect, it } from 'vitest'
import { LIMITS } from '../limits.ts'
import { byteDefaults, createByteQuotas } from './byte-quotas.ts'
import { keyContext } from './test-door.ts'

const NOON = Date.UTC(2026, 10, 20, 12)
const HOUR = 3_600_000
const DAY = 24 * HOUR
const DEFAULTS = { keyBytesPerDay: 8000, organizationBytesPerDay: 16_000 }

describe('byte quotas', () => {
  it('let the key have a share of the day in an hour, then refuse it until the hour is over', () => {
    const quotas = createByteQuotas(DEFAULTS)
    const key = keyContext()
    expect(quotas.take(key, 999, false, NOON)).toEqual({ granted: true })
    expect(quotas.take(key, 1, false, NOON)).toEqual({ granted: true })
    expect(quotas.take(key, 1, false, NOON + HOUR - 7000)).toEqual({
      granted: false,
      scope: 'key',
      reason: 'key_byte_quota',
      everything: false,
      maxBytes: 1000,
      window: 'hour',
      retryAfterSeconds: 7,
    })
    expect(quotas.take(key, 1, false, NOON + HOUR)).toEqual({ granted: true })
  })

  it('end the day when it is used up, and nobody is sent away for longer than senders should wait', () => {
    const quotas = createByteQuotas(DEFAULTS)
    const key = keyContext()
    for (let hour = 0; hour < 8; hour += 1) quotas.take(key, 1000, false, NOON + hour * HOUR)
    expect(quotas.take(key, 1, false, NOON + 9 * HOUR)).toMatchObject({
      reason: 'key_byte_quota',
      maxBytes: 8000,
      window: 'day',
      retryAfterSeconds: LIMITS.BYTE_QUOTA_RETRY_SECONDS,
    })
    expect(quotas.take(key, 1, false, NOON + DAY)).toEqual({ granted: true })
  })

  it('a full organisation stops its keys, and no other organisation', () => {
    const quotas = createByteQuotas(DEFAULTS)
    const keyOf = (keyId: number, organizationId: number) => keyContext({ keyId, organizationId })
    for (let keyId = 1; keyId <= 2; keyId += 1) quotas.take(keyOf(keyId, 1), 1000, false, NOON)
    expect(quotas.take(keyOf(3, 1), 1, false, NOON)).toMatchObject({
      scope: 'organization',
      reason: 'organization_byte_quota',
    })
    expect(quotas.take(keyOf(4, 2), 1, false, NOON)).toEqual({ granted: true })
  })

  it('sessions and client reports go on for a while, and then end as well', () => {
    const quotas = createByteQuotas(DEFAULTS)
    const key = keyContext()
    quotas.take(key, 1000, false, NOON)
    expect(quotas.take(key, 1, false, NOON).granted).toBe(false)
    expect(quotas.spent(key, NOON).granted).toBe(true)
    expect(quotas.take(key, 100, true, NOON).granted).toBe(true)
    expect(quotas.take(key, 1, true, NOON)).toMatchObject({ granted: false, everything: true })
    expect(quotas.spent(key, NOON)).toMatchObject({ granted: false, everything: true })
  })

  it('one that goes far beyond the limit takes nothing from sessions, nor does a restart give them more', () => {
    const first = createByteQuotas(DEFAULTS)
    const key = keyContext()
    first.take(key, 50_000, false, NOON)
    expect(first.take(key, 60, true, NOON).granted).toBe(true)
    const again = createByteQuotas(DEFAULTS, JSON.parse(JSON.stringify(first.save())))
    expect(again.take(key, 60, true, NOON).granted).toBe(true)
    expect(again.take(key, 1, true, NOON)).toMatchObject({ window: 'day', maxBytes: 8000 })
    expect(again.take(key, 1, true, NOON + HOUR).granted).toBe(true)
    expect(again.take(key, 1, false, NOON + HOUR).granted).toBe(false)
  })

  it('follow the settings of key and organisation; an organisation gets no more than the installation allows', () => {
    const quotas = createByteQuotas(DEFAULTS)
    const generous = keyContext({ bytesPerDay: 1_000_000, organizationBytesPerDay: 1_000_000 })
    expect(quotas.take(generous, 2000, false, NOON).granted).toBe(true)
    expect(quotas.take(generous, 1, false, NOON)).toMatchObject({ reason: 'organization_byte_quota' })
    const strict = keyContext({ keyId: 8, organizationId: 2, organizationBytesPerDay: 800 })
    quotas.take(strict, 100, false, NOON)
    expect(quotas.take(strict, 1, false, NOON)).toMatchObject({ reason: 'organization_byte_quota' })
  })

  it('take back what was not kept, in its own hour and day', () => {
    const quotas = createByteQuotas(DEFAULTS)
    const key = keyContext()
    quotas.take(key, 1000, false, NOON)
    quotas.giveBack(key, 400, false, NOON)
    expect(quotas.take(key, 400, false, NOON + 1).granted).toBe(true)
    expect(quotas.take(key, 1, false, NOON + 2).granted).toBe(false)
    quotas.take(key, 1000, false, NOON + HOUR)
    quotas.giveBack(key, 1000, false, NOON)
    expect(quotas.take(key, 1, false, NOON + HOUR).granted).toBe(false)
    quotas.take(key, 100, true, NOON + HOUR)
    expect(quotas.take(key, 1, true, NOON + HOUR).granted).toBe(false)
    quotas.giveBack(key, 100, true, NOON + HOUR)
    expect(quotas.take(key, 1, true, NOON + HOUR).granted).toBe(true)
    expect(quotas.take(key, 1, false, NOON + HOUR).granted).toBe(false)
  })

  it('are not given anew by a restart, nor kept for ever by a clock that was set back', () => {
    const quotas = createByteQuotas(DEFAULTS)
    const key = keyContext()
    quotas.take(key, 1000, false, NOON)
    const again = createByteQuotas(DEFAULTS, JSON.parse(JSON.stringify(quotas.save())))
    expect(again.take(key, 1, false, NOON + 1000).granted).toBe(false)
    expect(again.take(key, 1, false, NOON - 3 * DAY).granted).toBe(true)
    expect(again.take(key, 1, false, NOON + 300 * DAY).granted).toBe(true)
  })

  it('are a part of the disk by default; an operator may say otherwise', () => {
    const disk = 80 * 1024 ** 3
    const own = { organizationBytesPerDay: null }
    expect(byteDefaults(disk, own)).toEqual({ organizationBytesPerDay: 10 * 1024 ** 3, keyBytesPerDay: 5 * 1024 ** 3 })
    expect(byteDefaults(null, own).organizationBytesPerDay).toBe(LIMITS.ORGANIZATION_BYTES_PER_DAY)
    expect(byteDefaults(100 * disk, own).organizationBytesPerDay).toBe(LIMITS.ORGANIZATION_BYTES_PER_DAY)
    expect(byteDefaults(disk, { organizationBytesPerDay: 7000 })).toEqual({
      organizationBytesPerDay: 7000,
      keyBytesPerDay: 3500,
    })
    expect(byteDefaults(disk, { organizationBytesPerDay: 0 })).toEqual({
      organizationBytesPerDay: null,
      keyBytesPerDay: null,
    })
  })
})
