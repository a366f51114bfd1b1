import { describe, expect, it } from 'vitest'
import { maskText, maskUrl } from './masking.ts'
import { maskPairs } from './pairs.ts'
import { LINE_CHARS } from './ring.ts'

describe('what a line does not say', () => {
  it.each([
    ['https://shop.example/cart?id=7&q=tea;x=1#top', 'https://shop.example/cart?id=&q=;x='],
    ['https://ada:secret@shop.example/', 'https://shop.example/'],
    ['https://shop.example/cart?flag', 'https://shop.example/cart?flag'],
    ['data:text/plain,hello', 'data:text/plain,hello'],
    [`https://shop.example/${'x'.repeat(5000)}`, `https://shop.example/${'x'.repeat(5000)}`.slice(0, LINE_CHARS)],
  ])('the address %s', (address, said) => {
    expect(maskUrl(address)).toBe(said)
  })

  it.each([
    ['loaded https://shop.example/a?token=abc in 3 ms', 'loaded https://shop.example/a?token= in 3 ms'],
    ['Authorization: Bearer abc.def-123', 'Authorization: [Filtered]'],
    ['sent Bearer abc.def-123', 'sent Bearer [Filtered]'],
    ['{"user":"ada","password":"p\'w 1","n":1}', '{"user":"ada","password":[Filtered],"n":1}'],
    ["{ apiKey: 'a b', n: 1 }", '{ apiKey: [Filtered], n: 1 }'],
    ['session_id=77; theme=dark', 'session_id=[Filtered]; theme=dark'],
    ['card 4111 1111 1111 1111 of ada', 'card [Filtered] of ada'],
    ['at 1763830000000 and 4111 1111 1111 1112', 'at 1763830000000 and 4111 1111 1111 1112'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '[Filtered]'],
    ['order 4711 of 2026-11-22 at 12:30:00 took 15 ms', 'order 4711 of 2026-11-22 at 12:30:00 took 15 ms'],
    ['Login failed: password=hunter2', 'Login failed: password=[Filtered]'],
    ['error: token=abcdef12', 'error: token=[Filtered]'],
    ['{"user":{"password":"hunter2"}}', '{"user":{"password":[Filtered]}}'],
    ['state={password:"hunter2"}', 'state={password:[Filtered]}'],
    ['body={"token":"abc"}', 'body={"token":[Filtered]}'],
    ['headers: {"authorization":"abc"}', 'headers: {"authorization":[Filtered]}'],
    ['url=/x?token=abcd&n=1', 'url=/x?token=[Filtered]&n=1'],
    ['url=/x?password=abcd in 3 ms', 'url=/x?password=[Filtered] in 3 ms'],
    ['Cookie: sessionid=abc123; theme=dark\nnext: line', 'Cookie: [Filtered]\nnext: line'],
    ['Set-Cookie: a=b; Path=/', 'Set-Cookie: [Filtered]'],
    ['Authorization: Token abc', 'Authorization: [Filtered]'],
    ['x-auth: Token abc', 'x-auth: [Filtered]'],
    ['password: correct horse battery', 'password: [Filtered]'],
    ['{"password":["a","b"],"n":1}', '{"password":[Filtered],"n":1}'],
    ['{"session":{"a":"}","b":[1]},"n":1}', '{"session":[Filtered],"n":1}'],
    [String.raw`"{\"password\":\"x \\\" y\",\"n\":1}"`, String.raw`"{\"password\":[Filtered],\"n\":1}"`],
    [String.raw`{"password":"x \" y","n":1}`, '{"password":[Filtered],"n":1}'],
    ['{"password":"it never ends, n:1', '{"password":[Filtered]'],
    ["Map { 'token' => 'abc' }", "Map { 'token' => [Filtered] }"],
    ['postgres://u:pw@db/shop failed', 'postgres://db/shop failed'],
    ['redis://:p@w@cache:6379', 'redis://cache:6379'],
    ['accessKey=abc n=1', 'accessKey=[Filtered] n=1'],
    ['pin=1234, userPin: 1234, cvv: 123', 'pin=[Filtered], userPin: [Filtered], cvv: [Filtered]'],
    ['with AKIAIOSFODNN7EXAMPLE', 'with [Filtered]'],
    [['with sk', 'live', '4eC39HqLyjWDarjtT1zdp7dc'].join('_'), 'with [Filtered]'],
    ['with ghp_abcdefghijklmnopqrstuvwxyz0123456789', 'with [Filtered]'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- read', '[Filtered] read'],
    ['spinning: 3, mapping=4, http://auth:8080/a', 'spinning: 3, mapping=4, http://auth:8080/a'],
    ['http://auth:8080/a?token= in 3 ms', 'http://auth:8080/a?token= in 3 ms'],
  ])('the text %s', (text, said) => {
    expect(maskText(text)).toBe(said)
  })

  it('is bounded, whatever is said', () => {
    expect(maskText('x'.repeat(5_000_000))).toHaveLength(LINE_CHARS)
    for (const part of ['a:', '"', 'x=', 'eyJ', '1 ', 'https://', 'Bearer '])
      expect(maskText(part.repeat(1_000_000)).length).toBeLessThanOrEqual(LINE_CHARS)
  })

  // What grows with the square of the text takes minutes for these.
  it.each(['a', 'a:', 'a.', '"', 'token=', 'token:"\\"', 'token:[', '[', '\\', ' ', '?token='])(
    'takes time in proportion to what is said: %s',
    (part) => {
      expect(maskPairs(part.repeat(500_000 / part.length)).length).toBeGreaterThan(0)
    },
    10_000,
  )
})
