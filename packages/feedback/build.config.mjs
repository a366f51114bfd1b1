import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(path, import.meta.url))

/** Named by what they are, so that a page and a cache know them again. Paths inside `src`, first match wins. */
const CHUNKS = [
  ['feedback-plain', /src\/loader\/inline-form\.ts$/],
  ['feedback-common', /feedback\/src\/(client|send\/(draft|threads|scopes|announce))\.ts$|protocol\/src\/wire\.ts$/],
  [
    'feedback-send',
    /src\/(send\/(sending|keep|transport|envelope|report-event|scrub-url)|dialog\/(submission|mending))\.ts$/,
  ],
  ['feedback-page', /src\/screenshot\/page\.ts$|modern-screenshot/],
  ['feedback-screenshot', /src\/(screenshot\/(?!contract|page)|text\/picture\.en)/],
  ['feedback-editor', /src\/editor\/(?!dom)/],
  ['feedback-topics', /src\/(dialog\/topics|text\/topic\.en)/],
  ['feedback-dialog', /src\/(dialog|editor\/dom|text\/(en|catalogue))/],
]

/** What stands in for the dialog when an ad-blocker keeps it away, with all that it needs: it must not look like it. */
const PLAIN = new Map([
  ['feedback-plain', 'plain-form.js'],
  ['feedback-common', 'plain-parts.js'],
  ['rolldown-runtime', 'plain-runtime.js'],
])

/** For rolldown: ES modules in `dist`; `feedback.js` is the loader, the rest is loaded when it is needed. */
export default {
  input: { feedback: at('src/index.ts') },
  platform: 'browser',
  treeshake: true,
  preserveEntrySignatures: 'allow-extension',
  output: {
    dir: at('dist'),
    format: 'esm',
    minify: true,
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) =>
      PLAIN.get(name) ?? `feedback-${name.replace(/^feedback-/, '').replace(/^all\./, 'text-')}.js`,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: CHUNKS.map(([name, test], index) => ({ name, test, priority: CHUNKS.length - index })),
    },
  },
}
