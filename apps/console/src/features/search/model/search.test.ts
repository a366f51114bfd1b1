import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

import { afterWhole, applySuggestion, completionAt, rankKeys, rankValues } from './complete.ts'
import { addFilter, removeFilters, replaceFilters } from './edit.ts'
import { tokenize } from './tokenize.ts'
import { ISSUE_KEYS } from './vocabulary.ts'

describe('tokenize', () => {
  it('finds filters, free text and operators with their places', () => {
    const { tokens, problem } = tokenize('is:unresolved !level:info "went wrong" OR user.email:*@shop.test')
    expect(problem).toBeNull()
    expect(tokens.map((token) => [token.kind, token.start, token.end])).toEqual([
      ['filter', 0, 13],
      ['filter', 14, 25],
      ['text', 26, 38],
      ['operator', 39, 41],
      ['filter', 42, 64],
    ])
  })

  it('reads comparisons, lists and quoted values', () => {
    const [age, list, quoted] = tokenize(
      'timesSeen:>=100 browser.name:[Chrome, "Mobile Safari"] title:"a \\"b\\" c"',
    ).tokens
    expect(age).toMatchObject({ key: 'timesSeen', comparison: '>=', value: '100' })
    expect(list).toMatchObject({ key: 'browser.name', value: '[Chrome, "Mobile Safari"]' })
    expect(quoted).toMatchObject({ key: 'title', value: 'a "b" c', quoted: true })
  })

  it('takes a pasted address as text', () => {
    expect(tokenize('https://shop.test/basket?x=1').tokens).toEqual([
      { kind: 'text', start: 0, end: 28, text: 'https://shop.test/basket?x=1' },
    ])
  })

  it.each([
    ['is:', 0, 'has no value'],
    ['message:"open', 8, 'never closed'],
    ['(is:new', 0, 'never closed'],
    ['is:new)', 6, 'closes nothing'],
    ['release:[1, 2', 8, 'never closed'],
  ])('says where %j goes wrong', (query, at, message) => {
    const { problem } = tokenize(query)
    expect(problem?.at).toBe(at)
    expect(problem?.message).toContain(message)
  })

  it('covers every character that is not blank, in order, for any text', () => {
    fc.assert(
      fc.property(fc.string(), (query) => {
        let at = 0
        for (const token of tokenize(query).tokens) {
          expect(query.slice(at, token.start).replaceAll('\u00a0', ' ').trim()).toBe('')
          expect(token.end).toBeGreaterThan(token.start)
          at = token.end
        }
        expect(query.slice(at).trim()).toBe('')
      }),
    )
  })
})

describe('edit', () => {
  it('adds a filter once and takes the opposite out', () => {
    expect(addFilter('is:unresolved', 'browser', 'Chrome 156')).toBe('is:unresolved browser:"Chrome 156"')
    expect(addFilter('browser:"Chrome 156"', 'browser', 'Chrome 156')).toBe('browser:"Chrome 156"')
    expect(addFilter('!plan:pro x', 'plan', 'pro')).toBe('x plan:pro')
  })

  it('replaces what a tab decides and keeps the rest', () => {
    expect(replaceFilters('is:unresolved release:2.* boom', 'is', ['archived'])).toBe('is:archived release:2.* boom')
    expect(removeFilters('is:a release:b is:c', (token) => token.key === 'is')).toBe('release:b')
  })

  it('writes filters that are read back as the same key and value', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1 }).filter((value) => !/[\\\s\u00a0]/.test(value) || /^[\w ]+$/.test(value)),
        (value) => {
          const [token, ...rest] = tokenize(addFilter('', 'plan', value)).tokens
          expect(rest).toEqual([])
          expect(token).toMatchObject({ kind: 'filter', key: 'plan', value })
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

  it('puts a key in and waits for its value', () => {
    const context = completionAt('!rel', 4)
    expect(applySuggestion('!rel', context, { kind: 'key', label: 'release', hint: '' })).toEqual({
      text: '!release:',
      caret: 9,
    })
  })
})
