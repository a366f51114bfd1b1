import { describe, expect, it } from 'vitest'
import { answering, createQuestions } from './questions.ts'
import type { Question } from './questions.ts'

const LENGTH: Question<string, number> = { name: 'length of a text', otherwise: -1 }

describe('questions', () => {
  it('are answered by whoever knows, also when they were handed out before', async () => {
    const { ask, learn } = createQuestions()
    expect(await ask(LENGTH, 'four')).toBe(-1)
    learn([answering(LENGTH, (text) => Promise.resolve(text.length))])
    expect(await ask(LENGTH, 'four')).toBe(4)
  })

  it('have one answer', () => {
    const { learn } = createQuestions()
    const known = answering(LENGTH, () => Promise.resolve(0))
    learn([known])
    expect(() => learn([known])).toThrow('two answers to the question "length of a text"')
  })
})
