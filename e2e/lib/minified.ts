import { build } from 'esbuild'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import vm from 'node:vm'
import type { BundledFile } from './uploads.ts'

/** Code that was minified, and where it threw. */
export interface Minified {
  readonly url: string
  /** Of V8, outermost first, as SDKs send them. */
  readonly frames: readonly {
    readonly function: string
    readonly lineno: number
    readonly colno: number
    readonly filename: string
    readonly abs_path: string
    readonly in_app: boolean
  }[]
  /** Code and map, as they are uploaded. */
  readonly files: readonly BundledFile[]
}

/**
 * Builds sources by esbuild and runs what it makes of them.
 *
 * @param sources by their names; `src/main.ts` is the entry, and leaves a function `run` in `globalThis`, which throws
 * @param banner in front of the code: another build, with other places
 */
export const minified = async (
  url: string,
  sources: Readonly<Record<string, string>>,
  banner = '',
): Promise<Minified> => {
  const folder = mkdtempSync(join(tmpdir(), 'firsthand-minified-'))
  try {
    for (const [name, content] of Object.entries(sources)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), content)
    }
    await build({
      absWorkingDir: folder,
      entryPoints: ['src/main.ts'],
      outfile: 'static/app.js',
      bundle: true,
      minify: true,
      sourcemap: true,
      format: 'iife',
      banner: { js: banner },
      logLevel: 'silent',
    })
    const code = readFileSync(join(folder, 'static', 'app.js'), 'utf8')
    const page = vm.createContext({})
    vm.runInContext(code, page, { filename: url })
    const stack = vm.runInContext('try { run() } catch (error) { error.stack }', page, { filename: 'page' }) as string
    const frames = stack
      .split('\n')
      .flatMap((line) => {
        const [, name = '', at, column] = /^\s+at (?:(.+?) \()?.*\/app\.js:(\d+):(\d+)\)?$/.exec(line) ?? []
        return at === undefined
          ? []
          : [{ function: name, lineno: Number(at), colno: Number(column), filename: url, abs_path: url, in_app: true }]
      })
      .toReversed()
    if (frames.length === 0) throw new Error(`the build did not throw as it should: ${stack}`)
    const path = `~${new URL(url).pathname}`
    const headers = { sourcemap: 'app.js.map' }
    return {
      url,
      frames,
      files: [
        { url: path, type: 'minified_source', content: code, headers },
        {
          url: `${path}.map`,
          type: 'source_map',
          content: readFileSync(join(folder, 'static', 'app.js.map'), 'utf8'),
        },
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
