/** Bundles the server into apps/server/dist: one file per process and thread, and what they share. */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import { root } from './prepare.mjs'

const source = join(root, 'apps', 'server', 'src')

/** Entries besides main: modules that are started by URL, as a thread or as a process. */
const STARTED_BY_URL = /new URL\('(?:[^']*\/)?([\w-]+)\.ts', import\.meta\.url\)/g

const startedByUrl = {
  name: 'started-by-url',
  transform(code, id) {
    if (!id.endsWith('.ts') || !code.includes('import.meta.url')) return null
    return { code: code.replaceAll(STARTED_BY_URL, "new URL('./$1.js', import.meta.url)"), map: null }
  },
}

const find = (name) => {
  const match = readdirSync(source, { recursive: true, encoding: 'utf8' }).find(
    (path) => path.endsWith(`/${name}.ts`) || path === `${name}.ts`,
  )
  if (match === undefined) throw new Error(`there is no ${name}.ts below ${source}`)
  return join(source, match)
}

const bundle = await rolldown({
  input: Object.fromEntries(
    [
      'main',
      'digest-worker',
      'engine-process',
      'ledger-thread',
      'cutting-thread',
      'repro-thread',
      'picture-thread',
      'request-thread',
      'slicing-thread',
      'sheet-thread',
      'unpack-thread',
      'prepare-process',
      'server-watch',
    ].map((name) => [name, find(name)]),
  ),
  platform: 'node',
  // chDB brings its library beside its own files; pg looks for pg-native, which nobody installs.
  external: ['chdb', /^chdb\//, 'pg-native', 'pg-cloudflare'],
  plugins: [startedByUrl],
  logLevel: 'warn',
})
await bundle.write({
  dir: join(root, 'apps', 'server', 'dist'),
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: 'shared-[hash].js',
})
await bundle.close()
