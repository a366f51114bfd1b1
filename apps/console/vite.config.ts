import { basename } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { dropJsonSchemas, dropOldReact, dropPolyfills, dropSummaries, precompress } from './build-plugins.ts'

const server = `http://127.0.0.1:${process.env.FIRSTHAND_PORT ?? '9000'}`

/** The two fonts of every page, as Latin text needs them: asked for with the page, not once its styles have been read. */
const FIRST_FONTS = /^(?:inter|jetbrains-mono)-latin-wght-normal-.*\.woff2$/

/** Asks for the fonts at once: text that changes its font while one reads moves the lines around it. */
function preloadFonts(): Plugin {
  return {
    name: 'firsthand:preload-fonts',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle }) =>
        Object.keys(bundle ?? {})
          .filter((name) => FIRST_FONTS.test(basename(name)))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${name}`, as: 'font', type: 'font/woff2', crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  }
}

/** The files that scripts are put into, first match first: cut up by who else imports what, one page would be eighty of them. */
const FILES = [
  // What every page begins with.
  { name: 'console', tags: ['$initial' as const], priority: 4 },
  // What every page of an organisation has around it, and the list that most visits begin with, with all that they need.
  {
    name: 'frame',
    test: /\/(?:shell\/organization-frame|features\/issues\/screens|features\/\w+\/side-bar\/index)\.tsx?$/,
    priority: 3,
  },
  // What nearly every screen needs, of about ninety pieces that are loaded when they are needed.
  { name: 'common', minShareCount: 20, priority: 2 },
  // The rest by which pieces need it: none loads what it does not need, but for what is too small for a file of its own.
  { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: 10_000, priority: 1 },
]

export default defineConfig({
  plugins: [
    react(),
    preloadFonts(),
    precompress(),
    dropSummaries(),
    dropJsonSchemas(),
    dropPolyfills(),
    dropOldReact(),
  ],
  build: {
    outDir: 'dist',
    // Nothing may become a data: URL: the page's Content-Security-Policy allows only our own files.
    assetsInlineLimit: 0,
    sourcemap: true,
    // Grammars of the syntax colour are large; a worker loads them when a stack trace has source. tools/size.mjs has budgets.
    chunkSizeWarningLimit: 1000,
    target: 'es2023',
    // Every browser of that age preloads modules by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Schemas and endpoints are values without effects: those that no screen uses fall out.
      treeshake: { manualPureFunctions: ['z', 'endpoint'] },
      output: { codeSplitting: { groups: FILES } },
    },
  },
  server: {
    proxy: { '/api': { target: server, changeOrigin: false }, '/_health': server, '/still': server },
  },
})
