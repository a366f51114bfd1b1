import { describe, expect, it } from 'vitest'
import { maskText, maskUrl } from './masking.ts'
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
    ['Authorization: Bearer abc.def-123', 'Authorization: [Filtered] [Filtered]'],
    ['sent Bearer abc.def-123', 'sent Bearer [Filtered]'],
    ['{"user":"ada","password":"p\'w 1","n":1}', '{"user":"ada","password":[Filtered],"n":1}'],
    ["{ apiKey: 'a b', n: 1 }", '{ apiKey: [Filtered], n: 1 }'],
    ['session_id=77; theme=dark', 'session_id=[Filtered]; theme=dark'],
    ['card 4111 1111 1111 1111 of ada', 'card [Filtered] of ada'],
    ['at 1763830000000 and 4111 1111 1111 1112', 'at 1763830000000 and 4111 1111 1111 1112'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', '[Filtered]'],
    ['order 4711 of 2026-11-22 at 12:30:00 took 15 ms', 'order 4711 of 2026-11-22 at 12:30:00 took 15 ms'],
  ])('the text %s', (text, said) => {
    expect(maskText(text)).toBe(said)
  })

  it('is bounded, whatever is said', () => {
    expect(maskText('x'.repeat(5_000_000))).toHaveLength(LINE_CHARS)
    for (const part of ['a:', '"', 'x=', 'eyJ', '1 ', 'https://', 'Bearer '])
      expect(maskText(part.repeat(1_000_000)).length).toBeLessThanOrEqual(LINE_CHARS)
  })
})
