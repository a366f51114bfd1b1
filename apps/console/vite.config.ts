import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const server = `http://127.0.0.1:${process.env.FIRSTHAND_PORT ?? '9000'}`

/** Files worth compressing, and from which size on. */
const COMPRESSIBLE = /\.(?:js|css|html|svg|map)$/
const MIN_BYTES = 1024

/** Writes `.br` and `.gz` beside every text file, which the server then sends as they are. */
function precompress(): Plugin {
  let outDir = ''
  return {
    name: 'firsthand:precompress',
    apply: 'build',
    configResolved(config) {
      outDir = resolve(config.root, config.build.outDir)
    },
    async closeBundle() {
      for (const entry of await readdir(outDir, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue
        const path = join(entry.parentPath, entry.name)
        const bytes = await readFile(path)
        if (bytes.length < MIN_BYTES) continue
        // Source maps are read rarely: not worth the time of the best compression.
        const quality = entry.name.endsWith('.map') ? 4 : 10
        const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
        await writeFile(`${path}.br`, await promisify(brotliCompress)(bytes, { params }))
        await writeFile(`${path}.gz`, await promisify(gzip)(bytes, { level: 9 }))
      }
    },
  }
}

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

/** Sentences about endpoints are for the OpenAPI description; no browser reads them. */
function dropSummaries(): Plugin {
  return {
    name: 'firsthand:drop-summaries',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/packages\/contract\/src\/[\w-]+\.ts$/, code: 'endpoint(' },
      // Each stands on a line of its own, which stays: source maps remain true.
      handler: (code) => ({
        code: code.replaceAll(/^ {2}summary: (?:'[^'\n]*'|"[^"\n]*"),$/gm, "  summary: '',"),
        map: null,
      }),
    },
  }
}

/** How zod's schemas call what describes them as JSON schemas: one line for each kind of schema, and the way in. */
const DESCRIBE_KIND = /^ *inst\._zod\.processJSONSchema = .*;$/gm
const DESCRIBE_IMPORT = /^import \{ (\w+), (\w+) \} from "\.\.\/core\/to-json-schema\.js";$/m

/** JSON schemas are for the OpenAPI description, which the server writes: 24 kB of zod that no browser runs. */
function dropJsonSchemas(): Plugin {
  return {
    name: 'firsthand:drop-json-schemas',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        if (!DESCRIBE_KIND.test(code) || !DESCRIBE_IMPORT.test(code)) {
          throw new Error('zod describes its schemas in another way than before: look at dropJsonSchemas again.')
        }
        const absent = "() => { throw new Error('The console has no JSON schemas.') }"
        return {
          code: code.replaceAll(DESCRIBE_KIND, '').replace(DESCRIBE_IMPORT, `const $1 = ${absent}, $2 = $1;`),
          map: null,
        }
      },
    },
  }
}

export default defineConfig({
  plugins: [react(), preloadFonts(), precompress(), dropSummaries(), dropJsonSchemas()],
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
