import { describe, expect, it } from 'vitest'
import { parameterise } from './parameterise.ts'

describe('parameterise', () => {
  it.each([
    ['User 123 not found', 'User <int> not found'],
    ['mail to ann@example.com failed', 'mail to <email> failed'],
    ['GET https://shop.example/a/7f3c?x=1 failed', 'GET <url> failed'],
    ['cannot resolve db-1.example.com', 'cannot resolve <hostname>'],
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED <ip>:<int>'],
    ['connect to 2001:db8::8a2e:370:7334 failed', 'connect to <ip> failed'],
    ['trace 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', 'trace <traceparent>'],
    ['order 7c9e6679-7425-40de-944b-e07fc1f90ae7 lost', 'order <uuid> lost'],
    ['commit da39a3ee5e6b4b0d3255bfef95601890afd80709', 'commit <sha1>'],
    ['etag d41d8cd98f00b204e9800998ecf8427e', 'etag <md5>'],
    ['nic 00:1b:44:11:3a:b7 down', 'nic <mac> down'],
    ['at 2026-11-20T10:00:00.123Z', 'at <date>'],
    ['at 2026-11-20 10:00:00', 'at <date>'],
    ['at Fri Nov 20 2026 10:00:00 GMT+0000 (Coordinated Universal Time)', 'at <date>'],
    ['at 10:00:00', 'at <date>'],
    ['timeout after 12ms', 'timeout after <duration>'],
    ['timeout after 3.5s', 'timeout after <duration>'],
    ['segfault at 0xdeadBEEF', 'segfault at <hex>'],
    ['key 9f86d081884c7d65 missing', 'key <hex> missing'],
    ['build 7f3c9d2 broke', 'build <git_sha> broke'],
    ['ratio -0.25', 'ratio <float>'],
    ['id 123456789012345', 'id <int>'],
    ["name='Ann Lee' missing", 'name=<quoted_str> missing'],
    ['strict=true', 'strict=<bool>'],
  ])('%s → %s', (message, expected) => {
    expect(parameterise(message)).toBe(expected)
  })

  it.each([
    "Cannot read properties of undefined (reading 'x')",
    "Cannot read properties of undefined (reading 'y')",
    'x1 is not a function',
    'std::vector::at',
    'Mark is away',
    'window.app.state is undefined',
    'the feedback is defaced',
  ])('keeps the words of: %s', (message) => {
    expect(parameterise(message)).toBe(message)
  })

  it.each([
    ['letters', `${'a'.repeat(1_000_000)}!`],
    ['digits', '1'.repeat(1_000_000)],
    ['hyphens', '-'.repeat(1_000_000)],
    ['dots', 'a.'.repeat(500_000)],
    ['colons', 'a:'.repeat(500_000)],
    ['hex groups', 'ab12-'.repeat(200_000)],
    ['addresses', 'a@'.repeat(500_000)],
    ['schemes', 'http://,'.repeat(100_000)],
    ['quotes', `='`.repeat(500_000)],
    ['spaced digits', '1 '.repeat(500_000)],
  ])('check 112: 1 MB of %s is capped and answered', (_, message) => {
    expect(parameterise(message).length).toBeLessThanOrEqual(8 * 8192)
  })
})
