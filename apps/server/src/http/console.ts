import { join, normalize, sep } from 'node:path'
import { createStaticFiles, FOR_EVER } from './static-files.ts'

/** Serves the built console: hashed assets for ever, `index.html` for every page address. */

/** No address of the console ends like the name of a file. Versions do, `1.2.3`, so an ending begins with a letter. */
const FILE_NAME = /\.[a-z][a-z0-9]*$/i

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

  const files = createStaticFiles()
  const answer = (request: Request, path: string): Promise<Response | null> =>
    files.answer(request, path, {
      'cache-control': path.startsWith(`${root}${IMMUTABLE}`) ? FOR_EVER : 'no-cache',
    })

  return async (request) => {
    const { pathname } = new URL(request.url)
    const path = locate(root, pathname)
    const named = path === null || path === index ? null : await answer(request, path)
    if (named !== null) return named
    // A missing file must not be answered with a page: the browser would take it for a script, a probe for a secret.
    if (pathname.startsWith('/assets/') || (FILE_NAME.test(pathname) && path !== index)) {
      return new Response('Not found', { status: 404, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    }
    const page = await answer(request, index)
    return page ?? new Response(NOT_BUILT, { status: 503, headers: { 'content-type': 'text/html; charset=utf-8' } })
  }
}
