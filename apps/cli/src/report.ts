import { ASSERTION } from '@firsthand/recording/repro'

/** What a run of Playwright says of an exported test. */

interface Step {
  readonly title?: unknown
  readonly error?: unknown
}

interface Result {
  readonly status?: unknown
  readonly duration?: number
  readonly steps?: readonly Step[]
  readonly errors?: readonly { readonly message?: string; readonly location?: { readonly line?: number } }[]
  readonly attachments?: readonly { readonly name?: string; readonly path?: string }[]
}

interface Suite {
  readonly suites?: readonly Suite[]
  readonly specs?: readonly { readonly tests?: readonly { readonly results?: readonly Result[] }[] }[]
}

/** As Playwright's JSON reporter writes it. */
export interface Report extends Suite {
  readonly errors?: readonly { readonly message?: string }[]
}

export interface Run {
  readonly outcome: 'came' | 'passed' | 'failed'
  readonly milliseconds: number
  readonly trace: string | null
  /** Of one that failed before its end: where, and why. */
  readonly line: number | null
  readonly reason: string
}

const COLOURS = /\u001b\[\d*m/g

const firstLine = (text: string): string => text.replaceAll(COLOURS, '').split('\n')[0]?.trim() ?? ''

const resultsIn = ({ suites = [], specs = [] }: Suite): readonly Result[] => [
  ...specs.flatMap(({ tests = [] }) => tests.flatMap(({ results = [] }) => results)),
  ...suites.flatMap(resultsIn),
]

const readResult = ({ attachments = [], duration = 0, errors = [], status, steps = [] }: Result): Run => {
  const hasCome = steps.some(({ title, error }) => title === ASSERTION && error !== undefined)
  const [first] = errors
  return {
    outcome: hasCome ? 'came' : status === 'passed' ? 'passed' : 'failed',
    milliseconds: duration,
    trace: attachments.find(({ name }) => name === 'trace')?.path ?? null,
    line: first?.location?.line ?? null,
    reason: firstLine(first?.message ?? ''),
  }
}

export const readRuns = (report: Report): readonly Run[] => resultsIn(report).map(readResult)

/** Why nothing was run. */
export const complaintOf = ({ errors = [] }: Report): string => firstLine(errors[0]?.message ?? '')
