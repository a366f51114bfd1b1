import { describe, expect, it } from 'vitest'
import { holdsWords } from './holds-words.ts'

describe('words of a search', () => {
  it('may stand in any order, and all of them must', () => {
    const title = "Cannot read properties of undefined (reading 'price')"
    expect(holdsWords(title, 'price Reading')).toBe(true)
    expect(holdsWords(title, 'undefined price')).toBe(true)
    expect(holdsWords(title, 'price writing')).toBe(false)
  })
})
