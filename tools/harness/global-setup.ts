import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { endNoted } from './noted-processes.ts'

/** The browser tests run what users run: the built console and the bundled server, made fresh when sources changed. */
export const setup = (project: TestProject): (() => Promise<void>) => {
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'build.mjs')], { stdio: 'inherit' })
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-shared-'))
  project.provide('sharedFolder', folder)
  return async () => {
    await endNoted(folder)
    rmSync(folder, { recursive: true, force: true })
  }
}
