#!/usr/bin/env node
/**
 * `firsthand <command>`: starts the command on the pinned Node, whatever Node the shell has.
 * `send` and `repro` are the CLI's own; everything else belongs to the server, which alone may open the stores.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = dirname(fileURLToPath(import.meta.url))
const require = createRequire(import.meta.url)

/**
 * Everybody on the machine can read the command line of a process, and only its user the environment. So a password goes on
 * there, and on Linux a title takes the place of our own command line. What cannot be understood is left to the server.
 */
const withoutPassword = (command, words) => {
  const args = [...words]
  const env = { ...process.env }
  if (command !== 'setup') return { args, env }
  process.title = `firsthand ${command}`
  if (args.some((word) => /^--password-file(?:=|$)/.test(word))) return { args, env }
  for (let at = 0; at < args.length;) {
    const [, inWord] = /^--password=(.*)$/s.exec(args[at]) ?? []
    const value = args[at] === '--password' ? args[at + 1] : inWord
    if (value === undefined || value === '' || value === '-' || (inWord === undefined && value.startsWith('-'))) at += 1
    else {
      env.FIRSTHAND_PASSWORD = value
      args.splice(at, inWord === undefined ? 2 : 1)
    }
  }
  return { args, env }
}

const pinned = () => {
  try {
    const path = join(dirname(require.resolve('node/package.json')), 'bin', 'node')
    return existsSync(path) ? path : null
  } catch {
    // Not installed, which is told below.
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
const own = command === 'send' || command === 'repro'
const server = join(here, '..', '..', 'server')
/** What `npm start` built and runs, so that both are the same program; the sources before the first start. */
const main = [join(server, 'dist', 'main.js'), join(server, 'src', 'main.ts')].find((path) => existsSync(path))
const script = own ? join(here, '..', 'src', `${command}.ts`) : main
const flags = JSON.parse(readFileSync(join(server, 'node-flags.json'), 'utf8'))
const { args, env } = withoutPassword(command, rest)
const child = spawn(node, [...flags, script, ...(own ? args : [command, ...args])], { stdio: 'inherit', env })
process.on('SIGINT', () => {})
process.on('SIGTERM', () => child.kill('SIGTERM'))
child.on('exit', (code, signal) => process.exit(signal === null ? (code ?? 1) : 1))
