import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { apiOf } from '../lib/api.ts'
import { closePages, joinBrowser, joinServer, type SharedServer } from '../lib/shared.ts'
import { until } from '../lib/until.ts'

/**
 * Builds as users make them, with the bundlers' official plugins of Sentry, unmodified, and with ours, against our server; what the built
 * page throws in Chromium is read back as it was written. The plugins bring sentry-cli, whose licence (FSL) keeps it out of
 * our dependencies, so all of it is installed for this file alone.
 */

const ORGANIZATION = 'artifacts-plugins'
const PACKAGES = [
  '@sentry/browser@11.10.0',
  '@sentry/bundler-plugins@11.12.0',
  '@sentry/esbuild-plugin@5.4.0',
  '@sentry/rollup-plugin@5.4.0',
  '@sentry/vite-plugin@5.4.0',
  '@sentry/webpack-plugin@5.4.0',
  '@rollup/plugin-node-resolve@16',
  'esbuild@0.28',
  'rollup@4',
  'vite@8',
  'webpack@5',
]

const CART = `export class Cart {
  items = []

  /** Nothing is bought without anything in it. */
  checkout(total) {
    if (this.items.length === 0) throw new RangeError('the cart is empty of ' + total)
    return total
  }
}
`
const MAIN = `import * as Sentry from '@sentry/browser'
import { Cart } from './cart.js'

Sentry.init({ dsn: window.shopDsn, ...(window.shopRelease === null ? {} : { release: window.shopRelease }), defaultIntegrations: Sentry.getDefaultIntegrations({}) })

function pay(total) {
  return new Cart().checkout(total)
}
setTimeout(() => pay(window.shopTotal), 0)
`

/** A page that does nothing itself: what it throws is thrown in a web worker, which tells of it on its own. */
const WORKED = `const worker = new Worker(new URL('./worker.js', import.meta.url), { type: 'module' })
worker.postMessage({ dsn: window.shopDsn, total: window.shopTotal })
`
const WORKER = `import * as Sentry from '@sentry/browser'
import { Cart } from './cart.js'

function pay(total) {
  return new Cart().checkout(total)
}
self.onmessage = ({ data: { dsn, total } }) => {
  Sentry.init({ dsn })
  setTimeout(() => pay(total), 0)
}
`

const options = (build: string): string =>
  `{ url: process.env.SHOP_URL, org: process.env.SHOP_ORG, project: 'shop', authToken: process.env.SHOP_TOKEN, release: { name: '${build}@1' }, telemetry: false, errorHandler: (error) => { throw error } }`

/** By bundler: what a user writes around the plugin, which is of the package that is named. */
const OFFICIAL: Readonly<Record<string, (plugin: string, build: string) => string>> = {
  vite: (plugin, build) => `import { build } from 'vite'
import { sentryVitePlugin } from '${plugin}'
await build({ configFile: false, logLevel: 'warn', build: { sourcemap: true, outDir: 'dist-${build}', rolldownOptions: { input: 'src/main.js' } }, plugins: [sentryVitePlugin(${options(build)})] })
`,
  rollup: (plugin, build) => `import { rollup } from 'rollup'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { sentryRollupPlugin } from '${plugin}'
const bundle = await rollup({ input: 'src/main.js', plugins: [nodeResolve({ browser: true }), sentryRollupPlugin(${options(build)})] })
await bundle.write({ dir: 'dist-${build}', format: 'iife', name: 'shop', sourcemap: true, compact: true })
await bundle.close()
`,
  esbuild: (plugin, build) => `import { build } from 'esbuild'
import { sentryEsbuildPlugin } from '${plugin}'
await build({ entryPoints: ['src/main.js'], outdir: 'dist-${build}', bundle: true, minify: true, sourcemap: true, logLevel: 'warning', plugins: [sentryEsbuildPlugin(${options(build)})] })
`,
  webpack: (plugin, build) => `import webpack from 'webpack'
import { sentryWebpackPlugin } from '${plugin}'
import { join } from 'node:path'
const compiler = webpack({ mode: 'production', context: process.cwd(), entry: './src/main.js', devtool: 'source-map', output: { path: join(process.cwd(), 'dist-${build}') }, plugins: [sentryWebpackPlugin(${options(build)})] })
await new Promise((resolve, reject) => compiler.run((error, stats) => compiler.close(() => (error ?? (stats.hasErrors() ? stats.toString('errors-only') : null)) ? reject(error ?? new Error(stats.toString('errors-only'))) : resolve())))
`,
}

/** Up to version 5 each bundler has a package of its own and uploads by sentry-cli; from 11 one package has all, and the `sentry` program uploads. */
const BUILDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(OFFICIAL).flatMap(([bundler, script]) => [
    [bundler, script(`@sentry/${bundler}-plugin`, bundler)],
    [`${bundler}-11`, script(`@sentry/bundler-plugins/${bundler}`, `${bundler}-11`)],
  ]),
)

const ours = (release: string): string =>
  `firsthand({ url: process.env.SHOP_URL, org: process.env.SHOP_ORG, project: 'shop', token: process.env.SHOP_TOKEN, release: '${release}' })`

const OURS = JSON.stringify(fileURLToPath(new URL('../../packages/vite/src/index.ts', import.meta.url)))

/** With our own plugin: one line, and no option of the bundler. */
const OWN_BUILDS: Readonly<Record<string, string>> = {
  'own-vite': `import { build } from 'vite'
import { firsthand } from ${OURS}
await build({ configFile: false, logLevel: 'warn', base: '/dist-own-vite/', build: { outDir: 'dist-own-vite', rolldownOptions: { input: 'src/main.js' } }, plugins: [${ours('own-vite@1')}] })
`,
  'own-worker': `import { build } from 'vite'
import { firsthand } from ${OURS}
await build({ configFile: false, logLevel: 'warn', base: '/dist-own-worker/', build: { outDir: 'dist-own-worker', rolldownOptions: { input: 'src/worked.js' } }, plugins: [${ours('own-worker@1')}] })
`,
  'own-rollup': `import { rollup } from 'rollup'
import { nodeResolve } from '@rollup/plugin-node-resolve'
import { firsthand } from ${OURS}
const bundle = await rollup({ input: 'src/main.js', plugins: [nodeResolve({ browser: true }), ${ours('own-rollup@1')}] })
await bundle.write({ dir: 'dist-own-rollup', format: 'iife', name: 'shop', compact: true, entryFileNames: '[name]-[hash].js' })
await bundle.close()
`,
}

let server: SharedServer
let browser: Browser
let folder: string
let site: Server
let siteUrl: string

const run = (program: string, args: readonly string[]): Promise<{ status: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const environment = {
      ...process.env,
      SHOP_URL: `http://127.0.0.1:${server.port}/`,
      SHOP_ORG: ORGANIZATION,
      SHOP_TOKEN: server.account.token,
    }
    const child = spawn(program, args, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    const collect = (text: string): unknown => (output += text)
    child.stdout.setEncoding('utf8').on('data', collect)
    child.stderr.setEncoding('utf8').on('data', collect)
    child.on('error', reject)
    child.on('close', (status) => resolve({ status, output }))
  })

/** The page's script of a build, wherever its bundler put it. */
const scriptOf = (bundler: string): string => {
  const found = readdirSync(join(folder, `dist-${bundler}`), { recursive: true, encoding: 'utf8' }).find(
    (name) => name.endsWith('.js') && !name.includes('worker-'),
  )
  if (found === undefined) throw new Error(`${bundler} wrote no script`)
  return `dist-${bundler}/${found}`
}

beforeAll(async () => {
  server = await joinServer(ORGANIZATION)
  browser = await joinBrowser()
  folder = mkdtempSync(join(tmpdir(), 'firsthand-plugins-'))
  mkdirSync(join(folder, 'src'))
  writeFileSync(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  writeFileSync(join(folder, 'src', 'cart.js'), CART)
  writeFileSync(join(folder, 'src', 'main.js'), MAIN)
  writeFileSync(join(folder, 'src', 'worked.js'), WORKED)
  writeFileSync(join(folder, 'src', 'worker.js'), WORKER)
  for (const [bundler, script] of Object.entries({ ...BUILDS, ...OWN_BUILDS }))
    writeFileSync(join(folder, `${bundler}.mjs`), script)
  const { status, output } = await run('npm', [
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
    ...PACKAGES,
  ])
  if (status !== 0) throw new Error(`npm did not install the plugins: ${output}`)
  site = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site.invalid')
    if (pathname === '/') {
      const globals = {
        shopDsn: server.account.dsn,
        shopRelease: searchParams.get('release'),
        shopTotal: searchParams.get('total'),
      }
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(
        `<!doctype html><link rel="icon" href="data:,"><script>Object.assign(window, ${JSON.stringify(globals)})</script><script type="module" src="/${searchParams.get('script')}"></script>`,
      )
      return
    }
    response.setHeader('content-type', 'text/javascript')
    response.end(readFileSync(join(folder, pathname)))
  })
  await new Promise<void>((resolve) => {
    site.listen(0, '127.0.0.1', resolve)
  })
  const address = site.address()
  if (address === null || typeof address === 'string') throw new Error('the site has no port')
  siteUrl = `http://127.0.0.1:${address.port}/`
}, 240_000)

afterAll(async () => {
  await closePages(browser)
  site.closeAllConnections()
  site.close()
  rmSync(folder, { recursive: true, force: true })
})

interface Frame {
  readonly filename: string
  readonly function: string | null
  readonly lineNo: number
  readonly inApp: boolean
  readonly context: readonly (readonly [number, string])[]
}

/** What a build prints, and what its page throws in Chromium, as our server shows it. */
const thrownBy = async (bundler: string, isNamed: boolean) => {
  const built = await run(process.execPath, [`${bundler}.mjs`])
  expect(built.status, built.output).toBe(0)
  const api = apiOf(server)
  const project = `/projects/${ORGANIZATION}/shop`
  await until(`the maps of ${bundler} are ready`, async () => {
    const [bundle] = await api.get<{ bundleId: string }[]>(`${project}/files/artifact-bundles/?query=${bundler}%401`)
    if (bundle === undefined) return null
    const { files } = await api.get<{ files: { isReady: boolean | null }[] }>(
      `${project}/artifact-bundles/${bundle.bundleId}/files/`,
    )
    return files.every(({ isReady }) => isReady !== false) ? true : null
  })
  const page = await browser.newPage()
  const release = isNamed ? { release: `${bundler}@1` } : {}
  await page.goto(`${siteUrl}?${new URLSearchParams({ script: scriptOf(bundler), total: bundler, ...release })}`)
  const issue = await until(
    `the issue of ${bundler}`,
    async () => (await api.issues(`release:${bundler}@1`))[0] ?? null,
  )
  const event = await api.latestEvent(issue.id)
  await page.close()
  const entry = event.entries.find(({ type }) => type === 'exception')?.data as unknown as {
    values: { stacktrace: { frames: Frame[] }; rawStacktrace: { frames: Frame[] } | null }[]
  }
  const thrown = entry.values.at(-1)
  return { output: built.output, frames: thrown?.stacktrace.frames ?? [], raw: thrown?.rawStacktrace ?? null }
}

/** Of what the page throws: what is shown is what was written. */
const expectAsWritten = (frames: readonly Frame[]): void => {
  const [caller, inner] = frames.slice(-2)
  const lines = CART.split('\n')
  const line = lines.findIndex((text) => text.includes('throw new RangeError')) + 1
  expect(inner).toMatchObject({ function: 'Cart.checkout', lineNo: line, inApp: true })
  expect(inner?.filename).toMatch(/(?:^|\/)src\/cart\.js$/)
  expect(inner?.context.find(([number]) => number === line)?.[1]).toBe(lines[line - 1])
  // Some bundlers put what is called once where it is called: the function is another one then, and the file the same.
  expect(caller).toMatchObject({ filename: expect.stringMatching(/(?:^|\/)src\/(?:main|worker)\.js$/), inApp: true })
}

describe.each(Object.keys(BUILDS))('a build of %s with its official plugin', (bundler) => {
  it('L41: throws in Chromium what is read as it was written', async () => {
    const { frames, raw } = await thrownBy(bundler, true)
    expectAsWritten(frames)
    expect(raw).not.toBeNull()
  })
})

describe.each(Object.keys(OWN_BUILDS))('a build of %s', (bundler) => {
  it('L41, L110: throws in Chromium what is read as it was written, in the release of the build, and its maps are gone', async () => {
    // The page says no release: the build does.
    const { frames, output, raw } = await thrownBy(bundler, false)
    expectAsWritten(frames)
    expect(raw).not.toBeNull()
    expect(output).toContain(`errors of ${bundler}@1 are shown as the code was written`)
    const files = readdirSync(join(folder, `dist-${bundler}`), { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => name.endsWith('.map'))).toEqual([])
    const release = await apiOf(server).get<{ dateReleased: string | null }>(
      `/organizations/${ORGANIZATION}/releases/${bundler}%401/`,
    )
    expect(release.dateReleased).not.toBeNull()
  })
})
