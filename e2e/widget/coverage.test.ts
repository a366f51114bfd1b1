import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const STATEMENTS = 105

/** Numbered statements of the widget's acceptance list that no test here can hold, each with its reason. */
const WITHOUT_TEST: Readonly<Record<number, string>> = {
  25: 'canvas recording belongs to the replay package, which is not written yet',
  95: 'sizes are a check of their own: `npm run size`',
  99: 'a time on a slow device: tests never assert on time',
}

describe('the acceptance list of the widget', () => {
  it('has a test for each numbered statement, by number', () => {
    const covered = new Set<number>()
    for (const file of globSync('{e2e,packages}/**/*.test.ts', {
      cwd: ROOT,
      exclude: (name) => name === 'node_modules',
    })) {
      const text = readFileSync(join(ROOT, file), 'utf8')
      for (const [, numbers = ''] of text.matchAll(/['"`]widget (\d+(?:, \d+)*)[: ]/g)) {
        for (const number of numbers.split(', ')) covered.add(Number(number))
      }
      // A table whose title says "widget %s" has the number in its rows.
      if (/['"`]widget %s/.test(text))
        for (const [, number] of text.matchAll(/['"`](\d+): /g)) covered.add(Number(number))
    }
    const all = Array.from({ length: STATEMENTS }, (_, index) => index + 1)
    expect(all.filter((number) => !covered.has(number))).toEqual(Object.keys(WITHOUT_TEST).map(Number))
  })
})
