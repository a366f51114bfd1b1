import { describe, expect, it } from 'vitest'
import { atMost } from './at-most.ts'

/** Work that ends when it is told to. */
const createWork = () => {
  const open = new Map<string, PromiseWithResolvers<string>>()
  const begun: string[] = []
  return {
    begun,
    work: (thing: string): Promise<string> => {
      const one = Promise.withResolvers<string>()
      open.set(thing, one)
      begun.push(thing)
      return one.promise
    },
    end: (thing: string): void => open.get(thing)?.resolve(thing.toUpperCase()),
    fail: (thing: string): void => open.get(thing)?.reject(new Error(thing)),
  }
}

/** Until everything has gone on that can. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('work on at most so many things', () => {
  it('begins the next one when one is done, and answers in their order', async () => {
    const { begun, end, work } = createWork()
    const all = atMost(2, ['a', 'b', 'c'], work)
    expect(begun).toEqual(['a', 'b'])
    end('b')
    await settled()
    expect(begun).toEqual(['a', 'b', 'c'])
    end('c')
    end('a')
    expect(await all).toEqual(['A', 'B', 'C'])
  })

  it('begins nothing after a failure, and throws it when all is still', async () => {
    const { begun, end, fail, work } = createWork()
    let isOver = false
    const all = atMost(2, ['a', 'b', 'c'], work)
      .catch(String)
      .finally(() => (isOver = true))
    fail('b')
    await settled()
    expect(isOver).toBe(false)
    end('a')
    expect(await all).toBe('Error: b')
    expect(begun).toEqual(['a', 'b'])
  })

  it('has nothing to do for no things', async () => {
    expect(await atMost(4, [], () => Promise.reject(new Error('none')))).toEqual([])
  })
})
