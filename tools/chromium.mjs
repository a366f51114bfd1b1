/** Finds a Chromium for the browser tests, or installs one: Debian's when root on Debian, else Playwright's. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installFromDebian, isDebianRoot } from './debian.mjs'
import { root, run } from './prepare.mjs'

const CANDIDATES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome']
const SHELLS = ['chromium-headless-shell', 'chrome-headless-shell']

const findProgram = (named, commands) => {
  if (named !== undefined && existsSync(named)) return named
  for (const command of commands) {
    const found = spawnSync('which', [command], { encoding: 'utf8' })
    if (found.status === 0) return found.stdout.trim()
  }
  return null
}

const installed = () => findProgram(process.env['FIRSTHAND_TEST_CHROMIUM'], CANDIDATES)

/**
 * The same browser without windows, tabs and an address bar, which take a third of the processor time of a page that nobody
 * looks at (Debian: chromium-headless-shell). Where it is missing, the whole browser does as well.
 *
 * @returns {string | null} path of the executable
 */
export const findHeadlessShell = () => findProgram(process.env['FIRSTHAND_TEST_HEADLESS_SHELL'], SHELLS)

/**
 * @returns {string | null} path of the executable; null when none could be had
 */
export const ensureChromium = () => {
  const found = installed()
  if (found !== null) return found
  if (isDebianRoot()) {
    installFromDebian('Chromium', ['chromium', 'fonts-liberation'])
    return installed()
  }
  run('npx', ['playwright-core', 'install', 'chromium'])
  const path = spawnSync('node', ['-e', "console.log(require('playwright-core').chromium.executablePath())"], {
    cwd: join(root, 'e2e'),
    encoding: 'utf8',
  }).stdout.trim()
  return path !== '' && existsSync(path) ? path : null
}

/** Not together with Chromium: an older Debian has no package of this name, and would then install neither. */
export const ensureHeadlessShell = () => {
  if (findHeadlessShell() === null && isDebianRoot())
    installFromDebian("Chromium's headless shell", ['chromium-headless-shell'])
}
