/**
 * Builds what pages load: the script tag's files, which the server serves, and with `--packages` also what is published to
 * npm (`dist/npm` of the packages: ES modules, types, a manifest).
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import feedbackConfig from '../packages/feedback/build.config.mjs'
import { root, run } from './prepare.mjs'

const browser = join(root, 'packages', 'browser')
const feedback = join(root, 'packages', 'feedback')
const react = join(root, 'packages', 'react')
const replay = join(root, 'packages', 'replay')
const vite = join(root, 'packages', 'vite')
const script = join(browser, 'dist', 'script')

const bundle = async (input, output) => {
  const made = await rolldown({ logLevel: 'warn', platform: 'browser', ...input })
  const { output: files } = await made.write({ minify: true, ...output })
  await made.close()
  return files
}

/** The widget is cut into the same parts as in its package. */
const parts = feedbackConfig.output.codeSplitting.groups.map((group) => ({
  ...group,
  test: (id) => /packages\/(feedback|protocol)\/|modern-screenshot/.test(id) && group.test.test(id),
}))

/** Both ways that browsers ask for. */
const compress = (folder) => {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (!name.endsWith('.js')) continue
    const bytes = readFileSync(path)
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
    writeFileSync(`${path}.br`, brotliCompressSync(bytes))
  }
}

const buildScript = async () => {
  rmSync(script, { recursive: true, force: true })
  const folder = join(script, 'sdk')
  mkdirSync(folder, { recursive: true })
  const files = await bundle(
    { input: { main: join(browser, 'src', 'loader', 'main.ts') }, preserveEntrySignatures: 'allow-extension' },
    {
      dir: folder,
      format: 'esm',
      // Nothing but a hash: lists of ad-blockers go by names.
      entryFileNames: '[hash].js',
      chunkFileNames: '[hash].js',
      comments: { annotation: false },
      codeSplitting: { includeDependenciesRecursively: false, groups: parts },
    },
  )
  const main = files.find((file) => file.type === 'chunk' && file.isEntry && file.name === 'main')
  if (main === undefined) throw new Error('the build made no entry')
  await bundle(
    {
      input: { sdk: join(browser, 'src', 'loader', 'loader.ts') },
      transform: { define: { FIRSTHAND_MAIN: JSON.stringify(`sdk/${main.fileName}`) } },
    },
    { dir: script, format: 'iife', entryFileNames: '[name].js', comments: { annotation: false } },
  )
  await bundle(
    {
      input: { 'js-sdk-loader': join(browser, 'src', 'loader', 'sentry-loader.ts') },
      // The server puts the project's number there for each key.
      transform: {
        define: { FIRSTHAND_MAIN: JSON.stringify(`sdk/${main.fileName}`), FIRSTHAND_PROJECT: '"%FIRSTHAND_PROJECT%"' },
      },
    },
    { dir: script, format: 'iife', entryFileNames: '[name].js', comments: { annotation: false } },
  )
  compress(script)
  compress(folder)
  // Who measures wants to know which file is what.
  const named = Object.fromEntries(files.map((file) => [file.name ?? file.fileName, file.fileName]))
  writeFileSync(join(script, 'files.json'), JSON.stringify(named, null, 2))
}

/** What sites import of `@firsthand/browser`, and where it is. */
const ENTRIES = {
  index: 'index.ts',
  core: 'core.ts',
  logs: 'logs/index.ts',
  parts: 'parts.ts',
  'react-router': 'routers/react-router.ts',
  'tanstack-router': 'routers/tanstack-router.ts',
  tracing: 'tracing/index.ts',
}

/** What the declarations of both packages are made with; they are checked with everything else. */
const TYPES = [
  [
    '--ignoreConfig',
    '--declaration',
    '--emitDeclarationOnly',
    '--noCheck',
    '--skipLibCheck',
    '--allowImportingTsExtensions',
  ],
  ['--target', 'es2024', '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2024,dom,dom.iterable'],
].flat()

/** Declarations name sources as they are imported; packages have modules. */
const buildTypes = (folder, sources) => {
  const out = join(folder, 'dist', 'npm')
  const entries = sources.map((name) => join(folder, 'src', name))
  const tsc = join(root, 'node_modules', '.bin', 'tsc')
  if (!run(tsc, [...entries, ...TYPES, '--rootDir', join(folder, 'src'), '--outDir', out])) {
    throw new Error(`the types of ${folder} could not be made`)
  }
  for (const name of readdirSync(out, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.d.ts')) continue
    const path = join(out, name)
    writeFileSync(
      path,
      readFileSync(path, 'utf8').replaceAll(/((?:from|import\() ?['"])(\.[^'"]+)\.ts(?=['"])/g, '$1$2.js'),
    )
  }
}

/** The manifest that is published: it names what was built, where that of the workspace names sources. */
const writeManifest = (folder, exports) => {
  const { name, version, description, license, type, sideEffects, dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(folder, 'package.json'), 'utf8'),
  )
  const manifest = { name, version, description, license, type, sideEffects, exports, dependencies, peerDependencies }
  writeFileSync(join(folder, 'dist', 'npm', 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

const buildPackages = async () => {
  const npm = join(browser, 'dist', 'npm')
  await bundle(
    {
      input: Object.fromEntries(Object.entries(ENTRIES).map(([name, source]) => [name, join(browser, 'src', source)])),
      external: ['web-vitals'],
    },
    { dir: npm, cleanDir: true, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  )
  buildTypes(browser, Object.values(ENTRIES))
  const exported = Object.entries(ENTRIES).map(([name, source]) => [
    name === 'index' ? '.' : `./${name}`,
    { types: `./${source.replace(/\.ts$/, '.d.ts')}`, import: `./${name}.js` },
  ])
  writeManifest(browser, Object.fromEntries(exported))
  const { output, ...input } = feedbackConfig
  await bundle(input, { ...output, dir: join(feedback, 'dist', 'npm') })
  buildTypes(feedback, ['index.ts'])
  writeManifest(feedback, { '.': { types: './index.d.ts', import: './feedback.js' } })
  await bundle(
    { input: { index: join(react, 'src', 'index.ts') }, external: [/^react($|\/)/, /^@firsthand\//] },
    // Frameworks that render on a server look for the first line, 'use client', which minifying would lose.
    { dir: join(react, 'dist', 'npm'), cleanDir: true, format: 'esm', minify: false },
  )
  buildTypes(react, ['index.ts'])
  writeManifest(react, { '.': { types: './index.d.ts', import: './index.js' } })
  await bundle(
    { input: { index: join(replay, 'src', 'index.ts') }, external: [/^@firsthand\//, /^@rrweb\//] },
    { dir: join(replay, 'dist', 'npm'), cleanDir: true, format: 'esm', chunkFileNames: '[name]-[hash].js' },
  )
  buildTypes(replay, ['index.ts'])
  writeManifest(replay, { '.': { types: './index.d.ts', import: './index.js' } })
  await bundle(
    { input: { index: join(vite, 'src', 'index.ts') }, platform: 'node' },
    { dir: join(vite, 'dist', 'npm'), cleanDir: true, format: 'esm', minify: false },
  )
  buildTypes(vite, ['index.ts'])
  writeManifest(vite, { '.': { types: './index.d.ts', import: './index.js' } })
}

await buildScript()
if (process.argv.includes('--packages')) await buildPackages()
