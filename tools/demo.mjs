/**
 * `npm run demo`: Firsthand with a small shop that reports to it, from a fresh clone. Keeps to a data folder and ports of its
 * own (FIRSTHAND_DEMO_DATA_DIR, FIRSTHAND_PORT, FIRSTHAND_DEMO_PORT). The first time, some events and reports are sent, so
 * that there is something to see; `--seed` does it again, `--no-seed` never. `--no-install` takes the packages as they are.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'
import {
  buildBrowser,
  buildConsole,
  buildDemo,
  buildServer,
  environment,
  install,
  node,
  root,
  serverEntry,
  serverFlags,
} from './prepare.mjs'

const ACCOUNT = { email: 'demo@example.com', password: 'kettle and clay', organization: 'kettle', project: 'shop' }
const READY_WITHIN_MS = 60_000

const options = process.argv.slice(2)
const unknown = options.find((option) => !['--seed', '--no-seed', '--no-install'].includes(option))

const say = (text) => process.stdout.write(`${text}\n`)
const fail = (text) => {
  process.stderr.write(`demo: ${text}\n`)
  process.exit(1)
}
if (unknown !== undefined) fail(`there is no option "${unknown}". There are --seed, --no-seed and --no-install.`)

const dataDir = resolve(root, process.env['FIRSTHAND_DEMO_DATA_DIR'] ?? 'data-demo')
const serverPort = Number(process.env['FIRSTHAND_PORT'] ?? '9000')
const shopPort = Number(process.env['FIRSTHAND_DEMO_PORT'] ?? '9001')

const isFree = (port) =>
  new Promise((done) => {
    const probe = createServer()
    probe.once('error', () => done(false))
    probe.listen(port, () => probe.close(() => done(true)))
  })
for (const [port, name] of [
  [serverPort, 'FIRSTHAND_PORT'],
  [shopPort, 'FIRSTHAND_DEMO_PORT'],
]) {
  if (!(await isFree(port))) fail(`port ${port} is taken. Choose another one: ${name}=${port + 10} npm run demo`)
}

if (!options.includes('--no-install')) install('run')
buildBrowser()
buildConsole()
buildServer()
buildDemo()

// The demo has its own stores, whatever this machine's real ones are.
const env = {
  ...environment(),
  FIRSTHAND_PORT: String(serverPort),
  FIRSTHAND_DATA_DIR: dataDir,
  FIRSTHAND_LOG_LEVEL: 'warn',
}
for (const name of ['POSTGRES', 'CLICKHOUSE', 'S3', 'SMTP', 'PUBLIC']) delete env[`FIRSTHAND_${name}_URL`]

const children = new Set()
let exitCode = 0
const state = { isStopping: false }

const stop = (code) => {
  exitCode = Math.max(exitCode, code)
  state.isStopping = true
  for (const child of children) child.kill('SIGTERM')
  if (children.size === 0) process.exit(exitCode)
}

/** One that ends by itself takes the other with it. */
const start = (name, args, more = {}, stdio = 'inherit') => {
  const child = spawn(node, args, { cwd: root, env: { ...env, ...more }, stdio: ['ignore', stdio, 'inherit'] })
  children.add(child)
  child.once('exit', (code) => {
    children.delete(child)
    if (!state.isStopping) process.stderr.write(`demo: ${name} has ended.\n`)
    stop(state.isStopping ? 0 : (code ?? 1) || 1)
  })
  return child
}

// The terminal sends SIGINT to the whole group; both stop by themselves, and we wait for them.
process.on('SIGINT', () => stop(0))
process.on('SIGTERM', () => stop(0))

// Its own greeting would ask to create an account.
start('Firsthand', [...serverFlags, serverEntry, 'serve'], {}, 'ignore')
const deadline = Date.now() + READY_WITHIN_MS
const isReady = () =>
  fetch(`http://127.0.0.1:${serverPort}/_health/`).then(
    ({ status }) => status === 200,
    () => false,
  )
while (!state.isStopping && !(await isReady())) {
  if (Date.now() > deadline) {
    process.stderr.write('demo: Firsthand was not ready within a minute; its own words are above.\n')
    stop(1)
  }
  await wait(100)
}

if (!state.isStopping) {
  const wanted = Object.entries(ACCOUNT).flatMap(([name, value]) => [`--${name}`, value])
  const account = JSON.parse(
    execFileSync(node, [...serverFlags, serverEntry, 'setup', ...wanted, '--json'], {
      cwd: root,
      env,
      encoding: 'utf8',
    }),
  )
  const demo = { FIRSTHAND_DEMO_DSN: account.dsn }

  const begun = join(dataDir, '.demo-begun')
  const isFirst = !existsSync(begun)
  if (isFirst) {
    // Who tries things out sends more from one address than visitors do: that shall not end up among the spam.
    const settings = `/api/0/projects/${account.organization}/${account.project}/feedback-settings/`
    const answer = await fetch(`http://127.0.0.1:${serverPort}${settings}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${account.token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ spam: { reportsPerAddress: 1000 } }),
    })
    if (!answer.ok) process.stderr.write(`demo: the project could not be set up for many reports: ${answer.status}\n`)
  }
  if (options.includes('--seed') || (isFirst && !options.includes('--no-seed'))) {
    execFileSync(node, [join('apps', 'demo', 'src', 'server', 'seed.ts')], {
      cwd: root,
      env: { ...env, ...demo },
      stdio: 'inherit',
    })
  }
  writeFileSync(begun, new Date().toISOString())

  const shop = start(
    'the shop',
    [join('apps', 'demo', 'src', 'server', 'main.ts')],
    {
      ...demo,
      FIRSTHAND_DEMO_PORT: String(shopPort),
      FIRSTHAND_DEMO_CONSOLE: `${account.url.replace(/\/$/, '')}/organizations/${account.organization}`,
    },
    'pipe',
  )
  createInterface({ input: shop.stdout }).once('line', (address) => {
    say(`
  The shop     ${address}
               ${address}/workbench breaks everything that can be broken
  The console  ${account.url}
  Sign in with ${ACCOUNT.email} and the password: ${ACCOUNT.password}

  Ctrl-C stops both. What was sent stays in ${dataDir}.
`)
  })
}
