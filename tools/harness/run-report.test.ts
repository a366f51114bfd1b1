import { describe, expect, it } from 'vitest'
import { summary } from './run-report.mjs'

const GREEN = { passed: 3, failures: [], files: [], parts: [{ name: 'unit', seconds: 61.25 }], total: 70 }

describe('the end of what npm test prints', () => {
  it('is the count of tests', () => {
    expect(summary(GREEN).trimEnd().split('\n').at(-1)).toBe('3 passed, 0 failed')
  })

  it('has the time of each part and of the ten slowest files, the slowest first', () => {
    const files = Array.from({ length: 12 }, (_, index) => ({ name: `file-${index}.test.ts`, seconds: index }))
    const text = summary({ ...GREEN, files })
    expect(text).toContain('61.3 s  unit')
    expect(text.match(/file-\d+/g)).toEqual([11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `file-${index}`))
  })

  it('says of each failed test what failed, after everything else', () => {
    const failures = [
      { name: 'a.test.ts > adds', message: 'AssertionError: expected 3 to be 4\nat a.test.ts:7' },
      { name: 'lint', message: 'no-console' },
    ]
    const text = summary({ ...GREEN, failures })
    expect(
      text.indexOf('FAILED a.test.ts > adds\n    AssertionError: expected 3 to be 4\n    at a.test.ts:7'),
    ).toBeGreaterThan(text.indexOf('altogether'))
    expect(text).toContain('Failed:\n  a.test.ts > adds\n  lint')
    expect(text.trimEnd().split('\n').at(-1)).toBe('3 passed, 2 failed')
  })
})
