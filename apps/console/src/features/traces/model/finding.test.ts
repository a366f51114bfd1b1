import { expect, it } from 'vitest'
import { alikeWords, problemOf } from './finding.ts'

it.each([
  ['N+1 database queries: SELECT * FROM carts WHERE id = %s', 'N+1 database queries', 'N+1: 24 alike'],
  ['N+1 requests', 'N+1 requests', 'N+1: 24 alike'],
  ['Slow database query: SELECT 1', 'Slow database query', 'Slow database query: 24 alike'],
])('T88 folded spans say which problem they are: %s', (title, problem, words) => {
  expect([problemOf({ title }), alikeWords(24, { title })]).toEqual([problem, words])
})

it('folded spans that are no problem are told by their number', () => {
  expect(alikeWords(1200, undefined)).toBe('1,200 alike')
})
