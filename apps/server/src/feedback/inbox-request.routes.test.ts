import { describe, expect, it } from 'vitest'
import { HttpError } from '../http/errors.ts'
import type { Caller, CallerOrganization } from '../http/index.ts'
import { LIMITS } from './limits.ts'
import { readSelection } from './inbox-request.routes.ts'
import type { InboxParts } from './inbox-request.routes.ts'

const parts = { clock: { now: () => 0 } } as InboxParts
const caller = { user: { id: 1 } } as Caller
const organization = { id: 1 } as CallerOrganization

const wordsOf = async (query: string): Promise<readonly string[]> =>
  (await readSelection(parts, { caller, organization }, { query })).words

/** Words of one letter each, all different. */
const letters = (count: number): string =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(0x4e00 + index)).join(' ')

describe('a search of the inbox', () => {
  it('has a bounded number of words, and says so instead of leaving some out', async () => {
    expect(await wordsOf(letters(LIMITS.FEEDBACK_QUERY_WORDS))).toHaveLength(LIMITS.FEEDBACK_QUERY_WORDS)
    const tooMany = wordsOf(letters(100))
    await expect(tooMany).rejects.toBeInstanceOf(HttpError)
    await expect(tooMany).rejects.toMatchObject({
      status: 400,
      detail: 'A search of the inbox has at most 10 different words; this one has 100. Leave out the commonest.',
    })
  })

  it('counts a word once, however often and in whichever case it is written', async () => {
    expect(await wordsOf(`${'broken BROKEN Broken '.repeat(20)} now`)).toEqual(['broken', 'now'])
  })

  it('has words of bounded length', async () => {
    const longest = 'x'.repeat(LIMITS.FEEDBACK_QUERY_WORD_CHARS)
    expect(await wordsOf(longest)).toEqual([longest])
    await expect(wordsOf(`${longest}x`)).rejects.toMatchObject({
      status: 400,
      detail: 'A word of a search has at most 100 characters. Search for a part of it.',
    })
  })
})
