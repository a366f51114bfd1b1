import { describe, expect, it } from 'vitest'
import { readSetupToken } from './setup-token.ts'

describe('the set-up token', () => {
  it.each([
    ['#token=aB3-_x', 'aB3-_x'],
    ['http://localhost:9000/setup#token=aB3-_x', 'aB3-_x'],
    [' http://localhost:9000/setup#token=aB3-_x\n', 'aB3-_x'],
    ['  aB3-_x ', 'aB3-_x'],
    ['#token=', ''],
    ['#', ''],
    ['  ', ''],
    ['', ''],
  ])('is read of %j as %j', (text, token) => expect(readSetupToken(text)).toBe(token))
})
