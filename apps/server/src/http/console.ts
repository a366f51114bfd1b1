import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

/** Serves the built console: hashed assets for ever, `index.html` for every page address. */

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

const ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/** Vite puts everything with a hash in its name here. */
const IMMUTABLE = `${sep}assets${sep}`

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Firsthand</title></head>
<body>
<h1>The console is not built yet</h1>
<p>Firsthand is running and receives events, but the files of its console are missing.
Stop it and run <code>npm start</code>, which builds the console first, or build it with <code>npm run build</code> and reload this page.</p>
</body>
</html>
`

const isFile = async (path: string): Promise<boolean> => {
  try {
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

/** The file that an address names inside the folder, or null when it leaves the folder or is not written properly. */
const locate = (dir: string, pathname: string): string | null => {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (decoded.includes('\0')) return null
  const path = normalize(join(dir, decoded))
  return path.startsWith(`${dir}${sep}`) ? path : null
}

export const createConsole = ({ dir }: { readonly dir: string }): ((request: Request) => Promise<Response>) => {
  const root = normalize(dir).replace(/[/\\]+$/, '')
  const index = join(root, 'index.html')

  const answer = async (request: Request, path: string): Promise<Response> => {
    const accepted = request.headers.get('accept-encoding') ?? ''
    const headers = new Headers({
      'content-type': TYPES[extname(path)] ?? 'application/octet-stream',
      'cache-control': path.startsWith(`${root}${IMMUTABLE}`) ? 'public, max-age=31536000, immutable' : 'no-cache',
      vary: 'accept-encoding',
    })
    let file = path
    for (const [encoding, suffix] of ENCODINGS) {
      if (accepted.includes(encoding) && (await isFile(path + suffix))) {
        file = path + suffix
        headers.set('content-encoding', encoding)
        break
      }
    }
    const bytes = await readFile(file)
    const tag = `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
    headers.set('etag', tag)
    if (request.headers.get('if-none-match') === tag) return new Response(null, { status: 304, headers })
    return new Response(request.method === 'HEAD' ? null : bytes, { headers })
  }

  return async (request) => {
    const { pathname } = new URL(request.url)
    const path = locate(root, pathname)
    if (path !== null && path !== index && (await isFile(path))) return answer(request, path)
    // A missing asset must not be answered with a page: the browser would take it for a script.
    if (pathname.startsWith('/assets/')) return new Response('Not found', { status: 404 })
    if (await isFile(index)) return answer(request, index)
    return new Response(NOT_BUILT, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
  }
}
