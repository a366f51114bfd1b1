import { describe, expect, it } from 'vitest'
import type { UptimeCheck } from './check.ts'
import { judge } from './judge.ts'
import { createSecrets, readBody, readHeaders, type SealedCheck } from './secrets.ts'

const secrets = createSecrets(new Uint8Array(32).fill(7))
const sealed = (value: string): string => secrets.seal(1, value)
const url = 'https://shop.example/health'
const NONE = { url, headers: [] }

const opened = (headers: UptimeCheck['headers'], organizationId = 1): UptimeCheck['headers'] =>
  secrets.open(organizationId, { headers, sealedBody: '' } as unknown as SealedCheck).headers

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

describe('the body that is sent to an address', () => {
  const bodyOf = (sealedBody: string): string =>
    secrets.open(1, { headers: [], sealedBody } as unknown as SealedCheck).body

  it('is kept sealed, stays when it is not written again, and goes to no other host', () => {
    const sealedBody = readBody({ url, sealedBody: '' }, '{"password":"s3cret"}', { url, sealed })
    expect(sealedBody).not.toContain('s3cret')
    expect(bodyOf(sealedBody)).toBe('{"password":"s3cret"}')
    const before = { url, sealedBody }
    expect(readBody(before, undefined, { url: 'https://shop.example/other', sealed })).toBe(sealedBody)
    expect(readBody(before, null, { url, sealed })).toBe(sealedBody)
    expect(() => readBody(before, undefined, { url: 'https://evil.example/', sealed })).toThrow('write the body again')
    expect(readBody(before, '', { url: 'https://evil.example/', sealed })).toBe('')
    expect(bodyOf('')).toBe('')
  })

  it('has a bound in bytes', () => {
    expect(bodyOf(readBody({ url, sealedBody: '' }, 'é'.repeat(512), { url, sealed }))).toHaveLength(512)
    expect(() => readBody({ url, sealedBody: '' }, 'é'.repeat(513), { url, sealed })).toThrow('1024 bytes')
  })
})

it('what an address answers of what it was sent is not told, in whole or in part', () => {
  const check: UptimeCheck = {
    url,
    method: 'POST',
    headers: [['Authorization', 'Bearer s3cret-token']],
    body: '{"password":"hunter22"}',
    timeoutMs: 1000,
    statuses: '200',
    textPresent: '',
    textAbsent: '',
    jsonPath: 'echo',
    jsonValue: 'well',
    latencyMs: null,
  }
  const times = { resolved: 0, connected: 0, secured: 0, firstByte: 0, total: 1 }
  const reasonOf = (echo: unknown): string | undefined =>
    judge(check, {
      status: 200,
      url,
      headers: {},
      bytes: Buffer.from(JSON.stringify({ echo })),
      address: '192.0.2.1',
      times,
      certificateEndsAt: null,
    })?.reason
  for (const echo of ['hunter22', check.body, 's3cret-token', { authorization: 'Bearer s3cret-token' }]) {
    expect(reasonOf(echo)).toBe('echo is something that was sent, not well.')
  }
  expect(reasonOf('degraded')).toBe('echo is degraded, not well.')
  expect(reasonOf('pass')).toBe('echo is pass, not well.')
})
