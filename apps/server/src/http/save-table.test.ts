import { describe, expect, it } from 'vitest'
import { LIMITS } from './limits.ts'
import { saveTable, type TablePage } from './save-table.ts'

const table = { name: 'things', format: 'csv', columns: ['name'], signal: new AbortController().signal } as const
const pageOf = (names: readonly string[], next: string | null): TablePage => ({
  rows: names.map((name) => ({ name })),
  next,
})
const textOf = ({ bytes }: { readonly bytes: unknown }): string => Buffer.from(bytes as Uint8Array).toString()

describe('a list as a file', () => {
  it('has all pages, also those behind one that found nothing', async () => {
    const pages: Readonly<Record<string, TablePage>> = {
      first: pageOf(['a'], 'empty'),
      empty: pageOf([], 'last'),
      last: pageOf(['=1+1'], null),
    }
    const saved = await saveTable(table, async (cursor) => pages[cursor ?? 'first'] ?? pageOf([], null))
    expect(textOf(saved)).toBe("name\r\na\r\n'=1+1\r\n")
    expect(saved.headers['x-export-truncated']).toBeUndefined()
  })

  it('ends after so many rows and says that there are more', async () => {
    const asked: number[] = []
    const json = await saveTable({ ...table, format: 'json' }, async (_, limit) => {
      asked.push(limit)
      return pageOf(Array.from({ length: limit }, String), 'more')
    })
    expect(asked).toHaveLength(LIMITS.EXPORT_ROWS / LIMITS.EXPORT_PAGE_ROWS)
    expect(json.headers['x-export-truncated']).toBe(String(LIMITS.EXPORT_ROWS))
    expect(JSON.parse(textOf(json))).toMatchObject({ meta: { truncated: true } })
  })

  it('does not ask for ever where next to nothing is found', async () => {
    let asked = 0
    const saved = await saveTable(table, async () => {
      asked += 1
      return pageOf([], 'more')
    })
    expect([asked, saved.headers['x-export-truncated']]).toEqual([LIMITS.EXPORT_PAGES, '0'])
  })

  it('is no file when it would be too large', async () => {
    const large = 'x'.repeat(LIMITS.EXPORT_BYTES / 4)
    await expect(saveTable(table, async () => pageOf([large], 'more'))).rejects.toThrow('more than 32 MiB')
  })
})
