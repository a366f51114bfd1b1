/** Programs that the tests need and npm does not have. */
import { existsSync } from 'node:fs'
import { run } from './prepare.mjs'

/** Whether packages can be installed without asking anybody: as root on Debian. */
export const isDebianRoot = () => process.getuid?.() === 0 && existsSync('/etc/debian_version')

let hasLists = false

/**
 * @param {string} what for people
 * @param {readonly string[]} packages
 */
export const installFromDebian = (what, packages) => {
  process.stderr.write(`firsthand: installing ${what} for the browser tests …\n`)
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  if (!hasLists) hasLists = run('apt-get', ['update', '-qq'], quiet)
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], quiet)
}
