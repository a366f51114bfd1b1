import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSurelyJsonObject } from './json-syntax.ts'

const MAX_DEPTH = 32

const ask = (text: string): boolean => isSurelyJsonObject(Buffer.from(text), MAX_DEPTH)

const parses = (text: string): boolean => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}

describe('isSurelyJsonObject', () => {
  it('knows every object that JSON.stringify writes', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue({ maxDepth: 6 })),
        fc.nat(3),
        (value, indent) => {
          expect(ask(JSON.stringify(value, null, indent))).toBe(true)
        },
      ),
    )
  })

  it('never takes for an object what the parser does not: one edit anywhere', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      ',',
      ':',
      '\\',
      '\\u12',
      '-',
      '0',
      '1',
      '.',
      'e',
      '+',
      'true',
      'nul',
      ' ',
      '\n',
      '\0',
      'é',
    )
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 4 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 }),
        fc.nat(),
        fc.nat(3),
        pieces,
        (value, at, removed, piece) => {
          const text = JSON.stringify(value)
          const position = at % (text.length + 1)
          const edited = text.slice(0, position) + piece + text.slice(position + removed)
          expect(ask(edited)).toBe(parses(edited))
        },
      ),
      { numRuns: 3000 },
    )
  })

  it.each([
    ['{}', true],
    [' { } \r\n', true],
    ['{"a":[]}', true],
    ['{"a":[{},[],""]}', true],
    ['{"a":-0.5e+10,"b":0,"c":1E2}', true],
    ['{"a":"\\ud83d\\u0000"}', true],
    ['', false],
    ['[]', false],
    ['[{}]', false],
    ['1', false],
    ['null', false],
    ['{}{}', false],
    ['{"a":1,}', false],
    ['{"a":[1,]}', false],
    ['{,}', false],
    ['{"a" 1}', false],
    ['{"a":01}', false],
    ['{"a":1.}', false],
    ['{"a":.5}', false],
    ['{"a":NaN}', false],
    ['{"a":"\t"}', false],
    ['{"a":"\\x"}', false],
    ['{"a":[}', false],
    ['{"a":]}', false],
    ['{"a":{"b":]}}', false],
    ['{"a"}', false],
    ['{"a":"', false],
    ['{"a":"\\', false],
    ['\uFEFF{}', false],
  ])('%j → %s', (text, expected) => {
    expect(ask(text)).toBe(expected)
  })

  it('counts depth as the parser of the digest does', () => {
    const nested = (depth: number): string => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
    expect(ask(nested(MAX_DEPTH))).toBe(true)
    expect(ask(nested(MAX_DEPTH + 1))).toBe(false)
  })
})
