/**
 * `npm test`: every check and test from a fresh clone, browsers included. Ends with `N passed, N failed`.
 * `npm test -- unit` or `-- e2e` or `-- checks` runs a part; `npm test -- changed` the checks, and the tests that the change
 * since main can reach.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureChromium, findHeadlessShell } from './chromium.mjs'
import { needsWholeProject, readChange } from './harness/changed.mjs'
import { summary } from './harness/run-report.mjs'
import { complaintsOf, statementsOf } from './harness/statements.mjs'
import { buildBrowser, buildConsole, buildServer, environment, install, node, root } from './prepare.mjs'

const LINES_OF_A_FAILED_CHECK = 30

const wantedParts = process.argv.slice(2).filter((name) => name !== 'changed')
/** Null when everything is to run. */
const change = process.argv.includes('changed') ? readChange(root) : null
const wants = (part) => wantedParts.length === 0 || wantedParts.includes(part)

const secondsSince = (start) => (performance.now() - start) / 1000

const begun = performance.now()
const run = { passed: 0, failures: [], titles: [], files: [], parts: [], total: 0 }

/** Does one part of the run and notes how long it took. */
const part = async (name, work) => {
  const start = performance.now()
  const result = await work()
  run.parts.push({ name, seconds: secondsSince(start) })
  return result
}

const bin = (name) => join(root, 'node_modules', '.bin', name)

/** Runs a command and collects what it prints. */
const outputOf = (command, args) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], env: environment() })
    let output = ''
    const collect = (chunk) => (output += chunk)
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('error', (error) => resolve({ status: 1, output: error.message }))
    child.on('close', (status) => resolve({ status, output: output.trim() }))
  })

/** A check is one test: it passes when its command does. */
const check = (name, command, args) =>
  part(name, async () => {
    const start = performance.now()
    const { status, output } = await outputOf(command, args)
    process.stdout.write(`${status === 0 ? '✓' : '✗'} ${name}  ${secondsSince(start).toFixed(1)} s\n`)
    if (status === 0) {
      run.passed += 1
      return
    }
    process.stdout.write(`${output}\n`)
    const lines = output.split('\n')
    const left = lines.length - LINES_OF_A_FAILED_CHECK
    const message = [...lines.slice(0, LINES_OF_A_FAILED_CHECK), ...(left > 0 ? [`… ${left} more lines`] : [])]
    run.failures.push({ name, message: message.join('\n') })
  })

/** Checks need nothing of each other; more than two at a time want more memory than a small machine has. */
const CHECKS_AT_A_TIME = 2

const sideBySide = async (checks) => {
  const waiting = [...checks]
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await check(...next)
  }
  await Promise.all(Array.from({ length: CHECKS_AT_A_TIME }, work))
}

/** Projects that run side by side: at the end of each, workers would wait for the last file. */
const suite = (projects, extra = {}) => {
  const name = projects.join(', ')
  return part(name, async () => {
    process.stdout.write(`\n— tests: ${name}\n`)
    const folder = mkdtempSync(join(tmpdir(), 'firsthand-test-'))
    const report = join(folder, 'report.json')
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const narrowed =
      change === null || projects.some((project) => needsWholeProject(project, change.files))
        ? []
        : ['--changed', change.base, '--passWithNoTests']
    const status = await new Promise((resolve) => {
      spawn(node, [vitest, 'run', ...projects.flatMap((project) => ['--project', project]), ...narrowed], {
        cwd: root,
        stdio: 'inherit',
        env: { ...environment(), ...extra, FIRSTHAND_TEST_REPORT: report },
      }).on('close', resolve)
    })
    const result = existsSync(report) ? JSON.parse(readFileSync(report, 'utf8')) : null
    rmSync(folder, { recursive: true, force: true })
    if (result === null) {
      run.failures.push({ name, message: `The test runner died with status ${status}; its output is above.` })
      return
    }
    run.passed += result.passed
    run.files.push(...result.files)
    run.titles.push(...result.titles)
    run.failures.push(...result.failures)
    if (result.files.length === 0 && narrowed.length === 0) run.failures.push({ name, message: 'No test was found.' })
    else if (status !== 0 && result.failures.length === 0)
      run.failures.push({ name, message: `The test runner ended with status ${status}; its output is above.` })
  })
}

await part('packages', () => install('all'))

/** Downloading and unpacking browsers takes little of the processors. */
const browsers = wants('e2e') ? outputOf(node, [join(root, 'tools', 'browsers.mjs')]) : null

if (wants('checks')) {
  await sideBySide([
    ['types (server, packages, tools)', bin('tsc'), ['-p', 'tsconfig.node.json']],
    ['types (console, browser tests)', bin('tsc'), ['-p', 'tsconfig.web.json']],
    ['types (demo shop)', bin('tsc'), ['-p', 'apps/demo/tsconfig.json']],
    ['lint', bin('oxlint'), ['--type-aware', '--deny-warnings', '--quiet']],
    ['format', bin('oxfmt'), ['--check', '.']],
    ['architecture', node, ['tools/check-deps.mjs']],
    ['long functions, folders without a word', node, ['tools/check-functions.mjs']],
    ['citations of docs/reference', node, ['tools/check-references.mjs']],
    ['unused code and dependencies', bin('knip'), ['--no-progress']],
  ])
}

await part('build', () => {
  buildConsole()
  buildBrowser()
  buildServer()
})
if (wants('checks')) {
  await sideBySide([
    ['size budgets of the console', node, ['tools/size.mjs']],
    ['size budgets of what pages load', node, ['tools/size-browser.mjs']],
  ])
}
if (wants('unit')) await suite(['unit', 'pages'])
if (wants('e2e')) {
  const { output } = await part('browsers', () => browsers)
  const chromium = ensureChromium()
  if (chromium === null) {
    run.failures.push({
      name: 'e2e',
      message: `No Chromium. Install one (Debian: apt-get install chromium) or name it in FIRSTHAND_TEST_CHROMIUM.\n${output}`,
    })
  } else {
    const shell = findHeadlessShell() ?? chromium
    process.stdout.write(
      `browser of the tests: ${shell === chromium ? chromium : `${shell}, and ${chromium} where windows matter`}\n`,
    )
    const named = { FIRSTHAND_TEST_CHROMIUM: chromium, FIRSTHAND_TEST_HEADLESS_SHELL: shell }
    // A change in the console reaches all of the first, and nothing of the second.
    for (const projects of change === null ? [['e2e', 'faults']] : [['e2e'], ['faults']]) await suite(projects, named)
  }
}

/** Only a run of everything can tell: the tests that hold the widget's statements stand in several projects. */
const checkStatements = () => {
  const statements = statementsOf(readFileSync(join(root, 'docs', 'reference', 'widget.md'), 'utf8'))
  const complaints = complaintsOf(statements, run.titles)
  if (complaints.length === 0) run.passed += 1
  else run.failures.push({ name: 'a test for each statement of the widget', message: complaints.join('\n') })
}
if (change === null && wants('unit') && wants('e2e')) checkStatements()

process.stdout.write(summary({ ...run, total: secondsSince(begun) }))
process.exit(run.failures.length === 0 ? 0 : 1)
