import { describe, expect, it } from 'vitest'
import { pageOf } from './page.ts'

const rowsOf = (...ids: number[]) => ids.map((id) => ({ id: String(id) }))
const idsOf = (rows: readonly { readonly id: string }[]): number[] => rows.map(({ id }) => Number(id))

describe('a list of alerts as Sentry shows them, page by page', () => {
  it('skips and repeats nothing when rows come or go before the next page', () => {
    const first = pageOf(rowsOf(1, 2, 3, 4, 5), { limit: 2 })
    expect([idsOf(first.body), first.hits, first.page.previous]).toEqual([[1, 2], 5, null])
    const cursor = first.page.next ?? ''
    const next = (...ids: number[]): number[] => idsOf(pageOf(rowsOf(...ids), { cursor, limit: 2 }).body)
    expect(next(1, 2, 3, 4, 5)).toEqual([3, 4])
    expect(next(2, 3, 4, 5)).toEqual([3, 4])
    expect(next(9, 8, 1, 2, 3, 4, 5)).toEqual([3, 4])
    expect(next(1, 3, 4, 5)).toEqual([3, 4])
    expect(next(1, 2)).toEqual([])
  })

  it('goes back the way it came', () => {
    const rows = rowsOf(1, 2, 3, 4, 5)
    const second = pageOf(rows, { cursor: pageOf(rows, { limit: 2 }).page.next ?? '', limit: 2 })
    const last = pageOf(rows, { cursor: second.page.next ?? '', limit: 2 })
    expect([idsOf(last.body), last.page.next]).toEqual([[5], null])
    const back = pageOf(rows, { cursor: last.page.previous ?? '', limit: 2 })
    expect(idsOf(back.body)).toEqual([3, 4])
    expect(idsOf(pageOf(rows, { cursor: back.page.previous ?? '', limit: 2 }).body)).toEqual([1, 2])
  })

  it('refuses a cursor that it did not give out', () => {
    expect(() => pageOf(rowsOf(1), { cursor: 'x' })).toThrow(/not one that this list gave out/)
  })
})
