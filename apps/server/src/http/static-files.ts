import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname } from 'node:path'
import { RecentMap } from '../lib/recent-map.ts'
import { LIMITS } from './limits.ts'

/** Files that were built: the console and the script tag. Beside a file may lie what a compressor made of it. */

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.map': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}

/** For files that bear a hash of what is in them. */
export const FOR_EVER = 'public, max-age=31536000, immutable'

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

interface FileState {
  readonly bytes: number
  readonly changedAt: number
}

/** Null when there is no such file. */
const fileState = async (path: string): Promise<FileState | null> => {
  try {
    const stats = await stat(path)
    return stats.isFile() ? { bytes: stats.size, changedAt: stats.mtimeMs } : null
  } catch {
    // Whatever the reason is, there is nothing to serve.
    return null
  }
}

/** `gzip;q=0` refuses, and does not ask for it. */
const accepts = (header: string, encoding: string): boolean =>
  header
    .toLowerCase()
    .split(',')
    .some((entry) => {
      const [name = '', ...parameters] = entry.trim().split(';')
      return name.trim() === encoding && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter))
    })

export interface StaticFiles {
  /**
   * @param path of the plain file, which the caller has located
   * @param headers besides type, tag and encoding, e.g. `cache-control`
   * @returns null when there is no such file
   */
  answer(request: Request, path: string, headers: Readonly<Record<string, string>>): Promise<Response | null>
}

/** Remembers the hashes of files until they change. */
export const createStaticFiles = (): StaticFiles => {
  const hashes = new RecentMap<string, string>(LIMITS.STATIC_FILES_REMEMBERED)

  const hashOf = (path: string, { bytes, changedAt }: FileState, content: Uint8Array): string => {
    const key = `${path} ${bytes} ${changedAt}`
    const known = hashes.get(key)
    if (known !== undefined) return known
    const hash = createHash('sha256').update(content).digest('base64url').slice(0, 22)
    hashes.set(key, hash)
    return hash
  }

  return {
    answer: async (request, path, more) => {
      const plain = await fileState(path)
      if (plain === null) return null
      const headers = new Headers({
        'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
        vary: 'accept-encoding',
        ...more,
      })
      const accepted = request.headers.get('accept-encoding') ?? ''
      let [file, state] = [path, plain]
      for (const [encoding, suffix] of ENCODINGS) {
        const packed = accepts(accepted, encoding) ? await fileState(path + suffix) : null
        if (packed === null) continue
        file = path + suffix
        state = packed
        headers.set('content-encoding', encoding)
        break
      }
      const content = new Uint8Array(await readFile(file))
      // Of what is sent: the same page in another encoding is another representation.
      const tag = `"${hashOf(file, state, content)}"`
      headers.set('etag', tag)
      const known = new Set(
        (request.headers.get('if-none-match') ?? '').split(',').map((entry) => entry.trim().replace(/^W\//, '')),
      )
      if (known.has(tag) || known.has('*')) return new Response(null, { status: 304, headers })
      return new Response(request.method === 'HEAD' ? null : content, { headers })
    },
  }
}
