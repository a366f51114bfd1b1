import { describe, expect, it } from 'vitest'
import { mentionAt, withHandle } from './mention-at.ts'

describe('a word that names somebody', () => {
  it.each([
    ['@an', 3, '@an'],
    ['ask @ann.k', 10, '@ann.k'],
    ['(#check', 7, '#check'],
    ['ask @', 5, '@'],
    ['ask @ann please', 8, '@ann'],
  ])('%s', (text, caret, word) => {
    expect(mentionAt(text, caret)?.word).toBe(word)
  })

  it.each([
    ['ann@acme', 8],
    ['@ann please', 11],
    ['', 0],
    ['C#', 2],
  ])('%s names nobody', (text, caret) => {
    expect(mentionAt(text, caret)).toBeNull()
  })

  it('is completed where it stands', () => {
    const text = 'ask @an please'
    const at = mentionAt(text, 7)
    expect(at === null ? null : withHandle(text, at, '@ann')).toEqual({ text: 'ask @ann please', caret: 8 })
    expect(withHandle('@', { from: 0, to: 1, word: '@' }, '#shop')).toEqual({ text: '#shop ', caret: 6 })
  })
})
