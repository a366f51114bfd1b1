/**
 * `npm run size`: gzip and brotli of everything that a page loads, beside the same parts of `@sentry/browser` 11 built in the
 * same run by the same bundler. Fails when a budget is exceeded. 1 kB is 1000 bytes.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import feedbackConfig from '../packages/feedback/build.config.mjs'
import { buildBrowser, root } from './prepare.mjs'

const KB = 1000
/** Of the issue, in bytes of gzip. */
const BUDGETS = { core: 8 * KB, tracing: 9 * KB, loader: 3 * KB, dialog: 12 * KB, editor: 12 * KB, replay: 43 * KB }

const sizesOf = (codes) => {
  const sum = (pack) => codes.reduce((total, code) => total + pack(Buffer.from(code)).length, 0)
  return { gzip: sum((bytes) => gzipSync(bytes, { level: 9 })), brotli: sum(brotliCompressSync) }
}
const minus = (one, other) => ({ gzip: one.gzip - other.gzip, brotli: one.brotli - other.brotli })

const bundle = async (input, output = {}) => {
  const made = await rolldown({ logLevel: 'silent', platform: 'browser', ...input })
  const { output: files } = await made.generate({ format: 'esm', minify: true, comments: false, ...output })
  await made.close()
  return files.filter((file) => file.type === 'chunk')
}

/** The first file of an entry that is given as source, and what it loads at once. */
const entry = async (source, from, isTraced = false) => {
  const name = '\0measured'
  const chunks = await bundle({
    input: { measured: name },
    // As in an application: what a later part needs as well stays where it is.
    preserveEntrySignatures: 'allow-extension',
    // What a site sets that wants its bundle small.
    transform: { define: { __SENTRY_DEBUG__: 'false', __SENTRY_TRACING__: String(isTraced) } },
    plugins: [
      {
        name: 'measured',
        resolveId: (id, importer) => {
          if (id === name) return name
          return importer === name ? from(id) : null
        },
        load: (id) => (id === name ? { code: source, moduleSideEffects: true } : null),
      },
    ],
  })
  const loaded = closure(chunks, (chunk) => chunk.isEntry)
  return { ...sizesOf(loaded.map((chunk) => chunk.code)), chunks }
}

/** A chunk and all that it imports at once. */
const closure = (chunks, isFirst) => {
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const found = new Set()
  const visit = (chunk) => {
    if (chunk === undefined || found.has(chunk)) return
    found.add(chunk)
    for (const name of chunk.imports) visit(byName.get(name))
  }
  chunks.filter(isFirst).forEach(visit)
  return [...found]
}

const packages = join(root, 'packages')
const ours = (id) => join(packages, id)
const sentry = dirname(createRequire(import.meta.url).resolve('sentry-browser-11/package.json'))
const { version } = JSON.parse(readFileSync(join(sentry, 'package.json'), 'utf8'))
const theirs = (id) => {
  const folder = id === 'browser' ? sentry : join(sentry, 'node_modules', '@sentry', id)
  const { exports, module: main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const said = exports?.['.']
  return join(folder, said?.production?.import ?? said?.import?.default ?? said?.import ?? main)
}

/** Named as both name it. */
const FUNCTIONS =
  'captureException, captureMessage, captureEvent, addBreadcrumb, setUser, setTag, setTags, setContext, setExtra, setExtras, withScope, getCurrentScope, getClient, lastEventId, flush, close'
const OUR_CORE = `export * from 'browser/src/core.ts';`
const OUR_BREADCRUMBS = `export { breadcrumbsIntegration } from 'browser/src/breadcrumbs/index.ts';`
const OUR_TRACING = `export { browserTracingIntegration } from 'browser/src/tracing/index.ts';`
const OUR_LOGS = `export { logger } from 'browser/src/logs/index.ts';`
const OUR_REPLAY = `export { replayIntegration } from 'replay/src/index.ts';`
const THEIR_CORE = `
  import * as all from 'browser'
  export const init = (options) => {
    const client = new all.BrowserClient({
      transport: all.makeFetchTransport,
      stackParser: all.defaultStackParser,
      integrations: [all.eventFiltersIntegration(), all.globalHandlersIntegration(), all.linkedErrorsIntegration(), all.dedupeIntegration(), all.httpContextIntegration()],
      ...options,
    })
    all.setCurrentClient(client)
    client.init()
  }
  export { ${FUNCTIONS} } from 'browser';`
const theirPart = (name) => `${THEIR_CORE} export { ${name} } from 'browser';`

const feedbackParts = async () => {
  const { output, ...input } = feedbackConfig
  const { dir: _dir, cleanDir: _cleanDir, ...form } = output
  const chunks = await bundle(input, form)
  const file = (name) =>
    sizesOf(chunks.filter((chunk) => chunk.fileName === `feedback-${name}.js`).map(({ code }) => code))
  const atStart = closure(chunks, (chunk) => chunk.isEntry)
  const opened = closure(chunks, (chunk) => chunk.fileName === 'feedback-dialog.js')
  const fresh = opened.filter((chunk) => !atStart.includes(chunk))
  return {
    loader: sizesOf(atStart.map(({ code }) => code)),
    dialog: file('dialog'),
    opened: sizesOf(fresh.map(({ code }) => code)),
    editor: file('editor'),
    screenshot: file('screenshot'),
    page: file('page'),
  }
}

buildBrowser()
const script = join(root, 'packages', 'browser', 'dist', 'script')
const files = JSON.parse(readFileSync(join(script, 'files.json'), 'utf8'))
const built = (path) => sizesOf([readFileSync(join(script, path))])

const core = await entry(OUR_CORE, ours)
const withBreadcrumbs = await entry(OUR_CORE + OUR_BREADCRUMBS, ours)
const withTracing = await entry(OUR_CORE + OUR_TRACING, ours)
const withLogs = await entry(OUR_CORE + OUR_LOGS, ours)
const withReplay = await entry(OUR_CORE + OUR_TRACING + OUR_REPLAY, ours)
const plus = (one, other) => ({ gzip: one.gzip + other.gzip, brotli: one.brotli + other.brotli })
/** Loaded by the recorder when a page wants it. */
const canvas = sizesOf(
  withReplay.chunks.filter(({ code }) => code.includes('replay.canvas-slowed')).map(({ code }) => code),
)
const whole = await entry(`export * from 'browser/src/index.ts'`, ours)
const outbox = sizesOf(whole.chunks.filter((chunk) => chunk.name === 'outbox').map(({ code }) => code))
const widget = await feedbackParts()

const sentryCore = await entry(THEIR_CORE, theirs)
const sentryWhole = await entry(`export { init, ${FUNCTIONS} } from 'browser'`, theirs)
const sentryPart = async (name, isTraced) => minus(await entry(theirPart(name), theirs, isTraced), sentryCore)
const sentryTracing = await entry(theirPart('browserTracingIntegration'), theirs, true)
const sentryBeyond = async (names) =>
  minus(await entry(theirPart(`browserTracingIntegration, ${names}`), theirs, true), sentryTracing)
const sentryReplay = await sentryBeyond('replayIntegration')
const sentryCanvas = await sentryBeyond('replayIntegration, replayCanvasIntegration')
const sentryFeedback = (name) => entry(`export { ${name} } from 'feedback'`, theirs)

/** Budget and peer are optional. */
const ROWS = [
  ['errors-only core', core, sentryCore, BUDGETS.core],
  ['  + breadcrumbs', minus(withBreadcrumbs, core), await sentryPart('breadcrumbsIntegration')],
  ['  + tracing (T93)', minus(withTracing, core), await sentryPart('browserTracingIntegration', true), BUDGETS.tracing],
  ['  + tracing + replay', minus(withReplay, withTracing), sentryReplay],
  ['  + tracing + replay + canvas (R86)', plus(minus(withReplay, withTracing), canvas), sentryCanvas, BUDGETS.replay],
  ['  + logs', minus(withLogs, core), await sentryPart('logger')],
  ['  + offline queue, first part', minus(whole, withBreadcrumbs), await sentryPart('makeBrowserOfflineTransport')],
  ['  offline queue, later', outbox],
  ['what init() brings along', whole, sentryWhole],
  ['sdk.js', built('sdk.js')],
  ['script tag: all of the SDK', built(join('sdk', files.main))],
  ['feedback: loader', widget.loader, await sentryPart('feedbackAsyncIntegration'), BUDGETS.loader],
  ['feedback: dialog', widget.dialog, await sentryFeedback('feedbackModalIntegration')],
  ['feedback: opening it, in all', widget.opened, null, BUDGETS.dialog],
  ['feedback: screenshot', widget.screenshot, await sentryFeedback('feedbackScreenshotIntegration')],
  ['feedback: editor', widget.editor, undefined, BUDGETS.editor],
  ['feedback: renderer of the page', widget.page],
]

const kb = (bytes) => (bytes === undefined ? '–' : `${(bytes / KB).toFixed(2)} kB`).padStart(10)
const line = (mark, name, cells) => process.stdout.write(`${mark} ${name.padEnd(36)}${cells.join('')}\n`)

line(' ', '', ['Firsthand'.padStart(20), ''.padStart(10), `@sentry/browser ${version}`.padStart(26)])
line(
  ' ',
  '',
  ['gzip', 'brotli', 'budget', 'gzip', 'brotli'].map((title) => title.padStart(10)),
)
let isOver = false
for (const [name, own, peer, budget] of ROWS) {
  const failed = own.gzip === 0 || (budget !== undefined && own.gzip > budget)
  isOver ||= failed
  line(
    failed ? '✗' : budget === undefined ? ' ' : '✓',
    name,
    [own.gzip, own.brotli, budget, peer?.gzip, peer?.brotli].map(kb),
  )
}
process.exit(isOver ? 1 : 0)
