/**
 * `npm test`: every check and test from a fresh clone, Chromium included. Ends with `N passed, N failed`.
 * `npm test -- unit` or `-- e2e` or `-- checks` runs a part.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium } from './chromium.mjs'
import { buildConsole, buildServer, environment, install, node, root } from './prepare.mjs'

const parts = process.argv.slice(2)
const wants = (part) => parts.length === 0 || parts.includes(part)

install('all')

let passed = 0
let failed = 0
const failures = []

const bin = (name) => join(root, 'node_modules', '.bin', name)

/** A check is one test: it passes when its command does. */
const check = (name, command, args) => {
  process.stdout.write(`\n— ${name}\n`)
  const result = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment() })
  if (result.status === 0) passed += 1
  else {
    failed += 1
    failures.push(name)
  }
}

const suite = (project, extra = {}) => {
  process.stdout.write(`\n— tests: ${project}\n`)
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-test-'))
  const report = join(folder, 'report.json')
  spawnSync(
    node,
    [
      join(root, 'node_modules', 'vitest', 'vitest.mjs'),
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
    ],
    { cwd: root, stdio: 'inherit', env: { ...environment(), ...extra } },
  )
  if (!existsSync(report)) {
    failed += 1
    failures.push(`${project}: the test runner died`)
  } else {
    const result = JSON.parse(readFileSync(report, 'utf8'))
    passed += result.numPassedTests
    // A file that cannot even be loaded has no failed test of its own, yet it is a failure.
    const brokenFiles = result.testResults.filter(
      (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
    )
    failed += result.numFailedTests + brokenFiles.length
    for (const file of brokenFiles) failures.push(`${project}: ${file.name}: ${file.message}`)
    for (const file of result.testResults) {
      for (const test of file.assertionResults)
        if (test.status === 'failed') failures.push(`${project}: ${test.fullName}`)
    }
    if (result.numTotalTests === 0) {
      failed += 1
      failures.push(`${project}: no test was found`)
    }
  }
  rmSync(folder, { recursive: true, force: true })
}

if (wants('checks')) {
  check('types (server, packages, tools)', bin('tsc'), ['-p', 'tsconfig.node.json'])
  check('types (console, browser tests)', bin('tsc'), ['-p', 'tsconfig.web.json'])
  check('types (demo shop)', bin('tsc'), ['-p', 'apps/demo/tsconfig.json'])
  check('lint', bin('oxlint'), ['--type-aware', '--deny-warnings', '--quiet'])
  check('format', bin('oxfmt'), ['--check', '.'])
  check('architecture', node, ['tools/check-deps.mjs'])
  check('unused code and dependencies', bin('knip'), ['--no-progress'])
}

buildConsole()
buildServer()
if (wants('checks')) {
  check('size budgets of the console', node, ['tools/size.mjs'])
  check('size budgets of what pages load', node, ['tools/size-browser.mjs'])
}
if (wants('unit')) suite('unit')
if (wants('e2e')) {
  const chromium = ensureChromium()
  if (chromium === null) {
    failed += 1
    failures.push(
      'e2e: no Chromium. Install one (Debian: apt-get install chromium) or name it in FIRSTHAND_TEST_CHROMIUM.',
    )
  } else {
    suite('e2e', { FIRSTHAND_TEST_CHROMIUM: chromium })
    suite('widget', { FIRSTHAND_TEST_CHROMIUM: chromium })
  }
}

if (failures.length > 0) process.stdout.write(`\nFailed:\n${failures.map((name) => `  ${name}`).join('\n')}\n`)
process.stdout.write(`\n${passed} passed, ${failed} failed\n`)
process.exit(failed === 0 ? 0 : 1)
