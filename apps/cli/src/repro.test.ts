import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'

/** Writes down what it is told, in the place of Playwright. */
const PLAYWRIGHT = `
  const { writeFileSync } = require('node:fs')
  writeFileSync('environment.json', JSON.stringify(process.env))
  writeFileSync('report.json', JSON.stringify({ errors: [{ message: 'nothing is run here' }] }))
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

it('tests that were made of recordings learn nothing of our tokens', async () => {
  const playwright = join(folder, 'node_modules', '@playwright', 'test')
  mkdirSync(playwright, { recursive: true })
  writeFileSync(join(playwright, 'package.json'), '{ "name": "@playwright/test" }')
  writeFileSync(join(playwright, 'cli.js'), PLAYWRIGHT)
  const { port } = server.address() as AddressInfo
  const place = ['--url', `http://127.0.0.1:${port}`, '--organization', 'acme', '--output', join(folder, 'output')]
  const variables = {
    SENTRY_AUTH_TOKEN: TOKEN,
    sentry_auth_token: TOKEN,
    SENTRY_API_KEY: TOKEN,
    FIRSTHAND_PASSWORD: TOKEN,
    FIRSTHAND_LIVE: TOKEN,
    LANGUAGE: 'de',
  }
  await expect(
    promisify(execFile)(
      process.execPath,
      [join(import.meta.dirname, 'repro.ts'), '0'.repeat(32), '--base-url', 'http://shop.example', ...place],
      { cwd: folder, env: { ...process.env, ...variables } },
    ),
  ).rejects.toMatchObject({ stderr: expect.stringContaining('nothing is run here') })
  const told = JSON.parse(readFileSync(join(folder, 'output', 'environment.json'), 'utf8')) as Record<string, string>
  expect(Object.values(told)).not.toContain(TOKEN)
  expect(told).toMatchObject({ FIRSTHAND_BASE_URL: 'http://shop.example', LANGUAGE: 'de' })
})
