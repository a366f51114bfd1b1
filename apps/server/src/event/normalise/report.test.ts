import { describe, expect, it } from 'vitest'
import { dropReason, normalised, RECEIVED, tagOf } from './digest-item.fixture.ts'

describe('reports', () => {
  const report = (payload: unknown, type = 'raw_security') =>
    normalised(payload, {
      type,
      itemHeader: { sentry_release: 'r1', sentry_environment: 'prod' },
      sender: { userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/121.0' },
    })

  it('check 87: CSP in both spellings; a missing blocked URI is self', () => {
    const classic = report({
      'csp-report': {
        'document-uri': 'https://example.com/p?x=1',
        'effective-directive': 'script-src-elem',
        'blocked-uri': 'https://cdn.example.com/a.js',
        'original-policy': "default-src 'self'",
      },
    })
    expect(classic).toMatchObject({
      type: 'csp',
      logger: 'csp',
      level: 'error',
      release: 'r1',
      environment: 'prod',
      logentry: { formatted: "Blocked 'script' from 'cdn.example.com'" },
      csp: { effective_directive: 'script-src-elem', blocked_uri: 'https://cdn.example.com/a.js' },
      request: { url: 'https://example.com/p' },
      user: { ip_address: '203.0.113.9' },
    })
    expect(tagOf(classic, 'effective-directive')).toBe('script-src-elem')
    const modern = report([
      {
        type: 'csp-violation',
        age: 2000,
        url: 'https://example.com/p',
        user_agent: 'x',
        body: {
          documentURL: 'https://example.com/p',
          effectiveDirective: 'script-src-elem',
          blockedURL: 'inline',
          sample: 'alert(1)',
          disposition: 'report',
        },
      },
    ])
    expect(modern).toMatchObject({
      level: 'info',
      timestamp: RECEIVED - 2,
      logentry: { formatted: "Blocked inline 'script'" },
      csp: { document_uri: 'https://example.com/p', blocked_uri: 'inline', script_sample: 'alert(1)' },
    })
    expect(report({ 'csp-report': { 'violated-directive': "script-src 'self'" } })).toMatchObject({
      csp: { blocked_uri: 'self', effective_directive: 'script-src' },
    })
    expect(
      report({ 'csp-report': { 'effective-directive': 'script-src', 'blocked-uri': 'eval' } }).logentry?.formatted,
    ).toBe("Blocked unsafe eval() 'script'")
  })

  it('reads the other kinds', () => {
    expect(report({ 'expect-ct-report': { hostname: 'a.example' } })).toMatchObject({
      type: 'expectct',
      expectct: { hostname: 'a.example' },
    })
    expect(report({ 'expect-staple-report': { hostname: 'a.example' } })).toMatchObject({ type: 'expectstaple' })
    expect(report({ hostname: 'a.example', 'known-pins': [] })).toMatchObject({
      type: 'hpkp',
      hpkp: { known_pins: [] },
    })
    expect(
      report(
        { type: 'network-error', url: 'https://a.example/x', body: { type: 'tcp.timed_out', server_ip: '1.2.3.4' } },
        'nel',
      ),
    ).toMatchObject({
      type: 'nel',
      nel: { type: 'tcp.timed_out', server_ip: '1.2.3.4', url: 'https://a.example/x' },
    })
  })

  it('drops kinds that are no error', () => {
    expect(dropReason([{ type: 'deprecation', body: {} }], { type: 'raw_security' })).toBe('unsupported_report')
  })
})
