import { describe, expect, it } from 'vitest'
import { RecentMap } from './recent-map.ts'

const filled = (): RecentMap<string, number> => {
  const map = new RecentMap<string, number>(3)
  for (const [value, key] of ['a', 'b', 'c'].entries()) map.set(key, value)
  return map
}

const keysIn = (map: RecentMap<string, number>): string[] =>
  ['a', 'b', 'c', 'd'].filter((key) => map.peek(key) !== undefined)

describe('a map of what was used recently', () => {
  it('forgets what was set first when nothing was used since', () => {
    const map = filled()
    map.set('d', 3)
    expect(keysIn(map)).toEqual(['b', 'c', 'd'])
    expect(map.size).toBe(3)
  })

  it('keeps what was read or written again', () => {
    const map = filled()
    expect(map.get('a')).toBe(0)
    map.set('b', 10)
    map.set('d', 3)
    expect(keysIn(map)).toEqual(['a', 'b', 'd'])
    expect(map.get('b')).toBe(10)
  })

  it('counts a peek, and a get of what is not there, as no use', () => {
    const map = filled()
    expect(map.peek('a')).toBe(0)
    expect(map.get('d')).toBeUndefined()
    map.set('d', 3)
    expect(keysIn(map)).toEqual(['b', 'c', 'd'])
  })

  it('holds weights together within the capacity, also after changes', () => {
    const map = new RecentMap<string, number>(10)
    map.set('a', 1, 4)
    map.set('b', 2, 4)
    map.set('a', 1, 2)
    map.set('c', 3, 4)
    expect(keysIn(map)).toEqual(['a', 'b', 'c'])
    map.set('d', 4, 5)
    expect(keysIn(map)).toEqual(['c', 'd'])
    map.delete('c')
    map.set('a', 1, 5)
    expect(keysIn(map)).toEqual(['a', 'd'])
  })

  it('does not keep what is heavier than all it may hold', () => {
    const map = new RecentMap<string, number>(10)
    map.set('a', 1, 11)
    expect(map.size).toBe(0)
    map.set('b', 2, 10)
    expect(keysIn(map)).toEqual(['b'])
  })

  it('is empty after clear, and takes as much as before', () => {
    const map = filled()
    map.clear()
    expect(keysIn(map)).toEqual([])
    for (const [value, key] of ['b', 'c', 'd'].entries()) map.set(key, value)
    expect(keysIn(map)).toEqual(['b', 'c', 'd'])
  })
})
