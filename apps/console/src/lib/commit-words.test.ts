import { describe, expect, it } from 'vitest'
import { shortHash, subjectOf } from './commit-words.ts'

describe('commits in words', () => {
  it('are their first line, and as much of their hash as one reads', () => {
    expect(subjectOf(' Read vouchers lazily\r\n\nAs they are many.\n')).toBe('Read vouchers lazily')
    expect(subjectOf(null)).toBe('')
    expect(shortHash('0123456789abcdef0123456789abcdef01234567')).toBe('0123456')
    expect(shortHash('r1234')).toBe('r1234')
  })
})
