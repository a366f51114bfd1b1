import { basename } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { dropJsonSchemas, dropPolyfills, dropSummaries, precompress } from './build-plugins.ts'

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

export default defineConfig({
  plugins: [react(), preloadFonts(), precompress(), dropSummaries(), dropJsonSchemas(), dropPolyfills()],
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
      // What every page begins with is one file: cut up by who else imports what, it packs worse and takes a dozen requests.
      output: { codeSplitting: { groups: [{ name: 'console', tags: ['$initial'] }] } },
    },
  },
  server: {
    proxy: { '/api': { target: server, changeOrigin: false }, '/_health': server, '/still': server },
  },
})
