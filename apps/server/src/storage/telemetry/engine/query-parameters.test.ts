import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { UnknownParameterError, substituteParameters } from './query-parameters.ts'

const substitute = (sql: string, values: Record<string, string>): string =>
  substituteParameters(sql, new Map(Object.entries(values)))

describe('query parameters', () => {
  it('become literals of their type', () => {
    expect(substitute('SELECT {a:String}, {b:UInt64}, {c : Array(UInt8)}', { a: 'x', b: '1', c: '[1]' })).toBe(
      `SELECT 'x', _CAST('1', 'UInt64'), _CAST('[1]', 'Array(UInt8)')`,
    )
  })

  it('quotes names', () => {
    expect(substitute('SELECT * FROM {t:Identifier}', { t: 'a`b.c' })).toBe('SELECT * FROM `a\\`b`.`c`')
  })

  it('leaves strings, names and comments alone', () => {
    const sql = `SELECT '{a:String}', "{a:String}", \`{a:String}\`, 'it''s {a:String}', 'x\\'{a:String}' -- {a:String}\n/* {a:String} */`
    expect(substitute(sql, {})).toBe(sql)
  })

  it('asks for what is missing', () => {
    expect(() => substitute('SELECT {a:String}', { b: '' })).toThrow(UnknownParameterError)
  })

  it('cannot be left by any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = text.replace(
          /[\\\t\n\r']/g,
          (character) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', "'": "\\'" })[character] ?? character,
        )
        const sql = substitute('SELECT {a:String}', { a: escaped })
        const literal = sql.slice('SELECT '.length)
        expect(literal.replace(/\\(.)/gs, '$1')).toBe(`'${text}'`)
        expect(/^'(?:[^'\\]|\\.)*'$/s.test(literal)).toBe(true)
      }),
    )
  })
})
