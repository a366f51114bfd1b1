import type { PersonEntry } from '@firsthand/contract'
import { expect, it } from 'vitest'
import { pageOfTime, type TimedEntry } from './timeline.ts'

const AT = Date.UTC(2026, 10, 25)
const entry = (kind: PersonEntry['kind'], id: string): TimedEntry => ({
  at: AT,
  entry: { kind, id } as unknown as PersonEntry,
})

/** As they stand in their source: lines by the nanoseconds, reports by their numbers. */
const LINES = ['f', 'a', 'c', 'b'].map((id) => entry('log', id))
const REPORTS = ['9', '10', '11'].map((id) => entry('report', id))

it('gives each entry of one moment once, whatever the order of its source', () => {
  const given: string[] = []
  let cursor = { at: AT + 1, passed: 0 }
  for (;;) {
    // Each source gives as many as are passed, a page, and one more.
    const most = cursor.passed + 2 + 1
    const { page, next } = pageOfTime([...LINES.slice(0, most), ...REPORTS.slice(0, most)], cursor, 2)
    given.push(...page.map(({ id }) => id))
    if (next === null) break
    const [at, passed] = next.split(':').map(Number)
    cursor = { at: at ?? 0, passed: passed ?? 0 }
  }
  expect(given).toEqual(['9', '10', '11', 'f', 'a', 'c', 'b'])
})
