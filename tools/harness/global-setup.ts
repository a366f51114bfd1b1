import { execFileSync } from 'node:child_process'
import { join } from 'node:path'

/** The browser tests run what users run: the built console and the bundled server, made fresh when sources changed. */
export const setup = (): void => {
  execFileSync(process.execPath, [join(import.meta.dirname, '..', 'build.mjs')], { stdio: 'inherit' })
}
