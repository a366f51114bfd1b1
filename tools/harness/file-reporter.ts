/**
 * What `npm test` shows of a run of Vitest, and what it reads of it afterwards: one line per file while it runs (a failed
 * test with the beginning of its message), and a report in JSON for the summary at the end.
 */
import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestModule, TestSuite } from 'vitest/node'

export interface TestFailure {
  readonly name: string
  readonly message: string
}

/** How a run went. */
export interface RunReport {
  passed: number
  readonly failures: TestFailure[]
  /** Titles of the tests that passed, without those of their suites. */
  readonly titles: string[]
  readonly files: { readonly name: string; readonly seconds: number }[]
}

const LINES_OF_A_MESSAGE = 30
const FRAMES_OF_A_STACK = 4

/** The message, what was expected, and where: enough to begin with, short enough for the end of a log. */
const describe = (error: SerializedError): string => {
  const message = stripVTControlCharacters(error.message)
  const diff = typeof error['diff'] === 'string' ? stripVTControlCharacters(error['diff']).split('\n') : []
  const frames = (error.stack ?? '')
    .split('\n')
    .filter(
      (line) => line.trimStart().startsWith('at ') && !line.includes('node_modules') && !line.includes('<anonymous>'),
    )
    .slice(0, FRAMES_OF_A_STACK)
  const room = LINES_OF_A_MESSAGE - frames.length
  const lines = [`${error.name ?? 'Error'}: ${message}`, ...diff].join('\n').split('\n')
  const shown = lines.length > room ? [...lines.slice(0, room - 1), `… ${lines.length - room + 1} more lines`] : lines
  return [...shown, ...frames].join('\n')
}

const messageOf = (errors: readonly SerializedError[]): string => errors.map(describe).join('\n')

/** Failures that belong to no test: a file that cannot be loaded, a hook that throws. */
const failuresOutsideTests = (suite: TestModule | TestSuite, name: string): TestFailure[] => [
  ...(suite.errors().length > 0 ? [{ name: `${name} (outside its tests)`, message: messageOf(suite.errors()) }] : []),
  ...[...suite.children.suites()].flatMap((inner) => failuresOutsideTests(inner, `${name} > ${inner.name}`)),
]

const failuresOf = (module: TestModule): TestFailure[] => {
  const failures = failuresOutsideTests(module, module.relativeModuleId)
  for (const test of module.children.allTests('failed')) {
    failures.push({
      name: `${module.relativeModuleId} > ${test.fullName}`,
      message: messageOf(test.result().errors ?? []),
    })
  }
  if (failures.length === 0 && !module.ok())
    failures.push({ name: module.relativeModuleId, message: 'The file failed without saying why.' })
  return failures
}

/** @param reportPath where the report for the summary is written */
export const fileReporter = (reportPath: string): Reporter => {
  const startedAt = new Map<string, number>()
  const report: RunReport = { passed: 0, failures: [], titles: [], files: [] }
  return {
    onTestModuleQueued: (module) => {
      startedAt.set(module.id, performance.now())
    },
    onTestModuleEnd: (module) => {
      const titles = [...module.children.allTests('passed')].map(({ name }) => name)
      const passed = titles.length
      const failures = failuresOf(module)
      const seconds = (performance.now() - (startedAt.get(module.id) ?? performance.now())) / 1000
      report.passed += passed
      report.failures.push(...failures)
      report.titles.push(...titles)
      report.files.push({ name: module.relativeModuleId, seconds })
      const lines = failures.map(({ name, message }) => `  ✗ ${name}\n${message.replaceAll(/^/gm, '    ')}\n`)
      process.stdout.write(
        `${failures.length === 0 ? '✓' : '✗'} ${module.relativeModuleId}  ${passed} passed${
          failures.length === 0 ? '' : `, ${failures.length} failed`
        }  ${seconds.toFixed(1)} s\n${lines.join('')}`,
      )
    },
    onTestRunEnd: (_modules, unhandledErrors) => {
      for (const error of unhandledErrors)
        report.failures.push({ name: 'outside every test', message: describe(error) })
      for (const error of unhandledErrors) process.stdout.write(`✗ outside every test\n${describe(error)}\n`)
      writeFileSync(reportPath, JSON.stringify(report))
    },
  }
}
