import type { Erasure } from '@firsthand/contract'
import { describe, expect, it } from 'vitest'
import { areSeveral, countWords, failureWords, namesToBegin, openErasure } from './erasure-words.ts'

const erasure = (state: Erasure['state'], names: string[]): Erasure => ({
  id: '1',
  state,
  names,
  user: null,
  dateAsked: '2026-11-27T12:00:00.000Z',
  dateDue: '2026-11-27T12:10:00.000Z',
  dateEnded: null,
  counts: [],
  failure: null,
})

describe('what is deleted of a person', () => {
  it('is counted in words, and nothing is said of what there is none of', () => {
    expect(countWords([])).toBe('nothing')
    expect(countWords([{ what: 'errors', count: 1 }])).toBe('1 error')
    const many = [
      { what: 'errors', count: 1204 },
      { what: 'replays', count: 0 },
      { what: 'logs', count: 2 },
      { what: 'moods', count: 3 },
    ]
    expect(countWords(many)).toBe('1,204 errors, 2 log lines and 3 moods')
    expect(countWords([{ what: 'spans', count: null }])).toBe('spans that take too long to count')
  })

  it('says why it does not go on', () => {
    expect(failureWords({ attempts: 1, error: 'The ledger is away.' })).toBe(
      'It failed once. The ledger is away. It is tried again',
    )
    expect(failureWords({ attempts: 12, error: 'Why.' })).toBe('It failed 12 times in a row. Why. It is tried again')
  })

  it('may be of several people', () => {
    expect(areSeveral(['id:7', 'email:a@x.example', 'username:a'])).toBe(false)
    expect(areSeveral(['id:7', 'email:a@x.example', 'id:8'])).toBe(true)
    expect(areSeveral(['ip:192.0.2.7'])).toBe(true)
  })

  it('is at first what has the name of the page alone, where others may have the other names', () => {
    expect(namesToBegin(['id:7', 'email:a@x.example', 'id:8'], 'id:7')).toEqual(['id:7'])
    expect(namesToBegin(['email:a@x.example', 'id:7', 'id:8'], 'email:A@x.example')).toEqual(['email:a@x.example'])
    expect(namesToBegin(['id:7', 'email:a@x.example'], 'id:7')).toEqual(['id:7', 'email:a@x.example'])
  })

  it('is under way for whoever has one of the names, as long as it is', () => {
    const planned = erasure('planned', ['id:7', 'email:a@x.example'])
    expect(openErasure([erasure('done', []), planned], ['id:1', 'email:A@x.example'])).toBe(planned)
    expect(openErasure([planned], ['id:8'])).toBeUndefined()
    expect(openErasure([erasure('withdrawn', ['id:7'])], ['id:7'])).toBeUndefined()
  })
})
