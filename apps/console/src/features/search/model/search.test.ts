import { parseSearch, textOf } from '@firsthand/search-syntax'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { afterWhole, applySuggestion, completionAt, continued, rankKeys, rankValues } from './complete.ts'
import { addFilter, chosenValues, isFilterFor, removeFilters, replaceFilters, withValues } from './edit.ts'
import { ISSUE_KEYS } from './vocabulary.ts'

describe('edit', () => {
  it('asks for any of some values, and leaves what excludes, compares or has stars', () => {
    expect(withValues('slow', 'release', ['1.0'])).toBe('slow release:1.0')
    const both = withValues('slow release:1.0', 'release', ['1.0', 'a b'])
    expect(both).toBe('slow release:[1.0,"a b"]')
    expect(chosenValues(both, 'release')).toEqual(['1.0', 'a b'])
    expect(withValues(both, 'release', [])).toBe('slow')
    expect(chosenValues('!release:1 release:2.* tags[release]:3', 'release')).toEqual([])
    expect(withValues('!release:1 release:2.*', 'release', ['3'])).toBe('!release:1 release:2.* release:3')
    expect(withValues('', 'cart kind', ['gift', 'own'])).toBe('"cart kind":[gift,own]')
  })

  it('adds a filter once and takes the opposite out', () => {
    expect(addFilter('is:unresolved', 'browser', 'Chrome 156')).toBe('is:unresolved browser:"Chrome 156"')
    expect(addFilter('browser:"Chrome 156"', 'browser', 'Chrome 156')).toBe('browser:"Chrome 156"')
    expect(addFilter('!plan:pro x', 'plan', 'pro')).toBe('x plan:pro')
  })

  it('knows a star that is meant from one that stands for anything', () => {
    expect(addFilter('', 'plan', 'a*')).toBe(String.raw`plan:a\*`)
    expect(addFilter(String.raw`plan:a\*`, 'plan', 'a*')).toBe(String.raw`plan:a\*`)
    expect(addFilter('plan:a*', 'plan', 'a*')).toBe(String.raw`plan:a* plan:a\*`)
  })

  it('replaces what a tab decides and keeps the rest', () => {
    expect(replaceFilters('is:unresolved release:2.* boom', 'is', ['archived'])).toBe('is:archived release:2.* boom')
    expect(removeFilters('is:a release:b is:c', (token) => isFilterFor(token, 'is'))).toBe('release:b')
  })

  it('writes filters that are read back as the same key and value', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((value) => !/[\\\s\u00a0]/.test(value) || /^[\w ]+$/.test(value)),
        (value) => {
          const { tokens, root, problem } = parseSearch(addFilter('', 'plan', value))
          expect(problem).toBeNull()
          expect(tokens).toHaveLength(1)
          expect(root).toMatchObject({ kind: 'field', key: { name: 'plan' }, negated: false })
          expect(root?.kind === 'field' && root.values.map(textOf)).toEqual([value])
        },
      ),
    )
  })
})

describe('complete', () => {
  it('offers keys in a word and values after the colon', () => {
    expect(completionAt('is:unresolved rel', 17)).toMatchObject({ kind: 'key', typed: 'rel', start: 14 })
    expect(completionAt('release:shop', 12)).toMatchObject({ kind: 'value', key: 'release', typed: 'shop', start: 8 })
    expect(completionAt('!le', 3)).toMatchObject({ kind: 'key', typed: 'le', negated: true })
    expect(completionAt('', 0)).toMatchObject({ kind: 'key', typed: '' })
  })

  it('ranks what begins with the typed text first and keeps tags that are no field', () => {
    expect(rankKeys('us', ISSUE_KEYS, ['user', 'us_state', 'level'])[0]?.label).toBe('user.email')
    expect(rankKeys('email', ISSUE_KEYS, []).map((key) => key.label)).toEqual(['user.email'])
    expect(rankValues('arch', [{ value: 'unresolved' }, { value: 'archived' }])).toHaveLength(1)
  })

  it('puts a value in, quoted where needed, and leaves the caret behind a blank', () => {
    const query = 'browser:Chr level:error'
    const context = completionAt(query, 11)
    expect(applySuggestion(query, context, { kind: 'value', label: 'Chrome 156', hint: '' })).toEqual({
      text: 'browser:"Chrome 156" level:error',
      caret: 21,
    })
  })

  it('offers a further key once a value is whole, and sets it apart', () => {
    const query = 'is:unresolved'
    const context = completionAt(query, query.length)
    const whole = afterWhole(context, rankValues('unresolved', [{ value: 'unresolved' }, { value: 'resolved-not' }]))
    expect(whole).not.toBeNull()
    expect(afterWhole(completionAt('is:unres', 8), rankValues('unres', [{ value: 'unresolved' }]))).toBeNull()
    expect(applySuggestion(query, whole ?? context, { kind: 'key', label: 'release', hint: '' })).toEqual({
      text: 'is:unresolved release:',
      caret: 22,
    })
  })

  it('continues a search behind a blank', () => {
    expect(continued('is:unresolved')).toBe('is:unresolved ')
    expect(continued('is:unresolved ')).toBe('is:unresolved ')
    expect(continued('')).toBe('')
  })

  it('puts a key in and waits for its value', () => {
    const context = completionAt('!rel', 4)
    expect(applySuggestion('!rel', context, { kind: 'key', label: 'release', hint: '' })).toEqual({
      text: '!release:',
      caret: 9,
    })
  })
})
