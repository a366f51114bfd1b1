import { describe, expect, it } from 'vitest'
import { differences, tableOf } from './spec-tables.ts'

describe('a comparison', () => {
  it('names the rows that are missing, stale, different and doubled', () => {
    const documented = [
      ['SAME', '1'],
      ['OTHER', '2'],
      ['GONE', '3'],
      ['SAME', '1'],
    ] as const
    const code = [
      ['SAME', '1'],
      ['OTHER', '20'],
      ['NEW', '4'],
    ] as const
    expect(differences('limits', documented, code)).toEqual([
      'docs/spec.md, table "limits": the row "SAME" is there twice',
      'docs/spec.md, table "limits": the row "OTHER" says "2", but the code says "20"',
      'docs/spec.md, table "limits": a row for "NEW" is missing (in the code: 4)',
      'docs/spec.md, table "limits": the row "GONE" is stale: the code has no such thing',
    ])
  })

  it('does not pass when there is nothing to compare', () => {
    expect(() => tableOf('nobody-wrote-this')).toThrow('no table')
  })
})
