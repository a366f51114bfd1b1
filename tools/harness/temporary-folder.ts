import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** What tests leave in the folder for temporary files goes with the run, however it ends: it is a folder of the run's own. */
export const setup = (): (() => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-unit-'))
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  return () => {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    // Engines that end with their workers may write a last time.
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}
