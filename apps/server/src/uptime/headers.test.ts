import { describe, expect, it } from 'vitest'
import type { UptimeCheck } from './check.ts'
import { createHeaderSeal, readHeaders } from './headers.ts'

const seal = createHeaderSeal(new Uint8Array(32).fill(7))
const sealed = (value: string): string => seal.seal(1, value)
const url = 'https://shop.example/health'
const NONE = { url, headers: [] }

const opened = (headers: UptimeCheck['headers'], organizationId = 1): UptimeCheck['headers'] =>
  seal.open(organizationId, { headers } as UptimeCheck).headers

describe('headers of an address that is asked', () => {
  it('are kept so that only who asks reads their values, for their organisation alone', () => {
    const kept = readHeaders(NONE, [['Authorization', 'Bearer s3cret']], { url, sealed })
    expect(JSON.stringify(kept)).not.toContain('s3cret')
    expect(opened(kept)).toEqual([['Authorization', 'Bearer s3cret']])
    expect(() => opened(kept, 2)).toThrow('authenticate')
  })

  it('stay as they are when their values are not written again, but not for another host', () => {
    const headers = readHeaders(NONE, [['X-Token', 'one']], { url, sealed })
    const before = { url, headers }
    expect(opened(readHeaders(before, undefined, { url, sealed }))).toEqual([['X-Token', 'one']])
    const more = [
      ['x-token', null],
      ['Accept', 'text/html'],
    ] as const
    expect(opened(readHeaders(before, more, { url: 'https://shop.example/other', sealed }))).toEqual([
      ['x-token', 'one'],
      ['Accept', 'text/html'],
    ])
    expect(() => readHeaders(before, undefined, { url: 'https://evil.example/', sealed })).toThrow('again')
    expect(() => readHeaders(before, [['Other', null]], { url, sealed })).toThrow('Write a value for the header Other')
    expect(readHeaders(before, [], { url: 'https://evil.example/', sealed })).toEqual([])
  })

  it.each([
    ['Content-Length', '999'],
    ['transfer-encoding', 'chunked'],
    ['Host', 'other.example'],
    ['X-Lines', 'a\r\nb: c'],
    ['X-Euro', 'é€'],
  ])('%s: %s is refused, as no request with it would arrive', (name, value) => {
    expect(() => readHeaders(NONE, [[name, value]], { url, sealed })).toThrow(`header ${name}`)
  })
})
