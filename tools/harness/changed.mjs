/** What `npm test -- changed` runs: the tests that a change can reach. */
import { spawnSync } from 'node:child_process'

const isTestOrText = (file) => /\.(test\.tsx?|md)$/.test(file)

/**
 * Sources that a project's tests run as a built program or a bundle, where no import leads to them. The tests of other
 * sources are found by their imports.
 */
const BUILT_FROM = {
  unit: [],
  pages: [],
  e2e: [/^apps\//, /^packages\//, /^e2e\/lib\//],
  faults: [
    /^apps\/(server|cli)\//,
    /^packages\/(contract|protocol|search-syntax|recording)\//,
    /^bench\//,
    /^e2e\/lib\//,
  ],
}

/** Whatever is changed here can change everything. */
const EVERYTHING = [/^package-lock\.json$/, /^vitest\.config\.ts$/, /^tools\//, /(^|\/)package\.json$/]

/**
 * @param {'unit' | 'pages' | 'e2e' | 'faults'} project
 * @param {readonly string[]} files what was changed, from the root of the repository
 * @returns {boolean} whether all tests of the project must run; otherwise those suffice that import what was changed
 */
export const needsWholeProject = (project, files) =>
  files
    .filter((file) => !isTestOrText(file))
    .some((file) => [...EVERYTHING, ...BUILT_FROM[project]].some((pattern) => pattern.test(file)))

const git = (root, ...args) => {
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}

/**
 * The change: commits since main and what is not committed; on main itself, the last commit and what is not committed.
 *
 * @param {string} root
 * @returns {{ base: string, files: string[] } | null} null where git knows no earlier commit
 */
export const readChange = (root) => {
  const head = git(root, 'rev-parse', 'HEAD')
  const common = git(root, 'merge-base', 'HEAD', 'main') ?? git(root, 'merge-base', 'HEAD', 'origin/main')
  const base = common !== null && common !== head ? common : git(root, 'rev-parse', 'HEAD~1')
  if (base === null) return null
  const tracked = git(root, 'diff', '--name-only', base) ?? ''
  const untracked = git(root, 'ls-files', '--others', '--exclude-standard') ?? ''
  return { base, files: `${tracked}\n${untracked}`.split('\n').filter((file) => file !== '') }
}
