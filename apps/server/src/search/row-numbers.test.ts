import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TELEMETRY_ENGINES, type OpenedTelemetry } from '../storage/conformance/engines.ts'
import { RowNumbers, weightOfShare } from './row-numbers.ts'

const SHARES = [0.5, 0.75, 0.95, 0.99]

describe.each(TELEMETRY_ENGINES)('numbers over rows on $name', ({ open }) => {
  let opened: OpenedTelemetry
  beforeAll(async () => {
    opened = await open()
  })
  afterAll(() => opened.close())

  it.each([
    ['each for itself', '1', null],
    ['that stand for others', weightOfShare('rows.share'), null],
    ['of which only some count', weightOfShare('rows.share'), 'rows.value > 3'],
  ])('percentiles of rows %s are the same from one digest and from one each', async (_, weight, condition) => {
    const numbers = new RowNumbers(weight, condition)
    const value = 'rows.value / 1000'
    const both = numbers
      .percentiles(SHARES, value)
      .flatMap((one, index) => [one, numbers.percentile(SHARES[index] ?? 0, value)])
    // Groups of one row, of a few and of thousands; of some, no row counts.
    const answer = await opened.telemetry.client.query({
      query: `SELECT size, ${both.map((sql, index) => `toString(${sql}) AS n${index}`).join(', ')}
        FROM (
          SELECT arrayJoin([1, 2, 3, 10, 1000, 20000]) AS size, arrayJoin(range(size)) AS row,
            if(size = 3, 1, sipHash64(size, row) % 1000003) AS value, if(row % 3 = 0, 0.1, 1) AS share
        ) AS rows
        GROUP BY size ORDER BY size SETTINGS max_threads = 1`,
      format: 'JSONCompactEachRow',
    })
    const rows = await answer.json<readonly string[]>()
    expect(rows).toHaveLength(6)
    for (const [, ...found] of rows) {
      expect(found.filter((__, index) => index % 2 === 0)).toEqual(found.filter((__, index) => index % 2 === 1))
    }
  })
})
