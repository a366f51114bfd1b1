import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseSearch, stringifySearch } from './url-search.ts'

it('reads and writes plain texts and lists', () => {
  expect(parseSearch('?query=is:unresolved+level:error&project=1&project=2')).toEqual({
    query: 'is:unresolved level:error',
    project: ['1', '2'],
  })
  expect(stringifySearch({ query: 'is:unresolved user.email:a@b.c', project: ['1', '2'], none: undefined })).toBe(
    '?query=is:unresolved+user.email:a@b.c&project=1&project=2',
  )
  expect(stringifySearch({})).toBe('')
})

it('a key named __proto__ is a key like any other', () => {
  const search = parseSearch('?__proto__=1')
  expect(Object.keys(search)).toEqual(['__proto__'])
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
})

it('what was written is read back', () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.array(fc.string(), { minLength: 2, maxLength: 4 })),
      ),
      (search) => {
        expect(parseSearch(stringifySearch(search))).toEqual({ ...search })
      },
    ),
  )
})
