import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { needsWholeProject, readChange } from './changed.mjs'

const PROJECTS = ['unit', 'pages', 'e2e', 'faults'] as const
const wholeFor = (file: string) => PROJECTS.filter((project) => needsWholeProject(project, [file]))

describe('what a change can reach', () => {
  it.each([
    ['apps/server/src/stop.ts', ['e2e', 'faults']],
    ['apps/console/src/routes/router.ts', ['e2e']],
    ['packages/feedback/src/index.ts', ['e2e']],
    ['packages/protocol/src/dsn.ts', ['e2e', 'faults']],
    ['package-lock.json', ['unit', 'pages', 'e2e', 'faults']],
    ['apps/server/src/stop.test.ts', []],
    ['apps/server/README.md', []],
    ['e2e/console/stream.test.ts', []],
  ])('%s needs all of %j', (file, projects) => {
    expect(wholeFor(file)).toEqual(projects)
  })
})

describe('the change itself', () => {
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-changed-'))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder })
  const commit = (file: string) => {
    writeFileSync(join(folder, file), '')
    git('add', '.')
    git('commit', '-qm', file)
  }

  it('is what came since main, committed or not; on main the last commit', () => {
    git('init', '-qb', 'main')
    commit('first')
    expect(readChange(folder)).toBeNull()
    commit('second')
    expect(readChange(folder)?.files).toEqual(['second'])
    git('checkout', '-qb', 'feature')
    commit('third')
    commit('fourth')
    writeFileSync(join(folder, 'fifth'), '')
    expect(readChange(folder)?.files).toEqual(['fourth', 'third', 'fifth'])
  })
})
