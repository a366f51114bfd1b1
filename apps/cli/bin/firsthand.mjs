#!/usr/bin/env node
/**
 * `firsthand <command>`: starts the command on the pinned Node, whatever Node the shell has.
 * `send` is the CLI's own; everything else belongs to the server, which alone may open the stores.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)

const pinned = () => {
  try {
    const path = join(dirname(require.resolve('node/package.json')), 'bin', 'node')
    return existsSync(path) ? path : null
  } catch {
    return null
  }
}

const node = pinned()
if (node === null) {
  process.stderr.write(
    'firsthand: its packages are not installed. Run `npm install` in the folder of Firsthand, then try again.\n',
  )
  process.exit(1)
}

const [command = 'help', ...rest] = process.argv.slice(2)
const own = command === 'send'
const server = join(here, '..', '..', 'server')
/** What `npm start` built and runs, so that both are the same program; the sources before the first start. */
const main = [join(server, 'dist', 'main.js'), join(server, 'src', 'main.ts')].find((path) => existsSync(path))
const script = own ? join(here, '..', 'src', 'send.ts') : main
const flags = JSON.parse(readFileSync(join(server, 'node-flags.json'), 'utf8'))
const child = spawn(node, [...flags, script, ...(own ? rest : [command, ...rest])], {
  stdio: 'inherit',
})
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
