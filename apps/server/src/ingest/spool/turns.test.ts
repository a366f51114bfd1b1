import { describe, expect, it } from 'vitest'
import { Turns } from './turns.ts'
import type { WaitingRecord } from './turns.ts'

/** Of an organisation that may have any number of them waiting. */
const ANY = { ms: Infinity, records: Infinity }

let offset = 0
const record = (projectId: number, bytes = 100, organizationId = projectId): WaitingRecord => ({
  organizationId,
  projectId,
  position: { segment: 0, offset: (offset += 1000) },
  bytes,
})

/** Takes and pays one after the other. @returns projects, in their order */
const serve = (turns: Turns, count: number, msOf: (record: WaitingRecord) => number): number[] =>
  Array.from({ length: count }, () => {
    const next = turns.take()
    if (next === null) return 0
    turns.spent(next, msOf(next))
    return next.projectId
  })

describe('turns', () => {
  it('whoever comes later is not behind all of one that sent much', () => {
    const turns = new Turns(0.001)
    for (let index = 0; index < 100; index += 1) turns.add(record(1))
    turns.add(record(2))
    turns.add(record(2))
    expect(serve(turns, 5, () => 10)).toEqual([1, 2, 1, 2, 1])
    expect(turns.size).toBe(97)
  })

  it('what records took counts, and not how many or how large they are', () => {
    const turns = new Turns(0.001)
    for (let index = 0; index < 50; index += 1) {
      turns.add(record(1, 10))
      turns.add(record(2, 1000))
    }
    const served = serve(turns, 44, ({ projectId }) => (projectId === 1 ? 4000 : 100))
    expect(served.filter((project) => project === 1)).toHaveLength(2)
  })

  it('many projects of one organisation have no more together than one of another', () => {
    const turns = new Turns(0.001)
    for (let index = 0; index < 30; index += 1) {
      turns.add(record(10 + (index % 10), 100, 1))
      turns.add(record(2, 100, 2))
    }
    const served = serve(turns, 20, () => 10)
    expect(served.filter((project) => project === 2)).toHaveLength(10)
    expect(new Set(served).size).toBe(11)
  })

  it.each([
    ['another organisation', 2],
    ['another project of the same', 1],
  ])('whoever comes while much is taken and given back is not behind all of that: %s', (_, organizationId) => {
    const turns = new Turns(1)
    const many = Array.from({ length: 200 }, () => record(1, 100, 1))
    for (const one of many) turns.add(one)
    // A batch takes what may fit, and gives back what did not.
    for (const projectId of [2, 3]) {
      const taken = Array.from({ length: 100 }, () => turns.take() ?? record(1))
      const late = record(projectId, 100, organizationId)
      turns.add(late)
      for (const one of taken.slice(0, 5)) turns.spent(one, 100)
      for (const one of taken.slice(5).toReversed()) turns.giveBack(one)
      const next = [turns.take(), turns.take()]
      expect(next).toContain(late)
      for (const one of next) if (one !== null) turns.spent(one, 100)
    }
  })

  it('records of a project keep their order, and what is given back is the next of its project', () => {
    const turns = new Turns(0.001)
    const [first, second, third] = [record(1), record(1), record(1)]
    for (const one of [first, second, third]) turns.add(one)
    expect([turns.take(), turns.take()]).toEqual([first, second])
    turns.giveBack(second)
    turns.giveBack(first)
    expect([turns.take(), turns.take(), turns.take(), turns.take()]).toEqual([first, second, third, null])
    expect(turns).toMatchObject({ size: 0, bytes: 0 })
  })

  it('a project is crowded by what its last records took or by their number, until it is less', () => {
    const turns = new Turns(0.001)
    for (let index = 0; index < 12; index += 1) turns.add(record(1, 100))
    turns.add(record(2, 100))
    expect(turns.crowded({ ms: 1000, records: 12 }, ANY)).toEqual([])
    expect(turns.crowded({ ms: 1000, records: 11 }, ANY)).toEqual([1])
    // A byte took one millisecond, and by what is remembered of former ones it will take a third of that.
    const first = turns.take()
    if (first === null) throw new Error('nothing waits')
    turns.spent(first, 100)
    expect(turns.crowded({ ms: 300, records: 100 }, ANY)).toEqual([1])
    expect(turns.crowded({ ms: 400, records: 100 }, ANY)).toEqual([])
    serve(turns, 12, () => 0)
    expect(turns.crowded({ ms: 0, records: 0 }, ANY)).toEqual([])
  })

  it('all projects of an organisation are crowded by what waits of them together, and nobody else is', () => {
    const turns = new Turns(0.001)
    for (const projectId of [1, 2, 3]) for (let index = 0; index < 4; index += 1) turns.add(record(projectId, 100, 7))
    for (let index = 0; index < 8; index += 1) turns.add(record(9, 100, 8))
    expect(turns.crowded(ANY, { ms: Infinity, records: 12 })).toEqual([])
    expect(turns.crowded(ANY, { ms: Infinity, records: 11 })).toEqual([1, 2, 3])
    expect(turns.crowded(ANY, { ms: 1.1, records: Infinity })).toEqual([1, 2, 3])
    serve(turns, 2, () => 0.1)
    expect(turns.crowded(ANY, { ms: Infinity, records: 11 })).toEqual([])
    expect(turns.crowded({ ms: Infinity, records: 6 }, ANY)).toEqual([9])
  })

  it('what one had while nobody else wanted anything does not count for ever, but a debt stays', () => {
    const turns = new Turns(0.001)
    for (let index = 0; index < 5; index += 1) turns.add(record(1))
    serve(turns, 4, () => 1000)
    for (let index = 0; index < 5; index += 1) turns.add(record(2))
    turns.forget()
    // The second begins where the first was when it was served last, which was before it had its last 1000 ms.
    expect(serve(turns, 3, () => 600)).toEqual([2, 2, 1])
  })
})
