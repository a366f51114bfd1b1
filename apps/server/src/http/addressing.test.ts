import { describe, expect, it } from 'vitest'
import { createAddressing } from './addressing.ts'

const resolve = (
  headers: Record<string, string>,
  remoteAddress: string | null = '10.0.0.9',
  options: Partial<Parameters<typeof createAddressing>[0]> = {},
) =>
  createAddressing({ publicUrl: null, trustedProxies: ['10.0.0.0/8', '::1', 'fd00::/8'], ...options }).resolve({
    remoteAddress,
    header: (name) => headers[name],
  })

describe('addressing', () => {
  it('believes forwarded headers of trusted proxies only', () => {
    const headers = {
      host: 'inner:9000',
      'x-forwarded-for': '203.0.113.5',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'errors.example.com',
    }
    expect(resolve(headers)).toEqual({ clientAddress: '203.0.113.5', publicUrl: 'https://errors.example.com' })
    expect(resolve(headers, '192.0.2.7')).toEqual({ clientAddress: '192.0.2.7', publicUrl: 'http://inner:9000' })
    expect(resolve(headers, '::ffff:10.1.2.3').clientAddress).toBe('203.0.113.5')
  })

  it('takes the last hop that no proxy of ours added, whatever the client wrote before it', () => {
    const chain = (value: string): string | null => resolve({ host: 'h', 'x-forwarded-for': value }).clientAddress
    expect(chain('1.1.1.1, 203.0.113.5, 10.0.0.3')).toBe('203.0.113.5')
    expect(chain('10.0.0.4, 10.0.0.3')).toBe('10.0.0.4')
    expect(chain('203.0.113.5:4711')).toBe('203.0.113.5')
    expect(chain('[2001:db8::1]:443')).toBe('2001:db8::1')
    expect(chain('evil, unknown')).toBe('10.0.0.9')
    expect(chain('')).toBe('10.0.0.9')
  })

  it('never builds links from a host that is none', () => {
    for (const host of ['evil.example/path', 'a b', '<script>', '', 'user@evil.example']) {
      expect(resolve({ host }).publicUrl).toBe('http://localhost')
    }
    expect(resolve({ host: '[::1]:9000' }).publicUrl).toBe('http://[::1]:9000')
  })

  it('prefers the configured address, and names a range that it cannot read', () => {
    expect(resolve({ host: 'x' }, null, { publicUrl: 'https://a.example/base' })).toEqual({
      clientAddress: null,
      publicUrl: 'https://a.example/base',
    })
    expect(() => resolve({}, null, { trustedProxies: ['10.0.0.0/99'] })).toThrow('10.0.0.0/99')
    expect(() => resolve({}, null, { trustedProxies: ['proxy.local'] })).toThrow('proxy.local')
  })
})
