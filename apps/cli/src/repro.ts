/**
 * `firsthand repro`: asks a server for the test of a replay, runs it twice without a window, and says whether its error
 * came again. Exit codes: 0 it reproduces, 1 it could not be run, 2 wrong usage, 3 it does not reproduce.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { environmentOf } from './environment.ts'
import { readPlace, type Place } from './place.ts'
import { complaintOf, readRuns, type Report, type Run } from './report.ts'
import { fail, reasonOf } from './said.ts'
import { findSystemBrowser } from './system-browser.ts'

const RUNS = 2
/** A server that makes tests for others first lets this one wait. */
const ANSWER_MS = 120_000
/** Of all runs together. */
const RUNNING_MS = 15 * 60_000
const DOES_NOT_REPRODUCE = 3

const readOptions = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        'base-url': { type: 'string' },
        browser: { type: 'string' },
        event: { type: 'string' },
        live: { type: 'boolean', default: false },
        organization: { type: 'string' },
        output: { type: 'string' },
        'recorded-site': { type: 'boolean', default: false },
        'storage-state': { type: 'string' },
        url: { type: 'string' },
      },
      strict: true,
    })
  } catch (error) {
    return fail(reasonOf(error), 2)
  }
}

const HOW = 'firsthand repro REPLAY --base-url http://localhost:3000'

const placeOf = (token: string): Place => {
  const { positionals, values } = options
  const [given] = positionals
  if (given === undefined || positionals.length > 1) return fail(`repro needs the id of one replay: ${HOW}`, 2)
  const place = readPlace(given, { ...values, token, environment: process.env })
  return typeof place === 'string' ? fail(place, 2) : place
}

interface ExportedTest {
  readonly name: string
  readonly source: string
  readonly error: { readonly title: string } | null
}

const ask = async (token: string): Promise<ExportedTest & { readonly replay: string }> => {
  const { url, organization, replay } = placeOf(token)
  const { event } = options.values
  const query = event === undefined ? '' : `?${new URLSearchParams({ event }).toString()}`
  const address = `${url}/api/0/organizations/${encodeURIComponent(organization)}/replays/${replay}/test/${query}`
  let response: Response
  try {
    response = await fetch(address, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_MS),
    })
  } catch (error) {
    return fail(`${url} cannot be reached (${reasonOf(error)}). Is the server running?`, 1)
  }
  const answer = (await response.json().catch(() => ({}))) as Partial<ExportedTest> & { readonly detail?: string }
  const { name, source, error = null } = answer
  if (!response.ok || name === undefined || source === undefined)
    return fail(`the server answered ${response.status}: ${answer.detail ?? 'nothing that can be read'}`, 1)
  return { name, source, error, replay }
}

/** The Playwright of the folder that this was called in, else the one beside this program. */
const findPlaywright = (): string => {
  for (const from of [join(process.cwd(), 'package.json'), import.meta.filename]) {
    try {
      return dirname(createRequire(from).resolve('@playwright/test/package.json'))
    } catch {
      // Not there: the next place.
    }
  }
  return fail(
    'Playwright is not installed here. In the folder of your tests:\n  npm install --save-dev @playwright/test && npx playwright install chromium',
    1,
  )
}

/** Text of hostile pages goes to a terminal. */
const plain = (text: string): string => text.replaceAll(/\p{Cc}/gu, ' ')

interface Prepared {
  readonly folder: string
  readonly test: ExportedTest
  readonly playwright: string
}

/**
 * Playwright finds its own package beside the test, wherever the folder is.
 *
 * @param browser its program; null for Playwright's own
 */
const prepare = ({ folder, playwright, test }: Prepared, browser: string | null): void => {
  const { 'storage-state': storageState } = options.values
  mkdirSync(join(folder, 'node_modules', '@playwright'), { recursive: true })
  const link = join(folder, 'node_modules', '@playwright', 'test')
  rmSync(link, { force: true })
  symlinkSync(playwright, link, 'junction')
  rmSync(join(folder, 'report.json'), { force: true })
  writeFileSync(join(folder, 'replay.spec.ts'), test.source)
  const config = {
    testDir: '.',
    testMatch: 'replay.spec.ts',
    outputDir: './results',
    reporter: [['json', { outputFile: './report.json' }]],
    globalTimeout: RUNNING_MS,
    repeatEach: RUNS,
    retries: 0,
    workers: 1,
    use: {
      trace: 'on',
      ...(storageState !== undefined && { storageState: resolve(storageState) }),
      ...(browser !== null && { launchOptions: { executablePath: resolve(browser) } }),
    },
  }
  writeFileSync(join(folder, 'playwright.config.mjs'), `export default ${JSON.stringify(config, null, 2)}\n`)
}

const runPlaywright = async ({ folder, playwright }: Prepared): Promise<Report> => {
  const { 'base-url': baseUrl, live } = options.values
  const child = spawn(process.execPath, [join(playwright, 'cli.js'), 'test', '--config', 'playwright.config.mjs'], {
    cwd: folder,
    env: {
      ...environmentOf(process.env),
      ...(baseUrl !== undefined && { FIRSTHAND_BASE_URL: baseUrl }),
      ...(live && { FIRSTHAND_LIVE: '1' }),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  await new Promise((done) => child.once('close', done))
  const report = readReport(folder)
  const complaint = complaintOf(report)
  if (complaint !== '' && readRuns(report).length === 0) fail(`Playwright could not run it: ${plain(complaint)}`, 1)
  return report
}

const readReport = (folder: string): Report => {
  try {
    return JSON.parse(readFileSync(join(folder, 'report.json'), 'utf8')) as Report
  } catch {
    return fail('Playwright ended without a report; what it said stands above.', 1)
  }
}

const showTrace = ({ trace }: Run): void => {
  if (trace === null) return
  process.stdout.write(`trace: ${trace}\nLook at it: npx playwright show-trace ${trace}\n`)
}

const NO_BROWSER = /Executable doesn't exist/

/** In Playwright's own browser, or in one that this machine has where none was installed with it. */
const runTest = async (prepared: Prepared): Promise<readonly Run[]> => {
  const named = options.values.browser ?? null
  prepare(prepared, named)
  const runs = readRuns(await runPlaywright(prepared))
  if (named !== null || !runs.some(({ reason }) => NO_BROWSER.test(reason))) return runs
  const found = findSystemBrowser(process.env)
  if (found === null) return runs
  process.stdout.write(`Playwright has no browser of its own here, so it runs in ${found}.\n`)
  prepare(prepared, found)
  return readRuns(await runPlaywright(prepared))
}

/** Not the test's doing. */
const NOT_RUN =
  /browserType\.launch|Executable doesn't exist|page\.goto: net::ERR_(?:CONNECTION|NAME|ADDRESS|UNSAFE_PORT)/

const judge = (runs: readonly Run[], test: ExportedTest): number => {
  const [shown] = runs
  if (shown === undefined) return fail('Playwright ran nothing.', 1)
  const stopped = runs.find(({ reason }) => NOT_RUN.test(reason))
  if (stopped !== undefined)
    return fail(
      `the test could not be run: ${plain(stopped.reason)}\nA browser comes by \`npx playwright install chromium\`, or is named by --browser; the site has to run at --base-url.`,
      1,
    )
  const came = runs.filter(({ outcome }) => outcome === 'came')
  const counted = `${came.length} of ${runs.length} runs`
  if (came.length === runs.length) {
    const seconds = (runs.reduce((sum, { milliseconds }) => sum + milliseconds, 0) / runs.length / 1000).toFixed(1)
    process.stdout.write(`reproduces: ${plain(test.error?.title ?? '')} (${counted}, ${seconds} s each)\n`)
    showTrace(shown)
    return 0
  }
  const failed = runs.find(({ outcome }) => outcome === 'failed')
  const line =
    failed?.line === undefined || failed.line === null ? '' : (test.source.split('\n')[failed.line - 1] ?? '')
  const why =
    failed === undefined
      ? `the error came in ${counted}`
      : `a step could not be done: ${plain(line.trim())}\n  ${plain(failed.reason)}`
  process.stdout.write(`does not reproduce: ${why}\n`)
  showTrace(failed ?? runs.find(({ outcome }) => outcome === 'passed') ?? shown)
  return DOES_NOT_REPRODUCE
}

const options = readOptions()
const token = process.env['SENTRY_AUTH_TOKEN'] ?? ''
if (options.values['base-url'] === undefined && !options.values['recorded-site'])
  fail(
    `repro needs to know what it runs against: --base-url with the address of a site of yours (${HOW}), or --recorded-site for the one where it was recorded. What was not recorded is asked of that site.`,
    2,
  )
if (!URL.canParse(options.values['base-url'] ?? 'http://localhost')) fail('--base-url is no address.', 2)
if (token === '') fail('repro needs a token that may read events, in SENTRY_AUTH_TOKEN.', 2)
const test = await ask(token)
if (test.error === null) fail('no error was reported in this replay: there is nothing to reproduce.', 1)
const playwright = findPlaywright()
const folder = resolve(options.values.output ?? join('firsthand-repro', test.replay.slice(0, 8)))
process.exitCode = judge(await runTest({ folder, test, playwright }), test)
