/** Finds the browsers that are not Chromium, or installs them: Debian's, when root on Debian. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { installFromDebian, isDebianRoot } from './debian.mjs'

const PROGRAMS = {
  firefox: { variable: 'FIRSTHAND_TEST_FIREFOX', commands: ['firefox-esr', 'firefox'], debian: 'firefox-esr' },
  webkit: { variable: 'FIRSTHAND_TEST_WEBKIT', commands: ['WebKitWebDriver'], debian: 'webkit2gtk-driver' },
  xvfb: { variable: 'FIRSTHAND_TEST_XVFB', commands: ['Xvfb'], debian: 'xvfb' },
}

const find = ({ variable, commands }) => {
  const named = process.env[variable]
  if (named !== undefined && existsSync(named)) return named
  for (const command of commands) {
    const found = spawnSync('which', [command], { encoding: 'utf8' })
    if (found.status === 0) return found.stdout.trim()
  }
  return null
}

/**
 * @param {keyof typeof PROGRAMS} name
 * @returns {string} path of the program
 * @throws Error that says what to install
 */
export const engineProgram = (name) => {
  const program = PROGRAMS[name]
  const found = find(program)
  if (found !== null) return found
  throw new Error(
    `No ${program.commands[0]}. Install it (Debian: apt-get install ${program.debian}) or name it in ${program.variable}.`,
  )
}

/** What cannot be had here is asked for by the tests, which fail and say so. */
export const ensureEngines = () => {
  const missing = Object.values(PROGRAMS).filter((program) => find(program) === null)
  if (missing.length === 0 || !isDebianRoot()) return
  installFromDebian(
    'Firefox and WebKit',
    missing.map(({ debian }) => debian),
  )
}
