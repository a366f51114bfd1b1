import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '../http/index.ts'

/** `sdk.js` stays where it is and changes with the version; the parts that it loads bear the hash of what is in them. */
const SCRIPT_CACHE = 'public, max-age=300'
const PART_CACHE = 'public, max-age=31536000, immutable'
const PART_NAME = /^[\w-]{6,64}\.js$/

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Any page may load it, also one that isolates itself from others (`Cross-Origin-Embedder-Policy`). */
const OPEN: Readonly<Record<string, string>> = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
  'timing-allow-origin': '*',
}

const readIfThere = async (path: string): Promise<Uint8Array<ArrayBuffer> | null> => {
  try {
    return (await stat(path)).isFile() ? new Uint8Array(await readFile(path)) : null
  } catch {
    return null
  }
}

/** `"gzip;q=0"` refuses, and does not ask for it. */
const accepts = (header: string, encoding: string): boolean =>
  header
    .toLowerCase()
    .split(',')
    .some((entry) => {
      const [name = '', ...parameters] = entry.trim().split(';')
      return name.trim() === encoding && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))
    })

/**
 * The script tag's files: `/sdk.js` and, below `/sdk/`, the parts that it loads.
 *
 * @param dir folder of the built files; 404 for what is not there
 */
export const createSdkPages = ({ dir }: { readonly dir: string }): readonly Page[] => {
  const answer = async (request: Request, path: string, cache: string): Promise<Response> => {
    const plain = await readIfThere(path)
    if (plain === null) {
      return new Response('Not found', {
        status: 404,
        headers: { ...OPEN, 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
      })
    }
    const tag = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
    const headers = new Headers({
      ...OPEN,
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': cache,
      vary: 'accept-encoding',
      etag: `"${tag}"`,
    })
    let bytes = plain
    const accepted = request.headers.get('accept-encoding') ?? ''
    for (const [encoding, suffix] of ENCODINGS) {
      const packed = accepts(accepted, encoding) ? await readIfThere(path + suffix) : null
      if (packed === null) continue
      bytes = packed
      headers.set('content-encoding', encoding)
      headers.set('etag', `"${tag}-${encoding}"`)
      break
    }
    const known = new Set(
      (request.headers.get('if-none-match') ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, '')),
    )
    if (known.has(headers.get('etag') ?? '') || known.has('*')) return new Response(null, { status: 304, headers })
    return new Response(request.method === 'HEAD' ? null : bytes, { headers })
  }

  return [
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
        return answer(request, join(dir, 'sdk', PART_NAME.test(name) ? name : '\0'), PART_CACHE)
      },
    },
  ]
}
