/**
 * Makes a fresh clone ready, with nothing but Node ≥ 20 and npm on the machine: installs packages, builds the console.
 * Runs on the host's Node, so it uses built-in modules only.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** Node 24, as pinned in package.json: the same everywhere, whatever the host has. */
export const node = join(root, 'node_modules', 'node', 'bin', 'node')

const say = (text) => process.stderr.write(`firsthand: ${text}\n`)

/**
 * The environment for children: packages' commands first, so that `node` is the pinned one.
 *
 * @returns {Record<string, string | undefined>}
 */
export const environment = () => ({
  ...process.env,
  PATH: `${join(root, 'node_modules', '.bin')}:${process.env['PATH'] ?? ''}`,
})

/**
 * Runs a command in the repository and shows its output.
 *
 * @param {string} command
 * @param {string[]} args
 * @returns {boolean} whether it succeeded
 */
export const run = (command, args, options = {}) =>
  spawnSync(command, args, { cwd: root, stdio: 'inherit', env: environment(), ...options }).status === 0

/**
 * Installs packages when they are missing or the lock has changed since.
 *
 * @param {'run' | 'all'} wanted `run` leaves out what only tests and development need
 */
export const install = (wanted) => {
  const stamp = join(root, 'node_modules', '.firsthand-installed.json')
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex')
  let installed = existsSync(stamp) ? JSON.parse(readFileSync(stamp, 'utf8')) : null
  if (installed === null && existsSync(join(root, 'node_modules', '.package-lock.json')) && existsSync(node)) {
    // Somebody ran `npm install` by hand: that is everything.
    installed = { lock, packages: existsSync(join(root, 'node_modules', 'vitest')) ? 'all' : 'run' }
  }
  const enough = installed?.lock === lock && (installed.packages === 'all' || wanted === 'run')
  if (enough && existsSync(node)) return
  const packages = installed?.packages === 'all' ? 'all' : wanted
  say(`installing packages${packages === 'run' ? '' : ' (with those for tests)'}; this takes a minute …`)
  const flags = packages === 'run' ? ['--omit=dev'] : ['--include=dev']
  if (!run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...flags])) {
    say('npm install failed (its message is above). Check the connection to the npm registry and start again.')
    process.exit(1)
  }
  writeFileSync(stamp, JSON.stringify({ lock, packages }))
}

/** Newest modification below a folder, in milliseconds. */
const newest = (folder) => {
  let latest = 0
  for (const entry of readdirSync(folder, { withFileTypes: true, recursive: true })) {
    const path = join(entry.parentPath ?? entry.path, entry.name)
    if (!entry.isFile() || path.includes('/dist/') || path.includes('/node_modules/')) continue
    latest = Math.max(latest, statSync(path).mtimeMs)
  }
  return latest
}

/** True when `stamp` is younger than everything it was made from. */
const isFresh = (stamp, sources) => {
  const latest = Math.max(...sources.map(newest), statSync(join(root, 'package-lock.json')).mtimeMs)
  return existsSync(stamp) && statSync(stamp).mtimeMs >= latest
}

const build = (name, dist, command, args, cwd) => {
  say(`building the ${name} …`)
  rmSync(dist, { recursive: true, force: true })
  // Vitest says `test` here: what is tested must be what users get, which is smaller and faster.
  if (!run(command, args, { cwd, env: { ...environment(), NODE_ENV: 'production' } })) {
    say(`the ${name} could not be built (the reason is above).`)
    process.exit(1)
  }
  writeFileSync(join(dist, '.built'), new Date().toISOString())
}

/** Builds the console when its sources are newer than the last build. */
export const buildConsole = () => {
  const folder = join(root, 'apps', 'console')
  const dist = join(folder, 'dist')
  // It carries the SDK and the widget, for its own errors and reports.
  const packages = ['contract', 'protocol', 'search-syntax', 'recording', 'browser', 'feedback'].map((name) =>
    join(root, 'packages', name),
  )
  const shared = join(dist, 'shared-player')
  if (isFresh(join(shared, '.built'), [folder, ...packages])) return
  const vite = [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn']
  build('console', dist, node, vite, folder)
  // They stand below the console's files, which the build before empties.
  const player = [...vite, '--config', 'vite.shared-player.config.ts']
  build('player of videos in shared replays', join(dist, 'shared-film'), node, [...player, '--mode', 'film'], folder)
  build('player of shared replays', shared, node, player, folder)
}

/** Builds the script tag's files, which the server serves, when their sources are newer than the last build. */
export const buildBrowser = () => {
  const folder = join(root, 'packages', 'browser')
  const dist = join(folder, 'dist', 'script')
  const packages = ['protocol', 'feedback', 'replay'].map((name) => join(root, 'packages', name))
  if (isFresh(join(dist, '.built'), [folder, ...packages])) return
  build('browser SDK', dist, node, [join(root, 'tools', 'build-browser.mjs')], root)
}

/**
 * Bundles the server when its sources are newer than the last bundle. It would run from its sources as well, but takes
 * 60 MB less memory and starts faster without the compiler.
 */
export const buildServer = () => {
  const folder = join(root, 'apps', 'server')
  const dist = join(folder, 'dist')
  const packages = ['contract', 'protocol', 'search-syntax', 'recording'].map((name) => join(root, 'packages', name))
  const sources = [join(folder, 'src'), ...packages]
  if (isFresh(join(dist, '.built'), sources)) return
  build('server', dist, node, [join(root, 'tools', 'bundle-server.mjs')], root)
}

/** Builds the demo shop's pages when their sources, or those of what they show, are newer than the last build. */
export const buildDemo = () => {
  const folder = join(root, 'apps', 'demo')
  const dist = join(folder, 'dist')
  const sources = ['protocol', 'browser', 'feedback', 'react', 'replay'].map((name) => join(root, 'packages', name))
  if (isFresh(join(dist, '.built'), [folder, ...sources])) return
  build(
    'demo shop',
    dist,
    node,
    [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'warn'],
    folder,
  )
}

/**
 * Node's options for the server. On a large machine V8 lets garbage pile up to hundreds of megabytes; with a bounded heap
 * it collects sooner. Bodies and batches are outside of the heap; it collects them by itself after a flood (`--expose-gc`).
 *
 * @type {string[]}
 */
export const serverFlags = JSON.parse(readFileSync(join(root, 'apps', 'server', 'node-flags.json'), 'utf8'))

/** What `npm start` and the tests run. */
export const serverEntry = join(root, 'apps', 'server', 'dist', 'main.js')
