import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createStaticFiles, FOR_EVER } from '../http/index.ts'
import type { Page } from '../http/index.ts'

/** `sdk.js` stays where it is and changes with the version; the parts that it loads bear the hash of what is in them. */
const SCRIPT_CACHE = 'public, max-age=300'
const PART_NAME = /^[\w-]{6,64}\.js$/

/** Any page may load it, also one that isolates itself from others (`Cross-Origin-Embedder-Policy`). */
const OPEN: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
}

/** Sentry's address of a project's loader, minified or not, with a key of the project. */
const LOADER_NAME = /^\/js-sdk-loader\/([\w-]{1,64})(?:\.min)?\.js$/
/** Where the build leaves room for the number of the project. */
const PROJECT_PLACE = '%FIRSTHAND_PROJECT%'

/**
 * The script tag's files: `/sdk.js` and, below `/sdk/`, the parts that it loads; and `/js-sdk-loader/<key>.min.js`, which
 * pages that were made for Sentry ask for.
 *
 * @param dir folder of the built files; 404 for what is not there
 * @param projectOf the number of the project that has the public key; null when it takes nothing
 */
export const createSdkPages = ({
  dir,
  projectOf,
}: {
  readonly dir: string
  readonly projectOf: (publicKey: string) => Promise<number | null>
}): readonly Page[] => {
  const files = createStaticFiles()
  const answer = async (request: Request, path: string, cache: string): Promise<Response> => {
    const found = await files.answer(request, path, { ...OPEN, 'cache-control': cache })
    if (found !== null) return found
    const headers = { ...OPEN, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }
    return new Response('Not found', { status: 404, headers })
  }

  const loader = async (request: Request): Promise<Response> => {
    const key = LOADER_NAME.exec(new URL(request.url).pathname)?.[1]
    const project = key === undefined ? null : await projectOf(key)
    const headers = { ...OPEN, 'content-type': 'text/javascript; charset=utf-8' }
    if (project === null) {
      const words = '// No project has this key, or it is switched off: nothing of this page is reported.\n'
      return new Response(request.method === 'HEAD' ? null : words, {
        status: 404,
        headers: { ...headers, 'cache-control': 'no-store' },
      })
    }
    const built = await readFile(join(dir, 'js-sdk-loader.js'), 'utf8')
    return new Response(request.method === 'HEAD' ? null : built.replaceAll(PROJECT_PLACE, String(project)), {
      headers: { ...headers, 'cache-control': SCRIPT_CACHE },
    })
  }

  return [
    { methods: ['GET', 'HEAD'], path: '/js-sdk-loader/*', handle: loader },
    {
      methods: ['GET', 'HEAD'],
      path: '/sdk.js',
      handle: (request) => answer(request, join(dir, 'sdk.js'), SCRIPT_CACHE),
    },
    {
      methods: ['GET', 'HEAD'],
      path: '/sdk/*',
      handle: (request) => {
        const name = new URL(request.url).pathname.slice('/sdk/'.length)
        // A name that no build makes is looked for nowhere.
        return answer(request, join(dir, 'sdk', PART_NAME.test(name) ? name : '\0'), FOR_EVER)
      },
    },
  ]
}
