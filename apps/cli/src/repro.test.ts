import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ASSERTION } from '@firsthand/recording/repro'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** Writes down what it is told, in the place of Playwright. */
const PLAYWRIGHT = `
  const { writeFileSync } = require('node:fs')
  writeFileSync('environment.json', JSON.stringify(process.env))
  writeFileSync('report.json', JSON.stringify({ errors: [{ message: 'nothing is run here' }] }))
`
/** The same without a browser of its own: in another one the error comes. */
const WITHOUT_BROWSER = `
  const { readFileSync, writeFileSync } = require('node:fs')
  const program = /"executablePath": "(.*)"/.exec(readFileSync('playwright.config.mjs', 'utf8'))?.[1]
  const steps = program === undefined ? [] : [{ title: ${JSON.stringify(ASSERTION)}, error: {} }]
  const message = "browserType.launch: Executable doesn't exist at /nowhere/chrome"
  const result = { status: 'failed', steps, errors: program === undefined ? [{ message }] : [] }
  writeFileSync('report.json', JSON.stringify({ suites: [{ specs: [{ tests: [{ results: [result, result] }] }] }] }))
`
const TOKEN = 'sntryu_secret'

let folder = ''
let server: Server

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'firsthand-repro-'))
  server = createServer((request, response) => {
    const isKnown = request.headers.authorization === `Bearer ${TOKEN}`
    response.writeHead(isKnown ? 200 : 401, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ name: 'replay.spec.ts', source: '', error: { title: 'TypeError' } }))
  })
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done))
})
afterEach(async () => {
  await new Promise((done) => void server.close(done))
  rmSync(folder, { recursive: true, force: true })
})

/** Calls the program beside a Playwright that is none. */
const repro = (playwright: string, variables: NodeJS.ProcessEnv) => {
  const place = join(folder, 'node_modules', '@playwright', 'test')
  mkdirSync(place, { recursive: true })
  writeFileSync(join(place, 'package.json'), '{ "name": "@playwright/test" }')
  writeFileSync(join(place, 'cli.js'), playwright)
  const { port } = server.address() as AddressInfo
  const options = ['--url', `http://127.0.0.1:${port}`, '--organization', 'acme', '--output', join(folder, 'output')]
  return promisify(execFile)(
    process.execPath,
    [join(import.meta.dirname, 'repro.ts'), '0'.repeat(32), '--base-url', 'http://shop.example', ...options],
    { cwd: folder, env: { ...process.env, SENTRY_AUTH_TOKEN: TOKEN, ...variables } },
  )
}

it('tests that were made of recordings learn nothing of our tokens', async () => {
  const variables = {
    sentry_auth_token: TOKEN,
    SENTRY_API_KEY: TOKEN,
    FIRSTHAND_PASSWORD: TOKEN,
    FIRSTHAND_LIVE: TOKEN,
    LANGUAGE: 'de',
  }
  await expect(repro(PLAYWRIGHT, variables)).rejects.toMatchObject({
    stderr: expect.stringContaining('nothing is run here'),
  })
  const told = JSON.parse(readFileSync(join(folder, 'output', 'environment.json'), 'utf8')) as Record<string, string>
  expect(Object.values(told)).not.toContain(TOKEN)
  expect(told).toMatchObject({ FIRSTHAND_BASE_URL: 'http://shop.example', LANGUAGE: 'de' })
})

it('where Playwright has no browser, it runs in the one of the machine, and says so; where there is none, it says how to get one', async () => {
  const programs = join(folder, 'programs')
  mkdirSync(programs)
  await expect(repro(WITHOUT_BROWSER, { PATH: programs })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('npx playwright install chromium'),
  })
  const program = join(programs, 'chromium')
  writeFileSync(program, '', { mode: 0o755 })
  const { stdout } = await repro(WITHOUT_BROWSER, { PATH: programs })
  expect(stdout).toContain(`Playwright has no browser of its own here, so it runs in ${program}.`)
  expect(stdout).toContain('reproduces: TypeError (2 of 2 runs')
})
