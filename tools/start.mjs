/**
 * `npm start`: everything from a fresh clone to a running server. Arguments go to `firsthand serve`.
 * `npm run dev` (`--watch`): the server restarts when its sources change, the console is served by Vite.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import {
  buildBrowser,
  buildConsole,
  buildServer,
  environment,
  install,
  node,
  root,
  serverEntry,
  serverFlags,
} from './prepare.mjs'

const watch = process.argv.includes('--watch')
const args = process.argv.slice(2).filter((argument) => argument !== '--watch')

install(watch ? 'all' : 'run')
buildBrowser()
if (!watch) {
  buildConsole()
  buildServer()
}

const start = (nodeArguments, cwd = root) => spawn(node, nodeArguments, { cwd, stdio: 'inherit', env: environment() })

const children = watch
  ? [
      start(['--watch', ...serverFlags, join('apps', 'server', 'src', 'main.ts'), 'serve', ...args]),
      start([join(root, 'node_modules', 'vite', 'bin', 'vite.js')], join(root, 'apps', 'console')),
    ]
  : [start([...serverFlags, serverEntry, 'serve', ...args])]

let exitCode = 0
let running = children.length
for (const child of children) {
  child.on('exit', (code) => {
    exitCode = Math.max(exitCode, code ?? 1)
    running -= 1
    for (const other of children) other.kill('SIGTERM')
    if (running === 0) process.exit(exitCode)
  })
}
// The terminal sends SIGINT to the whole group; the server drains and exits by itself, and we wait for it.
process.on('SIGINT', () => {})
process.on('SIGTERM', () => {
  for (const child of children) child.kill('SIGTERM')
})
