import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'

/** What both builds of the console's sources have in common. */

/** Files worth compressing, and from which size on. */
const COMPRESSIBLE = /\.(?:js|css|html|svg|map)$/
const MIN_BYTES = 1024

/** Writes `.br` and `.gz` beside every text file, which the server then sends as they are. */
export function precompress(): Plugin {
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

/** Sentences about endpoints are for the OpenAPI description; no browser reads them. */
export function dropSummaries(): Plugin {
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
export function dropJsonSchemas(): Plugin {
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

/** Two functions of rrweb's player, for browsers without smooth scrolling and without `forEach` of lists of nodes. */
const POLYFILL = /^function (polyfill(?:\$\d)?)\(.*\) \{$/gm

/** The worker of rrweb's recorder, whose text its player has as well and puts together for nobody. */
const RECORDERS_WORKER = /^typeof self !== "undefined" && self\.Blob && new Blob\(\[jsContent\], .*\);$/m

/** Every browser that the console is built for has what these would add; nothing is recorded here. */
export function dropPolyfills(): Plugin {
  return {
    name: 'firsthand:drop-polyfills',
    enforce: 'pre',
    apply: 'build',
    transform: {
      filter: { id: /\/@rrweb\/replay\/dist\/replay\.js$/ },
      handler(code) {
        if (code.match(POLYFILL)?.length !== 2 || !RECORDERS_WORKER.test(code)) {
          throw new Error(
            "rrweb's player has other polyfills, or another worker, than before: look at dropPolyfills again.",
          )
        }
        // What nobody calls falls out. Each stays on its line: source maps remain true.
        const without = code
          .replaceAll(POLYFILL, 'function $1() {} function without_$1() {')
          .replace(RECORDERS_WORKER, '')
        return { code: without, map: null }
      },
    },
  }
}

const ASKS_FOR_REACT = 'isReactVersionAtLeast(19)'
const WITH_SELECTOR = "import { useSyncExternalStoreWithSelector } from 'use-sync-external-store/shim/with-selector';"

/** Hooks that versions of React before ours did not have: Base UI brings them, and does not call them. */
export function dropOldReact(): Plugin {
  return {
    name: 'firsthand:drop-old-react',
    enforce: 'pre',
    apply: 'build',
    config: () => ({ resolve: { alias: [{ find: /^use-sync-external-store\/shim$/, replacement: 'react' }] } }),
    transform: {
      filter: { id: /\/@base-ui\/utils\/store\/useStore\.mjs$/ },
      handler(code) {
        if (!code.includes(ASKS_FOR_REACT) || !code.includes(WITH_SELECTOR)) {
          throw new Error(
            'Base UI asks for the version of React in another way than before: look at dropOldReact again.',
          )
        }
        // Each stays on its line: source maps remain true.
        return {
          code: code
            .replace(WITH_SELECTOR, 'const useSyncExternalStoreWithSelector = undefined;')
            .replace(ASKS_FOR_REACT, 'true'),
          map: null,
        }
      },
    },
  }
}
