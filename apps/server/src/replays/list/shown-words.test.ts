import { describe, expect, it } from 'vitest'
import { shownWords } from './shown-words.ts'

describe('words that were searched', () => {
  it('R30 stand between what was before and behind them, cut where a line would be too long', () => {
    expect(shownWords('sorry, payment failed. try again', [['payment failed']])).toEqual({
      before: 'sorry, ',
      match: 'payment failed',
      after: '. try again',
    })
    expect(shownWords('Sorry: Payment FAILED', [['payment failed']])).toMatchObject({
      before: 'Sorry: ',
      match: 'Payment FAILED',
    })
    // In lower case it has two letters more, so that places differ.
    expect(shownWords('İİ Payment', [['payment']])).toMatchObject({ match: 'payment' })
    const long = shownWords(`${'a'.repeat(100)}x${'b'.repeat(200)}`, [['x']])
    expect(long).toEqual({ before: `…${'a'.repeat(40)}`, match: 'x', after: `${'b'.repeat(80)}…` })
    expect(shownWords('x'.repeat(500), [['x'.repeat(400)]])?.match).toHaveLength(121)
  })

  it('R30 are found by a pattern with anything in between, and by the first of several that is there', () => {
    expect(shownWords('your order 4711 has failed twice', [['nothing'], ['order ', ' failed']])).toMatchObject({
      match: 'order 4711 has failed',
    })
    expect(shownWords('tea', [['coffee'], ['', '']])).toBeNull()
  })
})
