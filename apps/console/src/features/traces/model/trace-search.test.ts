import { expect, it } from 'vitest'
import { readTraceSearch } from './trace-search.ts'

const EVENT = '0123456789abcdef0123456789abcdef'

it('reads a link', () => {
  expect(
    readTraceSearch({ span: 'B41E07D2', from: '12.5', to: '80', query: 'db', event: EVENT.toUpperCase() }),
  ).toEqual({ span: 'b41e07d2', from: 12.5, to: 80, query: 'db', event: EVENT })
})

it('leaves out what cannot be read', () => {
  expect(readTraceSearch({ span: '<b>', from: '80', to: '12', query: '', event: 'latest' })).toEqual({})
  expect(readTraceSearch({ from: '', to: '5', span: ['a'] })).toEqual({})
  expect(readTraceSearch({ query: 'x'.repeat(300) }).query).toHaveLength(200)
})
