import { describe, expect, it } from 'vitest'
import { createGlances } from './glances.ts'

interface Request {
  readonly org: string
  readonly place: { readonly period: string }
  readonly queries: readonly string[]
}

/** Every search finds as many issues as it has characters. */
const counting = () => {
  const requests: Request[] = []
  const glances = createGlances<{ readonly period: string }>(async (request) => {
    requests.push(request)
    if (request.org === 'away') throw new Error('The server is away.')
    return Object.fromEntries(request.queries.map((query) => [query, query === 'refused:' ? null : query.length]))
  })
  return { requests, glances }
}

const place = { period: '14d' }

describe('counts that are asked for while a page is drawn', () => {
  it('go in one request, and the same search once', async () => {
    const { requests, glances } = counting()
    const asked = ['is:unresolved', 'is:resolved', 'is:unresolved'].map((query) =>
      glances({ org: 'acme', place, query }),
    )
    expect(await Promise.all(asked)).toEqual([13, 11, 13])
    expect(requests).toEqual([{ org: 'acme', place, queries: ['is:unresolved', 'is:resolved'] }])
    await glances({ org: 'acme', place, query: 'is:resolved' })
    expect(requests).toHaveLength(2)
  })

  it('of another organisation or another time go apart, and no request has more searches than it may', async () => {
    const { requests, glances } = counting()
    const many = Array.from({ length: 21 }, (_, index) => `word${index}`)
    await Promise.all([
      ...many.map((query) => glances({ org: 'acme', place, query })),
      glances({ org: 'acme', place: { period: '24h' }, query: 'word0' }),
      glances({ org: 'rival', place, query: 'word0' }),
    ])
    expect(requests.map(({ org, place: { period }, queries }) => [org, period, queries.length])).toEqual([
      ['acme', '14d', 20],
      ['acme', '14d', 1],
      ['acme', '24h', 1],
      ['rival', '14d', 1],
    ])
  })

  it('are null where a search cannot be asked, and fail for all who asked when the request does', async () => {
    const { glances } = counting()
    expect(await glances({ org: 'acme', place, query: 'refused:' })).toBeNull()
    const answers = await Promise.allSettled(['a', 'b'].map((query) => glances({ org: 'away', place, query })))
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  })
})
