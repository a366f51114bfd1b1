import type { ReplayTest } from '@firsthand/contract'

/** A line of an exported test, as it is shown. */
export interface TestLine {
  readonly text: string
  /** When it was done; null for what only serves the test. */
  readonly at: number | null
  readonly kind: 'plain' | 'masked' | 'error'
}

/** Lines of the assertion, which is the last step. */
const ASSERTION_LINES = 3

/** The test itself: without what stands above and below it in its file, its moments beside its lines. */
export function readTestLines({ error, source, steps }: Pick<ReplayTest, 'error' | 'source' | 'steps'>): TestLine[] {
  const byLine = new Map(steps.map((step) => [step.line, step]))
  const all = source.split('\n')
  const first = all.findIndex((line) => line.startsWith('test('))
  const last = all.indexOf('})', first)
  const assertion = error === null ? Infinity : (steps.at(-1)?.line ?? Infinity)
  return all.slice(first, last + 1).map((line, index) => {
    const number = first + index + 1
    const step = byLine.get(number)
    const isError = number >= assertion && number < assertion + ASSERTION_LINES
    const kind = isError ? 'error' : step?.masked === true ? 'masked' : 'plain'
    return { text: step?.code ?? line, at: step?.at ?? null, kind }
  })
}
